"""Tables of Hearts that all have left: they are closed, whether or not a server ran when they fell due."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.clock import Clock
from server.errors import Code, Refused
from server.log.database import is_away, patient
from server.log.model import GameId, Revision
from server.log.schema import games
from server.rooms.position import Close, Position
from server.rooms.room import channel_of
from server.rooms.table import NAME

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

    def __init__(self, engine: AsyncEngine, hub: Hub, clock: Clock, submit: Submit) -> None:
        self._engine = engine
        self._hub = hub
        self._clock = clock
        self._submit = submit

    async def run(self) -> None:
        """Does so now and every ten minutes, until it is cancelled."""
        while True:
            try:
                await self.close_due()
            except Exception as error:
                if isinstance(error, Refused) or is_away(error):
                    _logger.warning("deserted tables not closed", reason=str(error))
                else:
                    _logger.exception("deserted tables not closed")
            await asyncio.sleep(ROUND_S)

    async def close_due(self) -> None:
        """Closes what is due now.

        Raises:
            Refused: `unavailable`.
        """
        closing = [
            self._submit(game, Close(revision))
            for game, revision in await self._due()
            if not self._hub.watched(channel_of(game))
        ]
        for end in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(end, Refused) and end.code in (Code.STALE_REVISION, Code.GAME_OVER):
                continue  # Somebody is there after all, or another node was first.
            if isinstance(end, BaseException):
                raise end

    @patient
    async def _due(self) -> list[tuple[GameId, Revision]]:
        before = self._clock() - AFTER
        query = (
            select(games.c.id, games.c.revision)
            .where(games.c.game == NAME, games.c.finished_at.is_(None), games.c.created_at < before)
            .where(func.coalesce(games.c.action_at, games.c.started_at, games.c.created_at) < before)
            .order_by(games.c.created_at)
            .limit(BATCH)
        )
        async with self._engine.connect() as connection:
            return [(GameId(row.id), Revision(row.revision)) for row in await connection.execute(query)]
