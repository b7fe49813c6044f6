"""What the account calls mean for games and open sockets."""

import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts import sessions
from server.accounts.passwords import Passwords
from server.accounts.schema import users
from server.errors import Code, Refused
from server.web import signed_out
from tests.conftest import Clock
from tests.web.calls import (
    PASSWORD,
    Api,
    Json,
    Somebody,
    call,
    new_guest,
    refused,
    register,
    sign_in,
    signed_in,
)
from tests.web.conftest import StartNode


async def deal(api: Api, who: Somebody, code: str = "HH1-N-AAAAAAM") -> Json:
    status, view = await call(api, "POST", "/api/games", {"game": "heart-to-heart", "deal": code}, who)
    assert status == 201
    game: Json = view
    return game


async def play(api: Api, who: Somebody, game: Json, move: str) -> Json:
    body = {"move": move, "revision": game["revision"]}
    status, view = await call(api, "POST", f"/api/games/{game['id']}/moves", body, who)
    assert status == 200, view
    after: Json = view
    return after


async def close_code(socket: ClientWebSocketResponse) -> int | None:
    """How the server closes a socket, within a second."""
    message = await socket.receive(timeout=1)
    assert message.type is WSMsgType.CLOSE
    return message.data if isinstance(message.data, int) else None


def user_of(view: Json) -> Json:
    user: Json = view["players"][0]["user"]
    return user


async def test_a_guest_who_registers_keeps_all_games(api: Api) -> None:
    guest = await new_guest(api)
    game = await play(api, guest, await deal(api, guest), "draw")
    assert user_of(game)["name"] == guest.user["name"]
    ann = await register(api, "Ann", guest)
    _, listed = await call(api, "GET", "/api/games?mine=1", who=ann)
    assert [each["id"] for each in listed["games"]] == [game["id"]]
    game = await play(api, ann, game, "draw")
    assert user_of(game) == {"id": guest.user["id"], "name": "Ann"}


async def test_a_guest_who_signs_in_brings_the_games_along(api: Api) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    game = await play(api, guest, await deal(api, guest), "draw")
    async with api.ws_connect("/ws", headers=guest.headers) as socket:
        ann = await sign_in(api, "Ann", guest)
        assert await close_code(socket) == 4401
    _, view = await call(api, "GET", f"/api/games/{game['id']}", who=ann)
    assert (view["you"], view["ply"], user_of(view)) == (0, 1, {"id": ann.user["id"], "name": "Ann"})
    await play(api, ann, view, "draw")
    _, code = await call(api, "POST", "/api/link-codes", who=ann)
    guest = await new_guest(api)
    game = await deal(api, guest)
    body = {"link_code": code["code"]}
    ann = await signed_in(await api.post("/api/sessions", json=body, headers=guest.headers))
    await play(api, ann, await now(api, ann, game), "draw")


async def now(api: Api, who: Somebody, game: Json) -> Json:
    _, view = await call(api, "GET", f"/api/games/{game['id']}", who=who)
    current: Json = view
    return current


async def test_sockets_close_with_their_session(api: Api) -> None:
    ann = await register(api, "Ann")
    phone, laptop = await sign_in(api, "Ann"), await sign_in(api, "Ann")
    _, devices = await call(api, "GET", "/api/sessions", who=phone)
    current = next(each["id"] for each in devices["sessions"] if each["current"])
    async with (
        api.ws_connect("/ws", headers=phone.headers) as of_phone,
        api.ws_connect("/ws", headers=laptop.cookie) as of_laptop,
        api.ws_connect("/ws", headers=ann.headers) as of_ann,
        api.ws_connect("/ws", headers=ann.headers) as of_ann_too,
    ):
        assert (await call(api, "DELETE", f"/api/sessions/{current}", who=ann))[0] == 204
        assert await close_code(of_phone) == 4401
        await call(api, "PATCH", "/api/me/password", {"old": PASSWORD, "new": "a newer horse"}, ann)
        assert await close_code(of_laptop) == 4401
        await of_ann.send_json({"type": "ping", "ref": "1"})
        assert await of_ann.receive_json(timeout=1) == {"type": "pong", "ref": "1"}
        await call(api, "DELETE", "/api/sessions/current", who=ann)
        assert await close_code(of_ann) == 4401
        assert await close_code(of_ann_too) == 4401


async def test_a_sign_in_that_comes_to_nothing_leaves_the_guest_as_he_was(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    game = await deal(api, guest)
    told: list[str] = []

    async def fail(_: object, games: list[str]) -> None:
        told.extend(games)
        raise Refused(Code.UNAVAILABLE, "The ratings cannot be told.")

    monkeypatch.setattr("server.web.accounts.moved", fail)
    body = {"name": "Ann", "password": PASSWORD}
    assert await refused(api, "POST", "/api/sessions", body, guest) == (503, "unavailable")

    assert told == [game["id"]]
    assert (await play(api, guest, game, "draw"))["you"] == 0


async def test_a_password_that_is_replaced_while_it_is_checked_signs_nobody_in(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await register(api, "Ann")
    checked = Passwords.matches

    async def replaced_meanwhile(passwords: Passwords, kept: str | None, password: str) -> bool:
        is_right = await checked(passwords, kept, password)
        monkeypatch.undo()
        change = {"old": PASSWORD, "new": "a newer horse"}
        assert (await call(api, "PATCH", "/api/me/password", change, ann))[0] == 204
        return is_right

    monkeypatch.setattr(Passwords, "matches", replaced_meanwhile)
    body = {"name": "Ann", "password": PASSWORD}
    assert await refused(api, "POST", "/api/sessions", body) == (401, "bad_credentials")


async def test_sockets_close_with_their_user(api: Api) -> None:
    ann = await register(api, "Ann")
    async with api.ws_connect("/ws", headers=ann.headers) as socket:
        await call(api, "DELETE", "/api/me", who=ann)
        assert await close_code(socket) == 4401


async def test_sockets_close_when_their_session_ends_elsewhere(api: Api, engine: AsyncEngine) -> None:
    ann, ben = await register(api, "Ann"), await register(api, "Ben")
    async with (
        api.ws_connect("/ws", headers=ann.headers) as socket,
        api.ws_connect("/ws", headers=ben.headers) as of_ben,
        api.ws_connect("/ws") as watcher,
    ):
        async with engine.begin() as connection:
            await connection.execute(delete(users).where(users.c.name == "Ann"))
        message = await socket.receive(timeout=10)
        assert (message.type, message.data) == (WSMsgType.CLOSE, 4401)
        for other in (of_ben, watcher):
            await other.send_json({"type": "ping", "ref": "1"})
            assert await other.receive_json(timeout=5) == {"type": "pong", "ref": "1"}


async def test_the_sockets_of_the_oldest_device_close_when_there_are_too_many(
    api: Api, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST", 1)
    monkeypatch.setattr(signed_out, "LOOK_S", 60)
    ann = await register(api, "Ann")
    async with api.ws_connect("/ws", headers=ann.headers) as socket:
        clock.advance(seconds=1)
        await sign_in(api, "Ann")
        assert await close_code(socket) == 4401


async def test_a_socket_asks_for_our_origin(api: Api) -> None:
    guest = await new_guest(api)
    foreign = {"Origin": "http://evil.example"}
    assert await refused(api, "GET", "/ws", headers=guest.cookie | foreign) == (403, "origin")
    for headers in (
        guest.headers | foreign,
        guest.cookie,
        guest.cookie | {"Origin": str(api.make_url("/").origin())},
    ):
        async with api.ws_connect("/ws", headers=headers) as socket:
            await socket.send_json({"type": "ping", "ref": "1"})
            assert (await socket.receive_json(timeout=1))["type"] == "pong"


async def test_games_of_a_deleted_user_stay(api: Api) -> None:
    ann = await register(api, "Ann")
    game = await deal(api, ann)
    await call(api, "POST", f"/api/games/{game['id']}/resign", {"revision": game["revision"]}, ann)
    await call(api, "DELETE", "/api/me", who=ann)
    for path in (f"/api/games/{game['id']}", f"/api/games/{game['id']}?ply=0"):
        status, view = await call(api, "GET", path)
        assert status == 200
        assert user_of(view)["name"] == "deleted player"
    status, record = await call(api, "GET", f"/api/games/{game['id']}/record")
    assert record["players"] == ["deleted player"]
    assert "Ann" not in str(record)


async def test_the_export_has_everything_that_is_the_users_own(api: Api) -> None:
    ann = await register(api, "Ann")
    games = [await play(api, ann, await deal(api, ann), "draw") for _ in range(21)]
    async with api.get("/api/me/export", headers=ann.headers) as answer:
        assert answer.headers["Content-Disposition"] == 'attachment; filename="heartline.json"'
        export = await answer.json()
    assert {"id": export["id"], "name": export["name"], "guest": export["guest"]} == ann.user
    assert export["settings"]["placement_helper"] is True
    assert len(export["sessions"]) == 1
    assert {each["id"] for each in export["games"]} == {each["id"] for each in games}
    assert export["games"][0]["deal"] == "HH1-N-AAAAAAM"
    assert [each["move"] for each in export["games"][0]["moves"]] == ["draw"]
    assert {each["result"] for each in export["games"]} == {None}
    assert export["rating"] is None
    path = f"/api/games/{games[-1]['id']}"
    _, view = await call(api, "POST", f"{path}/undo", {"revision": games[-1]["revision"]}, ann)
    await call(api, "POST", f"{path}/resign", {"revision": view["revision"]}, ann)
    _, export = await call(api, "GET", "/api/me/export", who=ann)
    (game,) = (each for each in export["games"] if each["id"] == games[-1]["id"])
    assert (game["totals"], game["undone"], game["clock_ms"]) == ([0], 1, 0)
    assert game["result"] == {
        "status": "resigned", "won": False, "score": 0, "moves": 1, "clock_ms": 0, "rank": None, "day": None,
        "listed": False, "finished_at": "2026-11-29T12:00:00.000Z",
    }  # fmt: skip
    for secret in (ann.token, PASSWORD, "argon2"):
        assert secret not in str(export)


async def test_exports_are_limited(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    guest = await new_guest(api)
    for _ in range(30):
        assert (await call(api, "GET", "/api/me/export", who=guest))[0] == 200
    assert await refused(api, "GET", "/api/me/export", who=guest) == (429, "slow_down")


async def test_commands_of_a_socket_are_limited_as_those_of_its_session(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    ann = await register(api, "Ann")
    for _ in range(399):
        assert await refused(api, "PATCH", "/api/me", {"x": 1}, ann) == (400, "bad_request")
    async with api.ws_connect("/ws", headers=ann.headers) as socket:
        answers = []
        for ref in ("1", "2"):
            await socket.send_json({"type": "ping", "ref": ref})
            answers.append(await socket.receive_json(timeout=1))
    assert answers[0] == {"type": "pong", "ref": "1"}
    assert (answers[1]["type"], answers[1]["code"]) == ("error", "slow_down")
    assert await refused(api, "PATCH", "/api/me", {}, ann) == (429, "slow_down")


async def test_tables_open_to_all_are_limited(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    guest = await new_guest(api)
    table = {"game": "hearts", "public": True}
    for _ in range(30):
        assert (await call(api, "POST", "/api/games", table, guest))[0] == 201
    assert await refused(api, "POST", "/api/games", table, guest) == (429, "slow_down")
    assert (await call(api, "POST", "/api/games", {"game": "hearts"}, guest))[0] == 201
