"""`/ws`: one socket a device, for commands and for all that it watches."""

import asyncio
from functools import partial
from typing import Final

from aiohttp import WSMsgType, web

from server.accounts.model import Caller
from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.errors import Code, Refused
from server.log.model import GameId, UserId
from server.rooms import position as rooms
from server.rooms.position import Command, Position
from server.rooms.room import channel_of
from server.rooms.rooms import Rooms
from server.web.endpoint import Routes
from server.web.keys import HUB, LIMITS, LOGGER, ROOMS, SOCKETS
from server.web.limits import Limits
from server.web.messages import (
    Answer,
    Incoming,
    Move,
    Ok,
    Ping,
    Pong,
    Ref,
    Resign,
    Subscribe,
    Undo,
    Unsubscribe,
    encode,
    error,
    read,
    ref_of,
)
from server.web.metrics import METRICS

MAX_FRAME: Final = 16 * 1024
"""Bytes of a message; a longer one closes its socket with 1009."""

MAX_SUBSCRIPTIONS: Final = 100
"""Channels that one socket may watch."""

routes = Routes()


@routes.get("/ws", {101: None})
async def socket(request: web.Request, caller: Caller | None) -> web.StreamResponse:
    """Opens the WebSocket of a device. One without a session only watches."""
    # Compressing would cost more time than everything else that a move needs.
    ws = web.WebSocketResponse[bool](
        compress=False, decode_text=False, max_msg_size=MAX_FRAME + 1, writer_limit=0
    )
    await ws.prepare(request)
    if request.transport is None:
        return ws
    app = request.app
    user, session = (None, None) if caller is None else (caller.user, caller.session)
    outbox = Outbox(ws, request.transport, user, session)
    connection = Connection(app[ROOMS], app[HUB], app[LIMITS], outbox)
    writer = asyncio.create_task(outbox.write())
    app[SOCKETS].add(outbox)
    with app[METRICS].sockets.track_inprogress():
        try:
            await connection.read(ws)
        finally:
            app[HUB].leave(outbox)
            writer.cancel()
            await asyncio.wait([writer])
            app[SOCKETS].remove(outbox)
    return ws


class Connection:
    """The reading side of a socket. Every message that comes in gets exactly one answer.

    Commands are handed over in the order in which they come, and nobody waits for their answers here.
    """

    def __init__(self, rooms: Rooms, hub: Hub, limits: Limits, outbox: Outbox) -> None:
        self._rooms = rooms
        self._hub = hub
        self._limits = limits
        self._outbox = outbox
        self._limited_as = outbox.session or f"socket {id(outbox)}"

    async def read(self, ws: web.WebSocketResponse[bool]) -> None:
        """Takes messages until the socket closes."""
        while not self._outbox.closing:
            frame = await ws.receive()
            if frame.type is not WSMsgType.TEXT and frame.type is not WSMsgType.BINARY:
                break
            await self._outbox.within_bounds()
            await self._take(frame.data, is_text=frame.type is WSMsgType.TEXT)

    async def _take(self, frame: bytes, *, is_text: bool) -> None:
        ref: Ref = None
        try:
            self._limits.command(self._limited_as)
            if not is_text:
                raise Refused(Code.BAD_REQUEST, "Send text frames of JSON, not binary ones.")
            try:
                message = read(frame)
            except ValueError as problem:
                ref = ref_of(frame)
                raise Refused(Code.BAD_REQUEST, f"The message is not understood: {problem}.") from None
            ref = message.ref
            await self._handle(message)
        except Refused as refused:
            self._outbox.answer(error(ref, refused))
