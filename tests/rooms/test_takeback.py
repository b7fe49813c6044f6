"""Taking a move back by consent: who is asked, who agrees, and what ends a request."""

import random
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Code, Refused
from server.games.game import Seat
from server.log.log import Log
from server.log.model import GameId, UserId
from server.rooms.position import Answer, Command, HouseMove, Move, Undo
from tests.channels.conftest import Channels
from tests.conftest import Clock
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import CARL, PEOPLE, answer, fill, move_of, now, open_table, play_on, play_out

CHANCE = random.Random(7)


async def refusal(node: Node, game: GameId, command: Command) -> tuple[Code, str | None]:
    with pytest.raises(Refused) as caught:
        await node.do(game, command)
    return caught.value.code, caught.value.reason


async def table(node: Node, people: int = 3, **options: Any) -> GameId:
    """Four seats, all passed and nothing played; bots have those that no person has."""
    game = await open_table(node, people, **options)
    if people < 4:
        await fill(node, game)
    await play_out(node, game, CHANCE, until="playing")
    return game


async def play(node: Node, game: GameId, *, by: set[int]) -> tuple[UserId, int]:
    """Plays on until one of these seats has moved, not as the last of a hand; who that is, and his seat."""
    while True:
        [seat] = (await now(node, game)).position.turn
        await play_on(node, game, CHANCE)
        if seat in by:
            return PEOPLE[seat], seat


async def test_a_move_is_taken_back_when_all_people_agree(node: Node) -> None:
    game = await table(node)
    async with node.watching(game, None) as watcher:
        user, seat = await play(node, game, by={0, 1, 2})
        before = await node.view(game, user)
        await watcher.until(before["revision"])
        others = [each for each in range(3) if each != seat]
        view = await node.undo(game, user)
        assert view["takeback"] == {"seat": seat, "waiting_for": others}
        assert (view["revision"], view["ply"]) == (before["revision"] + 1, before["ply"])
        assert (await watcher.push())["event"] == {"kind": "takeback", "seat": seat, "move": None}
        view = await answer(node, game, PEOPLE[others[1]], True)
        assert view["takeback"] == {"seat": seat, "waiting_for": others[:1]}
        assert (await watcher.push())["event"] == {"kind": "agreed", "seat": others[1], "move": None}
        node.clock.advance(seconds=9)
        view = await node.do(game, Answer(PEOPLE[others[0]], view["revision"], True))
        assert view["takeback"] is None
        assert (view["ply"], view["revision"], view["turn"]) == (
            before["ply"] - 1,
            before["revision"] + 3,
            [seat],
        )
        event = (await watcher.push())["event"]
        assert event == {"kind": "undo", "seat": seat, "move": before["last"]["move"]}
    again = await node.move(game, before["last"]["move"], user)
    assert again["trick"] == before["trick"]
    logged = await node.log.read(game)
    assert logged is not None
    assert (logged.game.undone, len(logged.moves)) == (1, before["ply"])


async def test_a_refusal_ends_it(node: Node) -> None:
    game = await table(node)
    user, seat = await play(node, game, by={0, 1, 2})
    view = await node.undo(game, user)
    other = PEOPLE[(seat + 1) % 3]
    async with node.watching(game, None) as watcher:
        view = await answer(node, game, other, False)
        assert (view["takeback"], view["ply"]) == (None, (await node.view(game))["ply"])
        assert (await watcher.push())["event"] == {"kind": "refused", "seat": (seat + 1) % 3, "move": None}
    for late in (user, other, PEOPLE[(seat + 2) % 3]):
        assert (await refusal(node, game, Answer(late, None, True)))[0] is Code.NOT_YOUR_TURN
    assert (await node.undo(game, user))["takeback"]["seat"] == seat


async def test_any_other_move_ends_it(node: Node) -> None:
    game = await table(node, 4)
    user, _ = await play(node, game, by={0, 1, 2, 3})
    await node.undo(game, user)
    view = await play_on(node, game, CHANCE)
    assert view["takeback"] is None
    assert await refusal(node, game, Undo(user, view["revision"])) == (Code.ILLEGAL_MOVE, "no_undo_left")


async def test_bots_agree_at_once_and_wait_while_people_are_asked(node: Node) -> None:
    alone = await table(node, 1)
    user, _ = await play(node, alone, by={0})
    before = await node.view(alone)
    async with node.watching(alone, user) as watcher:
        view = await node.undo(alone, user)
        assert (view["ply"], view["takeback"], view["turn"]) == (before["ply"] - 1, None, [0])
        event = (await watcher.push())["event"]
        assert event == {"kind": "undo", "seat": 0, "move": before["last"]["move"]}
    game = await table(node, 2)
    while True:
        user, seat = await play(node, game, by={0, 1})
        copy = await now(node, game)
        [turn] = copy.position.turn
        if turn > 1:
            break
    view = await node.undo(game, user)
    move = move_of(copy, turn, CHANCE)
    assert (await refusal(node, game, HouseMove(Seat(turn), view["revision"], move)))[
        0
    ] is Code.STALE_REVISION
    await answer(node, game, PEOPLE[1 - seat], False)
    view = await node.view(game)
    assert (await node.do(game, HouseMove(Seat(turn), view["revision"], move)))["ply"] == view["ply"] + 1


async def test_who_may_ask_and_who_may_answer(node: Node) -> None:
    game = await table(node)
    view = await node.view(game)
    for user in (ANN, BEN, CARL):  # The passed cards have just been revealed.
        assert await refusal(node, game, Undo(user, view["revision"])) == (Code.ILLEGAL_MOVE, "no_undo_left")
    user, seat = await play(node, game, by={0, 1, 2})
    revision = (await node.view(game))["revision"]
    other = PEOPLE[(seat + 1) % 3]
    assert await refusal(node, game, Undo(other, revision)) == (Code.ILLEGAL_MOVE, "no_undo_left")
    assert (await refusal(node, game, Undo(user, revision - 1)))[0] is Code.STALE_REVISION
    assert (await refusal(node, game, Undo(UserId("zoe"), revision)))[0] is Code.NOT_YOUR_GAME
    assert (await refusal(node, game, Answer(other, None, True)))[0] is Code.NOT_YOUR_TURN
    await node.undo(game, user)
    assert (await refusal(node, game, Undo(user, revision + 1)))[0] is Code.NOT_YOUR_TURN
    assert (await refusal(node, game, Answer(user, None, True)))[0] is Code.NOT_YOUR_TURN
    assert (await refusal(node, game, Answer(other, revision, True)))[0] is Code.STALE_REVISION
    await answer(node, game, other, True)
    assert (await refusal(node, game, Answer(other, None, False)))[0] is Code.NOT_YOUR_TURN


async def test_a_pass_stands_but_for_a_take_back_before_the_reveal(node: Node) -> None:
    game = await open_table(node, 3, players=3)
    await node.move(game, move_of(await now(node, game), 0, CHANCE), ANN)
    before = await node.view(game, BEN)
    await node.move(game, move := move_of(await now(node, game), 1, CHANCE), BEN)
    assert (await refusal(node, game, Undo(ANN, 4)))[0] is Code.ILLEGAL_MOVE
    async with node.watching(game, BEN) as own, node.watching(game, ANN) as other:
        await node.undo(game, BEN)
        await answer(node, game, ANN, True)
        view = await answer(node, game, CARL, True)
        event = (await own.until(view["revision"]))["event"]
        assert event["move"].split()[0] == "pass"
        assert sorted(event["move"].split()) == sorted(move.split())
        assert (await other.until(view["revision"]))["event"] == {"kind": "undo", "seat": 1, "move": "pass"}
    view = await node.view(game, BEN)
    assert {name: view[name] for name in ("hand", "sent", "passed", "turn", "last", "turn_ends_at")} == {
        name: before[name] for name in ("hand", "sent", "passed", "turn", "last", "turn_ends_at")
    }


async def test_never_across_the_end_of_a_hand(node: Node) -> None:
    game = await open_table(node, 3, players=3, target=1000, moon="add")
    while (await node.view(game))["hand_number"] == 1:
        view = await play_on(node, game, CHANCE)
    for user in PEOPLE[:3]:
        assert await refusal(node, game, Undo(user, view["revision"])) == (Code.ILLEGAL_MOVE, "no_undo_left")


@pytest.mark.parametrize("resigns", ["asker", "last to answer", "one to answer"])
async def test_who_resigns_answers_no_more(node: Node, resigns: str) -> None:
    game = await table(node)
    user, seat = await play(node, game, by={0, 1, 2})
    ply = (await node.view(game))["ply"]
    await node.undo(game, user)
    first, second = [PEOPLE[each] for each in range(3) if each != seat]
    if resigns == "asker":
        view = await node.resign(game, user)
        assert (view["takeback"], view["ply"]) == (None, ply)
    elif resigns == "one to answer":
        view = await node.resign(game, first)
        assert (view["takeback"]["waiting_for"], view["ply"]) == ([PEOPLE.index(second)], ply)
        assert (await answer(node, game, second, True))["ply"] == ply - 1
    else:
        await answer(node, game, first, True)
        view = await node.resign(game, second)
        assert (view["takeback"], view["ply"], view["turn"]) == (None, ply - 1, [seat])
        assert view["players"][PEOPLE.index(second)]["resigned"] is True


async def test_a_request_outlives_a_restart(
    node: Node, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    game = await table(node)
    user, seat = await play(node, game, by={0, 1, 2})
    view = await node.undo(game, user)
    async with Log(engine) as log:
        fresh = Node(log, channels, clock)
        assert await fresh.view(game, user) == view
        for other in range(3):
            if other != seat:
                view = await answer(fresh, game, PEOPLE[other], True)
        assert view["takeback"] is None
        assert view["turn"] == [seat]


async def test_a_pass_is_current_since_its_hand_was_dealt(
    node: Node, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    game = await open_table(node, 3, players=3, target=1000, moon="add")
    copy = await now(node, game)
    passes = [Move(user, 2, move_of(copy, seat, CHANCE)) for seat, user in enumerate(PEOPLE[:3])]
    assert (await refusal(node, game, Move(CARL, 1, passes[2].move)))[0] is Code.STALE_REVISION
    assert (await refusal(node, game, Move(CARL, 3, passes[2].move)))[0] is Code.STALE_REVISION
    await node.do(game, passes[0])
    assert (await refusal(node, game, passes[0]))[0] is Code.NOT_YOUR_TURN
    await node.resign(game, BEN)
    async with Log(engine) as log:
        fresh = Node(log, channels, clock)
        await fresh.do(game, HouseMove(Seat(1), 2, passes[1].move))
        assert (await fresh.do(game, passes[2]))["status"] == "playing"
    await node.rooms.forget([game])
    while (view := await node.view(game))["hand_number"] == 1:
        assert (await refusal(node, game, passes[0]))[0] in (Code.NOT_YOUR_TURN, Code.ILLEGAL_MOVE)
        await play_on(node, game, CHANCE)
    assert (await refusal(node, game, passes[0]))[0] is Code.STALE_REVISION
    late = Move(ANN, view["revision"] - 1, passes[0].move)
    assert (await refusal(node, game, late))[0] is Code.STALE_REVISION
    assert (await node.do(game, Move(CARL, view["revision"], move_of(await now(node, game), 2, CHANCE))))[
        "passed"
    ] == [False, False, True]


async def test_a_pass_that_was_taken_back_counts_only_when_it_is_decided_again(
    node: Node, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    game = await open_table(node, 3, players=3)
    copy = await now(node, game)
    dealt = copy.position.row.revision
    anns, bens, carls = (
        Move(user, dealt, move_of(copy, seat, CHANCE)) for seat, user in enumerate(PEOPLE[:3])
    )
    back: list[int] = []
    for passing, others in ((anns, (BEN, CARL)), (bens, (ANN, CARL))):
        await node.do(game, passing)
        await node.undo(game, passing.user)
        for each in others:
            view = await answer(node, game, each, True)
        assert view["passed"] == [False] * 3
        back.append(view["revision"])

    async with Log(engine) as log:
        fresh = Node(log, channels, clock)
        assert await refusal(fresh, game, anns) == (Code.STALE_REVISION, None)
        assert await refusal(fresh, game, Move(BEN, back[1] - 1, bens.move)) == (Code.STALE_REVISION, None)
        # Ann decides again before Ben's take-back, and Carl has done so before both.
        assert (await fresh.do(game, carls))["passed"] == [False, False, True]
        assert (await fresh.do(game, Move(ANN, back[0], anns.move)))["passed"] == [True, False, True]
        assert (await fresh.do(game, Move(BEN, back[1], bens.move)))["status"] == "playing"
