"""The sending side of one socket: a queue that stays small, one writer, and an end for readers who stop."""

import asyncio
from collections import OrderedDict
from typing import Final

from aiohttp import WSMsgType, web
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import WebSocketWriter

from server.channels.gathering import Gathering
from server.log.model import UserId

STALL_S: Final = 30.0
"""A socket that takes nothing for so long, although something waits for it, is closed."""

CLOSE_S: Final = 1.0
"""What still waits when a socket is told to close has so long to leave; then the connection is cut."""

OWED: Final = 256
"""Answers that a socket may be owed before no more of its commands are read."""

_LOOKS: Final = 6
"""How often in STALL_S a waiting socket is looked at."""


class Outbox:
    """What waits to be sent to one socket.

    Every command that is read is owed exactly one answer. Answers leave in the order in which they came in,
    and none is dropped: instead no further command is read while too many are owed (`within_bounds`). A push
    that still waits is replaced by a newer one of its channel, since pushes are whole; only the state with
    which a subscription begins is not. So the queue holds at most OWED answers and two pushes a channel,
    however slow the reader.
    """

    def __init__(
        self,
        ws: web.WebSocketResponse[bool],
        protocol: BaseProtocol,
        transport: asyncio.Transport,
        user: UserId | None,
        session: str | None,
        *,
        stall_s: float = STALL_S,
    ) -> None:
        self.user = user
        self.session = session
        self._ws = ws
        self._transport = transport
        self._gathering = Gathering(transport)
        self._frames = WebSocketWriter(protocol, self._gathering, limit=0)
        self._loop = asyncio.get_running_loop()
        self._queue: OrderedDict[str | int, bytes] = OrderedDict()
        self._answers = 0
        self._owed = 0
        self._sent = 0
        self._wake: asyncio.Future[None] | None = None
        self._relief: asyncio.Future[None] | None = None
        self._closing: int | None = None
        self._look_s = stall_s / _LOOKS
        self._watchdog: asyncio.TimerHandle | None = None

    @property
    def closing(self) -> bool:
        """Whether the socket has been told to close, or is closed."""
        return self._closing is not None

    async def within_bounds(self) -> None:
        """Waits while the socket is owed too many answers. Then counts one more."""
        while self._owed >= OWED and not self.closing:
            self._relief = self._loop.create_future()
            await self._relief
        self._owed += 1

    def answer(self, payload: bytes) -> None:
        """Queues the answer to a command."""
        self._answers += 1
        self._put(self._answers, payload)

    def begin(self, channel: str, payload: bytes) -> None:
        """Queues the state of a channel with which a subscription begins."""
        self._put(_beginning(channel), payload)

    def push(self, channel: str, payload: bytes) -> None:
        """Queues the newest state of a channel, in the place of an older one that still waits."""
        self._put(channel, payload)

    def forget(self, channel: str) -> None:
        """Drops the pushes of a channel that still wait, if any do."""
        self._queue.pop(_beginning(channel), None)
        self._queue.pop(channel, None)

    def close(self, code: int) -> None:
        """Closes the socket with `code` once what waits has been sent. Nothing is queued any more."""
        if self._closing is None:
            self._closing = code
            self._loop.call_later(CLOSE_S, self._transport.abort)
            self._awake()

    async def write(self) -> None:
        """Sends what is queued, until the socket closes. There is one such task a socket."""
        try:
            while True:
                # The answer to a command comes right behind its push: one system call for both.
                await asyncio.sleep(0)
                while self._queue and not self._ws.closed:
                    key, payload = self._queue.popitem(last=False)
                    # Returns at once, unless the transport's buffer is full.
                    await self._frames.send_frame(payload, WSMsgType.TEXT)
                    self._sent += 1
                    if key.__class__ is int:
                        self._paid()
                self._gathering.flush()
                if self._closing is not None:
                    await self._ws.close(code=self._closing)
                    return
                self._wake = self._loop.create_future()
                await self._wake
        except ConnectionError:
            pass  # The reader has gone; the receiving side notices by itself.
        finally:
            self._closed()

    def _paid(self) -> None:
        self._owed -= 1
        if self._relief is not None and self._owed < OWED // 2:
            _release(self._relief)

    def _put(self, key: str | int, payload: bytes) -> None:
        if self._closing is not None:
            return
        self._queue[key] = payload
        self._awake()
        if self._watchdog is None:
            self._look_later(0)

    def _awake(self) -> None:
        if self._wake is not None:
            _release(self._wake)

    def _look_later(self, stalled: int) -> None:
        buffered = self._transport.get_write_buffer_size()
        self._watchdog = self._loop.call_later(self._look_s, self._look, self._sent, buffered, stalled)

    def _look(self, sent: int, buffered: int, stalled: int) -> None:
        """Compares with the look before; `stalled` looks in a row have found that nothing was taken."""
        waiting = self._transport.get_write_buffer_size()
        if not waiting and not self._queue:
            self._watchdog = None
        elif self._sent > sent or waiting < buffered:
            self._look_later(0)
        elif stalled + 1 < _LOOKS:
            self._look_later(stalled + 1)
        else:
            self._transport.abort()

    def _closed(self) -> None:
        self._closing = self._closing or 1006
        self._queue.clear()
        if self._watchdog is not None:
            self._watchdog.cancel()
        if self._relief is not None:
            _release(self._relief)


def _beginning(channel: str) -> str:
    return f"{channel} begins"


def _release(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
