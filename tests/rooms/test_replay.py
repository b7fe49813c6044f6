"""Every moment of the past as it was shown then, to whom it may be shown."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Code, Refused
from server.games.deals import read_deal
from server.games.game import Seat
from server.log.model import GameId, LoggedMove, Ply
from server.log.record import HeartToHeartRecord, Record
from server.rooms.replay import AT_ONCE, MOVES, gently, past, replayed_gently, start
from server.rooms.rooms import PAGE
from tests.rooms.conftest import ANN, BEN, CODE, WIN, Node
from tests.rooms.hearts import now
from tests.rooms.test_heart_to_heart import result_rows

TODAY = date(2026, 11, 29)
DAY_DEAL = "HH1-D-20261129:" + read_deal(CODE).long.partition(":")[2]
"""The cards of CODE as the deal of TODAY."""

OF_NOW = ("revision", "players", "finished_at")
"""Fields that a view of the past has from the present."""


def of_then(view: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name not in OF_NOW}


def seed_of(record: Record) -> str:
    return record.deal if isinstance(record, HeartToHeartRecord) else record.seed


async def refusal(node: Node, *arguments: Any, **options: Any) -> Code:
    with pytest.raises(Refused) as caught:
        await node.view(*arguments, **options)
    return caught.value.code


async def test_every_ply_equals_what_was_pushed_live(node: Node) -> None:
    game = await node.deal()
    live: dict[int, dict[str, Any]] = {}
    async with node.watching(game, ANN) as watcher:
        live[0] = await node.view(game)
        for move in WIN:
            revision = (await node.move(game, move))["revision"]
            node.clock.advance(seconds=1.5)
            push = await watcher.until(revision)
            live[push["view"]["ply"]] = push["view"]
            if move == "24-w":
                for _ in range(3):
                    await node.undo(game)
                for move_again in WIN[9:12]:
                    revision = (await node.move(game, move_again))["revision"]
                    push = await watcher.until(revision)
                    live[push["view"]["ply"]] = push["view"]
        views = await node.rooms.plies(ANN, game, 0, None)
        assert len(views) == len(WIN) + 1
        for ply, view in enumerate(views):
            assert of_then(dict(view)) == of_then(live[ply]), ply
            assert view["finished_at"] is not None
        assert dict(views[-1]) == await node.view(game)


async def test_single_plies_and_pages_say_the_same(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN)
    views = await node.rooms.plies(None, game, 0, None)
    for ply in (0, 1, 30, 57):
        assert await node.view(game, None, ply) == dict(views[ply])
    assert await node.rooms.plies(None, game, 10, 12) == views[10:13]
    assert await node.rooms.plies(None, game, 56, 1000) == views[56:]
    assert await node.rooms.plies(None, game, 5, 4) == []


async def test_a_page_has_at_most_two_hundred_views(node: Node) -> None:
    game = await node.deal()
    await node.play(game, (["draw"] * 26 + ["recycle", *["draw"] * 27] * 7)[:210])
    assert [view["ply"] for view in await node.rooms.plies(ANN, game, 3, None)] == list(range(3, 3 + PAGE))


async def test_there_is_nothing_beyond_the_last_ply(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:2])
    for ply in (-1, 3, 10**30):
        assert await refusal(node, game, ANN, ply) is Code.NOT_FOUND
    with pytest.raises(Refused, match="2 moves"):
        await node.rooms.plies(ANN, game, 3, None)


async def test_a_resigned_game_ends_as_resigned(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:3])
    await node.undo(game)
    await node.resign(game)
    views = [dict(view) for view in await node.rooms.plies(BEN, game, 0, None)]
    assert [view["status"] for view in views] == ["playing", "playing", "resigned"]
    assert [view["turn"] for view in views] == [[0], [0], []]
    assert [view["undone"] for view in views] == [0, 0, 1]
    assert dict(views[-1]) == await node.view(game, BEN)


async def test_an_unfinished_game_is_replayed_by_its_player_alone(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:2])
    assert (await node.view(game, ANN, 1))["ply"] == 1
    for user in (BEN, None):
        assert await refusal(node, game, user, 1) is Code.NOT_YET
        assert await refusal(node, game, user, 5) is Code.NOT_YET
        assert (await node.view(game, user))["ply"] == 2


async def test_a_days_deal_is_its_players_alone_until_the_day_is_over(node: Node) -> None:
    ranked = await node.deal(code=DAY_DEAL, day=TODAY, ranked=True)
    practice = await node.deal(code=DAY_DEAL, day=TODAY)
    assert (await node.view(ranked))["ranked"] == "2026-11-29"
    assert (await node.view(practice))["ranked"] is None
    assert (await node.view(ranked))["deal"] == "HH1-D-20261129"
    for game in (ranked, practice):
        await node.play(game, WIN, pause_s=0)
        for user in (BEN, None):
            assert await refusal(node, game, user) is Code.NOT_YET
            assert await refusal(node, game, user, 0) is Code.NOT_YET
            assert await refusal(node, game, user, 99) is Code.NOT_YET
            with pytest.raises(Refused) as caught:
                await node.rooms.plies(user, game, 0, None)
            assert caught.value.code is Code.NOT_YET
            with pytest.raises(Refused) as caught:
                await node.rooms.record(user, game)
            assert caught.value.code is Code.NOT_YET
            with pytest.raises(Refused) as caught:
                async with node.watching(game, user):
                    pass
            assert caught.value.code is Code.NOT_YET
        assert (await node.view(game, ANN, 3))["ply"] == 3
        assert seed_of(await node.rooms.record(ANN, game)) == DAY_DEAL
        with pytest.raises(Refused) as caught:
            await node.rooms.branch(ANN, game, 3)
        assert caught.value.code is Code.NOT_YET
    node.clock.now = node.clock.now.replace(hour=0, minute=0) + timedelta(days=1)
    for game in (ranked, practice):
        assert (await node.view(game, None, 3))["ply"] == 3
        assert seed_of(await node.rooms.record(None, game)) == DAY_DEAL
        branch = await node.branch(game, 3, BEN)
        assert (branch["ranked"], branch["deal"]) == (None, "HH1-D-20261129")


async def test_records_before_the_end(node: Node) -> None:
    own = await node.deal()
    of_day = await node.deal(code=DAY_DEAL, day=TODAY)
    assert (await node.rooms.record(ANN, own)).result.status == "playing"
    for user, game in ((BEN, own), (None, own), (ANN, of_day)):
        with pytest.raises(Refused) as caught:
            await node.rooms.record(user, game)
        assert caught.value.code is Code.NOT_YET


async def test_a_branch_goes_on_from_a_finished_game(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN)
    before = await node.log.read(game)
    node.clock.advance(hours=1)
    branch = await node.branch(game, 12, BEN)
    now = "2026-11-29T13:00:57.000Z"
    expected = {
        "you": 0,
        "ply": 12,
        "revision": 0,
        "undone": 0,
        "undoable": 12,
        "clock_ms": 0,
        "clock_at": now,
        "created_at": now,
        "status": "playing",
        "ranked": None,
    }
    assert {name: branch[name] for name in expected} == expected
    assert branch["heart"] == (await node.view(game, None, 12))["heart"]
    new = GameId(branch["id"])
    assert (await node.undo(new, BEN))["ply"] == 11
    assert (await node.view(new, BEN, 3))["last"] == {"seat": 0, "move": WIN[2]}
    assert await node.log.read(game) == before


async def test_a_branch_counts_for_nobody(node: Node, engine: AsyncEngine) -> None:
    game = await node.deal()
    node.clock.advance(seconds=9)
    await node.play(game, WIN)
    for ply in (56, 1, 0):
        branch = await node.branch(game, ply)
        node.clock.advance(seconds=9)
        assert (await node.play(GameId(branch["id"]), WIN[ply:]))["status"] == "won"
    given_up = GameId((await node.branch(game, 1))["id"])
    await node.resign(given_up)

    # What begins at the deal has been played from there.
    assert {row["game_id"] for row in await result_rows(engine)} == {game, branch["id"]}


@pytest.fixture
async def turns() -> AsyncIterator[list[None]]:
    """How often another task has had its turn: so many items."""
    had: list[None] = []

    async def other() -> None:
        while True:
            had.append(None)
            await asyncio.sleep(0)

    playing = asyncio.create_task(other())
    yield had
    playing.cancel()


async def test_a_long_look_back_holds_nobody_up(node: Node, turns: list[None]) -> None:
    game = await node.deal()
    await node.play(game, WIN)
    copy = await now(node, game)
    found = [len(turns) async for _ in gently(past(copy.position, copy.timeline, 0, len(WIN)))]
    longest = max(Counter(found).values())
    assert (len(found), longest) == (len(WIN) + 1, AT_ONCE)


async def test_a_long_log_holds_nobody_up(node: Node, turns: list[None]) -> None:
    logged = await node.log.read(await node.deal())
    assert logged is not None
    state, moves = start(logged.game), []
    for ply in range(1, 4 * MOVES):
        move = next(move for move in ("draw", "recycle") if move in state.legal(Seat(0)))
        state.play(Seat(0), move)
        moves.append(LoggedMove(Seat(0), move, node.clock.now, Ply(ply), 0, 0))
    logged = replace(logged, moves=tuple(moves))

    before = len(turns)
    position, timeline = await replayed_gently(logged)

    assert len(turns) == before + 3
    assert position.state.view(Seat(0)) == state.view(Seat(0))
    assert timeline.moves == logged.moves
    await replayed_gently(replace(logged, moves=logged.moves[:MOVES]))
    assert len(turns) == before + 3


async def test_where_no_branch_begins(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:4])
    codes = {"unfinished": Code.NOT_YET, "won": Code.GAME_OVER, "beyond": Code.NOT_FOUND}
    with pytest.raises(Refused) as caught:
        await node.rooms.branch(ANN, game, 2)
    assert caught.value.code is codes["unfinished"]
    await node.play(game, WIN[4:])
    with pytest.raises(Refused) as caught:
        await node.rooms.branch(ANN, game, 57)
    assert caught.value.code is codes["won"]
    with pytest.raises(Refused) as caught:
        await node.rooms.branch(ANN, game, 58)
    assert caught.value.code is codes["beyond"]
    with pytest.raises(Refused) as caught:
        await node.rooms.branch(ANN, GameId("no-such-game"), 0)
    assert caught.value.code is Code.NOT_FOUND
    assert (await node.branch(game, 0))["clock_at"] is None
