"""The calls about games, from a whole game to every way of getting them wrong."""

import asyncio
import threading
from random import Random
from typing import Any

import msgspec
import pytest

from server.log.record import HeartToHeartRecord, verify
from server.web.limits import CHECKS
from tests.conftest import Clock
from tests.log.test_record import table
from tests.rooms.conftest import CODE, WIN
from tests.web.calls import Api, Json, Somebody, call, new_guest, refused, register
from tests.web.conftest import StartNode
from tests.web.fuzz import bodies

GAME = {"game": "heart-to-heart", "deal": CODE}


async def begin(api: Api, who: Somebody, **body: Any) -> Json:
    status, view = await call(api, "POST", "/api/games", GAME | body, who)
    assert status == 201
    begun: Json = view
    return begun


async def play(api: Api, who: Somebody, view: Json, moves: list[str]) -> Json:
    for move in moves:
        body = {"move": move, "revision": view["revision"]}
        status, view = await call(api, "POST", f"/api/games/{view['id']}/moves", body, who)
        assert status == 200
    return view


async def test_a_game_from_the_deal_to_its_record(api: Api) -> None:
    ann = await register(api, "Ann")
    game = await begin(api, ann, deal=" hh1-n-aaaaaas ")
    assert (game["deal"], game["you"], game["players"][0]["user"]["name"]) == (CODE, 0, "Ann")
    path = f"/api/games/{game['id']}"
    view = await play(api, ann, game, WIN[:5])
    status, view = await call(api, "POST", f"{path}/undo", {"revision": 5}, ann)
    assert (status, view["ply"], view["undone"]) == (200, 4, 1)
    view = await play(api, ann, view, WIN[4:])
    assert (view["status"], view["score"], view["moves"]) == ("won", 250, 57)
    assert await call(api, "GET", path, who=ann) == (200, view)

    status, past = await call(api, "GET", f"{path}?ply=3")
    assert (status, past["ply"], past["last"]["move"]) == (200, 3, WIN[2])
    status, page = await call(api, "GET", f"{path}/plies?from=3&to=5")
    assert (status, [each["ply"] for each in page["views"]]) == (200, [3, 4, 5])
    assert page["views"][0] == past

    status, record = await call(api, "GET", f"{path}/record")
    assert status == 200
    assert (record["format"], record["game"], record["deal"]) == ("heartline/1", "heart-to-heart", CODE)
    assert record["players"] == ["Ann"]
    assert [move["move"] for move in record["moves"]] == WIN
    assert record["result"] == {"status": "won", "score": 250, "moves": 57, "undone": 1, "clock_ms": 0}
    assert verify(msgspec.convert(record, HeartToHeartRecord)) is None

    status, branch = await call(api, "POST", f"{path}/branch", {"ply": 10}, ann)
    assert (status, branch["ply"], branch["status"]) == (201, 10, "playing")
    status, games = await call(api, "GET", "/api/games?mine=1", who=ann)
    assert {each["id"] for each in games["games"]} == {branch["id"], game["id"]}
    status, games = await call(api, "GET", "/api/games?mine=1&status=finished&game=heart-to-heart", who=ann)
    assert [each["id"] for each in games["games"]] == [game["id"]]


async def test_a_game_is_given_up(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    status, view = await call(api, "POST", f"/api/games/{game['id']}/resign", {"revision": 0}, ann)
    assert (status, view["status"], view["revision"]) == (200, "resigned", 1)


async def test_a_late_command_gets_the_game_as_it_is(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    view = await play(api, ann, game, ["draw"])
    path = f"/api/games/{game['id']}"
    for call_, body in (("moves", {"move": "draw"}), ("undo", {}), ("resign", {})):
        status, problem = await call(api, "POST", f"{path}/{call_}", body | {"revision": 0}, ann)
        assert (status, problem["code"], problem["view"]) == (409, "stale_revision", view)


async def test_an_illegal_move_says_why(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    path = f"/api/games/{game['id']}"
    status, problem = await call(api, "POST", f"{path}/moves", {"move": "1-2", "revision": 0}, ann)
    assert (status, problem["code"], problem["reason"]) == (422, "illegal_move", "covered")
    status, problem = await call(api, "POST", f"{path}/undo", {"revision": 0}, ann)
    assert (status, problem["code"], problem["reason"]) == (422, "illegal_move", "no_undo_left")


async def test_checks_come_in_the_order_of_the_contract(api: Api) -> None:
    ann, ben = await new_guest(api), await new_guest(api)
    game = await begin(api, ann)
    moves, nowhere = f"/api/games/{game['id']}/moves", "/api/games/no-such-game/moves"
    good, bad = {"move": "fly", "revision": 9}, {"move": 5}
    assert await refused(api, "POST", "/api/games", GAME | {"deal": "HH1-X"}) == (400, "bad_deal_code")
    assert await refused(api, "GET", "/api/games?mine=1&cursor=x") == (400, "bad_request")
    for path in (f"/api/games/{game['id']}?ply=null", f"/api/games/{game['id']}/plies?to=NULL"):
        assert await refused(api, "GET", path, who=ann) == (400, "bad_request")
    assert await refused(api, "POST", nowhere, bad) == (400, "bad_request")
    assert await refused(api, "POST", nowhere, good) == (401, "not_signed_in")
    assert await refused(api, "POST", nowhere, good, ben) == (404, "not_found")
    assert await refused(api, "POST", moves, good, ben) == (403, "not_your_game")
    assert await refused(api, "POST", moves, good, ann) == (409, "stale_revision")
    assert await refused(api, "POST", moves, good | {"revision": 0}, ann) == (422, "illegal_move")
    await call(api, "POST", f"/api/games/{game['id']}/resign", {"revision": 0}, ann)
    assert await refused(api, "POST", moves, good, ann) == (409, "stale_revision")
    assert await refused(api, "POST", moves, good | {"revision": 1}, ann) == (409, "game_over")


async def test_what_needs_a_session(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    path = f"/api/games/{game['id']}"
    for call_, body in (
        ("/api/games", GAME),
        (f"{path}/moves", {"move": "draw", "revision": 0}),
        (f"{path}/undo", {"revision": 0}),
        (f"{path}/undo/answer", {"accept": True}),
        (f"{path}/resign", {"revision": 0}),
        (f"{path}/branch", {"ply": 0}),
    ):
        assert await refused(api, "POST", call_, body) == (401, "not_signed_in")
    assert await refused(api, "GET", "/api/games?mine=1") == (401, "not_signed_in")
    assert (await call(api, "GET", path))[0] == 200
    assert await call(api, "GET", "/api/games?open=1") == (200, {"games": [], "next": None})


async def test_an_unfinished_game_is_its_players_own(api: Api) -> None:
    ann, ben = await new_guest(api), await new_guest(api)
    game = await begin(api, ann)
    path = f"/api/games/{game['id']}"
    for call_ in (f"{path}?ply=0", f"{path}/plies", f"{path}/record"):
        assert await refused(api, "GET", call_) == (403, "not_yet")
        assert await refused(api, "GET", call_, who=ben) == (403, "not_yet")
        assert (await call(api, "GET", call_, who=ann))[0] == 200
    assert await refused(api, "POST", f"{path}/branch", {"ply": 0}, ann) == (403, "not_yet")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "poker"},
        {"game": "heart-to-heart", "deal": 5},
        {"game": "heart-to-heart", "options": {}},
        {"game": "hearts", "deal": CODE},
        {"game": "hearts", "options": []},
        {"game": "hearts", "bots": True},
        {"game": "hearts", "level": "perfect"},
        {"game": "hearts", "public": 1},
        {"game": ["heart-to-heart"]},
        [],
        "heart-to-heart",
        None,
    ],
)
async def test_what_is_no_new_game(api: Api, body: object) -> None:
    ann = await new_guest(api)
    async with api.post("/api/games", data=msgspec.json.encode(body), headers=ann.headers) as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    "code",
    [
        "",
        "HH1-N-AAAAAA",
        "HH1-N-AAAAAA9",
        "HH2-N-AAAAAAA",
        "HH1-D-20261301",
        "x" * 1000,
        "\0",
        "HH1-N-AAAAAAÅ",
    ],
)
async def test_what_is_no_deal_code(api: Api, code: str) -> None:
    ann = await new_guest(api)
    assert await refused(api, "POST", "/api/games", GAME | {"deal": code}, ann) == (400, "bad_deal_code")


async def test_the_cards_of_a_deal_are_not_the_players_to_choose(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    record = (await call(api, "GET", f"/api/games/{game['id']}/record", who=ann))[1]
    long = f"{record['deal']}:T793Q38787K45QQTAJJ58QA3423T292KJ4AKK29876J69456T65A"
    assert await refused(api, "POST", "/api/games", GAME | {"deal": long}, ann) == (400, "bad_deal_code")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/games/{id}?ply=x", 400, "bad_request"),
        ("/api/games/{id}?ply=1.5", 400, "bad_request"),
        ("/api/games/{id}?ply=", 400, "bad_request"),
        ("/api/games/{id}?ply=1&ply=2", 400, "bad_request"),
        ("/api/games/{id}?pli=1", 400, "bad_request"),
        ("/api/games/{id}?ply=1", 404, "not_found"),
        ("/api/games/{id}?ply=-1", 404, "not_found"),
        ("/api/games/{id}?ply=" + "9" * 30, 404, "not_found"),
        ("/api/games/{id}?ply=" + "9" * 6000, 400, "bad_request"),
        ("/api/games/{id}/plies?from=1", 404, "not_found"),
        ("/api/games/{id}/plies?from=-1", 404, "not_found"),
        ("/api/games/{id}/plies?to=x", 400, "bad_request"),
        ("/api/games/no-such-game", 404, "not_found"),
        ("/api/games/%00%00%00%00%00%00%00%00", 404, "not_found"),
        ("/api/games/%ff%fe%ff%fe%ff%fe%ff%fe", 404, "not_found"),
        ("/api/games/" + "x" * 4000, 404, "not_found"),
        ("/api/games?status=won", 400, "bad_request"),
        ("/api/games?game=poker", 400, "bad_request"),
        ("/api/games?mine=perhaps", 400, "bad_request"),
        ("/api/games?cursor=x", 400, "bad_request"),
        ("/api/games?cursor=MjAyNi0xMS0yOVQxMjowMDowMC4wMDBaIAAAAA", 400, "bad_request"),
    ],
)
async def test_what_cannot_be_asked(api: Api, path: str, status: int, code: str) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    got = await refused(api, "GET", path.replace("{id}", game["id"]), who=ann)
    assert got == (status, code)


async def test_pages_of_games(api: Api, clock: Clock) -> None:
    ann = await new_guest(api)
    ids = []
    for _ in range(21):
        ids.append((await begin(api, ann))["id"])
        clock.advance(seconds=1)
    _, first = await call(api, "GET", "/api/games?mine=1", who=ann)
    assert [each["id"] for each in first["games"]] == ids[:0:-1]
    _, second = await call(api, "GET", f"/api/games?mine=true&cursor={first['next']}", who=ann)
    assert ([each["id"] for each in second["games"]], second["next"]) == (ids[:1], None)


async def test_no_body_breaks_the_server(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    _, table = await call(api, "POST", "/api/games", {"game": "hearts", "bots": 2}, ann)
    played = ("moves", "undo", "undo/answer", "resign", "branch", "seats", "bots", "again")
    paths = ["", *(f"/{each['id']}/{name}" for each in (game, table) for name in played)]
    for body in bodies(Random(1), 60):
        for path in paths:
            async with api.post(f"/api/games{path}", data=body, headers=ann.headers) as answer:
                assert answer.status in (200, 201) or 400 <= answer.status < 500, (path, body[:200])
        async with api.post("/api/records", data=body) as answer:
            assert answer.status in (200, 400), body[:200]
            assert answer.status == 400 or (await answer.json())["ok"] is False


async def test_bodies_that_are_too_large(api: Api) -> None:
    ann = await new_guest(api)
    assert await refused(api, "POST", "/api/games", GAME | {"deal": "x" * 70_000}, ann) == (413, "too_large")


async def test_records_are_checked_and_shown(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    await play(api, ann, game, WIN)
    record = (await call(api, "GET", f"/api/games/{game['id']}/record"))[1]
    status, checked = await call(api, "POST", "/api/records?from=2&to=57", record)
    assert (status, checked["ok"], checked["problem"], len(checked["views"])) == (200, True, None, 56)
    past = (await call(api, "GET", f"/api/games/{game['id']}/plies?from=2"))[1]["views"]
    for shown, kept in zip(checked["views"], past, strict=True):
        own = {name: value for name, value in shown.items() if name not in ("id", "revision", "players")}
        assert own == {name: kept[name] for name in own}
    assert await call(api, "POST", "/api/records?from=58", record) == (200, checked | {"views": []})
    assert (await call(api, "GET", "/api/games?mine=1", who=ann))[1]["games"][0]["id"] == game["id"]


async def test_what_is_wrong_with_a_record_is_said_by_move(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    await play(api, ann, game, WIN)
    record = (await call(api, "GET", f"/api/games/{game['id']}/record"))[1]
    record["moves"][4]["move"] = "1-2"
    status, checked = await call(api, "POST", "/api/records", record)
    assert (status, checked["ok"], checked["problem"]["move"], len(checked["views"])) == (200, False, 5, 5)
    record["moves"][4]["move"] = WIN[4]
    record["result"]["score"] = 240
    _, checked = await call(api, "POST", "/api/records", record)
    assert (checked["ok"], checked["problem"]["move"], len(checked["views"])) == (False, None, 58)
    record["deal"] = "HH1-N-???????"
    _, checked = await call(api, "POST", "/api/records", record)
    assert (checked["ok"], checked["problem"]["move"], checked["views"]) == (False, None, [])


async def test_what_is_no_record_is_said_as_well(api: Api) -> None:
    move = {"seat": 0, "move": "draw", "at": "2026-11-29T12:00:00.000Z"}
    record = {"format": "heartline/1", "game": "heart-to-heart", "moves": [move, move | {"at": "noon"}]}
    for body, at in (
        ({}, None), ({"game": "chess"}, None), ({"cheat": 1}, None), (record, 2), ({"game": "hearts"}, None),
    ):  # fmt: skip
        status, checked = await call(api, "POST", "/api/records", body)
        assert (status, checked["ok"], checked["views"]) == (200, False, [])
        assert checked["problem"]["move"] == at
        assert checked["problem"]["detail"].endswith(".")
    for data in (b"", b"[]", b"null", b"{", b'{"game":"\xff"}', b"1"):
        async with api.post("/api/records", data=data) as answer:
            assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")


async def test_a_record_of_hearts_is_checked(api: Api) -> None:
    right = table()
    status, checked = await call(api, "POST", "/api/records?from=1&to=60", right)
    assert (status, checked["ok"], checked["problem"], len(checked["views"])) == (200, True, None, 56)
    assert checked["views"][-1]["seed"] == right["seed"]
    assert [len(hand) for hand in checked["views"][0]["hands"]] == [10, 13, 13, 13]
    right["moves"][7]["move"] = "QS?"
    status, checked = await call(api, "POST", "/api/records", right)
    assert (status, checked["ok"], checked["problem"]["move"]) == (200, False, 8)


async def test_a_long_record_holds_nobody_up(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, healthy = threading.Event(), threading.Event()

    def check(*arguments: object) -> str:
        begun.set()
        return "checked" if healthy.wait(10) else "held up"

    monkeypatch.setattr("server.web.records.checked", check)
    checking = asyncio.create_task(call(api, "POST", "/api/records", {}))
    await asyncio.to_thread(begun.wait)
    assert (await call(api, "GET", "/healthz"))[0] == 200
    healthy.set()
    assert await checking == (200, "checked")


async def test_a_flood_of_records_is_turned_away(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.records.MOST_WAITING", 3)
    answers = await asyncio.gather(*(call(api, "POST", "/api/records", {}) for _ in range(8)))
    assert {answer.get("code", "checked") for _, answer in answers} == {"checked", "slow_down"}
    assert (await call(api, "POST", "/api/records", {}))[0] == 200


async def test_an_address_has_so_many_records_checked(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    for _ in range(CHECKS):
        assert (await call(api, "POST", "/api/records", {}))[0] == 200
    assert await refused(api, "POST", "/api/records", {}) == (429, "slow_down")
