"""Tables of Hearts on a real server: durable moves a second, and the memory of a table and of a spectator.

Run as a process of its own, so that the load does not share the server's loop:
`python -m server.bench.tables URL SECONDS` prints one line of JSON, a `Tables`.
"""

import asyncio
import random
import sys
import time
from typing import Any, Final

import aiohttp
import msgspec
import uvloop

from server.bench.load import Measured, Window, new_game, new_guest, watching

TABLES: Final = 50
SEATS: Final = 4

SAMPLE: Final = 300
"""Tables, and then spectators, over which memory is measured."""

OPTIONS: Final = {"players": SEATS, "target": 1000, "moon": "add", "turn_seconds": 0}


class Tables(msgspec.Struct, frozen=True):
    """What tables cost."""

    played: Measured
    table_kib: float
    """Of the server, for a live table that nobody watches."""
    spectator_kib: float
    """Of the server, for a socket that watches a table."""


class _View(msgspec.Struct):
    you: int
    turn: list[int]
    legal: list[str]
    hand: list[str]
    revision: int
    status: str


class _Frame(msgspec.Struct):
    type: str
    view: _View | None = None
    code: str | None = None
    detail: str | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Frame).decode


async def measure(url: str, seconds: float) -> Tables:
    """First the memory, then the speed."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(url, connector=connector) as http:
        # The first few bring with them what all share.
        people = [await new_guest(http) for _ in range(SEATS)]
        await _watched(http, await _tables(http, people, TABLES))
        empty = await _resident(http)
        games = await _tables(http, people, SAMPLE)
        full = await _resident(http)
        spectators = await _watched(http, games, close=False)
        watched = await _resident(http)
        for ws in spectators:
            await ws.close()
        played = await _played(http, seconds)
    return Tables(played, (full - empty) / SAMPLE / 1024, (watched - full) / SAMPLE / 1024)


async def _tables(http: aiohttp.ClientSession, people: list[dict[str, str]], number: int) -> list[str]:
    """So many new tables of these people, dealt and waiting for the cards to be passed."""
    games = []
    for _ in range(number):
        view = await new_game(http, people[0], game="hearts", options=OPTIONS)
        games.append(view["id"])
        for headers in people[1:]:
            path = f"/api/games/{view['id']}/seats"
            async with http.post(path, json={}, headers=headers, raise_for_status=True) as answer:
                await answer.read()
    return games


async def _watched(
    http: aiohttp.ClientSession, games: list[str], *, close: bool = True
) -> list[aiohttp.ClientWebSocketResponse]:
    """A spectator for each game."""
    spectators = []
    for game in games:
        ws = await watching(http, {}, game)
        await ws.receive_str()
        spectators.append(ws)
    if close:
        for ws in spectators:
            await ws.close()
    return spectators


async def _resident(http: aiohttp.ClientSession) -> float:
    """Bytes of memory that the server takes."""
    async with http.get("/metrics", raise_for_status=True) as answer:
        lines = (await answer.text()).splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("process_resident_memory_bytes "))


async def _played(http: aiohttp.ClientSession, seconds: float) -> Measured:
    """Has all seats of all tables played as fast as they are answered, over one socket each."""
    players = []
    for number in range(TABLES):
        people = [await new_guest(http) for _ in range(SEATS)]
        [game] = await _tables(http, people, 1)
        for headers in people:
            players.append((await watching(http, headers, game), game, random.Random(number)))  # noqa: S311
    window = Window(seconds)
    seats = [asyncio.create_task(_play(ws, game, dice, window)) for ws, game, dice in players]
    # Nobody comes to an end by himself.
    failed, playing = await asyncio.wait(
        seats, timeout=window.end - time.perf_counter(), return_when=asyncio.FIRST_EXCEPTION
    )
    for seat in playing:
        seat.cancel()
    for seat in failed:
        seat.result()
    for ws, _, _ in players:
        await ws.close()
    return window.measured(len(players))


async def _play(ws: aiohttp.ClientWebSocketResponse, game: str, dice: random.Random, window: Window) -> None:
    """Plays one seat: whenever it is on turn, some legal move."""
    sent, view = 0.0, None
    while True:
        frame = _decode(await ws.receive_str())
        if frame.type == "error":
            raise RuntimeError(f"{frame.code}: {frame.detail}")
        if frame.type == "ok":
            window.add(sent, time.perf_counter())
            sent = 0.0
        view = frame.view or view
        if view is not None and not sent and view.you in view.turn:
            sent = time.perf_counter()
            await ws.send_frame(_encode(_move(game, view, dice)), aiohttp.WSMsgType.TEXT)


def _move(game: str, view: _View, dice: random.Random) -> dict[str, Any]:
    move = dice.choice(view.legal)
    if move == "pass":
        move = f"pass {' '.join(dice.sample(view.hand, 3))}"
    return {"type": "move", "game": game, "move": move, "revision": view.revision, "ref": "m"}


if __name__ == "__main__":
    _url, _seconds = sys.argv[1:]
    print(msgspec.json.encode(uvloop.run(measure(_url, float(_seconds)))).decode())
