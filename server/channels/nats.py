"""The other nodes of this card room, by way of a NATS server: one subject a game.

Messages may get lost without harm: what a node may have missed it reads from the log. It is told to do so
whenever its subscription to a game has begun, and when any node's connection is back after it was gone.

One more subject tells who is connected: each node says it of its own players, at once and again and again.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error

from server.channels.hub import Hub
from server.log.model import UserId

Hear = Callable[[str, bytes | None], None]
"""Takes a channel and what another node says of it; None: something may have been missed."""

_GAMES: Final = "games/"
_GAME: Final = "game."
_MISSED: Final = "missed"
_PRESENT: Final = "present"

REPEAT_S: Final = 15.0
"""So often a node says again who is connected to it."""

FORGET_S: Final = 3 * REPEAT_S
"""After this time without a word of a node nobody is connected to it any more."""

AT_ONCE: Final = 1000
"""Games in one message."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.nats")


class Present(msgspec.Struct, frozen=True):
    """What a node says: for some channels, all players whom it has connected."""

    node: str
    players: dict[str, Collection[UserId]]


_read_present: Final = msgspec.json.Decoder(Present).decode


class Nodes:
    """Tells the other nodes what happens here, and hears from them of the games that sockets here watch.

    While the NATS server is away, everything goes on for the sockets of this node.
    """

    def __init__(self, url: str, hub: Hub) -> None:
        self._url = url
        self._hub = hub
        self._client = Client()
        self._hear: Hear | None = None
        self._subscriptions: dict[str, Subscription] = {}
        self._changed: set[str] = set()
        """Channels whose first watcher has come or whose last has gone."""
        self._to_tell: dict[str, bytes] = {}
        self._name = secrets.token_urlsafe(9)
        self._present: dict[str, Collection[UserId]] = {}
        """The players whom this node has connected, as the others were told or shall be."""
        self._to_show: dict[str, Collection[UserId]] = {}
        self._work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        hub.on_change = self._follow_later

    @property
    def connected(self) -> bool:
        """Whether the other nodes can be reached."""
        return bool(self._client.is_connected)

    def start(self, hear: Hear) -> None:
        """Begins to connect; tries for as long as it takes."""
        self._hear = hear
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(_report)

    async def close(self) -> None:
        """Tells what is still to be told, if it can, and takes leave."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._client.is_connected:
            await self._show()
            await self._tell()
        await self._client.close()

    def tell(self, channel: str, message: bytes) -> None:
        """Tells the other nodes of a game. It takes the place of a message that still waits."""
        self._tell_later(_GAME + channel.removeprefix(_GAMES), message)

    def show(self, channel: str, players: Collection[UserId]) -> None:
        """Tells the other nodes which players of a game are connected to this one, if that is new."""
        if players == self._present.get(channel, frozenset()):
            return
        if players:
            self._present[channel] = players
        else:
            del self._present[channel]
        self._to_show[channel] = players
        self._work.set()

    def _tell_later(self, subject: str, message: bytes) -> None:
        # While the server is away nothing is kept: when it is back, all nodes read what they watch.
        if self._client.is_connected:
            self._to_tell[subject] = message
            self._work.set()

    def _follow_later(self, channel: str) -> None:
        if channel.startswith(_GAMES):
            self._changed.add(channel)
            self._work.set()

    async def _run(self) -> None:
        await self._client.connect(
            self._url,
            name="heartline",
            no_echo=True,
            max_reconnect_attempts=-1,
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_connected,
        )
        await self._client.subscribe(_MISSED, cb=self._on_missed)
        await self._client.subscribe(_PRESENT, cb=self._on_present)
        await self._on_connected()
        loop = asyncio.get_running_loop()
        repeat_at = loop.time() + REPEAT_S
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(repeat_at):
                    await self._work.wait()
            self._work.clear()
            if loop.time() >= repeat_at:
                repeat_at = loop.time() + REPEAT_S
                self._repeat(repeat_at - FORGET_S)
            try:
                await self._follow()
                await self._show()
                await self._tell()
            except (Error, OSError) as problem:
                _logger.warning("other nodes not reached", problem=repr(problem))

    async def _follow(self) -> None:
        """Subscribes to the games that are watched here, and to no others."""
        begun = []
        while self._changed:
            channel = self._changed.pop()
            is_watched = self._hub.watched(channel)
            if is_watched and channel not in self._subscriptions:
                subject = _GAME + channel.removeprefix(_GAMES)
                told = partial(self._on_game, channel)
                self._subscriptions[channel] = await self._client.subscribe(subject, cb=told)
                begun.append(channel)
            elif not is_watched and channel in self._subscriptions:
                await self._subscriptions.pop(channel).unsubscribe()
        if begun:
            try:
                await self._client.flush()
            finally:
                self._look(begun)

    async def _show(self) -> None:
        while self._to_show and self._client.is_connected:
            some = dict(islice(self._to_show.items(), AT_ONCE))
            for channel in some:
                del self._to_show[channel]
            await self._client.publish(_PRESENT, msgspec.json.encode(Present(self._name, some)))

    def _repeat(self, forget_before: float) -> None:
        """Says again who is here, and forgets who has not been said again to be elsewhere."""
        for channel, players in tuple(self._present.items()):
            # Who has left a game that is live here no more.
            self.show(channel, frozenset(each for each in players if self._hub.here(channel, each)))
        self._to_show.update(self._present)
        for channel, user in self._hub.others.forget(forget_before):
            self._hub.on_presence(channel, user)

    async def _tell(self) -> None:
        while self._to_tell:
            subject = next(iter(self._to_tell))
            await self._client.publish(subject, self._to_tell.pop(subject))

    def _look(self, channels: list[str]) -> None:
        if self._hear is not None:
            for channel in channels:
                self._hear(channel, None)

    async def _on_game(self, channel: str, message: Msg) -> None:
        if self._hear is not None:
            self._hear(channel, message.data)

    async def _on_present(self, message: Msg) -> None:
        said, at = _read_present(message.data), asyncio.get_running_loop().time()
        for channel, players in said.players.items():
            for user in self._hub.others.hear(said.node, channel, players, at):
                self._hub.on_presence(channel, user)

    async def _on_missed(self, _: Msg) -> None:
        self._look(list(self._subscriptions))
        self._to_show.update(self._present)
        self._work.set()

    async def _on_connected(self) -> None:
        _logger.info("other nodes can be reached")
        self._look(list(self._subscriptions))
        self._to_show.update(self._present)
        self._tell_later(_MISSED, b"")

    async def _on_disconnected(self) -> None:
        _logger.error("NATS is away: other nodes do not hear of games here, nor this one of theirs")

    async def _on_error(self, problem: Exception) -> None:
        _logger.error("NATS", problem=repr(problem))


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (problem := task.exception()) is not None:
        _logger.error("this node is alone from now on", exc_info=problem)
