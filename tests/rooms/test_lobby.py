"""The lobby of a node: read when somebody looks, once for all who ask, and never too long."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from server.rooms.lobby import CHANNEL, MOST, Lobby
from tests.rooms.conftest import Node, names
from tests.rooms.hearts import open_table, play_on


@pytest.fixture
async def lobby(engine: AsyncEngine, node: Node) -> Lobby:
    return Lobby(engine, node.channels.hub, names)


@pytest.fixture
async def statements(engine: AsyncEngine) -> AsyncIterator[list[str]]:
    sent: list[str] = []

    def note(*given: Any) -> None:
        sent.append(given[2])

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine.sync_engine, "before_cursor_execute", note)


def tables(push: bytes | str) -> list[str]:
    return [each["id"] for each in msgspec.json.decode(push)["games"]]


async def test_it_shows_the_newest_of_each_kind(node: Node, lobby: Lobby) -> None:
    waiting, played = [], []
    for _ in range(MOST + 1):
        waiting.append(await open_table(node, public=True))
        played.append(await open_table(node, bots=3, public=True))
        node.clock.advance(seconds=1)
    async with node.channels.client() as (_, outbox):
        shown = tables(await lobby.watch(outbox))
    assert shown == [*waiting[:0:-1], *played[:0:-1]]


async def test_many_who_come_at_once_cost_one_look(node: Node, lobby: Lobby, statements: list[str]) -> None:
    async with node.channels.client() as (_, outbox):
        await lobby.watch(outbox)
        alone = len(statements)
        statements.clear()
        await asyncio.gather(*(lobby.watch(outbox) for _ in range(100)))
        # One that was under way when the others came, and one for them.
        assert len(statements) == 2 * alone


async def test_who_is_there_hears_of_what_who_comes_has_found(node: Node, lobby: Lobby) -> None:
    async with node.channels.client() as (first, one), node.channels.client() as (_, other):
        await lobby.watch(one)
        game = await open_table(node, public=True)
        push = await lobby.watch(other)
        assert tables(push) == [game]
        async with asyncio.timeout(10):
            assert await first.recv() == push.decode()
        assert node.channels.hub.watched(CHANNEL)


async def test_moves_are_no_news(node: Node, lobby: Lobby) -> None:
    game = await open_table(node, bots=3, public=True)
    async with node.channels.client() as (client, outbox):
        await lobby.watch(outbox)
        for _ in range(5):
            await play_on(node, game, random.Random(1))
            await lobby.look()
        node.clock.advance(seconds=1)
        new = await open_table(node, public=True)
        await lobby.look()
        async with asyncio.timeout(10):
            push = await client.recv()
    assert tables(push) == [new, game]
