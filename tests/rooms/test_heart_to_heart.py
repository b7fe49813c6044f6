"""A solitaire from the deal to its end, as its player and those who watch see it."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Code, Refused
from server.log.model import GameId
from server.log.schema import results
from server.rooms.position import Answer, Command, Move, Resign, Undo
from server.rooms.views import HeartToHeartView
from tests.rooms.conftest import ANN, BEN, CODE, WIN, Node


async def refusal(node: Node, game: str, command: Command) -> Refused:
    with pytest.raises(Refused) as caught:
        await node.do(GameId(game), command)
    return caught.value


async def result_rows(engine: AsyncEngine) -> list[dict[str, Any]]:
    async with engine.connect() as connection:
        return [dict(row) for row in (await connection.execute(select(results))).mappings()]


async def test_a_new_game_is_whole(node: Node) -> None:
    view: dict[str, Any] = {**await node.rooms.deal(ANN, CODE)}
    msgspec.convert(view, HeartToHeartView)
    assert view.keys() == HeartToHeartView.__required_keys__
    expected = {
        "game": "heart-to-heart",
        "revision": 0,
        "ply": 0,
        "status": "playing",
        "options": {},
        "you": 0,
        "turn": [0],
        "last": None,
        "created_at": "2026-11-29T12:00:00.000Z",
        "started_at": "2026-11-29T12:00:00.000Z",
        "finished_at": None,
        "next": None,
        "deal": CODE,
        "stock": 26,
        "score": 0,
        "moves": 0,
        "undone": 0,
        "undoable": 0,
        "clock_ms": 0,
        "clock_at": None,
        "ranked": None,
    }
    assert {name: view[name] for name in expected} == expected
    assert len(view["id"]) >= 8
    assert view["legal"][0] == "draw"
    assert view["players"] == [
        {"seat": 0, "user": {"id": ANN, "name": "Ann"}, "bot": None, "connected": False, "resigned": False}
    ]


async def test_without_a_code_the_deal_is_a_random_numbered_one(node: Node) -> None:
    codes = {(await node.rooms.deal(ANN))["deal"] for _ in range(3)}
    assert len(codes) == 3
    assert all(code.startswith("HH1-N-") for code in codes)


async def test_a_spectator_sees_the_game_but_has_no_moves(node: Node) -> None:
    game = await node.deal()
    view = await node.view(game)
    assert await node.view(game, BEN) == await node.view(game, None) == view | {"you": None, "legal": []}


async def test_a_game_is_won(node: Node, engine: AsyncEngine) -> None:
    game = await node.deal()
    view = await node.play(game, WIN)
    end = "2026-11-29T12:00:56.000Z"
    expected = {
        "status": "won",
        "score": 250,
        "ply": 57,
        "revision": 57,
        "turn": [],
        "legal": [],
        "undoable": 0,
        "clock_ms": 56_000,
        "clock_at": end,
        "finished_at": end,
        "last": {"seat": 0, "move": "3-w"},
    }
    assert {name: view[name] for name in expected} == expected
    assert await node.view(game) == view
    [row] = await result_rows(engine)
    expected = {"user_id": ANN, "status": "won", "won": True, "score": 250, "moves": 57, "clock_ms": 56_000}
    assert {name: row[name] for name in expected} == expected
    for command in (Move(ANN, 57, "draw"), Undo(ANN, 57), Resign(ANN, 57)):
        assert (await refusal(node, game, command)).code is Code.GAME_OVER


async def test_a_game_is_given_up(node: Node, engine: AsyncEngine) -> None:
    game = await node.deal()
    await node.play(game, WIN[:3])
    await node.undo(game)
    node.clock.advance(seconds=30)
    view = await node.resign(game)
    assert (view["status"], view["score"], view["turn"], view["legal"]) == ("resigned", 10, [], [])
    assert (view["finished_at"], view["clock_ms"]) == ("2026-11-29T12:00:33.000Z", 3000)
    assert (view["last"], view["undoable"]) == ({"seat": 0, "move": "25-w"}, 0)
    [row] = await result_rows(engine)
    assert (row["status"], row["won"], row["score"], row["moves"]) == ("resigned", False, 10, 3)
    assert (await refusal(node, game, Undo(ANN, view["revision"]))).code is Code.GAME_OVER


async def test_undo_takes_the_last_move_back(node: Node) -> None:
    game = await node.deal()
    before = await node.play(game, WIN[:2])
    after = await node.play(game, WIN[2:3])
    view = await node.undo(game)
    changed = {
        "revision": 4,
        "undone": 1,
        "undoable": 2,
        "clock_ms": 3000,
        "clock_at": "2026-11-29T12:00:03.000Z",
    }
    assert view == before | changed
    assert after["undoable"] == 3
    assert await node.view(game) == view


async def test_at_most_a_hundred_moves_are_undone(node: Node) -> None:
    game = await node.deal()
    await node.play(game, (["draw"] * 26 + ["recycle", *["draw"] * 27] * 4)[:103])
    for _ in range(100):
        view = await node.undo(game)
    assert (view["ply"], view["undoable"], view["undone"]) == (3, 0, 100)
    refused = await refusal(node, game, Undo(ANN, view["revision"]))
    assert (refused.code, refused.reason) == (Code.ILLEGAL_MOVE, "no_undo_left")


async def test_nothing_to_undo(node: Node) -> None:
    game = await node.deal()
    assert (await refusal(node, game, Undo(ANN, 0))).reason == "no_undo_left"
    await node.move(game, "draw")
    await node.undo(game)
    assert (await refusal(node, game, Undo(ANN, 2))).reason == "no_undo_left"


async def test_the_clock_counts_a_minute_a_pause_at_most(node: Node) -> None:
    game = await node.deal()
    node.clock.advance(hours=1)
    assert (await node.move(game, "draw"))["clock_ms"] == 0
    node.clock.advance(seconds=59, milliseconds=999)
    assert (await node.move(game, "draw"))["clock_ms"] == 59_999
    node.clock.advance(hours=1)
    view = await node.undo(game)
    assert (view["clock_ms"], view["clock_at"]) == (119_999, "2026-11-29T14:00:59.999Z")


async def test_the_log_never_runs_backwards(node: Node) -> None:
    game = await node.deal()
    await node.move(game, "draw")
    node.clock.now -= timedelta(seconds=5)
    view = await node.move(game, "draw")
    assert (view["clock_ms"], view["clock_at"]) == (0, "2026-11-29T12:00:00.000Z")


async def test_a_stuck_game_goes_on(node: Node) -> None:
    game = await node.deal(code="HH1-N-AAAAABN")
    view = await node.view(game)
    while view["status"] == "playing":
        pairs = [move for move in view["legal"] if "-" in move]
        view = await node.move(game, (pairs or view["legal"])[0])
    assert view["status"] == "stuck"
    assert view["finished_at"] is None
    assert view["turn"] == [0]
    assert {"draw", "recycle"} & set(view["legal"])
    assert (await node.undo(game))["status"] == "playing"


async def test_illegal_moves_say_why(node: Node) -> None:
    game = await node.deal()
    reasons = {
        "fly": "not_a_move",
        " draw": "not_a_move",
        "24-21": "not_a_move",
        "draw\0": "not_a_move",
        "recycle": "stock_not_empty",
        "1-2": "covered",
        "25-w": "different_rank",
    }
    for move, reason in reasons.items():
        refused = await refusal(node, game, Move(ANN, 0, move))
        assert (refused.code, refused.reason) == (Code.ILLEGAL_MOVE, reason), move
    assert (await node.view(game))["revision"] == 0


async def test_checks_come_in_the_order_of_the_contract(node: Node) -> None:
    game = await node.deal()
    await node.play(game, WIN[:1])
    for command in (Move(BEN, 0, "fly"), Undo(BEN, 0), Resign(BEN, 0), Answer(BEN, 0, True)):
        assert (await refusal(node, game, command)).code is Code.NOT_YOUR_GAME
        assert (await refusal(node, "no-such-game", command)).code is Code.NOT_FOUND
        assert (await refusal(node, "no\0\ud800", command)).code is Code.NOT_FOUND
    for command in (Move(ANN, 0, "fly"), Undo(ANN, 2), Resign(ANN, 10**30), Answer(ANN, -1, True)):
        refused = await refusal(node, game, command)
        assert refused.code is Code.STALE_REVISION
        assert refused.view == await node.view(game)
    await node.resign(game)
    assert (await refusal(node, game, Move(ANN, 1, "fly"))).code is Code.STALE_REVISION
    assert (await refusal(node, game, Move(ANN, 2, "fly"))).code is Code.GAME_OVER
    assert (await refusal(node, game, Answer(ANN, None, True))).code is Code.GAME_OVER


async def test_there_is_no_take_back_to_answer(node: Node) -> None:
    game = await node.deal()
    assert (await refusal(node, game, Answer(ANN, None, True))).code is Code.NOT_YOUR_TURN
