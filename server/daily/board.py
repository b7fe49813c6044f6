"""The board of a day. What is shown together comes of one statement, so that ranks fit their entries."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Final

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily.model import Bar, Board, Entry, Player, State, Turnout
from server.daily.ranking import PAGE, TOP_OF_BOARD, board
from server.errors import Code, Refused
from server.log.database import patient
from server.log.direct import fetch
from server.log.model import GameId, Names, UserId

_ON_BOARD: Final = "SELECT 1 FROM results WHERE game_id = $2 AND day = $1 AND listed"

_TURNOUT: Final = """
SELECT
    (SELECT coalesce(sum(listed + unlisted), 0) FROM day_counts WHERE day = $1 AND depth = 1) AS finished,
    (SELECT count(*) FROM games WHERE ranked AND finished_at IS NULL AND day = $1) AS playing
"""

_HISTOGRAM: Final = """
SELECT moves, listed + unlisted AS players
FROM day_counts
WHERE day = $1 AND depth = 2 AND lost = 0
ORDER BY moves
"""


class Boards:
    """The boards of all days."""

    def __init__(self, engine: AsyncEngine, names: Names) -> None:
        self._engine = engine
        self._names = names

    @patient
    async def page(self, day: date, caller: UserId | None, cursor: GameId | None) -> Board:
        """A page of the board and the caller's place on it; the cursor is the last game of the page before.

        Raises:
            Refused: `bad_request`, the cursor is not on this board.
        """
        query = board(later=cursor is not None, own=caller is not None)
        rows = await fetch(self._engine, query, day, *(each for each in (cursor, caller) if each is not None))
        if cursor is not None and all(row["around"] for row in rows):
            await self._check(day, cursor)
        names = await self._names({row["user_id"] for row in rows})
        entries = _entries([row for row in rows if not row["around"]], names)
        around = _entries([row for row in rows if row["around"]], names)
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
        rows = await fetch(self._engine, TOP_OF_BOARD, day)
        names = await self._names({row["user_id"] for row in rows})
        return State(await self.turnout(day), _entries(rows, names))

    @patient
    async def turnout(self, day: date) -> Turnout:
        """How many play the deal of a day."""
        [counts] = await fetch(self._engine, _TURNOUT, day)
        return Turnout(players=counts["finished"] + counts["playing"], finished=counts["finished"])

    @patient
    async def histogram(self, day: date) -> list[Bar]:
        """With how many moves the deal was won, by those on the board and by guests."""
        return [Bar(*row) for row in await fetch(self._engine, _HISTOGRAM, day)]

    async def _check(self, day: date, cursor: GameId) -> None:
        """Makes sure that an empty page is the end of the board."""
        if not await fetch(self._engine, _ON_BOARD, day, cursor):
            raise Refused(Code.BAD_REQUEST, "This cursor is not on the board. Start from the first page.")


def _entries(rows: Sequence[asyncpg.Record], names: Mapping[UserId, str]) -> list[Entry]:
    """The entries in ranked rows that follow one another."""
    entries: list[Entry] = []
    for _, equals in groupby(rows, itemgetter("lost", "moves", "clock_ms")):
        # The first row alone has entries before it that do not stand here.
        before = rows[0]["better"] + (rows[0]["equal"] + len(entries) if entries else 0)
        entries += [
            Entry(
                rank=before + 1,
                user=Player(row["user_id"], names[row["user_id"]]),
                score=row["score"],
                moves=row["moves"],
                clock_ms=row["clock_ms"],
                won=row["won"],
                game=row["game_id"],
            )
            for row in equals
        ]
    return entries
