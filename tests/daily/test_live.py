"""`daily/DATE`: a watched day is shown at once, and again whenever it has changed."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

import msgspec
import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import closes_at
from server.daily.board import Boards
from server.daily.days import Days
from server.daily.live import Live
from server.daily.ranking import TOP
from server.errors import Code, Refused
from server.log.log import Log
from server.log.model import UserId
from tests.channels.conftest import Channels
from tests.channels.conftest import channels as channels
from tests.conftest import Clock
from tests.daily.tries import Ending, ending, play, try_of

TODAY = date(2026, 11, 29)
YESTERDAY = date(2026, 11, 28)


async def names(users: Collection[UserId]) -> Mapping[UserId, str]:
    return {user: user.title() for user in users}


class Watched:
    """A node's watched days, and sockets that watch them."""

    def __init__(self, engine: AsyncEngine, log: Log, channels: Channels, clock: Clock) -> None:
        self.log = log
        self.channels = channels
        self.live = Live(Days(engine, clock), Boards(engine, names), channels.hub)

    @asynccontextmanager
    async def watching(self, day: str = "2026-11-29") -> AsyncIterator["Watcher"]:
        async with self.channels.client() as (client, outbox):
            outbox.push(f"daily/{day}", await self.live.watch(day, outbox))
            yield Watcher(client)


class Watcher:
    """A socket that watches one day."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def push(self) -> dict[str, Any]:
        pushed: dict[str, Any] = msgspec.json.decode(await self._client.recv())
        return pushed


@pytest.fixture
async def watched(engine: AsyncEngine, channels: Channels, clock: Clock) -> AsyncIterator[Watched]:
    async with Log(engine) as log:
        yield Watched(engine, log, channels, clock)


async def test_the_present_state_comes_at_once(watched: Watched) -> None:
    game = await play(watched.log, "ann", TODAY, Ending(moves=90))
    async with watched.watching() as watcher:
        assert await watcher.push() == {
            "type": "daily",
            "channel": "daily/2026-11-29",
            "date": "2026-11-29",
            "players": 1,
            "finished": 1,
            "top": [
                {
                    "rank": 1,
                    "user": {"id": "ann", "name": "Ann"},
                    "score": 250,
                    "moves": 90,
                    "clock_ms": 60_000,
                    "won": True,
                    "game": game,
                }
            ],
        }


async def test_every_change_is_pushed_once(watched: Watched) -> None:
    async with watched.watching() as watcher, watched.watching() as other:
        for each in (watcher, other):
            assert (await each.push())["players"] == 0
        await watched.live.look()
        logged = try_of("ann", TODAY)
        await watched.log.create(logged)
        await watched.live.look()
        await watched.live.look()
        await watched.log.commit(ending(logged.game, Ending()))
        await watched.live.look()

        for each in (watcher, other):
            begun, ended = await each.push(), await each.push()
            assert (begun["players"], begun["finished"], begun["top"]) == (1, 0, [])
            assert (ended["players"], ended["finished"], len(ended["top"])) == (1, 1, 1)


async def test_the_top_is_short(watched: Watched) -> None:
    for number in range(TOP + 2):
        await play(watched.log, f"user-{number}", TODAY, Ending(moves=80 + number))
    async with watched.watching() as watcher:
        push = await watcher.push()

    assert [entry["rank"] for entry in push["top"]] == [*range(1, TOP + 1)]
    assert push["finished"] == TOP + 2


async def test_a_day_that_nobody_watches_is_not_asked_for(watched: Watched, engine: AsyncEngine) -> None:
    questions: list[object] = []
    event.listen(engine.sync_engine, "checkout", lambda connection, *_: questions.append(connection))
    async with watched.watching() as watcher:
        await watcher.push()
        questions.clear()
        await watched.live.look()
        assert questions
        for outbox in watched.channels.writers:
            watched.channels.hub.leave(outbox)

    questions.clear()
    await watched.live.look()
    assert not questions


async def test_yesterday_is_pushed_while_it_closes(watched: Watched, clock: Clock) -> None:
    logged = try_of("ann", TODAY)
    await watched.log.create(logged)
    clock.now = closes_at(TODAY)
    async with watched.watching() as watcher:
        assert (await watcher.push())["finished"] == 0
        await watched.log.commit(ending(logged.game, Ending(score=0)))
        await watched.live.look()
        assert (await watcher.push())["finished"] == 1


@pytest.mark.parametrize(
    "day", ["2026-11-30", "9999-12-31", "2026-02-30", "", "today", "2026-11-29 ", "20261129"]
)
async def test_days_that_are_not(watched: Watched, day: str) -> None:
    async with watched.channels.client() as (_, outbox):
        with pytest.raises(Refused) as refused:
            await watched.live.watch(day, outbox)
    assert refused.value.code is Code.NOT_FOUND


async def test_days_long_past_can_be_watched(watched: Watched) -> None:
    async with watched.watching("0001-01-01") as watcher:
        assert (await watcher.push())["players"] == 0
