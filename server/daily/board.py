"""The board of a day. What is shown together comes of one statement, so that ranks fit their entries."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Executable, Row, text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily.model import Bar, Board, Entry, Player, State, Turnout
from server.daily.ranking import FIRST_PAGE, LATER_PAGE
from server.errors import Code, Refused
from server.log.database import patient
from server.log.model import GameId, Names, UserId

PAGE: Final = 50
TOP: Final = 10
"""Entries in a push."""
NEIGHBOURS: Final = 3
"""Entries on either side of the caller's own."""

_ON_BOARD = text("SELECT EXISTS (SELECT FROM results WHERE game_id = :game AND day = :day AND listed)")

_TURNOUT = text("""
SELECT
    (SELECT coalesce(sum(listed + unlisted), 0) FROM day_counts WHERE day = :day) AS finished,
    (SELECT count(*) FROM games WHERE ranked AND finished_at IS NULL AND day = :day) AS playing
""")

_HISTOGRAM = text("""
SELECT moves, listed + unlisted AS players FROM day_counts WHERE day = :day AND lost = 0 ORDER BY moves
""")


class Boards:
    """The boards of all days."""

    def __init__(self, engine: AsyncEngine, names: Names) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._names = names

    @patient
    async def page(self, day: date, caller: UserId | None, cursor: GameId | None) -> Board:
        """A page of the board and the caller's place on it; the cursor is the last game of the page before.

        Raises:
            Refused: `bad_request`, the cursor is not on this board.
        """
        alone, both = FIRST_PAGE if cursor is None else LATER_PAGE
        rows = await self._rows(
            alone if caller is None else both,
            day=day,
            cursor=cursor,
            page=PAGE + 1,
            user=caller,
            neighbours=NEIGHBOURS,
        )
        if cursor is not None and all(row.around for row in rows):
            await self._check(day, cursor)
        names = await self._names({row.user_id for row in rows})
        entries = _entries([row for row in rows if not row.around], names)
        around = _entries([row for row in rows if row.around], names)
        return Board(
            date=day,
            entries=entries[:PAGE],
            me=next((entry for entry in around if entry.user.id == caller), None),
            around=around,
            next=entries[PAGE - 1].game if len(entries) > PAGE else None,
        )

    @patient
    async def state(self, day: date) -> State:
        """How a day stands: who plays, and the first entries of the board."""
        rows = await self._rows(FIRST_PAGE[0], day=day, page=TOP)
        names = await self._names({row.user_id for row in rows})
        return State(await self.turnout(day), _entries(rows, names))

    @patient
    async def turnout(self, day: date) -> Turnout:
        """How many play the deal of a day."""
        [counts] = await self._rows(_TURNOUT, day=day)
        return Turnout(players=counts.finished + counts.playing, finished=counts.finished)

    @patient
    async def histogram(self, day: date) -> list[Bar]:
        """With how many moves the deal was won, by those on the board and by guests."""
        return [Bar(row.moves, row.players) for row in await self._rows(_HISTOGRAM, day=day)]

    async def _check(self, day: date, cursor: GameId) -> None:
        """Makes sure that an empty page is the end of the board."""
        [found] = await self._rows(_ON_BOARD, day=day, game=cursor)
        if not found[0]:
            raise Refused(Code.BAD_REQUEST, "This cursor is not on the board. Start from the first page.")

    async def _rows(self, statement: Executable, **parameters: Any) -> Sequence[Row[Any]]:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement, parameters)).all()


def _entries(rows: Sequence[Row[Any]], names: Mapping[UserId, str]) -> list[Entry]:
    """The entries in ranked rows that follow one another."""
    entries: list[Entry] = []
    for _, equals in groupby(rows, lambda row: (row.lost, row.moves, row.clock_ms)):
        # The first row alone has entries before it that do not stand here.
        rank = rows[0].better + 1 if not entries else rows[0].better + rows[0].equal + len(entries) + 1
        entries += [
            Entry(
                rank=rank,
                user=Player(row.user_id, names[row.user_id]),
                score=row.score,
                moves=row.moves,
                clock_ms=row.clock_ms,
                won=row.won,
                game=row.game_id,
            )
            for row in equals
        ]
    return entries
