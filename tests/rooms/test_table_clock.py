"""How long the seats on turn have, and who is seen to be there."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import rfc3339
from server.errors import Code, Refused
from server.log.log import Log
from server.log.model import GameId
from server.rooms.position import Close
from server.rooms.replay import replayed
from server.rooms.room import Room
from server.rooms.table import turn_ends_at
from tests.channels.conftest import Channels
from tests.conftest import Clock
from tests.log.transfers import move_seats
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import CARL, PEOPLE, answer, fill, move_of, now, open_table, play_on, play_out

CHANCE = random.Random(11)


async def ends_at(node: Node, game: GameId) -> Any:
    """When the turn ends, as the live game says it and as the log does."""
    view = await node.view(game, None)
    logged = await node.log.read(game)
    assert logged is not None
    ends = turn_ends_at(replayed(logged)[0])
    assert view["turn_ends_at"] == (ends and rfc3339(ends))
    return ends and f"{ends:%X}"


async def test_time_runs_from_the_deal_and_from_each_move(node: Node) -> None:
    game = await open_table(node, 2, players=3, turn_seconds=30, target=1000, moon="add")
    assert await ends_at(node, game) is None
    await fill(node, game)
    assert await ends_at(node, game) == "12:00:30"
    for seat in (1, 0):
        node.clock.advance(seconds=5)
        await node.move(game, move_of(await now(node, game), seat, CHANCE), PEOPLE[seat])
        assert await ends_at(node, game) == "12:00:30"
    node.clock.advance(seconds=5)
    assert (await play_on(node, game, CHANCE))["status"] == "playing"
    assert await ends_at(node, game) == "12:00:45"
    node.clock.advance(seconds=5)
    await play_on(node, game, CHANCE)
    assert await ends_at(node, game) == "12:00:50"
    while (await node.view(game))["hand_number"] == 1:
        await play_on(node, game, CHANCE)
    node.clock.advance(seconds=5)
    await play_on(node, game, CHANCE)
    assert await ends_at(node, game) == "12:00:50"


async def test_who_takes_a_move_back_has_his_time_again(node: Node) -> None:
    game = await open_table(node, 3, players=3, turn_seconds=30)
    await play_out(node, game, CHANCE, until="playing")
    [seat] = (await now(node, game)).position.turn
    await play_on(node, game, CHANCE)
    before = await ends_at(node, game)
    node.clock.advance(seconds=20)
    await node.undo(game, PEOPLE[seat])
    assert await ends_at(node, game) == before
    for other in {0, 1, 2} - {seat}:
        await answer(node, game, PEOPLE[other], True)
    left = datetime.fromisoformat((await node.view(game))["turn_ends_at"]) - node.clock.now
    assert left == timedelta(seconds=30)


async def test_without_company_or_limit_there_is_time(node: Node) -> None:
    alone = await open_table(node, bots=3)
    free = await open_table(node, 2, players=3, turn_seconds=0)
    left = await open_table(node, 2, players=3)
    for game in (free, left):
        await fill(node, game)
    assert await ends_at(node, left) == "12:01:00"
    await node.resign(left, BEN)
    assert [await ends_at(node, game) for game in (alone, free, left)] == [None] * 3


async def test_players_are_seen_to_come_and_go(node: Node) -> None:
    game = await open_table(node, 2)
    async with node.watching(game, ANN) as ann:
        async with node.watching(game, BEN) as ben:
            push = await ann.push()
            assert push["event"] == {"kind": "presence", "seat": 1, "move": None}
            assert [each["connected"] for each in push["view"]["players"]] == [True, True, False, False]
            assert push["view"] == await node.view(game)
            async with node.watching(game, BEN), node.watching(game, CARL), node.watching(game):
                pass
            await fill(node, game, seat=3)
            assert (await ben.push())["event"]["kind"] == (await ann.push())["event"]["kind"] == "seats"
        push = await ann.push()
        assert push["event"] == {"kind": "presence", "seat": 1, "move": None}
        assert push["view"]["players"][1]["connected"] is False
        assert push["view"]["revision"] == 2


async def test_nobody_is_told_who_comes_to_a_solitaire(node: Node) -> None:
    game = await node.deal()
    async with node.watching(game, BEN) as watcher:
        async with node.watching(game, ANN):
            pass
        await node.move(game, "draw")
        assert (await watcher.push())["view"]["revision"] == 1


async def test_the_house_is_told_of_all_that_happens(
    engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    noticed: list[tuple[str, int, int]] = []

    def notice(room: Room) -> None:
        assert room.now is not None
        position = room.now.position
        noticed.append((room.id, position.row.revision, len(channels.hub._channels)))

    async with Log(engine) as log:
        node = Node(log, channels, clock, notice=notice)
        game = await open_table(node, bots=3)
        assert noticed == [(game, 0, 0)]
        async with node.watching(game, ANN), node.watching(game, BEN):
            await play_on(node, game, CHANCE)
        assert noticed[1:] == [(game, 0, 1), (game, 1, 2), (game, 1, 0)]
        await move_seats(engine, ANN, BEN)
        await node.rooms.forget([game])
        await node.rooms.forget([game])
        assert noticed[4:] == [(game, 2, 0)]


async def test_a_room_that_was_given_up_takes_nothing_any_more(
    engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    rooms: dict[str, Room] = {}
    async with Log(engine) as log:
        node = Node(log, channels, clock, live=1, notice=lambda room: rooms.setdefault(room.id, room))
        game = await open_table(node, bots=3)
        await open_table(node)
        given_up = rooms[game]
        assert given_up.now is None
        with pytest.raises(Refused) as caught:
            await given_up.submit(Close())
        assert caught.value.code is Code.STALE_REVISION
        with pytest.raises(Refused):
            await given_up.game()
        assert (await node.do(game, Close()))["status"] == "closed"
