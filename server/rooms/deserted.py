"""Tables of Hearts that all have left: they are closed, whether or not a server ran when they fell due."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import structlog

from server.channels.hub import Hub
from server.clock import Clock
from server.errors import Code, Refused
from server.log.log import Log
from server.log.model import GameId
from server.rooms.news import channel_of
from server.rooms.position import Close, Position
from server.rooms.table import NAME
from server.rounds import rounds

AFTER: Final = timedelta(days=1)
"""A table at which nothing has been done for so long is closed, if nobody is there."""

ROUND_S: Final = 600.0
"""From one round to the next. Nobody waits for it."""

BATCH: Final = 200
"""Tables that are closed together, in one commit of the log; the others wait for the next round."""

Submit = Callable[[GameId, Close], asyncio.Future[Position]]
"""Hands a command to the room of a game."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.house")


class Deserted:
    """Closes the tables that nobody has joined, or that all have left. Several nodes may do so at once."""

    def __init__(self, log: Log, hub: Hub, clock: Clock, submit: Submit) -> None:
        self._log = log
        self._hub = hub
        self._clock = clock
        self._submit = submit

    async def run(self) -> None:
        """Does so now and every ten minutes, until it is cancelled."""
        await rounds(self.close_due, ROUND_S, _logger, "deserted tables not closed")

    async def close_due(self) -> None:
        """Closes what is due now.

        Raises:
            Refused: `unavailable`.
        """
        due = await self._log.idle(NAME, self._clock() - AFTER, BATCH)
        closing = [
            self._submit(game, Close(revision))
            for game, revision in due
            if not self._hub.attended(channel_of(game))
        ]
        for end in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(end, Refused) and end.code in (Code.STALE_REVISION, Code.GAME_OVER):
                continue  # Somebody is there after all, or another node was first.
            if isinstance(end, BaseException):
                raise end
