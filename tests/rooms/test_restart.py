"""A server that starts anew finds every table as it was, in whatever phase."""

import random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.games.game import Seat
from server.log.log import Log
from server.log.model import GameId
from server.rooms.position import Close, Move
from tests.channels.conftest import Channels
from tests.conftest import Clock
from tests.games.hearts_tables import greedy, setup
from tests.rooms.conftest import ANN, Node
from tests.rooms.hearts import CARL, PEOPLE, fill, join, move_of, now, open_table, play_on

PHASES = {"waiting", "passing", "playing", "moon", "finished", "closed"}
SHOOTER = Seat(1)


def lunar_seed() -> bytes:
    """A seed of which the first hand ends with a moon when one seat is let."""
    for number in range(1000):
        seed, chance = bytes([*number.to_bytes(2), *bytes(30)]), random.Random(0)
        state = setup(seed, players=3)
        while state.hand_number == 1 and state.status != "moon":
            state.play(*greedy(state, SHOOTER, chance))
        if state.status == "moon":
            return seed
    raise AssertionError("no such seed")


class Restarts:
    """A table on a node that is another one for every look."""

    def __init__(self, engine: AsyncEngine, channels: Channels, clock: Clock) -> None:
        self.engine = engine
        self.channels = channels
        self.clock = clock
        self.seen: set[str] = set()

    async def look(self, node: Node, game: GameId) -> None:
        """Makes sure that a fresh node shows everybody what this one shows."""
        async with Log(self.engine) as log:
            fresh = Node(log, self.channels, self.clock)
            for user in (*PEOPLE[:3], None):
                view = await node.view(game, user)
                assert await fresh.view(game, user) == view
            self.seen.add(view["status"])


async def test_every_phase(
    node: Node,
    engine: AsyncEngine,
    channels: Channels,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed = lunar_seed()
    monkeypatch.setattr("server.rooms.beginnings.new_seed", lambda: seed.hex())
    restarts = Restarts(engine, channels, clock)
    game = await open_table(node, 2, players=3, target=26)
    await restarts.look(node, game)
    await join(node, game, CARL)
    state, chance = setup(seed, players=3, target=26), random.Random(0)
    while not state.over:
        clock.advance(seconds=1)
        copy = await now(node, game)
        seat, move = greedy(state, SHOOTER, chance)
        if state.status == "moon":
            move = "moon add"
        state.play(seat, move)
        if state.status != "playing" or len(state.trick) == 1:
            await restarts.look(node, game)
        await node.do(game, Move(PEOPLE[seat], copy.position.row.revision, move))
    await restarts.look(node, game)

    closed = await open_table(node, 1)
    await fill(node, closed)
    await play_on(node, closed, chance)
    await node.do(closed, Close())
    await restarts.look(node, closed)
    assert restarts.seen == PHASES


async def test_a_game_goes_on_over_many_restarts(
    node: Node, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    game = await open_table(node, 3, players=3, target=1)
    chance, ply = random.Random(9), 0
    while (view := await node.view(game, ANN))["status"] != "finished":
        assert view["ply"] == ply
        async with Log(engine) as log:
            fresh = Node(log, channels, clock)
            copy = await now(fresh, game)
            seat = chance.choice(copy.position.turn)
            await fresh.move(game, move_of(copy, seat, chance), PEOPLE[seat])
        ply += 1
        await node.rooms.forget([game])
