"""The lobby of a node: read when somebody looks, once for all who ask, and never too long."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from server.rooms.lobby import CHANNEL, LEFT, MOST, Lobby
from tests.rooms.conftest import ANN, BEN, Node, names
from tests.rooms.hearts import join, open_table, play_on


@pytest.fixture
async def lobby(node: Node) -> Lobby:
    return Lobby(node.log, node.channels.hub, node.clock, names)


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


async def test_a_table_that_all_have_left_is_shown_again_when_one_is_back(node: Node, lobby: Lobby) -> None:
    waiting = await open_table(node, public=True)
    node.clock.advance(seconds=1)
    played = await open_table(node, public=True, bots=2)
    await join(node, played, BEN)
    async with node.channels.client() as (_, outbox):

        async def shown() -> list[str]:
            return tables(await lobby.watch(outbox))

        node.clock.advance(seconds=LEFT.total_seconds() - 2)
        assert await shown() == [waiting, played]
        async with node.watching(waiting, ANN) as _, node.watching(played, BEN) as _:
            node.clock.advance(hours=1)
            assert await shown() == [waiting, played]
        for left in node.channels.writers:
            if left.user is not None:
                node.channels.hub.leave(left)
        node.clock.advance(milliseconds=LEFT.total_seconds() * 1000 - 1)
        assert await shown() == [waiting, played]
        node.clock.advance(milliseconds=1)
        assert await shown() == []
        # Somebody who only looks brings nobody back, and a move does.
        async with node.watching(waiting, BEN), node.watching(played):
            assert await shown() == []
            await play_on(node, played, random.Random(1))
            assert await shown() == [played]
        async with node.watching(waiting, ANN):
            assert await shown() == [waiting, played]
        assert [each["id"] for each in (await node.rooms.list_games(ANN))[0]] == [played, waiting]


async def test_tables_that_all_have_left_take_no_places(node: Node, lobby: Lobby) -> None:
    old = await open_table(node, public=True)
    for _ in range(MOST + 1):
        await open_table(node, public=True)
    node.clock.advance(seconds=LEFT.total_seconds())
    async with node.watching(old, ANN), node.channels.client() as (_, outbox):
        assert tables(await lobby.watch(outbox)) == [old]
