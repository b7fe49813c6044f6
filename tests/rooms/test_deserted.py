"""Tables that all have left for a day are closed; those where anybody is, or was lately, are not."""

import asyncio
import random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.log import Log
from server.log.model import GameId
from server.rooms.deserted import AFTER, Deserted
from tests.conftest import Clock
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import join, open_table, play_on


@pytest.fixture
def deserted(node: Node) -> Deserted:
    return Deserted(node.log, node.channels.hub, node.clock, node.rooms.submit)


@pytest.fixture
def chance() -> random.Random:
    return random.Random(1)


async def status(node: Node, game: GameId) -> str:
    found: str = (await node.view(game))["status"]
    return found


async def test_a_table_that_nobody_joins_is_closed_after_a_day(
    node: Node, deserted: Deserted, clock: Clock
) -> None:
    game = await open_table(node)
    clock.advance(seconds=AFTER.total_seconds())
    await deserted.close_due()
    assert await status(node, game) == "waiting"
    clock.advance(milliseconds=1)
    await deserted.close_due()
    assert await status(node, game) == "closed"
    revision = await node.revision(game)
    await deserted.close_due()
    assert await node.revision(game) == revision


async def test_a_table_that_all_have_left_is_closed_a_day_after_the_last_move(
    node: Node, deserted: Deserted, clock: Clock, chance: random.Random
) -> None:
    game = await open_table(node, bots=3)
    clock.advance(hours=20)
    await play_on(node, game, chance)
    clock.advance(hours=20)
    await deserted.close_due()
    assert await status(node, game) == "passing"
    clock.advance(hours=5)
    await deserted.close_due()
    view = await node.view(game)
    assert (view["status"], view["winners"]) == ("closed", None)


async def test_where_somebody_is_nothing_is_closed(node: Node, deserted: Deserted, clock: Clock) -> None:
    game = await open_table(node)
    await join(node, game, BEN)
    async with node.watching(game, ANN):
        clock.advance(days=3)
        await deserted.close_due()
        assert await status(node, game) == "waiting"
    [outbox] = node.channels.writers
    node.channels.hub.leave(outbox)
    await deserted.close_due()
    assert await status(node, game) == "closed"


async def test_a_solitaire_may_lie_for_ever(node: Node, deserted: Deserted, clock: Clock) -> None:
    game = await node.deal()
    clock.advance(days=300)
    await deserted.close_due()
    assert await status(node, game) == "playing"


async def test_two_nodes_close_a_table_once(
    engine: AsyncEngine, node: Node, deserted: Deserted, clock: Clock
) -> None:
    game = await open_table(node)
    clock.advance(days=2)
    async with Log(engine) as log:
        other = Node(log, node.channels, clock)
        also = Deserted(log, node.channels.hub, clock, other.rooms.submit)
        await asyncio.gather(deserted.close_due(), also.close_due())
    assert await status(node, game) == "closed"
    assert await node.revision(game) == 1
