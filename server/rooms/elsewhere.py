"""Tables of Hearts that another process has changed without a word to this one.

`heartline user NAME --delete` does, and so does a node whose message was lost. Whoever makes the next move
would find it out; but where all wait for somebody who is no more, nobody makes one.
"""

from collections.abc import Callable, Iterable
from typing import Final

import structlog

from server.log.log import Log
from server.rooms.room import Game, Room
from server.rooms.table import NAME
from server.rounds import rounds

LOOK_S: Final = 5.0
"""From one look at the live tables to the next."""

BATCH: Final = 1000
"""Tables that are asked for at once."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.rooms")


class Elsewhere:
    """Compares the live tables of a node with the log."""

    def __init__(self, log: Log, live: Callable[[], Iterable[Room]]) -> None:
        self._log = log
        self._live = live

    async def run(self) -> None:
        """Looks again and again, until it is cancelled."""
        await rounds(self.look, LOOK_S, _logger, "tables not compared with the log")

    async def look(self) -> None:
        """Has the tables that are behind the log read it again.

        Raises:
            Refused: `unavailable`.
        """
        tables = {room.id: room for room in self._live() if room.now and _is_under_way(room.now)}
        games = tuple(tables)
        for first in range(0, len(games), BATCH):
            revisions = await self._log.revisions(games[first : first + BATCH])
            for game, revision in revisions.items():
                tables[game].catch_up(revision)


def _is_under_way(game: Game) -> bool:
    return game.position.row.game == NAME and not game.position.over
