"""The bare limit of a machine: the same stack, statement and answers, with no game in it.

Run as a process of its own: `python -m server.bench.bare PORT`, the database by `HEARTLINE_DATABASE_URL`.
It speaks just as much of the contract as `server.bench.load` does, and checks nothing.
"""

import secrets
import sys
from typing import Any

import msgspec
import uvloop
from aiohttp import WSMsgType, web
from aiohttp.http import WebSocketWriter

from server.channels.gathering import Gathering
from server.clock import system_clock
from server.games import GAMES
from server.games.deals import numbered_code
from server.games.game import Seat
from server.log.database import connect
from server.log.log import Log
from server.log.model import Change, GameId, GameRow, Logged, LoggedMove, Ply, Revision, SeatRow, UserId
from server.settings import Settings

SEED = numbered_code(12)

_VIEW = GAMES["heart-to-heart"].setup({}, SEED).view(None)

LOG = web.AppKey("LOG", Log)
ROWS = web.AppKey("ROWS", dict[GameId, GameRow])


class _Frame(msgspec.Struct):
    type: str
    channel: str = ""
    game: GameId = GameId("")
    move: str = ""


_decode = msgspec.json.Decoder(_Frame).decode
_encode = msgspec.json.Encoder().encode


async def _guest(_request: web.Request) -> web.Response:
    return web.json_response({"token": "none"}, status=201)


async def _game(request: web.Request) -> web.Response:
    user, now = UserId("bare"), system_clock()
    row = GameRow(
        id=GameId(secrets.token_urlsafe(9)),
        game="heart-to-heart",
        options={},
        seed=SEED,
        creator=user,
        created_at=now,
        started_at=now,
        status="playing",
    )
    await request.app[LOG].create(Logged(row, (SeatRow(Seat(0), user),), ()))
    request.app[ROWS][row.id] = row
    return web.json_response({"id": row.id, "revision": 0, "stock": 26}, status=201)


def _change(row: GameRow, move: str) -> Change:
    """What a move writes, with nothing looked at."""
    now, ply = system_clock(), Ply(row.ply + 1)
    after = msgspec.structs.replace(
        row, revision=Revision(row.revision + 1), ply=ply, peak=ply, action_at=now
    )
    return Change(
        expected=row.revision,
        after=after,
        append=LoggedMove(seat=Seat(0), move=move, at=now, peak=ply, undone=0, clock_ms=0),
    )


def _push(row: GameRow) -> dict[str, Any]:
    """A push as long as a real one."""
    channel = f"games/{row.id}"
    view = {"id": row.id, "game": row.game, "revision": row.revision, "ply": row.ply, **_VIEW}
    return {"type": "game", "channel": channel, "view": view, "event": None}


async def _socket(request: web.Request) -> web.WebSocketResponse:
    ws = web.WebSocketResponse(compress=False)
    await ws.prepare(request)
    if request.transport is None:
        return ws
    log, rows = request.app[LOG], request.app[ROWS]
    gathering = Gathering(request.transport)
    frames = WebSocketWriter(request.protocol, gathering)

    async def send(*answers: dict[str, Any]) -> None:
        for answer in answers:
            await frames.send_frame(_encode(answer), WSMsgType.TEXT)
        gathering.flush()

    async for message in ws:
        frame = _decode(message.data)
        if frame.type == "move":
            change = _change(rows[frame.game], frame.move)
            await log.commit(change)
            rows[frame.game] = change.after
            await send(_push(change.after), {"type": "ok", "ref": "m", "revision": change.after.revision})
        else:
            await send({"type": "game"})
    return ws


async def _make(url: str) -> web.Application:
    app = web.Application()
    app[LOG] = Log(connect(url))
    app[ROWS] = {}
    app.add_routes([web.post("/api/guests", _guest), web.post("/api/games", _game), web.get("/ws", _socket)])
    return app


def main(port: int) -> None:
    """Serves on a port of this machine until it is stopped."""
    url = Settings.from_environment().database_url
    if url is None:
        raise SystemExit("HEARTLINE_DATABASE_URL names the database.")
    web.run_app(
        _make(url),
        host="127.0.0.1",
        port=port,
        print=None,
        access_log=None,
        loop=uvloop.new_event_loop(),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
