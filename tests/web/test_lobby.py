"""`lobby` on the WebSocket: the public tables, at once and whenever there is something new."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.conftest import Clock
from tests.nats import running_nats
from tests.web.calls import Api, Json, Somebody, call, new_guest, register
from tests.web.conftest import StartNode


class Looking:
    """A socket that watches the lobby."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    async def push(self) -> list[Json]:
        push = await self._socket.receive_json(timeout=10)
        assert (push["type"], push["channel"]) == ("lobby", "lobby")
        games: list[Json] = push["games"]
        return games

    async def tables(self) -> list[tuple[str, str]]:
        """Ids and states of the next push."""
        return [(each["id"], each["status"]) for each in await self.push()]


@asynccontextmanager
async def looking(api: Api) -> AsyncIterator[Looking]:
    """Anybody looks, without a session."""
    async with api.ws_connect("/ws") as socket:
        await socket.send_json({"type": "subscribe", "channel": "lobby", "ref": "s"})
        assert await socket.receive_json(timeout=10) == {"type": "ok", "ref": "s"}
        yield Looking(socket)


async def open_table(api: Api, who: Somebody, *, bots: int = 0, public: bool = True, **options: Any) -> str:
    body = {"game": "hearts", "options": options, "bots": bots, "public": public}
    status, view = await call(api, "POST", "/api/games", body, who)
    assert status == 201, view
    game: str = view["id"]
    return game


async def resign(api: Api, who: Somebody, game: str) -> None:
    _, view = await call(api, "GET", f"/api/games/{game}", who=who)
    status = 409
    while status == 409:  # Bots move meanwhile.
        body = {"revision": view["revision"]}
        status, answer = await call(api, "POST", f"/api/games/{game}/resign", body, who)
        view = answer.get("view")
    assert status == 200


async def test_what_happens_at_public_tables_is_seen_by_all_who_look(api: Api) -> None:
    ann, ben = await register(api, "Ann"), await register(api, "Ben")
    async with looking(api) as here:
        assert await here.push() == []

        game = await open_table(api, ann, players=3)
        [table] = await here.push()
        assert (table["id"], table["game"], table["status"]) == (game, "hearts", "waiting")
        assert [each["user"] and each["user"]["name"] for each in table["players"]] == ["Ann", None, None]
        _, listed = await call(api, "GET", "/api/games?open=1")
        assert listed["games"] == [table]

        await call(api, "POST", f"/api/games/{game}/seats", {}, ben)
        [table] = await here.push()
        assert [each["user"] and each["user"]["name"] for each in table["players"]] == ["Ann", "Ben", None]

        await call(api, "POST", f"/api/games/{game}/bots", {}, ann)
        [table] = await here.push()
        assert table["status"] == "passing"
        assert (await call(api, "GET", "/api/games?open=1"))[1]["games"] == []

        await resign(api, ben, game)
        [table] = await here.push()
        assert [each["resigned"] for each in table["players"]] == [False, True, False]
        await resign(api, ann, game)
        assert await here.push() == []


async def test_who_comes_sees_what_there_is(api: Api, clock: Clock) -> None:
    ann = await new_guest(api)
    first = await open_table(api, ann)
    await open_table(api, ann, public=False)
    clock.advance(seconds=1)
    second = await open_table(api, ann)
    played = await open_table(api, ann, bots=3)
    async with looking(api) as here:
        assert await here.tables() == [(second, "waiting"), (first, "waiting"), (played, "passing")]
        await call(api, "DELETE", f"/api/games/{second}/seats/me", who=ann)
        assert await here.tables() == [(first, "waiting"), (played, "passing")]


async def test_a_table_of_another_node_is_seen(start_node: StartNode) -> None:
    async with running_nats() as nats:
        here, there = [await start_node(nats_url=nats.url) for _ in range(2)]
        ann = await new_guest(there)
        async with looking(here) as lobby:
            assert await lobby.push() == []
            game = await open_table(there, ann)
            assert await lobby.tables() == [(game, "waiting")]


@pytest.mark.parametrize("channel", ["lobby/", "Lobby", "lobby/x", " lobby"])
async def test_other_names_are_no_lobby(api: Api, channel: str) -> None:
    async with api.ws_connect("/ws") as socket:
        await socket.send_json({"type": "subscribe", "channel": channel, "ref": "s"})
        assert (await socket.receive_json(timeout=10))["code"] == "not_found"
