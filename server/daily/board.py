"""The board of a day, read in the order of its index.

A rank is not counted row by row: it is the better buckets of `day_counts` together, and the place within the
bucket of one's own.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from server.daily.model import Bar, Board, Entry, Player, State, Turnout
from server.errors import Code, Refused
from server.log.database import patient
from server.log.model import GameId, UserId
from server.log.schema import day_counts, games, results

Names = Callable[[Collection[UserId]], Awaitable[Mapping[UserId, str]]]
"""What users are called."""

PAGE: Final = 50
TOP: Final = 10
"""Entries in a push."""
NEIGHBOURS: Final = 3
"""Entries on either side of the caller's own."""

_ORDER: Final = (
    results.c.lost,
    results.c.moves,
    results.c.clock_ms,
    results.c.finished_at,
    results.c.game_id,
)
"""The order of the board and of its index: all of it goes up."""

_Result = Row[Any]
"""A row of `results`."""
_Columns = ReadOnlyColumnCollection[str, Any]


class Boards:
    """The boards of all days."""

    def __init__(self, engine: AsyncEngine, names: Names) -> None:
        # One moment for all that an answer is put together from, so that ranks fit their entries.
        self._engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._names = names

    @patient
    async def page(self, day: date, caller: UserId | None, cursor: GameId | None) -> Board:
        """A page of the board and the caller's place on it; the cursor is the last game of the page before.

        Raises:
            Refused: `bad_request`, the cursor is not on this board.
        """
        async with self._engine.connect() as connection:
            after = None if cursor is None else await _entry_of(connection, day, results.c.game_id == cursor)
            if cursor is not None and after is None:
                raise Refused(Code.BAD_REQUEST, "This cursor is not on the board. Start from the first page.")
            rows = await _first(connection, PAGE + 1, _listed(day, after=after))
            page = await _ranked(connection, rows[:PAGE])
            around = [] if caller is None else await _around(connection, day, caller)
        entries, neighbours = await self._entries(page), await self._entries(around)
        return Board(
            date=day,
            entries=entries,
            me=next((entry for entry in neighbours if entry.user.id == caller), None),
            around=neighbours,
            next=entries[-1].game if len(rows) > PAGE else None,
        )

    @patient
    async def state(self, day: date) -> State:
        """How a day stands: who plays, and the first entries of the board."""
        async with self._engine.connect() as connection:
            turnout = await _turnout(connection, day)
            top = await _ranked(connection, await _first(connection, TOP, _listed(day)))
        return State(turnout, await self._entries(top))

    @patient
    async def turnout(self, day: date) -> Turnout:
        """How many play the deal of a day."""
        async with self._engine.connect() as connection:
            return await _turnout(connection, day)

    @patient
    async def histogram(self, day: date) -> list[Bar]:
        """With how many moves the deal was won, by those on the board and by guests."""
        query = (
            select(day_counts.c.moves, (day_counts.c.listed + day_counts.c.unlisted).label("players"))
            .where(day_counts.c.day == day, day_counts.c.lost == 0)
            .order_by(day_counts.c.moves)
        )
        async with self._engine.connect() as connection:
            return [Bar(row.moves, row.players) for row in await connection.execute(query)]

    async def _entries(self, ranked: Sequence[tuple[int, _Result]]) -> list[Entry]:
        names = await self._names({row.user_id for _, row in ranked})
        return [
            Entry(
                rank=rank,
                user=Player(row.user_id, names[row.user_id]),
                score=row.score,
                moves=row.moves,
                clock_ms=row.clock_ms,
                won=row.won,
                game=row.game_id,
            )
            for rank, row in ranked
        ]


def better(entry: _Result | _Columns) -> ColumnElement[int]:
    """How many entries of its day are better than this one, in SQL: one less than its rank.

    `entry` is a row of `results`, or the columns of an alias of it that the query runs over.
    """
    buckets = select(func.coalesce(func.sum(day_counts.c.listed), 0)).where(
        day_counts.c.day == entry.day,
        tuple_(day_counts.c.lost, day_counts.c.moves) < tuple_(entry.lost, entry.moves),
    )
    in_bucket = select(func.count()).where(*_bucket(entry), results.c.clock_ms < entry.clock_ms)
    return buckets.scalar_subquery() + in_bucket.scalar_subquery()


def _bucket(entry: _Result | _Columns) -> tuple[ColumnElement[bool], ...]:
    """The entries that are counted together with this one."""
    columns = results.c
    return columns.day == entry.day, columns.listed, columns.lost == entry.lost, columns.moves == entry.moves


def _listed(day: date, *, after: _Result | None = None, before: _Result | None = None) -> Select[Any]:
    """The entries of a day in order; those after an entry, or those before it from the nearest on."""
    query = select(results).where(results.c.day == day, results.c.listed)
    if before is not None:
        return query.where(tuple_(*_ORDER) < _place(before)).order_by(*(each.desc() for each in _ORDER))
    if after is not None:
        query = query.where(tuple_(*_ORDER) > _place(after))
    return query.order_by(*_ORDER)


def _place(row: _Result) -> ColumnElement[Any]:
    return tuple_(*(literal(getattr(row, column.name), column.type) for column in _ORDER))


async def _turnout(connection: AsyncConnection, day: date) -> Turnout:
    finished = select(func.coalesce(func.sum(day_counts.c.listed + day_counts.c.unlisted), 0))
    playing = select(func.count()).where(games.c.ranked, games.c.finished_at.is_(None), games.c.day == day)
    counts = select(
        finished.where(day_counts.c.day == day).scalar_subquery().label("finished"),
        playing.scalar_subquery().label("playing"),
    )
    row = (await connection.execute(counts)).one()
    return Turnout(players=row.finished + row.playing, finished=row.finished)


async def _first(connection: AsyncConnection, number: int, entries: Select[Any]) -> list[_Result]:
    return list(await connection.execute(entries.limit(number)))


async def _entry_of(connection: AsyncConnection, day: date, whose: ColumnElement[bool]) -> _Result | None:
    query = select(results).where(results.c.day == day, results.c.listed, whose)
    return (await connection.execute(query)).one_or_none()


async def _around(connection: AsyncConnection, day: date, user: UserId) -> list[tuple[int, _Result]]:
    own = await _entry_of(connection, day, results.c.user_id == user)
    if own is None:
        return []
    above = await _first(connection, NEIGHBOURS, _listed(day, before=own))
    below = await _first(connection, NEIGHBOURS, _listed(day, after=own))
    return await _ranked(connection, [*reversed(above), own, *below])


async def _ranked(connection: AsyncConnection, rows: Sequence[_Result]) -> list[tuple[int, _Result]]:
    """Entries that follow one another on a board, each with its rank."""
    if not rows:
        return []
    first = rows[0]
    earlier_equals = select(func.count()).where(
        *_bucket(first), results.c.clock_ms == first.clock_ms, tuple_(*_ORDER) < _place(first)
    )
    counts = select(better(first), earlier_equals.scalar_subquery())
    better_ones, equals = (await connection.execute(counts)).one()
    rank, place = better_ones + 1, better_ones + equals + 1
    ranked: list[tuple[int, _Result]] = []
    for _, together in groupby(rows, lambda row: (row.lost, row.moves, row.clock_ms)):
        ranked += ((rank, row) for row in together)
        rank = place + len(ranked)
    return ranked
