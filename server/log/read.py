"""Games as the database has them: one whole, and lists of them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    FromClause,
    RowMapping,
    Select,
    Table,
    func,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from server.log.model import (
    Bot,
    GameId,
    GameRow,
    Listed,
    Logged,
    LoggedMove,
    Revision,
    SeatRow,
    Takeback,
    UserId,
)
from server.log.schema import among, games, moves, seats

Cursor = tuple[datetime, GameId]
"""Where the next page of a list begins: behind the game with this creation time and id."""


def _of_game(table: Table, order: str, *names: str) -> FromClause:
    """The rows of `table` that belong to a game: an array `<table>_<name>` for each column, in step."""
    columns = [
        func.array_agg(aggregate_order_by(table.c[name], table.c[order])).label(f"{table.name}_{name}")
        for name in names
    ]
    return select(*columns).where(table.c.game_id == games.c.id).lateral()


_SEATS = _of_game(seats, "seat", "seat", "user_id", "bot_name", "bot_level", "resigned")
_MOVES = _of_game(moves, "seq", "seat", "move", "at", "peak", "undone", "clock_ms")
_last_at = func.coalesce(games.c.action_at, games.c.started_at, games.c.created_at)
_LISTED = select(games, _SEATS).join_from(games, _SEATS, true())
_LOGGED = select(games, _SEATS, _MOVES).join_from(games, _SEATS, true()).join(_MOVES, true())


async def read(connection: AsyncConnection, game: GameId) -> Logged | None:
    """The whole game, or None when there is none of this id."""
    row = (await connection.execute(_LOGGED.where(games.c.id == game))).mappings().one_or_none()
    return None if row is None else Logged(_game(row), _seats(row), _moves(row))


async def seats_of(connection: AsyncConnection, game: GameId) -> tuple[SeatRow, ...]:
    """The seats of a game."""
    query = select(_SEATS).select_from(games).join(_SEATS, true()).where(games.c.id == game)
    return _seats((await connection.execute(query)).mappings().one())


async def finished(connection: AsyncConnection, behind: GameId | None, limit: int) -> list[Logged]:
    """The next finished games in the order of their ids, locked: until the transaction ends none changes."""
    some = select(games.c.id).where(games.c.finished_at.is_not(None))
    if behind is not None:
        some = some.where(games.c.id > behind)
    locked = some.order_by(games.c.id).limit(limit).with_for_update(key_share=True)
    ids = (await connection.scalars(locked)).all()
    rows = (await connection.execute(_LOGGED.where(games.c.id.in_(ids)).order_by(games.c.id))).mappings()
    return [Logged(_game(row), _seats(row), _moves(row)) for row in rows]


async def revisions(connection: AsyncConnection, some: Sequence[GameId]) -> dict[GameId, Revision]:
    """The revision of each of these games."""
    query = select(games.c.id, games.c.revision).where(among(games.c.id, some))
    return {GameId(row.id): Revision(row.revision) for row in await connection.execute(query)}


async def idle(
    connection: AsyncConnection, game: str, before: datetime, limit: int
) -> list[tuple[GameId, Revision]]:
    """Unfinished games of a kind in which nothing was done since `before`, the oldest first."""
    query = (
        select(games.c.id, games.c.revision)
        .where(games.c.game == game, games.c.finished_at.is_(None), games.c.created_at < before)
        .where(_last_at < before)
        .order_by(games.c.created_at)
        .limit(limit)
    )
    return [(GameId(row.id), Revision(row.revision)) for row in await connection.execute(query)]


async def lively(
    connection: AsyncConnection, since: datetime, some: Sequence[GameId], limit: int
) -> list[Listed]:
    """The newest public tables that wait for players, then the newest that are played.

    Those in which something was done since a moment, or that are among `some`.
    """
    public = public_games(False, None).where((_last_at > since) | (among(games.c.id, some)))
    waiting, _ = await page(connection, [public.where(games.c.started_at.is_(None))], limit)
    played, _ = await page(connection, [public.where(games.c.started_at.is_not(None))], limit)
    return waiting + played


async def page(
    connection: AsyncConnection, queries: Iterable[Select[Any]], limit: int
) -> tuple[list[Listed], Cursor | None]:
    """The first `limit` games of several lists together, and where the next page begins, if there is one."""
    lists = union_all(*(query.limit(limit + 1) for query in queries)).subquery()
    # Sorted by the database, which alone knows the order of texts that `behind` is compared in.
    newest_first = select(lists).order_by(lists.c.created_at.desc(), lists.c.id.desc())
    rows = (await connection.execute(newest_first.limit(limit + 1))).mappings().all()
    listed = [Listed(_game(row), _seats(row)) for row in rows[:limit]]
    return listed, (listed[-1].game.created_at, listed[-1].game.id) if len(rows) > limit else None


def games_of(user: UserId, finished: bool, behind: Cursor | None) -> Select[Any]:
    """The games in which the user has a seat, newest first."""
    own = seats.alias("own")
    query = _LISTED.join(own, own.c.game_id == games.c.id)
    query = query.where(own.c.user_id == user, own.c.finished == finished)
    if behind is not None:
        query = query.where(tuple_(own.c.created_at, own.c.game_id) < tuple_(*behind))
    return query.order_by(own.c.created_at.desc(), own.c.game_id.desc())


def public_games(finished: bool, behind: Cursor | None) -> Select[Any]:
    """The tables that everybody may know of, newest first."""
    ended = games.c.finished_at.is_not(None) if finished else games.c.finished_at.is_(None)
    query = _LISTED.where(games.c.public, ended)
    if behind is not None:
        query = query.where(tuple_(games.c.created_at, games.c.id) < tuple_(*behind))
    return query.order_by(games.c.created_at.desc(), games.c.id.desc())


def _game(row: RowMapping) -> GameRow:
    fields = {name: row[name] for name in GameRow.__struct_fields__}
    fields["totals"] = tuple(row["totals"])
    fields["passing_since"] = tuple(row["passing_since"])
    fields["takeback"] = msgspec.convert(row["takeback"], Takeback | None)
    return GameRow(**fields)


def _seats(row: RowMapping) -> tuple[SeatRow, ...]:
    columns = (row[f"seats_{name}"] for name in ("seat", "user_id", "bot_name", "bot_level", "resigned"))
    return tuple(
        SeatRow(seat, user, None if bot is None else Bot(bot, level), resigned)
        for seat, user, bot, level, resigned in zip(*columns, strict=True)
    )


def _moves(row: RowMapping) -> tuple[LoggedMove, ...]:
    if row["moves_seat"] is None:
        return ()
    columns = (row[f"moves_{name}"] for name in ("seat", "move", "at", "peak", "undone", "clock_ms"))
    return tuple(LoggedMove(*columns) for columns in zip(*columns, strict=True))
