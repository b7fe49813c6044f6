"""How long an undo takes in a long game: over a WebSocket, committed, its push read."""

import time
from itertools import islice

import aiohttp
import msgspec

from server.bench import sockets
from server.bench.load import draws, new_game, new_guest
from server.games import GAMES
from server.games.deals import numbered_code
from server.games.game import Seat
from server.games.heart_to_heart import UNDO_LIMIT

PLIES = 1_000
"""Moves in the log when the undos begin."""


class Taken(msgspec.Struct, frozen=True):
    """Times of an undo, in milliseconds."""

    p50_ms: float
    p99_ms: float
    replay_ms: float
    """Replaying the log of that length, without database and socket."""


async def measure() -> Taken:
    """Plays `PLIES` moves on a real server, then takes back as many as may be."""
    async with (
        sockets.database() as database_url,
        sockets.serving(sockets.SERVER, database_url) as url,
        aiohttp.ClientSession(url) as http,
    ):
        headers = await new_guest(http)
        view = await new_game(http, headers)
        async with http.ws_connect("/ws", headers=headers) as ws:
            for revision, move in enumerate(islice(draws(view["stock"]), PLIES)):
                await _command(ws, {"type": "move", "game": view["id"], "move": move, "revision": revision})
            taken = sorted(
                [
                    await _command(ws, {"type": "undo", "game": view["id"], "revision": PLIES + undone})
                    for undone in range(UNDO_LIMIT)
                ]
            )
    return Taken(p50_ms=taken[len(taken) // 2], p99_ms=taken[len(taken) * 99 // 100], replay_ms=_replay_ms())


async def _command(ws: aiohttp.ClientWebSocketResponse, command: dict[str, object]) -> float:
    """Milliseconds until the command was answered."""
    sent = time.perf_counter()
    await ws.send_json(command)
    answer = await ws.receive_json()
    if answer["type"] != "ok":
        raise RuntimeError(answer["detail"])
    return (time.perf_counter() - sent) * 1000


def _replay_ms() -> float:
    game, log = GAMES["heart-to-heart"], list(islice(draws(26), PLIES))
    start = time.perf_counter()
    state = game.setup({}, numbered_code(12))
    for move in log:
        state.play(Seat(0), move)
    return (time.perf_counter() - start) * 1000
