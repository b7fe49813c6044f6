"""`/ws`: one socket a device, for commands and for all that it watches."""

import asyncio
import socket as so
from functools import partial
from typing import Final

import structlog
from aiohttp import WSMsgType, web

from server.accounts.model import Caller
from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.daily.live import Live
from server.errors import Code, Refused
from server.log.model import GameId
from server.rooms import position
from server.rooms.lobby import Lobby
from server.rooms.position import Command, Position
from server.rooms.rooms import Rooms
from server.web.endpoint import Routes
from server.web.keys import DAILY, HUB, LIMITS, LOBBY, ROOMS, SOCKETS
from server.web.limits import Limits
from server.web.messages import (
    Answer,
    Incoming,
    Move,
    NotUnderstood,
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
)
from server.web.metrics import METRICS

MAX_FRAME: Final = 16 * 1024
"""Bytes of a message; a longer one closes its socket with 1009."""

MAX_SUBSCRIPTIONS: Final = 100
"""Channels that one socket may watch."""

routes = Routes()

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.web")


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
    notice_death(request.transport)
    user, session = (None, None) if caller is None else (caller.user, caller.session)
    outbox = Outbox(ws, request.protocol, request.transport, user, session)
    connection = Connection(app[ROOMS], app[DAILY].live, app[LOBBY], app[HUB], app[LIMITS], outbox)
    writer = asyncio.create_task(outbox.write())
    # Signed out meanwhile, it is found by the next look at the sessions of open sockets.
    app[SOCKETS].add(outbox)
    with app[METRICS].sockets.track_inprogress():
        try:
            await connection.read(ws)
        finally:
            app[HUB].leave(outbox)
            app[SOCKETS].remove(outbox)
            if not outbox.closing:
                writer.cancel()
            # Awaited last: a handler whose client has gone may be cancelled here.
            await asyncio.wait([writer])
    return ws


def notice_death(transport: asyncio.Transport) -> None:
    """Has the kernel find out within a minute that a device has vanished, whose user else seems connected."""
    connection = transport.get_extra_info("socket")
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(so, option):  # Not everywhere.
            connection.setsockopt(so.IPPROTO_TCP, getattr(so, option), value)


class Connection:
    """The reading side of a socket. Every message that comes in gets exactly one answer.

    Commands are handed over in the order in which they come, and nobody waits for their answers here.
    """

    def __init__(
        self, rooms: Rooms, days: Live, lobby: Lobby, hub: Hub, limits: Limits, outbox: Outbox
    ) -> None:
        self._rooms = rooms
        self._days = days
        self._lobby = lobby
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
        message = read_frame(frame, is_text=is_text)
        try:
            self._limits.command(self._limited_as)
            match message:
                case Move() | Undo() | Resign() | Answer():
                    answered = self._rooms.submit(message.game, self._command(message))
                    answered.add_done_callback(partial(self._answer, message.ref))
                case Subscribe():
                    await self._subscribe(message)
                case Unsubscribe():
                    self._hub.unsubscribe(message.channel, self._outbox)
                    self._outbox.answer(encode(Ok(ref=message.ref)))
                case Ping():
                    self._outbox.answer(encode(Pong(ref=message.ref)))
                case NotUnderstood():
                    raise Refused(Code.BAD_REQUEST, str(message))
        except Exception as problem:
            self._refuse(message.ref, problem)

    def _command(self, message: Move | Undo | Resign | Answer) -> Command:
        user = self._outbox.user
        if user is None:
            raise Refused(Code.NOT_SIGNED_IN, "Sign in first, or start as a guest. Then connect again.")
        match message:
            case Move():
                return position.Move(user, message.revision, message.move)
            case Undo():
                return position.Undo(user, message.revision)
            case Resign():
                return position.Resign(user, message.revision)
            case Answer():
                return position.Answer(user, message.revision, message.accept)

    async def _subscribe(self, message: Subscribe) -> None:
        watched = self._hub.subscriptions(self._outbox)
        if len(watched) >= MAX_SUBSCRIPTIONS and message.channel not in watched:
            raise Refused(Code.BAD_REQUEST, f"A socket watches at most {MAX_SUBSCRIPTIONS} channels.")
        match message.channel.partition("/"):
            case "games", "/", game:
                state = await self._rooms.watch(GameId(game), self._outbox)
            case "daily", "/", day:
                state = await self._days.watch(day, self._outbox)
            case "lobby", "", "":
                state = await self._lobby.watch(self._outbox)
            case _:
                raise Refused(Code.NOT_FOUND, "There is no such channel. Check its spelling.")
        self._outbox.answer(encode(Ok(ref=message.ref)))
        self._outbox.begin(message.channel, state)

    def _answer(self, ref: Ref, answered: asyncio.Future[Position]) -> None:
        problem = answered.exception()
        if problem is None:
            self._outbox.answer(encode(Ok(ref=ref, revision=answered.result().row.revision)))
        else:
            self._refuse(ref, problem)

    def _refuse(self, ref: Ref, problem: BaseException) -> None:
        if isinstance(problem, Refused):
            self._outbox.answer(error(ref, problem.code.value, problem.detail, problem.reason, problem.view))
        else:
            _logger.error("message failed", exc_info=problem)
            detail = "The server made a mistake. Try again; it has been logged."
            self._outbox.answer(error(ref, "internal", detail))


def read_frame(frame: bytes, *, is_text: bool) -> Incoming | NotUnderstood:
    """The message in a frame, or why it is none."""
    if not is_text:
        return NotUnderstood("Send text frames of JSON, not binary ones.")
    try:
        return read(frame)
    except NotUnderstood as problem:
        return problem
