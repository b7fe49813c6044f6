"""What a node does by itself: days end and are prepared without being asked, and no fault stops it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import closes_at
from server.daily import keeper as module
from server.daily.closing import Closing
from server.daily.days import Days
from server.daily.keeper import Keeper
from server.daily.ratings import Ratings
from server.log.database import unavailable
from server.log.log import Log
from server.log.model import GameId
from tests.conftest import Clock
from tests.daily.tries import play

TODAY = date(2026, 11, 29)
TOMORROW = date(2026, 11, 30)


class Ended:
    """Stands in for the rooms: tells which tries were ended, and can fail."""

    def __init__(self) -> None:
        self.games: asyncio.Queue[GameId] = asyncio.Queue()
        self.failures: list[Exception] = []

    async def expire(self, game: GameId) -> None:
        self.games.put_nowait(game)
        if self.failures:
            raise self.failures.pop()


@asynccontextmanager
async def kept(engine: AsyncEngine, clock: Clock, ended: Ended) -> AsyncIterator[Days]:
    """A node that keeps the days."""
    days = Days(engine, clock, "sesame")
    keeper = Keeper(Closing(engine, days, ended.expire), days, Ratings(engine, clock), clock)
    running = asyncio.create_task(keeper.run())
    try:
        yield days
    finally:
        running.cancel()
        await asyncio.wait([running])


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


async def test_it_closes_at_the_end_of_a_day(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    game = await play(log, "ann", TODAY)
    clock.now = closes_at(TODAY) - timedelta(milliseconds=50)

    async with kept(engine, clock, ended := Ended()):
        asyncio.get_running_loop().call_later(0.02, lambda: clock.advance(milliseconds=60))
        async with asyncio.timeout(5):
            assert await ended.games.get() == game


async def test_a_fault_does_not_stop_it(
    engine: AsyncEngine, log: Log, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", timedelta(milliseconds=10))
    game = await play(log, "ann", TODAY)
    clock.now = closes_at(TODAY)
    ended = Ended()
    ended.failures = [unavailable(), RuntimeError("a fault of ours")]

    async with kept(engine, clock, ended), asyncio.timeout(5):
        for _ in range(3):
            assert await ended.games.get() == game


async def test_it_prepares_today_and_tomorrow(
    engine: AsyncEngine, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_S", 0)
    monkeypatch.setattr(module, "ROUND", timedelta(milliseconds=100))
    async with kept(engine, clock, Ended()) as days, asyncio.timeout(20):
        while await days.unsolved() is not None or await days.par(TOMORROW) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert await days.par(TODAY) is not None
