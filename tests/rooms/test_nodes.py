"""Several nodes on one database: each shows what the others do, and none is misled by what it missed."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.nats import Nodes
from server.errors import Code, Refused
from server.log.log import Log
from server.log.model import GameId
from server.rooms.deserted import Deserted
from server.rooms.news import channel_of
from server.rooms.position import Move, Undo
from tests.channels.conftest import running_channels
from tests.conftest import Clock
from tests.log.transfers import move_seats
from tests.nats import Nats, running_nats
from tests.rooms.conftest import ANN, BEN, WIN, Node, Watcher
from tests.rooms.hearts import CARL, join, open_table, play_out


class Pair:
    """Two nodes, and the NATS server between them."""

    def __init__(self, nats: Nats, here: Node, there: Node) -> None:
        self.nats = nats
        self.here = here
        self.there = there


async def start_node(stack: AsyncExitStack, engine: AsyncEngine, clock: Clock, url: str) -> Node:
    channels = await stack.enter_async_context(running_channels())
    log = await stack.enter_async_context(Log(engine))
    nodes = Nodes(url, channels.hub)
    node = Node(log, channels, clock, nodes=nodes)
    nodes.start(node.rooms.hear)
    stack.push_async_callback(nodes.close)
    return node


@pytest.fixture
async def nats() -> AsyncIterator[Nats]:
    async with running_nats() as nats:
        yield nats


@pytest.fixture
async def two(engine: AsyncEngine, clock: Clock, nats: Nats) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        here, there = [await start_node(stack, engine, clock, nats.url) for _ in range(2)]
        yield Pair(nats, here, there)


async def test_watchers_see_what_is_played_on_another_node(two: Pair) -> None:
    game = await two.here.deal()
    async with two.there.watching(game, ANN) as own, two.there.watching(game) as stranger:
        await two.here.move(game, WIN[0])
        # The first one may have come while the subscription began.
        await own.until(1)
        await stranger.until(1)
        for revision, move in enumerate(WIN[1:6], 1):
            await two.here.do(game, Move(ANN, revision, move))
            push = await own.push()
            assert (push["view"]["revision"], push["view"]["you"]) == (revision + 1, 0)
            assert push["event"] == {"kind": "move", "seat": 0, "move": move}
            assert (await stranger.push())["event"] == push["event"]
        await two.there.do(game, Undo(ANN, 6))
        assert (await own.push())["event"] == {"kind": "undo", "seat": 0, "move": WIN[5]}
        await two.here.move(game, WIN[5])
        assert (await own.push())["view"]["revision"] == 8


async def test_a_command_may_go_to_any_node(two: Pair) -> None:
    game = await two.here.deal()
    nodes = [two.here, two.there]
    for revision, move in enumerate(WIN):
        view = await nodes[revision % 2].do(game, Move(ANN, revision, move))
        assert view == await nodes[1 - revision % 2].view(game)
    assert view["status"] == "won"


async def test_of_two_nodes_at_one_instant_one_wins(two: Pair) -> None:
    game = await two.here.deal()
    await two.there.view(game)
    ends = await asyncio.gather(
        *(node.do(game, Move(ANN, 0, "draw")) for node in (two.here, two.there)), return_exceptions=True
    )
    [refused] = [end for end in ends if isinstance(end, Refused)]
    [view] = [end for end in ends if isinstance(end, dict)]
    assert refused.code is Code.STALE_REVISION
    assert refused.view == view


async def test_a_revision_from_nowhere_is_stale_on_every_node(two: Pair) -> None:
    game = await two.here.deal()
    with pytest.raises(Refused) as caught:
        await two.there.do(game, Move(ANN, 7, "draw"))
    assert caught.value.code is Code.STALE_REVISION


async def test_games_that_change_hands_are_read_again_everywhere(engine: AsyncEngine, two: Pair) -> None:
    game = await two.here.deal()
    async with two.there.watching(game, BEN) as watcher:
        await two.here.move(game, "draw")
        await watcher.until(1)
        await move_seats(engine, ANN, BEN)
        await two.here.rooms.forget([game])
        assert (await watcher.push())["view"]["you"] == 0
        assert (await two.there.move(game, "25-w", BEN))["ply"] == 2


async def test_a_table_is_played_at_from_both_nodes(two: Pair) -> None:
    game = await open_table(two.here, players=3, target=1)
    async with two.there.watching(game, BEN) as watcher:
        await join(two.here, game, BEN)
        push = await watcher.until(1)
        assert (push["view"]["you"], push["view"]["players"][1]["user"]["name"]) == (1, "Ben")
        await join(two.there, game, CARL)
        assert (await watcher.until(2))["view"]["status"] == "passing"
        nodes = [two.here, two.there]
        # All pass at once, from either node, at the same revision.
        hands = [(await two.here.view(game, user))["hand"][:3] for user in (ANN, BEN, CARL)]
        await asyncio.gather(
            *(
                nodes[seat % 2].do(game, Move(user, 2, f"pass {' '.join(hand)}"))
                for seat, (user, hand) in enumerate(zip((ANN, BEN, CARL), hands, strict=True))
            )
        )
        assert (await watcher.until(5))["view"]["status"] == "playing"
        view = await play_out(two.here, game, random.Random(1))
        assert (await watcher.until(view["revision"]))["view"]["status"] == "finished"


async def is_there(watcher: Watcher, seat: int) -> bool:
    """What the next push about who is there says of a seat."""
    while (push := await watcher.push())["event"] is None or push["event"]["kind"] != "presence":
        pass
    assert push["event"]["seat"] == seat
    connected: bool = push["view"]["players"][seat]["connected"]
    return connected


async def test_who_is_connected_to_one_node_is_there_on_the_other(two: Pair) -> None:
    game = await open_table(two.here, 2)
    async with two.there.watching(game, ANN) as ann:
        async with two.here.watching(game, BEN):
            assert await is_there(ann, 1)
            players = (await two.here.view(game))["players"]
            assert [each["connected"] for each in players[:2]] == [True, True]
        assert not await is_there(ann, 1)


async def test_a_node_that_comes_later_hears_who_is_there(
    two: Pair, engine: AsyncEngine, clock: Clock
) -> None:
    game = await open_table(two.here)
    async with two.here.watching(game, ANN), AsyncExitStack() as stack:
        late = await start_node(stack, engine, clock, two.nats.url)
        async with late.watching(game) as watcher:
            if not late.channels.hub.connected(channel_of(game), ANN):
                assert await is_there(watcher, 0)


async def test_a_node_that_says_nothing_more_has_nobody(
    engine: AsyncEngine, clock: Clock, nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.channels.nats.REPEAT_S", 0.1)
    monkeypatch.setattr("server.channels.nats.FORGET_S", 1.0)
    async with AsyncExitStack() as stack:
        here, there = [await start_node(stack, engine, clock, nats.url) for _ in range(2)]
        game = await open_table(here, 2)
        async with there.watching(game) as watcher, here.watching(game, BEN):
            assert await is_there(watcher, 1)
            dying = here.rooms._nodes
            assert dying is not None
            await dying._client.close()
            assert not await is_there(watcher, 1)


async def test_a_table_is_not_deserted_while_somebody_is_on_another_node(two: Pair) -> None:
    game = await open_table(two.here, 2)
    there, hub = two.there, two.there.channels.hub
    deserted = Deserted(there.log, hub, there.clock, there.rooms.submit)
    there.clock.advance(days=2)
    async with there.watching(game) as watcher:
        async with two.here.watching(game, BEN):
            assert await is_there(watcher, 1)
            [outbox] = there.channels.writers
            hub.unsubscribe(channel_of(game), outbox)
            await deserted.close_due()
            assert (await two.here.view(game))["status"] == "waiting"
            hub.subscribe(channel_of(game), outbox)
        assert not await is_there(watcher, 1)
        hub.unsubscribe(channel_of(game), outbox)
        await deserted.close_due()
    assert (await two.here.view(game))["status"] == "closed"


async def test_without_nats_each_node_goes_on_and_catches_up_when_it_is_back(two: Pair) -> None:
    game = await two.here.deal()
    async with two.here.watching(game, ANN) as here, two.there.watching(game, ANN) as there:
        await two.here.move(game, WIN[0])
        await there.until(1)
        await two.nats.stop()
        for revision in (1, 2):
            await two.here.do(game, Move(ANN, revision, WIN[revision]))
            assert (await here.until(revision + 1))["event"]["move"] == WIN[revision]
        view: dict[str, Any] = await two.there.do(game, Move(ANN, 3, WIN[3]))
        assert view["ply"] == 4
        await two.nats.start()
        assert (await here.until(4))["view"]["ply"] == 4
        await two.there.do(game, Move(ANN, 4, WIN[4]))
        assert (await here.until(5))["view"]["ply"] == 5


async def test_a_node_comes_and_goes_without_nats(engine: AsyncEngine, clock: Clock) -> None:
    async with AsyncExitStack() as stack:
        alone = await start_node(stack, engine, clock, Nats().url)
        game = await alone.deal()
        async with alone.watching(game) as watcher:
            await alone.move(game, "draw")
            assert (await watcher.push())["event"]["move"] == "draw"


async def test_a_node_starts_without_nats(engine: AsyncEngine, clock: Clock) -> None:
    nats = Nats()
    async with AsyncExitStack() as stack:
        here, there = [await start_node(stack, engine, clock, nats.url) for _ in range(2)]
        game = await here.deal()
        async with there.watching(game) as watcher:
            await here.move(game, "draw")
            await nats.start()
            stack.push_async_callback(nats.stop)
            assert (await watcher.until(1))["view"]["ply"] == 1


async def test_a_game_that_has_not_changed_is_not_read_again(
    two: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await two.here.deal()
    view = await two.here.play(game, WIN[:3])
    assert await two.there.view(game) == view

    async def no_read(_: GameId) -> None:
        raise AssertionError

    monkeypatch.setattr(two.there.log, "read", no_read)
    for _ in range(2):
        assert await two.there.view(game) == view
