"""Many hands on one game: commands at once, callers who leave, other nodes, a log that cannot say."""

import asyncio
from collections.abc import Awaitable, Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.errors import Code, Refused
from server.log.database import unavailable
from server.log.log import Log
from server.log.model import Change, GameId, UserId
from server.rooms.elsewhere import Elsewhere
from server.rooms.position import Move, Position, Resign, Undo
from server.rooms.rooms import Rooms
from tests.channels.conftest import Channels
from tests.conftest import Clock
from tests.log.transfers import move_seats
from tests.rooms.conftest import ANN, BEN, WIN, Node, names


async def in_log(node: Node, game: GameId) -> list[str]:
    logged = await node.log.read(game)
    assert logged is not None
    assert logged.game.ply == len(logged.moves)
    return [move.move for move in logged.moves]


async def code_of(answer: Awaitable[Any]) -> Code | None:
    try:
        await answer
    except Refused as refused:
        return refused.code
    return None


async def test_commands_are_carried_out_in_the_order_in_which_they_came(node: Node) -> None:
    game = await node.deal()
    answers = [node.rooms.submit(game, Move(ANN, n, move)) for n, move in enumerate(WIN)]
    positions = await asyncio.gather(*answers)
    assert [position.row.revision for position in positions] == list(range(1, len(WIN) + 1))
    assert positions[-1].row.status == "won"
    assert await in_log(node, game) == WIN


async def test_of_two_devices_one_wins_and_the_other_is_told(node: Node) -> None:
    game = await node.deal()
    moves = [code_of(node.rooms.do(game, Move(ANN, 0, "draw"))) for _ in range(5)]
    assert sorted(map(str, await asyncio.gather(*moves))) == ["None", *["stale_revision"] * 4]
    assert await in_log(node, game) == ["draw"]


async def test_watchers_see_every_change_once_and_in_order(node: Node) -> None:
    game = await node.deal()
    async with node.watching(game, ANN) as own, node.watching(game, BEN) as other:
        assert (await node.view(game))["players"][0]["connected"] is True
        for n, move in enumerate(WIN[:3]):
            await node.do(game, Move(ANN, n, move))
            for watcher, seat in ((own, 0), (other, None)):
                push = await watcher.push()
                assert push["channel"] == f"games/{game}"
                assert push["event"] == {"kind": "move", "seat": 0, "move": move}
                assert push["view"] == await node.view(game, ANN if seat == 0 else BEN)
        await node.undo(game)
        assert (await own.push())["event"] == {"kind": "undo", "seat": 0, "move": WIN[2]}
        await node.resign(game)
        push = await own.push()
        assert push["event"] == {"kind": "resign", "seat": 0, "move": None}
        assert push["view"]["status"] == "resigned"
    assert (await node.view(game))["players"][0]["connected"] is False


async def test_a_caller_who_hangs_up_stops_nothing(node: Node) -> None:
    game = await node.deal()
    async with node.watching(game) as watcher:
        caller = asyncio.create_task(node.do(game, Move(ANN, 0, "draw")))
        await asyncio.sleep(0)
        later = node.rooms.submit(game, Move(ANN, 1, "25-w"))
        await asyncio.sleep(0)
        caller.cancel()
        assert [(await watcher.push())["view"]["revision"] for _ in range(2)] == [1, 2]
        assert (await later).row.revision == 2
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await in_log(node, game) == ["draw", "25-w"]
    assert (await node.view(game))["ply"] == 2


async def test_refused_commands_show_nothing(node: Node) -> None:
    game = await node.deal()
    async with node.watching(game) as watcher:
        for command in (Move(ANN, 0, "fly"), Move(ANN, 3, "draw"), Move(BEN, 0, "draw"), Undo(ANN, 0)):
            assert await code_of(node.rooms.do(game, command)) is not None
        await node.move(game, "draw")
        assert (await watcher.push())["view"]["revision"] == 1


async def test_a_node_that_was_overtaken_is_put_right(node: Node, engine: AsyncEngine) -> None:
    async with Log(engine) as log:
        other = Rooms(log, Hub(), node.clock, names)
        game = await node.deal()
        async with node.watching(game, ANN) as watcher:
            for n, move in enumerate(WIN[:3]):
                view = await other.do(game, Move(ANN, n, move))
            with pytest.raises(Refused) as caught:
                await node.do(game, Move(ANN, 0, "draw"))
            assert caught.value.code is Code.STALE_REVISION
            push = await watcher.push()
            assert (push["view"]["revision"], push["event"]) == (3, None)
            assert caught.value.view == push["view"]
            assert without_presence(push["view"]) == without_presence(view)
        assert (await node.move(game, WIN[3]))["revision"] == 4
        assert await in_log(node, game) == WIN[:4]


def without_presence(view: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name != "players"}


class Forgetful(Log):
    """A log that cannot say whether it has written."""

    writes = True

    def submit(self, change: Change) -> asyncio.Future[None]:
        return asyncio.ensure_future(self.forget(change))

    async def forget(self, change: Change) -> None:
        if self.writes:
            await super().submit(change)
        raise unavailable()


@pytest.mark.parametrize("writes", [True, False])
async def test_what_became_of_an_unanswered_command_is_read_from_the_log(
    writes: bool, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    async with Forgetful(engine) as log:
        log.writes = writes
        node = Node(log, channels, clock)
        game = await node.deal()
        async with node.watching(game) as watcher:
            assert await code_of(node.rooms.do(game, Move(ANN, 0, "draw"))) is Code.UNAVAILABLE
            view = await node.view(game)
            assert view["ply"] == (1 if writes else 0)
            assert await in_log(node, game) == (["draw"] if writes else [])
            if writes:
                push = await watcher.push()
                assert (push["view"]["revision"], push["event"]) == (1, None)


async def test_who_watches_learns_what_became_of_an_unanswered_command(
    engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    async with Forgetful(engine) as log:
        node = Node(log, channels, clock)
        game = await node.deal()
        async with node.watching(game) as watcher:
            assert await code_of(node.rooms.do(game, Move(ANN, 0, "draw"))) is Code.UNAVAILABLE
            await Elsewhere(log, node.rooms.live, names).look()
            push = await watcher.push()
            assert (push["view"]["revision"], push["event"]) == (1, None)


class Slow(Log):
    """A log in which nothing is written before its time is up."""

    def submit(self, change: Change) -> asyncio.Future[None]:
        return asyncio.ensure_future(self.wait(change))

    async def wait(self, change: Change) -> None:
        assert change.within_s == 0.1
        self.clock.advance(seconds=change.within_s)
        raise unavailable()

    clock: Clock


async def test_a_move_that_would_be_written_after_the_day_comes_too_late(
    engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    async with Slow(engine) as log:
        log.clock = clock
        node = Node(log, channels, clock)
        game = await node.deal(day=date(2026, 11, 29), ranked=True)
        for command in (Move(ANN, 0, "draw"), Resign(ANN, 0)):
            clock.now = datetime(2026, 11, 29, 23, 59, 59, 900_000, UTC)
            assert await code_of(node.rooms.do(game, command)) is Code.GAME_OVER
        assert await in_log(node, game) == []


async def test_all_commands_of_the_last_commit_are_answered_before_the_rooms_are_closed(node: Node) -> None:
    games = [await node.deal() for _ in range(5)]
    answered: list[asyncio.Future[Position]] = []
    for game in games:
        node.rooms.submit(game, Move(ANN, 0, "draw")).add_done_callback(answered.append)
    await node.rooms.close()
    assert [each.result().row.revision for each in answered] == [1] * 5


async def test_no_move_is_made_before_its_game(node: Node) -> None:
    game = await node.deal()
    node.clock.advance(seconds=-5)
    assert (await node.move(game, "draw"))["clock_at"] == (await node.view(game))["created_at"]


async def test_a_game_that_changed_hands_is_read_again(engine: AsyncEngine, node: Node) -> None:
    game = await node.deal()
    async with node.watching(game, BEN) as watcher:
        await move_seats(engine, ANN, BEN)
        await node.rooms.forget([game, GameId("unknown-game")])
        push = await watcher.push()
        assert push["view"]["players"][0]["user"] == {"id": BEN, "name": "Ben"}
        assert push["view"]["you"] == 0
    assert await code_of(node.rooms.do(game, Move(ANN, 0, "draw"))) is Code.NOT_YOUR_GAME
    assert (await node.move(game, "draw", BEN))["ply"] == 1


async def test_only_so_many_games_are_kept_in_memory(
    engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    async with Log(engine) as log:
        node = Node(log, channels, clock, live=3)
        watched = await node.deal()
        async with node.watching(watched):
            games = [await node.deal() for _ in range(8)]
            assert len(node.rooms._rooms) == 3
            assert watched in node.rooms._rooms
            for game in games:
                assert (await node.move(game, "draw"))["ply"] == 1
            for n in range(20):
                assert await code_of(node.view(GameId(f"no-such-game-{n}"))) is Code.NOT_FOUND
                assert await code_of(node.rooms.do(GameId(f"no-such-{n}"), Undo(ANN, 0))) is Code.NOT_FOUND
            assert len(node.rooms._rooms) == 3
            assert (await node.view(games[0]))["ply"] == 1


@pytest.mark.parametrize(
    "name", ["short", "x" * 65, "no/such/game", "no-such-game\0", "no-such-g\ud800me", ""]
)
async def test_what_can_be_no_id_is_no_game(node: Node, name: str) -> None:
    assert await code_of(node.view(GameId(name))) is Code.NOT_FOUND


async def test_what_was_taken_is_finished_when_the_node_stops(node: Node) -> None:
    game = await node.deal()
    answers = [node.rooms.submit(game, Move(ANN, n, move)) for n, move in enumerate(WIN[:5])]
    await node.rooms.close()
    assert all(answer.done() for answer in answers)
    assert await in_log(node, game) == WIN[:5]
    with pytest.raises(Refused) as caught:
        node.rooms.submit(game, Undo(ANN, 5))
    assert caught.value.code is Code.UNAVAILABLE


async def test_lists_come_newest_first_in_pages(node: Node) -> None:
    games = []
    for _ in range(25):
        games.append(await node.deal())
        node.clock.advance(seconds=1)
    await node.deal(BEN)
    await node.resign(games[3])
    page, behind = await node.rooms.list_games(ANN)
    rest, end = await node.rooms.list_games(ANN, behind=behind)
    assert [each["id"] for each in page + rest] == games[::-1]
    assert (len(page), end) == (20, None)
    finished, _ = await node.rooms.list_games(ANN, finished=True)
    assert [(each["id"], each["status"]) for each in finished] == [(games[3], "resigned")]
    assert len((await node.rooms.list_games(ANN, finished=False))[0]) == 20
    assert (await node.rooms.list_games(UserId("carl")))[0] == []
    assert (await node.rooms.list_games(None))[0] == []
    assert (await node.rooms.list_games(ANN, game="hearts"))[0] == []


async def test_a_summary_says_how_the_game_stands(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:3])
    [listed], _ = await node.rooms.list_games(ANN)
    summary: dict[str, Any] = {**listed}
    view = await node.view(game)
    assert summary == {name: view[name] for name in summary}
    assert (summary["score"], summary["ply"], summary["deal"]) == (20, 3, view["deal"])
