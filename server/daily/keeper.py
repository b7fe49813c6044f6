"""What a node does by itself: it closes days, deals those to come, has pars solved, rates players."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

import structlog

from server.clock import Clock, closes_at
from server.daily.closing import Closing
from server.daily.days import ONE_DAY, Days
from server.daily.ratings import Ratings
from server.errors import Refused
from server.log.database import is_away

ROUND: Final = timedelta(minutes=1)
"""From one round to the next at most. A day's end begins one at once."""

START_S: Final = 5.0
"""A node that has just started has better to do than to solve pars."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.daily")


class Keeper:
    """Runs beside the requests, until it is cancelled."""

    def __init__(self, closing: Closing, days: Days, ratings: Ratings, clock: Clock) -> None:
        self._closing = closing
        self._days = days
        self._ratings = ratings
        self._clock = clock

    async def run(self) -> None:
        """Does each duty now, every minute, and as soon as a day ends; none waits for another."""
        async with asyncio.TaskGroup() as duties:
            duties.create_task(self._keep(self._closing.close_due))
            duties.create_task(self._keep(self._ratings.catch_up))
            await asyncio.sleep(START_S)
            duties.create_task(self._keep(self.prepare))

    async def prepare(self) -> None:
        """Has the deals and pars of today and tomorrow ready, and the par of one day in arrears.

        Raises:
            Refused: `unavailable`.
        """
        today = self._days.today()
        for day in (today, today + ONE_DAY, await self._days.unsolved()):
            if day is not None:
                await self._days.solve(day)

    async def _keep(self, duty: Callable[[], Awaitable[object]]) -> None:
        while True:
            # Asked before, since the day may end meanwhile.
            next_round = self._next_round()
            try:
                await duty()
            except Exception as error:
                if isinstance(error, Refused) or is_away(error):
                    # The database is away; the next round comes soon.
                    # Its first line: SQLAlchemy adds the statement.
                    _logger.warning("put off", duty=duty.__name__, reason=str(error).partition("\n")[0])
                else:
                    _logger.exception("failed", duty=duty.__name__)
            await asyncio.sleep(max(0, (next_round - self._clock()).total_seconds()))

    def _next_round(self) -> datetime:
        now = self._clock()
        return min(now + ROUND, closes_at(now.date()))
