"""The daily deal on one node, put together."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.clock import Clock
from server.daily.board import Boards
from server.daily.closing import Closing, Expire
from server.daily.days import Days
from server.daily.keeper import Keeper
from server.daily.live import Live
from server.daily.players import Players
from server.daily.ratings import Ratings
from server.log.model import Names


class Daily:
    """Everything about days, their boards, and what players make of them."""

    def __init__(
        self, engine: AsyncEngine, clock: Clock, secret: str | None, hub: Hub, names: Names, expire: Expire
    ) -> None:
        self.days = Days(engine, clock, secret)
        self.boards = Boards(engine, names)
        self.players = Players(engine, clock)
        self.ratings = Ratings(engine, clock)
        self.live = Live(self.days, self.boards, hub)
        self._keeper = Keeper(Closing(engine, self.days, expire), self.days, self.ratings, clock)

    async def run(self) -> None:
        """Does what a node does by itself, until it is cancelled."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keeper.run())
                tasks.create_task(self.live.run())
        finally:
            await self.days.close()
