"""Tables of Hearts as the contract has them: whole games over HTTP and sockets, and all that can go wrong."""

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from server.games.hearts.cards import CARDS
from tests.web.calls import Api, Json, Somebody, call, new_guest, refused, register, sign_in
from tests.web.test_socket import Socket, socket

DECK = list(CARDS)


async def open_table(api: Api, *people: Somebody, **body: Any) -> Json:
    """A table that the first of the people has opened and the others have joined."""
    options = {"players": max(3, len(people)), "target": 1, **body.pop("options", {})}
    status, view = await call(
        api, "POST", "/api/games", {"game": "hearts", "options": options, **body}, people[0]
    )
    assert status == 201, view
    for who in people[1:]:
        status, view = await call(api, "POST", f"/api/games/{view['id']}/seats", {}, who)
        assert status == 200, view
    table: Json = view
    return table


async def guests(api: Api, number: int) -> list[Somebody]:
    return [await new_guest(api) for _ in range(number)]


async def view_of(api: Api, game: str, who: Somebody | None = None) -> Json:
    status, view = await call(api, "GET", f"/api/games/{game}", who=who)
    assert status == 200
    seen: Json = view
    return seen


def choice(view: Json, chance: random.Random) -> str:
    legal: list[str] = view["legal"]
    return "pass " + " ".join(chance.sample(view["hand"], 3)) if legal == ["pass"] else chance.choice(legal)


async def play_out(api: Api, game: str, people: list[Somebody], chance: random.Random) -> Json:
    """People who have all seats play over HTTP until the game is over."""
    view = await view_of(api, game)
    while view["status"] != "finished":
        who = people[chance.choice(view["turn"])]
        view = await view_of(api, game, who)
        body = {"move": choice(view, chance), "revision": view["revision"]}
        status, view = await call(api, "POST", f"/api/games/{game}/moves", body, who)
        assert status == 200, view
    return view


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3},
        {"players": 5, "variant": "omnibus", "moon": "add"},
        {"players": 10, "variant": "cancellation"},
    ],
    ids=str,
)
async def test_a_whole_game_over_http(api: Api, options: Json) -> None:
    people = await guests(api, options["players"])
    game = (await open_table(api, *people, options=options))["id"]
    path = f"/api/games/{game}"
    for call_ in (f"{path}?ply=0", f"{path}/plies", f"{path}/record"):
        for who in (people[0], None):
            assert await refused(api, "GET", call_, who=who) == (403, "not_yet")
    assert await refused(api, "POST", f"{path}/branch", {"ply": 0}, people[0]) == (403, "not_yet")
    view = await play_out(api, game, people, random.Random(2))
    assert view["winners"] == [
        seat for seat, total in enumerate(view["totals"]) if total == min(view["totals"])
    ]

    _, page = await call(api, "GET", f"{path}/plies?from=0&to=40")
    _, more = await call(api, "GET", f"{path}/plies?from=41&to=240")
    views = page["views"] + more["views"]
    assert [each["ply"] for each in views] == list(range(min(241, view["ply"] + 1)))
    assert all(len(each["hands"]) == options["players"] for each in views)
    assert views[0]["last"] is None
    assert "seed" not in views[0]
    if options.get("variant") != "cancellation":
        assert views[1]["last"]["move"].startswith("pass ")
        assert len(views[1]["last"]["move"].split()) == 4
    _, end = await call(api, "GET", f"{path}?ply={view['ply']}")
    assert end.pop("hands") == [[] for _ in people]
    assert end == await view_of(api, game)

    _, record = await call(api, "GET", f"{path}/record")
    assert record["players"] == [who.user["name"] for who in people]
    assert (record["seed"], record["commitment"]) == (view["seed"], view["commitment"])
    assert record["result"] == {name: view[name] for name in ("status", "totals", "scores", "winners")}
    status, checked = await call(api, "POST", "/api/records?from=0&to=40", record)
    assert (status, checked["ok"], checked["problem"]) == (200, True, None)
    apart = ("id", "revision", "players", "creator", "started_at", "finished_at")
    for shown, kept in zip(checked["views"], page["views"], strict=True):
        own = {name: value for name, value in shown.items() if name not in apart}
        assert own == {name: kept[name] for name in own}

    _, listed = await call(api, "GET", "/api/games?mine=1&game=hearts&status=finished", who=people[1])
    [summary] = listed["games"]
    assert set(summary) == {
        "id", "game", "status", "revision", "ply", "options", "players", "totals",
        "deal", "ranked", "created_at", "finished_at",
    }  # fmt: skip
    assert summary == {**{name: view.get(name) for name in summary}, "deal": None, "ranked": None}


async def test_a_branch_goes_on_with_bots(api: Api) -> None:
    people = await guests(api, 3)
    game = (await open_table(api, *people, public=True))["id"]
    view = await play_out(api, game, people, random.Random(4))
    path = f"/api/games/{game}/branch"
    status, branch = await call(api, "POST", path, {"ply": 20}, people[2])
    assert (status, branch["ply"], branch["you"], branch["status"]) == (201, 20, 2, "playing")
    assert [each["bot"] is not None for each in branch["players"]] == [True, True, False]
    assert branch["commitment"] == view["commitment"]
    assert branch["turn_ends_at"] is None
    past = (await call(api, "GET", f"/api/games/{game}?ply=20", who=people[2]))[1]
    assert (branch["hand"], branch["trick"]) == (past["hand"], past["trick"])
    stranger = await new_guest(api)
    status, branch = await call(api, "POST", path, {"ply": 0}, stranger)
    assert (status, branch["you"], branch["status"]) == (201, 0, "passing")
    assert (await call(api, "GET", "/api/games?status=playing"))[1]["games"] == []
    assert await refused(api, "POST", path, {"ply": view["ply"]}, stranger) == (409, "game_over")
    for ply in (view["ply"] + 1, -1):
        assert await refused(api, "POST", path, {"ply": ply}, stranger) == (404, "not_found")


class Player:
    """One device at a table: it plays what its pushes show, and keeps every frame."""

    def __init__(self, device: Socket, game: str, seed: int) -> None:
        self.device = device
        self.game = game
        self.chance = random.Random(seed)
        self.frames: list[str] = []
        self.revisions: list[int] = []

    async def receive(self) -> Json:
        message = await self.device.receive()
        self.frames.append(str(message))
        if message["type"] == "game":
            self.revisions.append(message["view"]["revision"])
        return message

    async def play(self) -> Json:
        """Moves whenever it is on turn until the game is over; the last view."""
        moved: set[tuple[str, int]] = set()
        await self.device.send(type="subscribe", channel=f"games/{self.game}", ref="s")
        while True:
            message = await self.receive()
            if message["type"] == "error":
                assert message["code"] == "stale_revision", message
                continue
            if message["type"] != "game":
                continue
            view: Json = message["view"]
            if view["status"] == "finished":
                return view
            turn = (view["status"], view["hand_number"] if view["status"] == "passing" else view["ply"])
            if view["legal"] and turn not in moved:
                moved.add(turn)
                move = choice(view, self.chance)
                await self.device.send(
                    type="move", game=self.game, move=move, revision=view["revision"], ref=move
                )


@pytest.mark.parametrize("players", [4, 6])
async def test_a_whole_game_over_sockets(api: Api, players: int) -> None:
    people = await guests(api, players)
    game = (await open_table(api, *people, options={"target": 20}))["id"]
    async with AsyncExitStack() as stack:
        devices = [await stack.enter_async_context(socket(api, who)) for who in (*people, None)]
        seats = [Player(device, game, number) for number, device in enumerate(devices)]
        views = await asyncio.gather(*(seat.play() for seat in seats))
    assert [view["you"] for view in views] == [*range(players), None]
    assert len({str({**view, "you": None, "hand": None, "players": None}) for view in views}) == 1
    spectator = seats[-1]
    assert all("'hand': None" in frame for frame in spectator.frames if "'view'" in frame)
    assert not [
        frame for frame in spectator.frames if "'move': 'pass " in frame and "'finished'" not in frame
    ]
    for seat in seats:
        assert seat.revisions == sorted(seat.revisions)


async def test_commands_over_a_socket(api: Api) -> None:
    ann, ben, carl = await guests(api, 3)
    game = (await open_table(api, ann, ben, carl))["id"]
    async with socket(api, ann) as first, socket(api, ben) as second, socket(api, carl) as third:
        hands = [(await each.watch(game))["hand"] for each in (first, second, third)]
        for device, hand in zip((first, second), hands, strict=False):
            answered = await device.ask(type="move", game=game, move=f"pass {' '.join(hand[:3])}", revision=2)
            assert answered["type"] == "ok"
        assert await second.ask(type="undo", game=game, revision=4) == {
            "type": "ok",
            "ref": "q",
            "revision": 5,
        }
        assert (await second.ask(type="answer", game=game, accept=True))["code"] == "not_your_turn"
        assert (await first.ask(type="answer", game=game, accept=True, revision=5))["revision"] == 6
        assert (await third.ask(type="answer", game=game, accept=True))["revision"] == 7
        view = await view_of(api, game, ben)
        assert (view["hand"], view["passed"]) == (hands[1], [True, False, False])
        assert (await second.ask(type="resign", game=game, revision=7))["revision"] == 8
        while (push := await third.push())["view"]["revision"] < 8:
            pass
        assert push["event"] == {"kind": "resign", "seat": 1, "move": None}
        assert (await second.ask(type="move", game=game, move="pass 2C 3C 4C", revision=8))[
            "code"
        ] == "not_your_turn"


async def test_checks_come_in_the_order_of_the_contract(api: Api) -> None:
    people = [*await guests(api, 3), await new_guest(api)]
    ann, ben, carl, stranger = people
    view = await open_table(api, ann, ben, carl)
    path, nowhere = f"/api/games/{view['id']}", "/api/games/no-such-game"
    for call_, good in (
        ("seats", {"seat": 1}), ("bots", {"seat": 1}), ("undo/answer", {"accept": True}), ("again", {}),
        ("moves", {"move": "x", "revision": 0}), ("undo", {"revision": 0}), ("resign", {"revision": 0}),
    ):  # fmt: skip
        bad = {"x": 1} | good
        assert await refused(api, "POST", f"{nowhere}/{call_}", bad) == (400, "bad_request")
        assert await refused(api, "POST", f"{nowhere}/{call_}", good) == (401, "not_signed_in")
        assert await refused(api, "POST", f"{nowhere}/{call_}", good, ann) == (404, "not_found")
        if call_ != "seats":
            assert await refused(api, "POST", f"{path}/{call_}", good, stranger) == (403, "not_your_game")
    assert await refused(api, "DELETE", f"{nowhere}/seats/me") == (401, "not_signed_in")
    assert await refused(api, "DELETE", f"{nowhere}/seats/me", {}, ann) == (404, "not_found")
    assert await refused(api, "DELETE", f"{path}/seats/me", {}, stranger) == (403, "not_your_game")
    assert await refused(api, "DELETE", f"{path}/seats/me", {"x": 1}, ann) == (400, "bad_request")
    assert await refused(api, "POST", f"{path}/seats", {}, stranger) == (409, "seat_taken")
    assert await refused(api, "POST", f"{path}/bots", {}, ben) == (403, "not_your_game")
    assert await refused(api, "POST", f"{path}/bots", {}, ann) == (409, "seat_taken")
    assert await refused(api, "POST", f"{path}/again", {}, ann) == (403, "not_yet")
    moves = f"{path}/moves"
    status, problem = await call(api, "POST", moves, {"move": "x", "revision": 1}, ann)
    assert (status, problem["code"], problem["view"]) == (
        409,
        "stale_revision",
        await view_of(api, view["id"], ann),
    )
    hand = (await view_of(api, view["id"], ann))["hand"]
    missing = next(card for card in DECK if card not in hand)
    for move, reason in (
        ("x", "not_a_move"),
        ("play 2C", "not_a_move"),
        (f"pass {hand[0]} {hand[0]} {hand[1]}", "not_a_move"),
        (f"pass {hand[0]} {hand[1]} {missing}", "not_in_hand"),
    ):
        status, problem = await call(api, "POST", moves, {"move": move, "revision": 2}, ann)
        assert (status, problem["code"], problem["reason"]) == (422, "illegal_move", reason)
    passed = {"move": f"pass {' '.join(hand[:3])}", "revision": 2}
    assert (await call(api, "POST", moves, passed, ann))[0] == 200
    assert await refused(api, "POST", moves, passed, ann) == (403, "not_your_turn")
    assert (await view_of(api, view["id"]))["revision"] == 3
    await play_out(api, view["id"], [ann, ben, carl], random.Random(8))
    end = (await view_of(api, view["id"]))["revision"]
    assert await refused(api, "POST", moves, passed, ann) == (409, "game_over")
    assert await refused(api, "POST", moves, {"move": "x", "revision": 2}, ann) == (409, "stale_revision")
    assert await refused(api, "POST", moves, {"move": "x", "revision": end}, ann) == (409, "game_over")
    assert await refused(api, "POST", f"{path}/undo", {"revision": end}, ann) == (409, "game_over")
    assert await refused(api, "POST", f"{path}/resign", {"revision": end}, ann) == (409, "game_over")
    assert await refused(api, "POST", f"{path}/undo/answer", {"accept": True}, ann) == (409, "game_over")
    assert await refused(api, "POST", f"{path}/seats", {}, stranger) == (409, "game_over")
    assert await refused(api, "DELETE", f"{path}/seats/me", {}, ann) == (409, "game_over")


BAD_OPTIONS: list[Json] = [
    {"options": {"players": 2}},
    {"options": {"players": 8}},
    {"options": {"players": 5, "variant": "cancellation"}},
    {"options": {"target": 0}},
    {"options": {"moon": "full"}},
    {"options": {"variant": "spades"}},
    {"options": {"turn_seconds": 601}},
    {"bots": 4},
    {"options": {"players": 3}, "bots": 3},
    {"bots": 10**30},
    {"bots": -1},
]


async def test_options_that_no_table_has(api: Api) -> None:
    ann = await new_guest(api)
    for wrong in BAD_OPTIONS:
        body = {"game": "hearts", **wrong}
        assert await refused(api, "POST", "/api/games", body) == (401, "not_signed_in")
        assert await refused(api, "POST", "/api/games", body, ann) == (422, "bad_options"), wrong
    assert (await call(api, "GET", "/api/games?mine=1", who=ann))[1]["games"] == []


NO_OPTIONS: list[object] = [
    {"players": "4"},
    {"players": True},
    {"players": 4.5},
    {"target": None},
    {"moon": 1},
    {"colour": "red"},
    [],
]


async def test_options_of_the_wrong_type_are_named(api: Api) -> None:
    ann = await new_guest(api)
    for wrong in NO_OPTIONS:
        body = {"game": "hearts", "options": wrong}
        # A fault of the body: before it is asked who calls.
        for who in (None, ann):
            assert await refused(api, "POST", "/api/games", body, who) == (400, "bad_request"), wrong
    status, problem = await call(api, "POST", "/api/games", {"game": "hearts", "options": {"players": "4"}})
    assert (status, "options.players" in problem["detail"]) == (400, True)


async def test_what_cannot_be_asked_of_a_table(api: Api) -> None:
    ann, ben = await guests(api, 2)
    game = (await open_table(api, ann))["id"]
    no_seats: list[object] = [-1, "1", 3, 10**30, True, []]
    wrong: list[tuple[str, object]] = [
        *((call_, {"seat": seat}) for call_ in ("seats", "bots") for seat in no_seats),
        ("bots", {"level": "perfect"}),
        ("bots", []),
        ("again", {"seat": 1}),
    ]
    for call_, body in wrong:
        who = ann if call_ == "bots" else ben
        assert await refused(api, "POST", f"/api/games/{game}/{call_}", body, who) == (400, "bad_request"), (
            body
        )
    assert (await view_of(api, game))["revision"] == 0


async def test_public_tables_with_free_seats_are_listed(api: Api) -> None:
    ann, ben, carl = await guests(api, 3)
    shown = (await open_table(api, ann, public=True))["id"]
    hidden = (await open_table(api, ben))["id"]
    full = (await open_table(api, ann, ben, carl, public=True))["id"]
    _, listed = await call(api, "GET", "/api/games?open=1")
    assert [each["id"] for each in listed["games"]] == [shown]
    assert listed["games"][0]["status"] == "waiting"
    assert len(listed["games"][0]["players"]) == 3
    _, listed = await call(api, "GET", "/api/games?game=hearts")
    assert {each["id"] for each in listed["games"]} == {shown, full}
    assert (await view_of(api, hidden, carl))["you"] is None


async def test_playing_again(api: Api) -> None:
    people = await guests(api, 3)
    game = (await open_table(api, *people))["id"]
    await play_out(api, game, people, random.Random(6))
    answers = [await call(api, "POST", f"/api/games/{game}/again", {}, who) for who in people]
    assert [status for status, _ in answers] == [201, 200, 200]
    assert len({view["id"] for _, view in answers}) == 1
    assert [view["status"] for _, view in answers] == ["waiting", "waiting", "passing"]
    assert (await view_of(api, game))["next"] == answers[0][1]["id"]


async def test_a_guest_who_signs_in_leaves_his_seat_to_a_bot_where_the_account_sits(api: Api) -> None:
    ann, ben, guest = await register(api, "Ann"), await new_guest(api), await new_guest(api)
    shared = (await open_table(api, ann, guest, ben))["id"]
    other = (await open_table(api, guest, ben))["id"]
    async with socket(api, ben) as device:
        await device.watch(shared)
        ann = await sign_in(api, "Ann", guest)
        push = await device.push()
    players = push["view"]["players"]
    assert [each["user"] and each["user"]["name"] for each in players] == ["Ann", None, ben.user["name"]]
    assert (players[1]["bot"]["level"], players[1]["resigned"]) == ("steady", False)
    view = await view_of(api, other, ann)
    assert (view["you"], view["players"][0]["user"]["name"]) == (0, "Ann")
    status, _ = await call(api, "POST", f"/api/games/{other}/bots", {"seat": 2}, ann)
    assert status == 200


async def test_the_export_keeps_the_cards_of_a_bot_that_has_taken_the_seat_over(api: Api) -> None:
    ann, ben, carl = await guests(api, 3)
    table = await open_table(api, ann, ben, carl)
    path = f"/api/games/{table['id']}"

    async def exported() -> list[str]:
        _, export = await call(api, "GET", "/api/me/export", who=ann)
        return [each["move"] for each in export["games"][0]["moves"]]

    async with socket(api, ben) as device:
        await device.watch(table["id"])
        assert (await call(api, "POST", f"{path}/resign", {"revision": table["revision"]}, ann))[0] == 200
        while (await device.push())["view"]["ply"] == 0:
            pass
    assert await exported() == ["pass"]
    for who in (ben, carl):
        status = 0
        # Bots move on meanwhile.
        while status != 200:
            view = await view_of(api, table["id"], who)
            status, _ = await call(api, "POST", f"{path}/resign", {"revision": view["revision"]}, who)
    assert (await exported())[0].startswith("pass ")


async def test_who_deletes_his_account_leaves_his_tables(api: Api) -> None:
    ann, ben, carl = await register(api, "Ann"), await new_guest(api), await new_guest(api)
    waiting = (await open_table(api, ann, ben))["id"]
    running = (await open_table(api, ann, ben, carl))["id"]
    async with socket(api, ben) as device:
        await device.watch(running)
        assert (await call(api, "DELETE", "/api/me", who=ann))[0] == 204
        push = await device.push()
        assert push["event"] == {"kind": "resign", "seat": 0, "move": None}
    view = await view_of(api, waiting, ben)
    assert [each["user"] and each["user"]["id"] for each in view["players"]] == [None, ben.user["id"], None]
    player = (await view_of(api, running))["players"][0]
    assert (player["user"]["name"], player["resigned"]) == ("deleted player", True)
    assert (await call(api, "POST", f"/api/games/{waiting}/bots", {}, ben))[0] == 200
