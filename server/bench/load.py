"""Players that draw and recycle as fast as they are answered, over one socket each.

Run as a process of its own, so that the load does not share the server's loop:
`python -m server.bench.load URL SOCKETS SECONDS` prints one line of JSON, a `Measured`.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from typing import Any

import aiohttp
import msgspec
import uvloop

WARM_UP_S = 1.0


class Measured(msgspec.Struct, frozen=True):
    """Moves that were answered `ok` in the measured time, and how long an answer took."""

    sockets: int
    moves: int
    seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def per_second(self) -> float:
        """Durable moves a second."""
        return self.moves / self.seconds


class _Frame(msgspec.Struct):
    type: str
    code: str | None = None
    detail: str | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Frame).decode


def draws(stock: int) -> Iterator[str]:
    """Draws through the stock, turns the waste over, and so on for ever."""
    waste = 1
    while True:
        yield from ("draw" for _ in range(stock))
        yield "recycle"
        stock, waste = stock + waste, 0


class Window:
    """The stretch of time that counts, after a warm-up in which nothing does."""

    def __init__(self, seconds: float) -> None:
        self.start = time.perf_counter() + WARM_UP_S
        self.end = self.start + seconds
        self.taken_ms: list[float] = []

    def add(self, sent: float, answered: float) -> None:
        """Counts a move, if it was sent and answered in time."""
        if self.start <= sent and answered <= self.end:
            self.taken_ms.append((answered - sent) * 1000)

    def measured(self, sockets: int) -> Measured:
        """What has been counted."""
        taken = sorted(self.taken_ms)
        return Measured(
            sockets=sockets,
            moves=len(taken),
            seconds=self.end - self.start,
            p50_ms=taken[len(taken) // 2],
            p99_ms=taken[len(taken) * 99 // 100],
        )


async def new_guest(http: aiohttp.ClientSession) -> dict[str, str]:
    """The headers of a new guest."""
    async with http.post("/api/guests", raise_for_status=True) as answer:
        return {"Authorization": f"Bearer {(await answer.json())['token']}"}


async def new_game(http: aiohttp.ClientSession, headers: dict[str, str], **body: object) -> dict[str, Any]:
    """The view of a new game of a guest: of Heart to Heart, unless the body says otherwise."""
    body = {"game": "heart-to-heart", **body}
    async with http.post("/api/games", json=body, headers=headers, raise_for_status=True) as answer:
        view: dict[str, Any] = await answer.json()
        return view


async def watching(
    http: aiohttp.ClientSession, headers: dict[str, str], game: str
) -> aiohttp.ClientWebSocketResponse:
    """A socket that has subscribed to a game. Its present state comes next."""
    ws = await http.ws_connect("/ws", headers=headers)
    await ws.send_json({"type": "subscribe", "channel": f"games/{game}", "ref": "s"})
    await ws.receive_str()
    return ws


async def _play(ws: aiohttp.ClientWebSocketResponse, view: dict[str, Any], window: Window) -> None:
    """Plays one game, each move as soon as the last is answered; its pushes are read as a client would."""
    game, revision = view["id"], view["revision"]
    for move in draws(view["stock"]):
        frame = {"type": "move", "game": game, "move": move, "revision": revision, "ref": "m"}
        sent = time.perf_counter()
        if sent >= window.end:
            return
        await ws.send_frame(_encode(frame), aiohttp.WSMsgType.TEXT)
        while (answer := _decode(await ws.receive_str())).type != "ok":
            if answer.type == "error":
                raise RuntimeError(f"{answer.code}: {answer.detail}")
        window.add(sent, time.perf_counter())
        revision += 1


async def measure(url: str, sockets: int, seconds: float) -> Measured:
    """Opens the sockets, each with a game of its own that it watches, and plays for `seconds`."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(url, connector=connector) as http:
        players = []
        for _ in range(sockets):
            headers = await new_guest(http)
            view = await new_game(http, headers)
            players.append((await watching(http, headers, view["id"]), view))
        window = Window(seconds)
        await asyncio.gather(*(_play(ws, view, window) for ws, view in players))
        for ws, _ in players:
            await ws.close()
    return window.measured(sockets)


if __name__ == "__main__":
    _url, _sockets, _seconds = sys.argv[1:]
    print(msgspec.json.encode(uvloop.run(measure(_url, int(_sockets), float(_seconds)))).decode())
