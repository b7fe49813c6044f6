"""Games that another process has changed without a word to this one, and players whom it has renamed.

The command line does, and so does a node whose message was lost. Whoever makes the next move would find it
out; but where all wait for somebody who is no more, nobody makes one.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog

from server.log.log import Log
from server.log.model import Names
from server.rooms.room import Copy, Room
from server.rooms.table import NAME
from server.rounds import rounds

LOOK_S: Final = 5.0
"""From one look at the live games to the next."""

BATCH: Final = 1000
"""Games that are asked for at once."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.rooms")


class Elsewhere:
    """Compares the games of a node that are watched, and its tables under way, with the database."""

    def __init__(self, log: Log, live: Callable[[], Iterable[Room]], names: Names) -> None:
        self._log = log
        self._live = live
        self._names = names

    async def run(self) -> None:
        """Looks again and again, until it is cancelled."""
        await rounds(self.look, LOOK_S, _logger, "games not compared with the log")

    async def look(self) -> None:
        """Has the games that are behind the log read it again, and shows new names of their players.

        Raises:
            Refused: `unavailable`.
        """
        live = tuple(self._live())
        for room in live:
            # What became of its last command was not to be learned: those who watch shall.
            if room.empty and room.watched:
                room.refresh()
        rooms = [room for room in live if room.now and (room.watched or _is_under_way(room.now))]
        for first in range(0, len(rooms), BATCH):
            await self._compare(rooms[first : first + BATCH])

    async def _compare(self, rooms: Sequence[Room]) -> None:
        revisions = await self._log.revisions([room.id for room in rooms])
        for room in rooms:
            room.catch_up(revisions.get(room.id, 0))
        seats = [seat for room in rooms if room.now for seat in room.now.position.seats]
        called = await self._names({seat.user for seat in seats if seat.user is not None})
        for room in rooms:
            room.rename(called)


def _is_under_way(game: Copy) -> bool:
    return game.position.row.game == NAME and not game.position.over
