"""Who sits where at a table: joining, leaving, bots, the creator, giving a seat up, and another game."""

import asyncio
import random
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Code, Refused
from server.games.game import Seat
from server.log.log import Log
from server.log.model import GameId, UserId
from server.log.record import HeartsRecord, verify
from server.log.schema import results
from server.rooms.position import (
    Again,
    Answer,
    Close,
    Command,
    Depart,
    Fill,
    HouseMove,
    Join,
    Leave,
    Move,
    Resign,
    Undo,
)
from tests.channels.conftest import Channels
from tests.conftest import Clock
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import CARL, DORA, fill, join, leave, now, open_table, play_on, play_out

ZOE = UserId("zoe")


async def refusal(node: Node, game: str, command: Command) -> Code:
    before = await node.log.read(GameId(game))
    with pytest.raises(Refused) as caught:
        await node.do(GameId(game), command)
    assert await node.log.read(GameId(game)) == before
    return caught.value.code


def users(view: dict[str, Any]) -> list[str | None]:
    return [each["user"] and each["user"]["id"] for each in view["players"]]


def bots(view: dict[str, Any]) -> list[str | None]:
    return [each["bot"] and each["bot"]["level"] for each in view["players"]]


async def test_people_sit_down_where_they_like(node: Node) -> None:
    game = await open_table(node, players=5)
    view = await join(node, game, BEN, 3)
    assert (users(view), view["you"], view["hand"]) == ([ANN, None, None, BEN, None], 3, [])
    assert (view["revision"], view["status"], view["turn"]) == (1, "waiting", [])
    assert users(await join(node, game, CARL)) == [ANN, CARL, None, BEN, None]


async def test_who_joins_in_vain(node: Node) -> None:
    game = await open_table(node, 2)
    assert await refusal(node, game, Join(CARL, "Carl", 1)) is Code.SEAT_TAKEN
    assert await refusal(node, game, Join(BEN, "Ben")) is Code.SEAT_TAKEN
    assert await refusal(node, game, Join(BEN, "Ben", 3)) is Code.SEAT_TAKEN
    assert await refusal(node, game, Join(CARL, "Carl", 4)) is Code.BAD_REQUEST
    await fill(node, game)
    assert await refusal(node, game, Join(CARL, "Carl")) is Code.SEAT_TAKEN
    assert await refusal(node, game, Join(CARL, "Carl", 2)) is Code.SEAT_TAKEN
    assert await refusal(node, await node.deal(), Join(BEN, "Ben")) is Code.NOT_FOUND
    closed = await open_table(node)
    await leave(node, closed, ANN)
    assert await refusal(node, closed, Join(BEN, "Ben")) is Code.GAME_OVER


async def test_of_two_devices_that_join_at_once_one_is_told(node: Node) -> None:
    game = await open_table(node)
    ends = await asyncio.gather(*(join(node, game, BEN) for _ in range(3)), return_exceptions=True)
    assert [end.code for end in ends if isinstance(end, Refused)] == [Code.SEAT_TAKEN] * 2
    assert users(await node.view(game)) == [ANN, BEN, None, None]


async def test_the_last_seat_goes_to_one(node: Node) -> None:
    game = await open_table(node, 3)
    ends = await asyncio.gather(*(join(node, game, user) for user in (DORA, ZOE)), return_exceptions=True)
    assert [end.code for end in ends if isinstance(end, Refused)] == [Code.SEAT_TAKEN]
    assert (await node.view(game))["revision"] == 3


async def test_the_creator_passes_on_to_the_lowest_seated_person(node: Node) -> None:
    game = await open_table(node, players=5)
    await join(node, game, BEN, 4)
    await join(node, game, CARL, 2)
    await fill(node, game, seat=1)
    assert await refusal(node, game, Fill(CARL, None, "easy")) is Code.NOT_YOUR_GAME
    view = await leave(node, game, ANN)
    assert (users(view), view["you"], view["hand"]) == ([None, None, CARL, None, BEN], None, None)
    assert await refusal(node, game, Fill(BEN, None, "easy")) is Code.NOT_YOUR_GAME
    assert (await node.view(game, BEN))["creator"] == 2
    view = await fill(node, game, CARL)
    assert (bots(view), view["status"]) == (["easy", "easy", None, "easy", None], "passing")


async def test_a_table_that_all_leave_is_closed(node: Node, engine: AsyncEngine) -> None:
    game = await open_table(node, 2)
    await fill(node, game, seat=2)
    await leave(node, game, ANN)
    node.clock.advance(seconds=5)
    view = await leave(node, game, BEN)
    assert (view["status"], view["finished_at"]) == ("closed", "2026-11-29T12:00:05.000Z")
    assert (view["turn"], view["winners"], view["seed"]) == (
        [],
        None,
        (await now(node, game)).position.row.seed,
    )
    record = await node.rooms.record(None, game)
    assert isinstance(record, HeartsRecord)
    assert (record.result.status, verify(record)) == ("closed", None)
    assert [dict(each)["counts"] for each in await node.rooms.plies(None, game, 0, None)] == [[0] * 4]
    async with engine.connect() as connection:
        assert (await connection.execute(select(results))).all() == []


async def test_after_the_start_nobody_leaves(node: Node) -> None:
    game = await open_table(node, 3)
    assert await refusal(node, game, Leave(DORA)) is Code.NOT_YOUR_GAME
    await join(node, game, DORA)
    with pytest.raises(Refused) as caught:
        await leave(node, game, BEN)
    assert (caught.value.code, caught.value.view) == (Code.STALE_REVISION, await node.view(game, BEN))


async def test_before_the_start_there_is_nothing_to_play(node: Node) -> None:
    game = await open_table(node, 2)
    assert await refusal(node, game, Move(ANN, 1, "pass 2C 3C 4C")) is Code.NOT_YOUR_TURN
    assert await refusal(node, game, Undo(ANN, 1)) is Code.ILLEGAL_MOVE
    assert await refusal(node, game, Answer(ANN, 1, True)) is Code.NOT_YOUR_TURN
    assert await refusal(node, game, Resign(ANN, 1)) is Code.NOT_YOUR_TURN
    assert await refusal(node, game, HouseMove(Seat(0), 1, "play 2C")) is Code.NOT_YOUR_TURN


async def test_a_bot_takes_over_from_who_resigns(node: Node, engine: AsyncEngine) -> None:
    game = await open_table(node, 3, target=1)
    await fill(node, game)
    hand = (await node.view(game, BEN))["hand"][:3]
    view = await node.resign(game, BEN)
    assert view == await node.view(game, None) | {"you": 1}
    assert (users(view)[1], bots(view)[1], view["players"][1]["resigned"]) == (BEN, "steady", True)
    assert (view["status"], view["hand"], view["legal"]) == ("passing", None, [])
    assert len({each["bot"]["name"] for each in view["players"] if each["bot"]}) == 2
    revision = view["revision"]
    assert await refusal(node, game, Move(BEN, revision, f"pass {' '.join(hand)}")) is Code.NOT_YOUR_TURN
    assert await refusal(node, game, Resign(BEN, revision)) is Code.NOT_YOUR_TURN
    view = await play_out(node, game, random.Random(3))
    assert view["status"] == "finished"
    async with engine.connect() as connection:
        rows = (await connection.execute(select(results).order_by(results.c.seat))).mappings().all()
    totals = view["totals"]
    assert [(row["user_id"], row["score"]) for row in rows] == list(
        zip([ANN, BEN, CARL], totals[:3], strict=True)
    )
    others = sorted(total for seat, total in enumerate(totals) if seat != 1)
    assert [row["won"] for row in rows] == [seat != 1 and totals[seat] == others[0] for seat in range(3)]
    assert [row["rank"] for row in rows] == [
        4 if seat == 1 else 1 + others.index(totals[seat]) for seat in range(3)
    ]
    assert {(row["game"], row["status"], row["day"]) for row in rows} == {("hearts", "finished", None)}
    # Of a record, which does not know who has resigned, the cards alone decide.
    best = [seat for seat in range(4) if seat != 1 and totals[seat] == others[0]]
    assert view["winners"] == (await node.view(game, None, view["ply"]))["winners"] == best
    lowest = [seat for seat in range(4) if totals[seat] == min(totals)]
    record = await node.rooms.record(ANN, game)
    assert isinstance(record, HeartsRecord)
    assert record.result.winners == lowest
    for ply in (0, view["ply"] - 1):
        past = await node.view(game, BEN, ply)
        assert past["hand"] == past["hands"][1]


async def test_the_last_person_to_resign_closes_the_table(node: Node, engine: AsyncEngine) -> None:
    game = await open_table(node, 2, players=3)
    await fill(node, game)
    await play_on(node, game, random.Random(1))
    await node.resign(game, ANN)
    view = await node.resign(game, BEN)
    assert (view["status"], view["turn"], view["winners"]) == ("closed", [], None)
    assert "seed" in view
    async with engine.connect() as connection:
        assert (await connection.execute(select(results))).all() == []
    assert await refusal(node, game, Resign(BEN, view["revision"])) is Code.GAME_OVER
    assert verify(await node.rooms.record(None, game)) is None


async def test_the_house_closes_tables(node: Node) -> None:
    waiting, running = await open_table(node), await open_table(node, bots=3)
    for game in (waiting, running):
        async with node.watching(game, ANN) as watcher:
            await node.do(game, Close())
            push = await watcher.push()
            assert (push["view"]["status"], push["event"]["kind"]) == ("closed", "closed")
        assert await refusal(node, game, Close()) is Code.GAME_OVER


async def test_who_is_no_more_leaves_and_resigns(node: Node) -> None:
    waiting = await open_table(node, 2)
    running = await open_table(node, 3, players=3)
    left = await open_table(node, 2, players=3)
    await fill(node, left)
    await node.resign(left, ANN)
    solitaire = await node.deal()
    await node.rooms.depart(ANN)
    assert users(await node.view(waiting)) == [None, BEN, None, None]
    assert (await node.view(running))["players"][0]["resigned"] is True
    assert (await node.view(left))["revision"] == 3
    assert (await node.view(solitaire))["status"] == "playing"
    assert await refusal(node, running, Depart(ANN)) is Code.NOT_YOUR_GAME
    await node.rooms.depart(ANN)


async def finished(node: Node, *, bots: int = 1, public: bool = False) -> GameId:
    game = await open_table(node, 3, bots=0, public=public, players=3 + bots, target=1, turn_seconds=7)
    if bots:
        await fill(node, game)
    await play_out(node, game, random.Random(5))
    return game


async def test_they_play_again(node: Node) -> None:
    game = await finished(node, public=True)
    async with node.watching(game, CARL) as watcher:
        view, is_first = await node.rooms.again(BEN, "Ben", game)
        push = await watcher.push()
        assert (push["event"]["kind"], push["view"]["next"]) == ("again", view["id"])
    shown: dict[str, Any] = {**view}
    assert is_first
    assert (users(shown), bots(shown)) == ([None, BEN, None, None], [None, None, None, "easy"])
    assert (shown["status"], shown["you"]) == ("waiting", 1)
    old = await node.view(game)
    assert (shown["options"], old["next"]) == (old["options"], shown["id"])
    assert shown["commitment"] != old["commitment"]
    again = [await node.rooms.again(user, user.title(), game) for user in (BEN, CARL, ANN)]
    assert [each for _, each in again] == [False] * 3
    assert {each["id"] for each, _ in again} == {shown["id"]}
    last: dict[str, Any] = {**again[-1][0]}
    assert (users(last), last["status"]) == ([ANN, BEN, CARL, None], "passing")
    assert (await now(node, GameId(shown["id"]))).position.row.public


async def test_all_who_ask_at_once_get_one_table(node: Node) -> None:
    game = await finished(node, bots=0)
    ends = await asyncio.gather(
        *(node.rooms.again(user, user.title(), game) for user in (ANN, BEN, CARL, ANN))
    )
    assert sorted(is_first for _, is_first in ends) == [False, False, False, True]
    [table] = {view["id"] for view, _ in ends}
    view = await node.view(GameId(table))
    assert (users(view), view["status"]) == ([ANN, BEN, CARL], "passing")


async def test_a_next_table_that_was_never_made_is_made_by_the_next_who_asks(node: Node) -> None:
    game = await finished(node)
    await node.do(game, Again(ANN, GameId("promised-table")))
    view, is_first = await node.rooms.again(CARL, "Carl", game)
    assert (view["id"], view["you"], is_first) == ("promised-table", 2, False)
    view, _ = await node.rooms.again(ANN, "Ann", game)
    assert users({**view}) == [ANN, None, CARL, None]


async def test_who_resigned_may_play_again_and_strangers_not(node: Node) -> None:
    game = await open_table(node, 3, players=3, target=1)
    assert await refusal(node, game, Again(ANN, GameId("too-early"))) is Code.NOT_YET
    await node.resign(game, CARL)
    await play_out(node, game, random.Random(5))
    assert await refusal(node, game, Again(ZOE, GameId("not-his-game"))) is Code.NOT_YOUR_GAME
    assert await refusal(node, await node.deal(), Again(ANN, GameId("no-table"))) is Code.NOT_FOUND
    view, _ = await node.rooms.again(CARL, "Carl", game)
    assert (view["you"], users({**view})) == (2, [None, None, CARL])
    await join(node, GameId(view["id"]), ZOE, 0)
    assert (await node.rooms.again(ANN, "Ann", game))[0]["you"] == 1
    assert (await node.rooms.again(BEN, "Ben", game))[0]["you"] is None


async def test_seats_outlive_a_restart(
    node: Node, engine: AsyncEngine, channels: Channels, clock: Clock
) -> None:
    game = await open_table(node, 2)
    await fill(node, game, seat=3)
    async with Log(engine) as log:
        fresh = Node(log, channels, clock)
        assert await fresh.view(game) == await node.view(game)
        assert (await join(fresh, game, CARL))["status"] == "passing"
