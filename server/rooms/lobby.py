"""`lobby`: the public tables, pushed to all who look at them whenever there is something new.

A watched lobby is looked at twice a second instead of being told of each change: so tables of other nodes are
seen as well, and a rush of changes costs no more than one does.
"""

import asyncio
from typing import Any, Final, NamedTuple

import msgspec
import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.errors import Refused
from server.log import read
from server.log.database import patient
from server.log.model import Listed, Names
from server.log.schema import games
from server.rooms.room import channel_of
from server.rooms.views import Summary, players, summary

CHANNEL: Final = "lobby"

LOOK_S: Final = 0.5
"""From one look at a watched lobby to the next."""

MOST: Final = 50
"""Tables of each kind that it shows: the newest that wait for players, and the newest that are played."""

_PUBLIC: Final = read.public_games(False, None)
_WAITING: Final = _PUBLIC.where(games.c.started_at.is_(None))
_PLAYED: Final = _PUBLIC.where(games.c.started_at.is_not(None))

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.rooms")


class Push(msgspec.Struct, frozen=True, tag_field="type", tag="lobby"):
    """The public tables: those that wait for players, newest first, then those that are played."""

    channel: str
    games: list[Summary]


class _Shown(NamedTuple):
    """What those who watch have seen last."""

    matter: Any
    """What they are shown anew for: tables, their seats and who has them, whether they have begun."""
    push: bytes


class Lobby:
    """The lobby as the sockets of this node watch it."""

    def __init__(self, engine: AsyncEngine, hub: Hub, names: Names) -> None:
        self._engine = engine
        self._hub = hub
        self._names = names
        self._shown = _Shown(None, b"")
        self._asked = 0
        self._answered = 0
        """Up to which of the looks that were asked for one has been made."""
        self._looking = asyncio.Lock()

    async def watch(self, outbox: Outbox) -> bytes:
        """Lets a socket watch. The push that begins it, not yet sent.

        Raises:
            Refused: `unavailable`.
        """
        await self.look()
        # Nothing can be pushed between these two.
        self._hub.subscribe(CHANNEL, outbox)
        return self._shown.push

    async def run(self) -> None:
        """Pushes what is new, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                if self._hub.watched(CHANNEL):
                    await self.look()
            except Refused as refused:
                _logger.warning("lobby not looked at", reason=refused.detail)
            except Exception:
                _logger.exception("lobby not looked at")

    async def look(self) -> None:
        """Pushes how the lobby stands, if that is new. Who asks while another looks shares the next look.

        Raises:
            Refused: `unavailable`.
        """
        self._asked += 1
        asked = self._asked
        async with self._looking:
            if self._answered >= asked:
                return
            answers = self._asked
            now = await self._read()
            self._answered = answers
            if now.matter != self._shown.matter:
                self._hub.publish(CHANNEL, lambda _: now.push)
            self._shown = now

    async def _read(self) -> _Shown:
        tables = await self._tables()
        names = await self._names({seat.user for each in tables for seat in each.seats if seat.user})
        matter = names, [(each.game.id, each.game.started_at, each.seats) for each in tables]
        return _Shown(
            matter, msgspec.json.encode(Push(CHANNEL, [self._summary(each, names) for each in tables]))
        )

    def _summary(self, table: Listed, names: Any) -> Summary:
        channel = channel_of(table.game.id)
        seated = players(table.seats, names, lambda user: self._hub.connected(channel, user))
        return summary(table.game, seated)

    @patient
    async def _tables(self) -> list[Listed]:
        async with self._engine.connect() as connection:
            waiting, _ = await read.page(connection, [_WAITING], MOST)
            played, _ = await read.page(connection, [_PLAYED], MOST)
        return waiting + played
