"""`lobby`: the public tables, pushed to all who look at them whenever there is something new.

A watched lobby is looked at twice a second instead of being told of each change: so tables of other nodes are
seen as well, and a rush of changes costs no more than one does.

A table that all its people have left is not shown until one of them is back.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec
import structlog

from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.clock import Clock
from server.log.log import Log
from server.log.model import GameId, Listed, Names
from server.rooms.news import channel_of, game_of
from server.rooms.table import people
from server.rooms.views import Summary, players, summary
from server.rounds import rounds

CHANNEL: Final = "lobby"

LOOK_S: Final = 0.5
"""From one look at a watched lobby to the next."""

MOST: Final = 50
"""Tables of each kind that it shows: the newest that wait for players, and the newest that are played."""

LEFT: Final = timedelta(minutes=2)
"""So long a table is shown without anybody connected to it, or anything done there."""

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

    def __init__(self, log: Log, hub: Hub, clock: Clock, names: Names) -> None:
        self._log = log
        self._hub = hub
        self._clock = clock
        self._names = names
        self._seen: dict[GameId, datetime] = {}
        """When somebody was last found connected to his table, if that is not long ago."""
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
        await rounds(self._look_if_watched, LOOK_S, _logger, "lobby not looked at")

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

    async def _look_if_watched(self) -> None:
        if self._hub.watched(CHANNEL):
            await self.look()

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

    async def _tables(self) -> list[Listed]:
        """The tables to show: those that wait for players, then those that are played."""
        now = self._clock()
        self._seen = {game: at for game, at in self._seen.items() if at > now - LEFT}
        watched = [game_of(channel) for channel in self._hub.channels()]
        tables = await self._log.lively_tables(now - LEFT, [*watched, *self._seen], MOST)
        self._seen |= {each.game.id: now for each in tables if self._is_attended(each)}
        return [each for each in tables if each.game.id in self._seen or each.game.last_at > now - LEFT]

    def _is_attended(self, table: Listed) -> bool:
        channel, seats = channel_of(table.game.id), table.seats
        return any(self._hub.connected(channel, seats[seat].user) for seat in people(seats))
