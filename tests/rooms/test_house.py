"""What the house does at tables by itself: bots move, clocks run out, who is away holds nobody up."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from server.channels.nats import Nodes
from server.clock import system_clock
from server.errors import Refused
from server.games.game import Seat
from server.log.database import connect
from server.log.log import Log
from server.log.model import GameId, LoggedMove, UserId
from server.rooms.house import LEFT, RETURN, House
from server.rooms.minds import Minds
from server.rooms.position import Fill, Move, Position
from server.rooms.table import rules, turn_ends_at
from tests.channels.conftest import Channels, running_channels
from tests.conftest import Clock
from tests.log.proxy import Proxy
from tests.log.test_away import impatience
from tests.nats import running_nats
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import answer, join, now, open_table, play_on

ANNS, BENS = 0, 3
"""Their seats at a table of two people: bots sit between them."""


class Driven(Node):
    """A node with a house."""

    def __init__(
        self,
        log: Log,
        channels: Channels,
        clock: Clock,
        minds: Minds,
        nodes: Nodes | None = None,
        pace_s: float = 0,
    ) -> None:
        pace = timedelta(seconds=pace_s)
        self.house = House(channels.hub, clock, minds, pace, alone=nodes is None)
        super().__init__(log, channels, clock, nodes=nodes, notice=self.house.notice)

    def look(self, game: GameId) -> None:
        """Has the house see what the clock says."""
        self.house.notice(self.rooms._rooms[game])

    def owes(self, game: GameId) -> set[Seat]:
        """The seats that the house is about to move for."""
        table = self.house._tables.get(game)
        return set() if table is None else set(table.duties)

    async def later(self, game: GameId, **duration: float) -> Position:
        """Where the game stands after a while, with all that the house does then."""
        self.clock.advance(**duration)
        self.look(game)
        return await self.quiet(game)

    async def served(self, game: GameId, seat: int) -> None:
        """Returns when the house has moved for a seat."""
        task = self.house._tables[game].duties[Seat(seat)].task
        assert task is not None
        await asyncio.wait([task])

    async def quiet(self, game: GameId) -> Position:
        """Where the game stands once the house has nothing more to do there."""
        async with asyncio.timeout(30):
            while self.house._tasks:
                await asyncio.wait(self.house._tasks)
        return (await now(self, game)).position

    async def moves(self, game: GameId) -> tuple[LoggedMove, ...]:
        logged = await self.log.read(game)
        assert logged is not None
        return logged.moves


@pytest.fixture(autouse=True)
def no_faults() -> Iterator[None]:
    """What bots do is what they have chosen: nobody has stood in for them."""
    with capture_logs() as logs:
        yield
    assert not {each["event"] for each in logs} & {"bot failed", "seat not served", "table not looked after"}


@pytest.fixture(scope="module")
def minds() -> Iterator[Minds]:
    minds = Minds(budget_s=60)
    yield minds
    asyncio.run(minds.close())


@asynccontextmanager
async def driven(
    engine: AsyncEngine, channels: Channels, clock: Clock, minds: Minds, pace_s: float = 0
) -> AsyncIterator[Driven]:
    async with Log(engine) as log:
        node = Driven(log, channels, clock, minds, pace_s=pace_s)
        yield node
        await node.house.close()
        await node.rooms.close()


@pytest.fixture
async def node(engine: AsyncEngine, channels: Channels, clock: Clock, minds: Minds) -> AsyncIterator[Driven]:
    """Its bots move at once."""
    async with driven(engine, channels, clock, minds) as node:
        yield node


@pytest.fixture
async def slow(engine: AsyncEngine, channels: Channels, clock: Clock, minds: Minds) -> AsyncIterator[Driven]:
    """Its bots move only when a test has moved the clock by ten minutes."""
    async with driven(engine, channels, clock, minds, pace_s=600) as node:
        yield node


class RealClock(Clock):
    """One that runs."""

    def __call__(self) -> datetime:
        return system_clock()


async def two_people(node: Driven, turn_seconds: int = 60) -> GameId:
    """Ann and Ben, with two bots between them."""
    game = await open_table(node, 1, bots=2, turn_seconds=turn_seconds)
    await join(node, game, BEN)
    return game


async def play(node: Driven, game: GameId, user: UserId) -> None:
    """A legal move of a person on turn."""
    view = await node.view(game, user)
    if view["legal"] == ["pass"]:
        await node.move(game, " ".join(["pass", *view["hand"][:3]]), user)
    else:
        await node.move(game, view["legal"][0], user)


async def reach(node: Driven, game: GameId, seat: int, *, idle: UserId | None = None) -> Position:
    """Where it is a person's turn to play a card; the people have played until then, but for an idle one."""
    async with asyncio.timeout(60):
        while True:
            at = await node.quiet(game)
            if at.state.status == "playing" and seat in at.turn:
                return at
            for user, place in ((ANN, ANNS), (BEN, BENS)):
                if place in at.turn and user != idle:
                    await play(node, game, user)


# Bots


async def test_bots_pass_while_a_person_thinks(node: Driven) -> None:
    game = await open_table(node, 1, bots=3)
    assert (await node.quiet(game)).turn == (ANNS,)
    assert {move.seat for move in await node.moves(game)} == {1, 2, 3}


async def test_bots_play_until_a_person_is_on_turn(node: Driven) -> None:
    game = await open_table(node, 1, bots=3)
    while not (at := await node.quiet(game)).state.result()["scores"]:
        assert at.turn == (ANNS,)
        await play(node, game, ANN)
    cards = [move.seat for move in await node.moves(game) if move.move.startswith("play ")]
    assert [cards.count(Seat(seat)) for seat in range(4)] == [13] * 4
    assert at.turn == (ANNS,)


async def test_moves_come_at_a_human_pace(engine: AsyncEngine, channels: Channels, minds: Minds) -> None:
    pace = timedelta(seconds=0.2)
    async with driven(engine, channels, RealClock(), minds, pace_s=0.2) as node:
        game = await open_table(node, 1, bots=3)
        at = await node.quiet(game)
        await play(node, game, ANN)
        await reach(node, game, ANNS)
        moves = await node.moves(game)
    first, _, third, own, *played = [move.at for move in moves]
    # The bots have passed together, after one pause.
    assert first - at.row.created_at >= pace
    assert third - first < pace
    for before, after in pairwise([own, *played]):
        assert after - before >= pace


async def test_a_bot_takes_over_from_who_resigns(node: Driven) -> None:
    game = await two_people(node)
    await reach(node, game, ANNS)
    before = len(await node.moves(game))
    await node.resign(game)
    await reach(node, game, BENS)
    assert {move.seat for move in (await node.moves(game))[before:]} >= {ANNS}


async def test_bots_go_on_after_a_restart(
    engine: AsyncEngine, clock: Clock, minds: Minds, slow: Driven
) -> None:
    game = await open_table(slow, 1, bots=3)
    await slow.house.close()
    clock.advance(minutes=10)
    async with running_channels() as others, driven(engine, others, clock, minds) as again:
        await again.view(game)
        assert (await again.quiet(game)).turn == (ANNS,)


async def test_nothing_is_played_once_the_house_has_closed(slow: Driven, clock: Clock) -> None:
    game = await open_table(slow, 1, bots=3)
    clock.advance(minutes=10)
    async with asyncio.timeout(1):
        await slow.house.close()
        await slow.rooms.close()
    assert (await slow.moves(game)) == ()


# A database that goes away


@pytest.fixture
async def proxy(database_url: str) -> AsyncIterator[Proxy]:
    async with Proxy.to(database_url) as proxy:
        yield proxy


@pytest.fixture
async def frail(
    proxy: Proxy, channels: Channels, clock: Clock, minds: Minds, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Driven]:
    """A node that reaches its database through the proxy, and whose bots give the test a moment."""
    monkeypatch.setattr("server.rooms.house.AGAIN_S", 0.01)
    engine = connect(proxy.url)
    async with driven(engine, channels, clock, minds, pace_s=0.2) as node:
        yield node
    await engine.dispose()


async def test_a_database_that_was_away_leaves_no_seat_stuck(frail: Driven, proxy: Proxy) -> None:
    game = await open_table(frail, 1, bots=3)
    with impatience(), capture_logs() as logs:
        proxy.go_down()
        for _ in range(10):
            proxy.refused.clear()
            await proxy.refused.wait()
    proxy.come_up()
    assert (await frail.quiet(game)).turn == (ANNS,)
    assert {each["event"] for each in logs} == {"put off"}


async def test_a_time_that_runs_out_while_the_database_is_away_is_seen_to_later(
    frail: Driven, proxy: Proxy, clock: Clock
) -> None:
    game = await two_people(frail)
    at = await reach(frail, game, ANNS)
    view = await frail.view(game)
    with impatience():
        proxy.go_down()
        with pytest.raises(Refused):
            await frail.do(game, Move(ANN, view["revision"], view["legal"][0]))
        clock.advance(seconds=60)
        frail.look(game)
        proxy.refused.clear()
        await proxy.refused.wait()
    proxy.come_up()
    assert (await frail.quiet(game)).row.ply > at.row.ply


# Turn clocks


async def test_who_lets_his_time_run_out_has_a_move_made_for_him(node: Driven, clock: Clock) -> None:
    game = await two_people(node)
    at = await reach(node, game, ANNS)
    assert await node.later(game, seconds=59) == at
    assert (await node.later(game, seconds=1)).row.ply > at.row.ply
    assert (await node.moves(game))[at.row.ply].seat == ANNS


async def test_passes_are_made_for_people_too(node: Driven, clock: Clock) -> None:
    game = await two_people(node, turn_seconds=10)
    await play(node, game, BEN)
    assert (await node.later(game, seconds=10)).state.status == "playing"


@pytest.mark.parametrize(("people", "turn_seconds"), [(1, 60), (2, 0)])
async def test_without_a_clock_one_has_all_the_time(
    node: Driven, clock: Clock, people: int, turn_seconds: int
) -> None:
    game = await open_table(node, people, bots=3 if people == 1 else 0, turn_seconds=turn_seconds)
    if people == 2:
        await node.rooms.do(game, Fill(ANN, None, "easy"))
    at = await node.quiet(game)
    assert await node.later(game, hours=3) == at


async def test_nobody_waits_for_who_is_away(node: Driven, clock: Clock) -> None:
    game = await two_people(node)
    async with node.watching(game, BEN):
        await reach(node, game, ANNS)
        clock.advance(seconds=60)
        node.look(game)
        # From now on the clock stands, and Ann's moves come as those of bots do.
        for _ in range(3):
            await reach(node, game, BENS)
            await play(node, game, BEN)
        async with node.watching(game, ANN):
            at = await reach(node, game, ANNS, idle=ANN)
            node.look(game)
            assert await node.quiet(game) == at


async def test_who_moves_himself_is_back(slow: Driven, clock: Clock) -> None:
    game, chance = await missed_a_turn(slow, clock)
    assert slow.owes(game) == {ANNS}
    await play_on(slow, game, chance)
    await until_on_turn(slow, game, ANNS, chance)
    assert slow.owes(game) == set()


async def test_who_asks_for_the_game_is_back_without_a_socket(slow: Driven, clock: Clock) -> None:
    game, _ = await missed_a_turn(slow, clock)
    await slow.view(game, BEN)
    assert slow.owes(game) == {ANNS}
    await slow.view(game, ANN)
    assert slow.owes(game) == set()


async def missed_a_turn(node: Driven, clock: Clock) -> tuple[GameId, random.Random]:
    """A game in which Ann has let her time run out, and is on turn again."""
    game, chance = await two_people(node), random.Random(1)
    await until_on_turn(node, game, ANNS, chance)
    clock.advance(seconds=60)
    node.look(game)
    await node.served(game, ANNS)
    await until_on_turn(node, game, ANNS, chance)
    return game, chance


async def until_on_turn(node: Driven, game: GameId, seat: int, chance: random.Random) -> Position:
    """Where it is a seat's turn to play a card. Whoever was on turn before has moved, bots out of pace."""
    at = (await now(node, game)).position
    while at.state.status != "playing" or seat not in at.turn:
        await play_on(node, game, chance)
        at = (await now(node, game)).position
    return at


async def test_who_is_there_has_his_time_at_each_turn(node: Driven, clock: Clock) -> None:
    game = await two_people(node)
    async with node.watching(game, ANN):
        for _ in range(2):
            at = await reach(node, game, ANNS)
            assert await node.later(game, seconds=59) == at
            assert (await node.later(game, seconds=1)).row.ply > at.row.ply


async def test_beside_other_nodes_everybody_has_his_time_at_each_turn(
    engine: AsyncEngine, clock: Clock, minds: Minds
) -> None:
    """Ann may be connected to another node."""
    async with AsyncExitStack() as stack:
        nats = await stack.enter_async_context(running_nats())
        node = await start_driven(stack, engine, clock, minds, nats.url)
        game = await two_people(node)
        async with node.watching(game, BEN):
            await reach(node, game, ANNS)
            await node.later(game, seconds=60)
            at = await reach(node, game, ANNS, idle=ANN)
            node.look(game)
            assert await node.quiet(game) == at


async def test_a_table_that_all_have_left_stands_in_the_end(node: Driven, clock: Clock) -> None:
    game = await two_people(node)
    for _ in range(8):
        at = await node.later(game, seconds=60)
    assert at.row.ply > 8
    clock.advance(seconds=LEFT.total_seconds())
    node.look(game)
    assert await node.quiet(game) == at
    # Who comes back has time to look around.
    async with node.watching(game, ANN):
        assert await node.quiet(game) == at
        clock.advance(seconds=RETURN.total_seconds())
        node.look(game)
        assert (await node.quiet(game)).row.ply > at.row.ply


async def test_after_a_restart_people_have_time_to_come_back(
    engine: AsyncEngine, clock: Clock, minds: Minds, node: Driven
) -> None:
    game = await two_people(node)
    at = await reach(node, game, ANNS)
    await node.house.close()
    clock.advance(minutes=5)
    async with running_channels() as others, driven(engine, others, clock, minds) as again:
        await again.view(game)
        assert (await again.quiet(game)).row == at.row
        clock.advance(seconds=RETURN.total_seconds())
        again.look(game)
        assert (await again.quiet(game)).row.ply > at.row.ply


# Take-backs


async def asked(node: Driven) -> tuple[GameId, Position]:
    """A table at which Ann has asked for her card back, and a bot is on turn."""
    game = await two_people(node)
    chance = random.Random(1)
    while len(rules(await until_on_turn(node, game, ANNS, chance)).trick) == 3:
        await play_on(node, game, chance)
    await play(node, game, ANN)
    assert node.owes(game) == {1}
    await node.undo(game)
    return game, (await now(node, game)).position


async def test_bots_wait_while_a_take_back_is_open(slow: Driven, clock: Clock) -> None:
    game, at = await asked(slow)
    assert slow.owes(game) == set()
    clock.advance(minutes=10)
    await answer(slow, game, BEN, False)
    await slow.served(game, 1)
    assert (await slow.moves(game))[at.row.ply].seat == 1


async def test_a_take_back_that_nobody_answers_ends_with_the_time(slow: Driven, clock: Clock) -> None:
    game, at = await asked(slow)
    clock.advance(seconds=59)
    slow.look(game)
    assert slow.owes(game) == set()
    clock.advance(minutes=10)
    slow.look(game)
    await slow.served(game, BENS)
    assert (await now(slow, game)).position.row.takeback is None
    await slow.served(game, 1)
    assert (await slow.moves(game))[at.row.ply].seat == 1


# Several nodes


async def start_driven(
    stack: AsyncExitStack, engine: AsyncEngine, clock: Clock, minds: Minds, url: str
) -> Driven:
    channels = await stack.enter_async_context(running_channels())
    log = await stack.enter_async_context(Log(engine))
    nodes = Nodes(url, channels.hub)
    node = Driven(log, channels, clock, minds, nodes)
    nodes.start(node.rooms.hear)
    stack.push_async_callback(nodes.close)
    stack.push_async_callback(node.house.close)
    return node


async def test_two_nodes_drive_one_table_and_every_move_is_made_once(
    engine: AsyncEngine, clock: Clock, minds: Minds
) -> None:
    async with AsyncExitStack() as stack:
        nats = await stack.enter_async_context(running_nats())
        here, there = [await start_driven(stack, engine, clock, minds, nats.url) for _ in range(2)]
        game = await open_table(here, 1, bots=3)
        async with here.watching(game, ANN), there.watching(game, ANN) as watcher:
            for node in (here, there, here, there, here, there):
                while not (await node.view(game))["legal"]:
                    await watcher.push()
                await play(node, game, ANN)
            while not (await here.view(game))["legal"]:
                await watcher.push()
        moves = await here.moves(game)
    assert [sum(move.seat == seat for move in moves) for seat in range(4)]
    for trick in range(4, len(moves) - 3, 4):
        assert {move.seat for move in moves[trick : trick + 4]} == {0, 1, 2, 3}


class Ticking(Clock):
    """A clock that goes on whenever it is read."""

    def __call__(self) -> datetime:
        self.advance(milliseconds=1)
        return self.now


async def test_the_end_of_a_turn_falls_between_no_two_looks_at_the_clock(
    engine: AsyncEngine, channels: Channels, minds: Minds
) -> None:
    clock = Ticking()
    async with driven(engine, channels, clock, minds) as node:
        game = await two_people(node, turn_seconds=60)
        ends_at = turn_ends_at(await node.quiet(game))
        assert ends_at is not None
        for early in range(10, -1, -1):
            clock.now = ends_at - timedelta(milliseconds=early)
            node.look(game)
            table = node.house._tables[game]
            assert table.alarm or table.duties
            if table.duties:
                break
        assert table.duties


async def test_a_table_where_somebodys_time_runs_stays_in_memory(node: Driven) -> None:
    node.rooms._live = 1
    game = await two_people(node, turn_seconds=60)
    before = await node.quiet(game)
    for _ in range(3):
        await node.deal()
    assert list(node.rooms._rooms) == [game]
    after = await node.later(game, seconds=61)
    assert after.row.ply > before.row.ply
