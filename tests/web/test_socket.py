"""`/ws` as the contract has it, spoken by a client that nobody here wrote."""

import asyncio
import socket as so
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.web.keys import SOCKETS
from server.web.socket import MAX_FRAME, MAX_SUBSCRIPTIONS
from tests.conftest import Clock
from tests.rooms.conftest import CODE, WIN
from tests.web.calls import Api, Json, Somebody, call, new_guest, register
from tests.web.conftest import StartNode
from tests.web.fuzz import bodies


class Socket:
    """One client."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(msgspec.json.encode(message).decode())

    async def receive(self) -> Json:
        async with asyncio.timeout(10):
            frame = await self.connection.recv()
        assert isinstance(frame, str)
        message: Json = msgspec.json.decode(frame)
        return message

    async def ask(self, **message: Any) -> Json:
        """Sends a message and returns its answer; pushes on the way are dropped."""
        await self.send(ref="q", **message)
        while (answer := await self.receive())["type"] not in ("ok", "error", "pong"):
            pass
        assert answer["ref"] == "q"
        return answer

    async def watch(self, game: str) -> Json:
        """Subscribes, and returns the state that comes at once."""
        channel = f"games/{game}"
        assert await self.ask(type="subscribe", channel=channel) == {"type": "ok", "ref": "q"}
        push = await self.receive()
        assert (push["type"], push["channel"], push["event"]) == ("game", channel, None)
        view: Json = push["view"]
        return view

    async def push(self) -> Json:
        while (message := await self.receive())["type"] != "game":
            pass
        return message

    async def close_code(self) -> int | None:
        async with asyncio.timeout(10):
            with pytest.raises(ConnectionClosed):
                await self._drain()
        return self.connection.close_code

    async def _drain(self) -> None:
        while True:
            await self.connection.recv()


@asynccontextmanager
async def socket(api: Api, who: Somebody | None = None, **headers: str) -> AsyncIterator[Socket]:
    url = str(api.make_url("/ws")).replace("http", "ws", 1)
    given = headers if who is None else who.headers | headers
    async with connect(url, additional_headers=given, close_timeout=1) as connection:
        yield Socket(connection)


async def begin(api: Api, who: Somebody) -> str:
    body = {"game": "heart-to-heart", "deal": CODE}
    game: str = (await call(api, "POST", "/api/games", body, who))[1]["id"]
    return game


async def test_a_game_is_played_on_one_device_and_followed_on_others(api: Api) -> None:
    ann = await register(api, "Ann")
    game = await begin(api, ann)
    async with socket(api, ann) as phone, socket(api, ann) as laptop, socket(api) as stranger:
        first = await phone.watch(game)
        assert (first["revision"], first["you"], first["players"][0]["connected"]) == (0, 0, True)
        assert (await laptop.watch(game))["legal"] == first["legal"] != []
        seen = await stranger.watch(game)
        assert (seen["you"], seen["legal"], seen["players"]) == (None, [], first["players"])
        for revision, move in enumerate(WIN):
            await phone.send(type="move", game=game, move=move, revision=revision, ref=f"m{revision}")
            assert (
                await phone.receive()
                == await laptop.receive()
                == {
                    "type": "game",
                    "channel": f"games/{game}",
                    "view": (await call(api, "GET", f"/api/games/{game}", who=ann))[1],
                    "event": {"kind": "move", "seat": 0, "move": move},
                }
            )
            assert await phone.receive() == {"type": "ok", "ref": f"m{revision}", "revision": revision + 1}
            assert (await stranger.receive())["view"]["revision"] == revision + 1
        assert (await call(api, "GET", f"/api/games/{game}"))[1]["status"] == "won"


async def test_undo_resign_and_answer(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as client:
        await client.watch(game)
        assert (await client.ask(type="move", game=game, move="draw", revision=0))["revision"] == 1
        assert await client.ask(type="undo", game=game, revision=1) == {
            "type": "ok",
            "ref": "q",
            "revision": 2,
        }
        answer = await client.ask(type="answer", game=game, accept=True)
        assert (answer["type"], answer["code"]) == ("error", "not_your_turn")
        await client.send(type="resign", game=game, revision=2, ref="r")
        push = await client.push()
        assert push["event"] == {"kind": "resign", "seat": 0, "move": None}
        assert push["view"]["status"] == "resigned"
        assert await client.receive() == {"type": "ok", "ref": "r", "revision": 3}
        answer = await client.ask(type="undo", game=game, revision=3)
        assert (answer["code"], "view" in answer) == ("game_over", False)


async def test_commands_need_no_subscription_and_no_waiting(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as client:
        for revision, move in enumerate(WIN):
            await client.send(type="move", game=game, move=move, revision=revision, ref=str(revision))
        answers = [await client.receive() for _ in WIN]
        assert answers == [{"type": "ok", "ref": str(n), "revision": n + 1} for n in range(len(WIN))]


async def test_two_devices_at_one_instant(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as phone, socket(api, ann) as laptop:
        answers = await asyncio.gather(
            *(each.ask(type="move", game=game, move="draw", revision=0) for each in (phone, laptop))
        )
        ok, error = sorted(answers, key=lambda answer: answer["type"], reverse=True)
        assert ok["revision"] == 1
        assert (error["code"], error["view"]["revision"]) == ("stale_revision", 1)
        assert error["view"] == (await call(api, "GET", f"/api/games/{game}", who=ann))[1]


async def test_refused_commands_say_why(api: Api) -> None:
    ann, ben = await new_guest(api), await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as own, socket(api, ben) as other, socket(api) as stranger:
        answer = await own.ask(type="move", game=game, move="1-2", revision=0)
        assert (answer["code"], answer["reason"]) == ("illegal_move", "covered")
        assert answer["detail"].endswith(".")
        move = {"type": "move", "game": game, "move": "draw", "revision": 0}
        assert (await other.ask(**move))["code"] == "not_your_game"
        assert (await stranger.ask(**move))["code"] == "not_signed_in"
        assert (await own.ask(**move | {"game": "no-such-game"}))["code"] == "not_found"
        assert (await stranger.ask(**move | {"game": "no-such-game"}))["code"] == "not_signed_in"
        assert (await stranger.watch(game))["revision"] == 0


async def test_watching_ends(api: Api) -> None:
    ann = await new_guest(api)
    game, other = await begin(api, ann), await begin(api, ann)
    async with socket(api, ann) as client:
        await client.watch(game)
        await client.watch(other)
        assert await client.ask(type="unsubscribe", channel=f"games/{game}") == {"type": "ok", "ref": "q"}
        assert await client.ask(type="unsubscribe", channel="games/never-was") == {"type": "ok", "ref": "q"}
        for each in (game, other):
            await call(api, "POST", f"/api/games/{each}/moves", {"move": "draw", "revision": 0}, ann)
        assert (await client.receive())["channel"] == f"games/{other}"
        assert (await client.watch(game))["revision"] == 1
        assert (await client.watch(game))["revision"] == 1
    view = (await call(api, "GET", f"/api/games/{game}", who=ann))[1]
    assert view["players"][0]["connected"] is False


@pytest.mark.parametrize(
    "channel", ["", "games", "games/", "games/no-such-game", "chess/x", "\0", "games/" + "x" * 999]
)
async def test_channels_that_are_not_there(api: Api, channel: str) -> None:
    async with socket(api) as client:
        assert (await client.ask(type="subscribe", channel=channel))["code"] == "not_found"
        assert await client.ask(type="ping") == {"type": "pong", "ref": "q"}


async def test_a_socket_watches_so_many_channels(api: Api) -> None:
    days = [f"daily/{date(2026, 11, 29) - timedelta(days=n)}" for n in range(MAX_SUBSCRIPTIONS + 1)]
    async with socket(api) as client:
        for day in days[:-1]:
            assert (await client.ask(type="subscribe", channel=day))["type"] == "ok"
        assert (await client.ask(type="subscribe", channel=days[-1]))["code"] == "bad_request"
        assert (await client.ask(type="subscribe", channel=days[0]))["type"] == "ok"
        assert (await client.ask(type="unsubscribe", channel=days[0]))["type"] == "ok"
        assert (await client.ask(type="subscribe", channel=days[-1]))["type"] == "ok"


@pytest.mark.parametrize(
    ("frame", "ref"),
    [
        ("hello", None),
        ("{}", None),
        ('{"type":"dance","ref":"a"}', "a"),
        ('{"type":"ping","ref":5}', None),
        ('{"type":"ping","ref":"a","more":1}', "a"),
        ('{"type":"move","game":"x","move":"draw","ref":"a"}', "a"),
        ('{"type":"move","game":"x","move":"draw","revision":"0","ref":"a"}', "a"),
        ('{"type":"answer","game":"x","accept":1,"ref":"a"}', "a"),
        ('[{"type":"ping"}]', None),
        (b'{"type":"ping","ref":"a"}', None),
        (b"", None),
    ],
)
async def test_frames_that_are_not_understood(api: Api, frame: str | bytes, ref: str | None) -> None:
    async with socket(api) as client:
        await client.connection.send(frame)
        answer = await client.receive()
        assert (answer["type"], answer["code"], answer["ref"]) == ("error", "bad_request", ref)
        assert answer["detail"].endswith(".")
        assert await client.ask(type="ping") == {"type": "pong", "ref": "q"}


async def test_an_answer_needs_no_ref(api: Api) -> None:
    async with socket(api) as client:
        await client.send(type="ping")
        assert await client.receive() == {"type": "pong", "ref": None}


async def test_no_frame_ends_a_socket(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as client:
        for body in bodies(Random(2), 500):
            await client.connection.send(body[:MAX_FRAME], text=True)
            answer = await client.receive()
            assert answer["type"] in ("error", "pong", "ok"), body
        assert (await client.watch(game))["revision"] == 0


async def test_text_that_is_no_utf8(api: Api) -> None:
    async with socket(api) as client:
        for body in (b"\xff\xfe\xfd", b'{"type":"ping","ref":"\xff"}'):
            await client.connection.send(body, text=True)
            assert (await client.receive())["code"] == "bad_request"
        assert await client.ask(type="ping") == {"type": "pong", "ref": "q"}


async def test_long_frames(api: Api) -> None:
    async with socket(api) as client:
        start = '{"type":"ping","ref":"'
        ref = "x" * (MAX_FRAME - len(start) - 2)
        await client.connection.send(f'{start}{ref}"}}')
        assert await client.receive() == {"type": "pong", "ref": ref}
        await client.connection.send(f'{start}{ref}x"}}')
        assert await client.close_code() == 1009


async def test_many_messages_at_once_are_all_answered(api: Api) -> None:
    async with socket(api) as client:
        sending = asyncio.create_task(send_pings(client, 3000))
        for number in range(3000):
            assert (await client.receive())["ref"] == str(number)
        await sending


async def send_pings(client: Socket, number: int) -> None:
    for n in range(number):
        await client.send(type="ping", ref=str(n))


async def test_a_session_has_so_many_commands_a_second(start_node: StartNode, clock: Clock) -> None:
    api = await start_node(rate_limits=True)
    ann, ben = await new_guest(api), await new_guest(api)
    async with socket(api, ann) as first, socket(api, ann) as second, socket(api, ben) as other:
        for _ in range(200):
            for client in (first, second):
                assert (await client.ask(type="ping"))["type"] == "pong"
        for client in (first, second):
            assert (await client.ask(type="ping"))["code"] == "slow_down"
        assert (await other.ask(type="ping"))["type"] == "pong"
        clock.advance(seconds=0.011)
        assert (await first.ask(type="ping"))["type"] == "pong"
        assert (await first.ask(type="ping"))["type"] == "pong"
        assert (await first.ask(type="ping"))["code"] == "slow_down"


async def test_who_may_open_a_socket(api: Api) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    move = {"type": "move", "game": game, "move": "draw"}
    async with socket(api, None, **ann.cookie) as client:
        assert (await client.ask(**move, revision=0))["revision"] == 1
    origin = f"http://{api.host}:{api.port}"
    async with socket(api, None, Origin=origin, **ann.cookie) as client:
        assert (await client.ask(**move, revision=1))["revision"] == 2
    for origin in ("http://elsewhere.example", "null"):
        with pytest.raises(InvalidStatus) as caught:
            async with socket(api, None, Origin=origin, **ann.cookie):
                pass
        assert caught.value.response.status_code == 403
        async with socket(api, ann, Origin=origin) as client:
            assert (await client.ask(type="ping"))["type"] == "pong"
    async with socket(api, Authorization="Bearer nonsense") as client:
        assert (await client.ask(**move, revision=2))["code"] == "not_signed_in"
    status, problem = await call(api, "GET", "/ws")
    assert (status, problem["code"]) == (400, "bad_request")


async def test_signing_out_closes_the_sockets_of_that_device(api: Api) -> None:
    ann = await register(api, "Ann")
    async with socket(api, ann) as phone, socket(api, ann) as tablet, socket(api) as stranger:
        await call(api, "DELETE", "/api/sessions/current", who=ann)
        assert await phone.close_code() == await tablet.close_code() == 4401
        assert (await stranger.ask(type="ping"))["type"] == "pong"


async def test_vanished_devices_are_noticed(api: Api) -> None:
    async with socket(api) as client:
        await client.ask(type="ping")
        runner = api.server.runner
        assert runner is not None
        assert runner.server is not None
        [connection] = [each for each in runner.server.connections if each.transport is not None]
        assert connection.transport is not None
        raw = connection.transport.get_extra_info("socket")
        assert raw.getsockopt(so.SOL_SOCKET, so.SO_KEEPALIVE)
        assert raw.getsockopt(so.IPPROTO_TCP, so.TCP_KEEPIDLE) == 30


async def test_stopping_answers_what_was_sent_and_says_goodbye(start_node: StartNode) -> None:
    api = await start_node()
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with socket(api, ann) as client:
        await client.watch(game)
        await client.send(type="move", game=game, move="draw", revision=0, ref="m")
        push = await client.receive()
        assert push["event"]["kind"] == "move"
        stopping = asyncio.create_task(api.server.close())
        assert await client.receive() == {"type": "ok", "ref": "m", "revision": 1}
        assert await client.close_code() == 1001
        await stopping


async def test_a_handshake_that_is_under_way_when_the_server_stops_ends_with_goodbye(
    api: Api, engine: AsyncEngine
) -> None:
    ann = await new_guest(api)

    async def connects() -> int | None:
        async with socket(api, ann) as client:
            return await client.close_code()

    async with engine.begin() as connection:
        await connection.execute(text("LOCK TABLE device_sessions"))
        connecting = asyncio.create_task(connects())
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        while not await connection.scalar(waiting):
            pass
        await api.app[SOCKETS].close_all()
    assert await connecting == 1001
