"""The end of a day: at 24:00 UTC its unfinished ranked tries end, whether or not a server ran just then."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily.days import Days
from server.errors import Refused
from server.log.database import patient
from server.log.model import GameId
from server.log.schema import games

Expire = Callable[[GameId], Awaitable[None]]
"""Ends a ranked try whose day is over, unless it has ended. Several nodes may ask for the same."""

BATCH: Final = 200
"""Tries that end together, in one commit of the log."""


class Closing:
    """Closes what is due."""

    def __init__(self, engine: AsyncEngine, days: Days, expire: Expire) -> None:
        self._engine = engine
        self._days = days
        self._expire = expire

    async def close_due(self) -> int:
        """Ends the unfinished tries of all days that are over; how many there were.

        Raises:
            Refused: `unavailable`, the database is away.
            ExceptionGroup: some could not be ended, for these reasons. All others are.
        """
        due = await self._due()
        failures: list[Exception] = []
        for first in range(0, len(due), BATCH):
            outcomes = await asyncio.gather(
                *map(self._expire, due[first : first + BATCH]), return_exceptions=True
            )
            failures += [each for each in outcomes if isinstance(each, Exception)]
        if failures and all(isinstance(each, Refused) for each in failures):
            raise failures[0]
        if failures:
            raise ExceptionGroup(f"{len(failures)} of {len(due)} tries could not be ended", failures)
        return len(due)

    @patient
    async def _due(self) -> list[GameId]:
        query = select(games.c.id).where(
            games.c.ranked, games.c.finished_at.is_(None), games.c.day < self._days.today()
        )
        async with self._engine.connect() as connection:
            return list((await connection.scalars(query)).all())
