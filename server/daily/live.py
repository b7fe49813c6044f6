"""`daily/DATE`: how a day stands, pushed to all who watch it whenever that changes.

A watched day is looked at twice a second instead of being told of each result: so results of other nodes are
seen as well, and a rush of them costs no more than one does.
"""

from datetime import date
from typing import Final

import msgspec
import structlog

from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.daily.board import Boards
from server.daily.days import ONE_DAY, Days
from server.daily.model import Entry
from server.errors import Code, Refused
from server.rounds import rounds

LOOK_S: Final = 0.5
"""From one look at the watched days to the next."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.daily")


class Push(msgspec.Struct, frozen=True, tag_field="type", tag="daily"):
    """How a day stands."""

    channel: str
    date: date
    players: int
    finished: int
    top: list[Entry]


class Live:
    """The days that sockets of this node watch."""

    def __init__(self, days: Days, boards: Boards, hub: Hub) -> None:
        self._days = days
        self._boards = boards
        self._hub = hub
        self._shown: dict[date, bytes] = {}
        """What those who watch a day have seen last, for days that can still change."""
        self._pushes = 0

    async def watch(self, day: str, outbox: Outbox) -> bytes:
        """Lets a socket watch a day. The push that begins it, not yet sent.

        Raises:
            Refused: `not_found`, there is no such day or it has not begun; `unavailable`.
        """
        try:
            of = self._days.begun(msgspec.convert(day, date))
        except msgspec.ValidationError:
            raise Refused(Code.NOT_FOUND, "There is no such day. Write one as 2026-11-29.") from None
        pushes = None
        while pushes != self._pushes:
            # This socket would miss a push that goes out while we read.
            pushes, push = self._pushes, await self._push(of)
        self._hub.subscribe(channel_of(of), outbox)
        if self._can_change(of):
            self._shown.setdefault(of, push)
        return push

    async def run(self) -> None:
        """Pushes what changes, until it is cancelled."""
        await rounds(self.look, LOOK_S, _logger, "days not looked at")

    async def look(self) -> None:
        """Pushes how the watched days stand, where that is new.

        Raises:
            Refused: `unavailable`.
        """
        for day in tuple(self._shown):
            if not self._hub.watched(channel_of(day)) or not self._can_change(day):
                del self._shown[day]
            elif (push := await self._push(day)) != self._shown[day]:
                self._publish(day, push)

    def _publish(self, day: date, push: bytes) -> None:
        self._shown[day] = push
        self._pushes += 1
        self._hub.publish(channel_of(day), lambda _: push)

    def _can_change(self, day: date) -> bool:
        # The last tries of yesterday may still be closing.
        return day >= self._days.today() - ONE_DAY

    async def _push(self, day: date) -> bytes:
        state = await self._boards.state(day)
        turnout = state.turnout
        push = Push(channel_of(day), day, turnout.players, turnout.finished, state.top)
        return msgspec.json.encode(push)


def channel_of(day: date) -> str:
    """The channel of a day."""
    return f"daily/{day}"
