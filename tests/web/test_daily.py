"""The daily deal over HTTP: one ranked try, the board, what is told when, guests, and the end of the day."""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from typing import cast

import pytest
from aiohttp.test_utils import TestServer

from server.clock import closes_at, rfc3339
from server.daily.closing import Closing
from server.daily.daily import Daily
from server.daily.days import Days
from server.games.deals import Deal, day_deal
from server.games.winnable import winnable
from server.web.keys import DAILY, ENGINE, ROOMS
from tests.conftest import Clock
from tests.web.calls import Api, Json, Somebody, call, new_guest, refused, register, sign_in
from tests.web.conftest import StartNode

TODAY = date(2026, 11, 29)
DAY = "/api/daily/2026-11-29"
YESTERDAY = "2026-11-28"
TOMORROW = "2026-11-30"


@pytest.fixture
async def api(start_node: StartNode) -> Api:
    return await start_node(secret="sesame")


def daily(api: Api) -> Daily:
    return cast(TestServer, api.server).app[DAILY]


async def close_due(api: Api) -> int:
    """What the node does by itself at midnight."""
    app = cast(TestServer, api.server).app
    return await Closing(app[ENGINE], app[DAILY].days, app[ROOMS].expire).close_due()


async def perfect_line(api: Api) -> Sequence[str]:
    par = await daily(api).days.solve(TODAY)
    assert par is not None
    return par.line


async def begin(api: Api, who: Somebody) -> Json:
    status, view = await call(api, "POST", "/api/daily/game", who=who)
    assert status == 201
    return cast(Json, view)


async def play(api: Api, who: Somebody, view: Json, moves: Sequence[str]) -> Json:
    for move in moves:
        body = {"move": move, "revision": view["revision"]}
        status, view = await call(api, "POST", f"/api/games/{view['id']}/moves", body, who)
        assert status == 200
    return view


async def resign(api: Api, who: Somebody, view: Json) -> Json:
    body = {"revision": view["revision"]}
    status, view = await call(api, "POST", f"/api/games/{view['id']}/resign", body, who)
    assert status == 200
    return view


async def board(api: Api, who: Somebody | None = None, day: str = DAY) -> Json:
    status, told = await call(api, "GET", f"{day}/leaderboard", who=who)
    assert status == 200
    return cast(Json, told)


async def told(api: Api, who: Somebody | None = None, day: str = DAY) -> Json:
    status, answer = await call(api, "GET", day, who=who)
    assert status == 200
    return cast(Json, answer)


async def test_a_day_before_anybody_plays(api: Api) -> None:
    expected = {
        "date": "2026-11-29",
        "closes_at": "2026-11-30T00:00:00.000Z",
        "deal": "HH1-D-20261129",
        "players": 0,
        "finished": 0,
        "mine": None,
        "par": None,
        "histogram": None,
        "line": None,
    }
    assert await told(api) == expected
    assert await told(api, day="/api/daily") == expected
    assert await board(api) == {
        "date": "2026-11-29", "entries": [], "me": None, "around": [], "next": None,
    }  # fmt: skip


async def test_one_ranked_try_a_day(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")
    view = await begin(api, ann)
    assert (view["ranked"], view["deal"], view["you"]) == ("2026-11-29", "HH1-D-20261129", 0)
    assert (await daily(api).days.deal(TODAY)).long not in str(view)

    await play(api, ann, view, ["draw"])
    again = await call(api, "POST", "/api/daily/game", who=ann)
    assert again[0] == 200
    assert (again[1]["id"], again[1]["ply"]) == (view["id"], 1)

    await resign(api, ann, again[1])
    status, finished = await call(api, "POST", "/api/daily/game", who=ann)
    assert (status, finished["id"], finished["status"]) == (200, view["id"], "resigned")

    clock.now = closes_at(TODAY)
    assert (await begin(api, ann))["ranked"] == TOMORROW


async def test_a_try_that_begins_across_midnight_is_of_the_new_day(
    api: Api, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await register(api, "Ann")
    deal = Days.deal

    async def slow(days: Days, day: date) -> Deal:
        dealt = await deal(days, day)
        clock.now = closes_at(TODAY)
        return dealt

    monkeypatch.setattr(Days, "deal", slow)
    view = await begin(api, ann)
    assert (view["ranked"], view["created_at"]) == (TOMORROW, rfc3339(closes_at(TODAY)))


async def test_a_doubled_beginning_begins_once(api: Api) -> None:
    ann = await register(api, "Ann")

    answers = await asyncio.gather(*(call(api, "POST", "/api/daily/game", who=ann) for _ in range(5)))

    assert sorted(status for status, _ in answers) == [200, 200, 200, 200, 201]
    assert len({view["id"] for _, view in answers}) == 1


async def test_the_deal_is_that_of_the_secret(api: Api) -> None:
    ann = await register(api, "Ann")
    view = await play(api, ann, await begin(api, ann), ["draw"])

    deal = day_deal("2026-11-29", "sesame", winnable)
    assert [card[0] for card in view["heart"]] == [*deal.long.partition(":")[2][:25]]


async def test_a_win_in_par(api: Api, clock: Clock) -> None:
    ann, ben = await register(api, "Ann"), await register(api, "Ben")
    line = await perfect_line(api)
    view = await begin(api, ann)
    before = await told(api, ann)
    assert (before["players"], before["finished"], before["mine"]["status"]) == (1, 0, "playing")
    assert (before["par"], before["histogram"], before["line"]) == (None, None, None)

    view = await play(api, ann, view, line)
    assert view["status"] == "won"

    entry = {
        "rank": 1,
        "user": {"id": ann.user["id"], "name": "Ann"},
        "score": 250,
        "moves": len(line),
        "clock_ms": 0,
        "won": True,
        "game": view["id"],
    }
    assert await board(api, ann) == {
        "date": "2026-11-29", "entries": [entry], "me": entry, "around": [entry], "next": None,
    }  # fmt: skip
    for_others = await board(api, ben)
    assert (for_others["entries"], for_others["me"], for_others["around"]) == ([entry], None, [])

    own = await told(api, ann)
    assert (own["players"], own["finished"], own["mine"]["status"]) == (1, 1, "won")
    assert (own["par"], own["line"]) == (len(line), None)
    assert own["histogram"] == [{"moves": len(line), "players": 1}]
    for somebody in (ben, None):
        theirs = await told(api, somebody)
        assert (theirs["par"], theirs["histogram"], theirs["line"]) == (None, None, None)

    clock.now = closes_at(TODAY)
    for somebody in (ann, ben, None):
        later = await told(api, somebody)
        assert (later["par"], later["line"]) == (len(line), list(line))
        assert later["histogram"] == [{"moves": len(line), "players": 1}]


async def test_a_perfect_game_is_a_record_once_the_day_is_over(api: Api, clock: Clock) -> None:
    line = await perfect_line(api)
    assert await refused(api, "GET", f"{DAY}/line") == (403, "not_yet")
    assert await refused(api, "GET", "/api/daily/2026-11-30/line") == (404, "not_found")

    clock.now = closes_at(TODAY)

    status, record = await call(api, "GET", f"{DAY}/line")
    assert (status, [move["move"] for move in record["moves"]]) == (200, list(line))
    status, checked = await call(api, "POST", "/api/records", record)
    assert (status, checked["ok"], len(checked["views"])) == (200, True, len(line) + 1)


async def test_par_is_found_when_it_is_asked_for(api: Api) -> None:
    ann = await register(api, "Ann")
    await resign(api, ann, await begin(api, ann))

    assert (await told(api, ann))["par"] == len(await perfect_line(api))


async def test_a_guest_enters_the_board_when_he_registers(api: Api) -> None:
    guest = await new_guest(api)
    await resign(api, guest, await play(api, guest, await begin(api, guest), ["draw"]))
    assert (await board(api, guest))["entries"] == []
    assert (await told(api))["finished"] == 1

    await register(api, "Gus", guest)

    [entry] = (await board(api))["entries"]
    assert (entry["user"]["name"], entry["moves"], entry["rank"]) == ("Gus", 1, 1)
    assert (await told(api))["finished"] == 1


async def test_a_guest_who_registers_in_the_middle(api: Api) -> None:
    guest = await new_guest(api)
    view = await play(api, guest, await begin(api, guest), ["draw"])
    gus = await register(api, "Gus", guest)

    await resign(api, gus, view)

    assert [entry["user"]["name"] for entry in (await board(api))["entries"]] == ["Gus"]


async def test_a_guest_who_registers_the_day_after_stays_off(api: Api, clock: Clock) -> None:
    guest = await new_guest(api)
    await resign(api, guest, await play(api, guest, await begin(api, guest), ["draw"]))
    clock.now = closes_at(TODAY)

    await register(api, "Gus", guest)

    assert (await board(api))["entries"] == []


async def test_a_guest_who_signs_in_brings_his_try(api: Api) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    view = await play(api, guest, await begin(api, guest), ["draw"])

    ann = await sign_in(api, "Ann", guest)

    status, own = await call(api, "POST", "/api/daily/game", who=ann)
    assert (status, own["id"], own["ranked"], own["ply"]) == (200, view["id"], "2026-11-29", 1)
    await resign(api, ann, own)
    assert [entry["game"] for entry in (await board(api))["entries"]] == [view["id"]]


async def test_the_accounts_own_try_stays_and_the_guests_counts_no_more(api: Api) -> None:
    ann = await register(api, "Ann")
    own = await resign(api, ann, await play(api, ann, await begin(api, ann), ["draw", "draw"]))
    guest = await new_guest(api)
    other = await play(api, guest, await begin(api, guest), ["draw"])

    ann = await sign_in(api, "Ann", guest)

    [entry] = (await board(api, ann))["entries"]
    assert (entry["game"], entry["moves"]) == (own["id"], 2)
    status, view = await call(api, "GET", f"/api/games/{other['id']}", who=ann)
    assert (status, view["ranked"]) == (200, None)
    await resign(api, ann, view)
    assert len((await board(api))["entries"]) == 1
    assert (await told(api))["players"] == 1


async def test_a_guest_takes_another_guests_try_but_no_place_on_the_board(api: Api) -> None:
    ann, ben = await new_guest(api), await new_guest(api)
    await resign(api, ann, await begin(api, ann))
    await resign(api, ben, await play(api, ben, await begin(api, ben), ["draw"]))
    code = (await call(api, "POST", "/api/link-codes", who=ann))[1]["code"]
    async with api.post("/api/sessions", json={"link_code": code}, headers=ben.headers) as answer:
        assert answer.status == 201
    assert (await board(api))["entries"] == []
    await register(api, "Ann", ann)
    assert [each["user"]["name"] for each in (await board(api))["entries"]] == ["Ann"]


async def test_who_registers_while_his_try_begins_is_on_the_board(api: Api) -> None:
    for number in range(10):
        guest = await new_guest(api)
        view, _ = await asyncio.gather(begin(api, guest), register(api, f"guest{number}", guest))
        await resign(api, guest, view)
    assert len((await board(api))["entries"]) == 10


async def test_nobody_else_sees_a_try_today_and_anybody_tomorrow(api: Api, clock: Clock) -> None:
    ann, ben = await register(api, "Ann"), await register(api, "Ben")
    view = await resign(api, ann, await play(api, ann, await begin(api, ann), ["draw"]))
    game = f"/api/games/{view['id']}"

    for path in (game, f"{game}?ply=0", f"{game}/plies", f"{game}/record"):
        assert await refused(api, "GET", path, who=ben) == (403, "not_yet")
        assert (await call(api, "GET", path, who=ann))[0] == 200
    clock.now = closes_at(TODAY)
    for path in (game, f"{game}?ply=0", f"{game}/plies", f"{game}/record"):
        assert (await call(api, "GET", path, who=ben))[0] == 200


async def test_practice_once_the_day_is_over(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")
    body = {"game": "heart-to-heart", "deal": "hh1-d-20261129"}
    await begin(api, ann)
    assert await refused(api, "POST", "/api/games", body, ann) == (403, "not_yet")
    future = {"game": "heart-to-heart", "deal": "HH1-D-99991231"}
    assert await refused(api, "POST", "/api/games", future, ann) == (403, "not_yet")
    never = {"game": "heart-to-heart", "deal": "HH1-D-20260230"}
    assert await refused(api, "POST", "/api/games", never, ann) == (400, "bad_deal_code")

    clock.now = closes_at(TODAY)
    status, view = await call(api, "POST", "/api/games", body, ann)

    assert (status, view["deal"], view["ranked"]) == (201, "HH1-D-20261129", None)
    await resign(api, ann, await play(api, ann, view, ["draw"]))
    assert (await board(api))["entries"] == []


async def test_the_end_of_a_day(api: Api, clock: Clock) -> None:
    ann, ben = await register(api, "Ann"), await register(api, "Ben")
    played = await play(api, ann, await begin(api, ann), ["draw"])
    await begin(api, ben)
    clock.now = closes_at(TODAY)
    body = {"move": "draw", "revision": played["revision"]}
    assert await refused(api, "POST", f"/api/games/{played['id']}/moves", body, ann) == (409, "game_over")

    assert await close_due(api) == 2

    assert await refused(api, "POST", f"/api/games/{played['id']}/moves", body, ann) == (409, "game_over")
    [entry] = (await board(api))["entries"]
    assert (entry["user"]["name"], entry["score"], entry["moves"], entry["won"]) == ("Ann", 0, 1, False)
    of_ann = await told(api, ann)
    assert of_ann["mine"]["finished_at"] == "2026-11-30T00:00:00.000Z"
    assert (of_ann["players"], of_ann["finished"]) == (1, 1)


async def test_a_node_closes_what_is_due_when_it_starts(
    api: Api, start_node: StartNode, clock: Clock
) -> None:
    ann = await register(api, "Ann")
    await play(api, ann, await begin(api, ann), ["draw"])
    clock.now = closes_at(TODAY) + timedelta(days=3)

    later = await start_node(secret="sesame")

    async with asyncio.timeout(10):
        while not (await board(later))["entries"]:  # noqa: ASYNC110 — it closes beside the requests
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("path", ["", "/leaderboard"])
async def test_days_that_are_not(api: Api, path: str) -> None:
    never = ("2026-02-30", "2026-13-01", "2026-1-1", "20261129", "0000-01-01", "today", "%00", "2026-11-29Z")
    for day in (TOMORROW, "9999-12-31", *never):
        assert await refused(api, "GET", f"/api/daily/{day}{path}") == (404, "not_found")
    for day in (YESTERDAY, "0001-01-01"):
        assert (await call(api, "GET", f"/api/daily/{day}{path}"))[0] == 200


@pytest.mark.parametrize("cursor", ["nobody", "%00", "", "a" * 100, "ü"])
async def test_a_cursor_that_no_page_gave(api: Api, cursor: str) -> None:
    assert await refused(api, "GET", f"{DAY}/leaderboard?cursor={cursor}") == (400, "bad_request")


async def test_only_who_is_signed_in_plays(api: Api) -> None:
    assert await refused(api, "POST", "/api/daily/game") == (401, "not_signed_in")
    assert await refused(api, "GET", "/api/me/daily") == (401, "not_signed_in")


async def test_own_days_and_profile(api: Api, clock: Clock) -> None:
    line = await perfect_line(api)
    guest = await new_guest(api)
    await play(api, guest, await begin(api, guest), line)
    won = {"date": "2026-11-29", "won": True, "score": 250, "moves": len(line)}
    streak = {"current": 1, "longest": 1}
    assert await call(api, "GET", "/api/me/daily", who=guest) == (200, {"streak": streak, "days": [won]})
    assert await refused(api, "GET", f"/api/players/{guest.user['name']}") == (404, "not_found")

    gus = await register(api, "Gus", guest)
    today = {
        "user": {"id": gus.user["id"], "name": "Gus"},
        "games": 1,
        "wins": 1,
        "by_game": {"heart-to-heart": {"games": 1, "wins": 1}},
        "daily": {"games": 1, "wins": 1},
        "streak": streak,
        "best_ranks": [],
        "days": [won],
        "rating": None,
    }
    assert await call(api, "GET", "/api/players/gUS") == (200, today)

    clock.now = closes_at(TODAY)
    tomorrow = today | {"best_ranks": [{"date": "2026-11-29", "rank": 1}]}
    assert await call(api, "GET", "/api/players/Gus") == (200, tomorrow)
    clock.advance(days=1)
    later = tomorrow | {"streak": {"current": 0, "longest": 1}}
    assert await call(api, "GET", "/api/players/Gus") == (200, later)


@pytest.mark.parametrize("name", ["nobody", "x", "%00", "a" * 5_000, "..", "%F0%9F%82%A1"])
async def test_players_that_are_not(api: Api, name: str) -> None:
    assert await refused(api, "GET", f"/api/players/{name}") == (404, "not_found")


async def test_a_deleted_player_stays_on_the_board(api: Api) -> None:
    ann = await register(api, "Ann")
    await resign(api, ann, await begin(api, ann))
    assert (await call(api, "DELETE", "/api/me", who=ann))[0] == 204

    [entry] = (await board(api))["entries"]

    assert entry["user"]["name"] != "Ann"
    assert await refused(api, "GET", "/api/players/Ann") == (404, "not_found")
