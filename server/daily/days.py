"""The days and their deals: made once, from the server's secret, and kept."""

import secrets
from collections.abc import Collection
from datetime import date, timedelta

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.clock import Clock
from server.daily.par import Par
from server.daily.schema import days, server_secret
from server.daily.solver import solve
from server.errors import Code, Refused
from server.games.deals import Deal, day_deal, read_deal
from server.games.winnable import winnable
from server.log.database import patient

ONE_DAY = timedelta(days=1)


class Days:
    """What is known of each day. `secret` wins over the one in the database, for days not yet dealt."""

    def __init__(self, engine: AsyncEngine, clock: Clock, secret: str | None = None) -> None:
        self._engine = engine
        self._clock = clock
        self._secret = secret
        self._last: tuple[date, Deal] | None = None

    def today(self) -> date:
        """The day that is open now."""
        return self._clock().date()

    def is_over(self, day: date) -> bool:
        """Whether a day is closed: its deal is free for practice, its games are anybody's to see."""
        return day < self.today()

    def begun(self, day: date) -> date:
        """The same day, if it has begun.

        Raises:
            Refused: `not_found`, it is still to come.
        """
        if day > self.today():
            raise Refused(Code.NOT_FOUND, f"{day} has not begun. Its deal comes at 00:00 UTC.")
        return day

    @patient
    async def deal(self, day: date) -> Deal:
        """The deal of a day. The first to ask anywhere settles it for all."""
        if self._last is None or self._last[0] != day:
            async with self._engine.begin() as connection:
                stored = await connection.scalar(select(days.c.deal).where(days.c.day == day))
                if stored is None:
                    stored = await self._make(connection, day)
            self._last = day, read_deal(stored)
        return self._last[1]

    async def practice(self, day: date) -> Deal:
        """The deal of a day that is over.

        Raises:
            Refused: `not_yet`, the day is still open or to come.
        """
        if not self.is_over(day):
            raise Refused(Code.NOT_YET, f"The deal of {day} is open for practice once that day is over.")
        return await self.deal(day)

    @patient
    async def par(self, day: date) -> Par | None:
        """The par of a day, if it has been solved: for those who have finished it, and once it is over."""
        query = select(days.c.par, days.c.line).where(days.c.day == day, days.c.par.is_not(None))
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else Par(row.par, tuple(row.line))

    async def solve(self, day: date) -> bool:
        """Has the par of a day solved in another process, unless it is known; whether it is known now."""
        deal = await self.deal(day)
        if await self.par(day) is not None:
            return True
        par = await solve(deal)
        if par is None:
            return False
        async with self._engine.begin() as connection:
            await connection.execute(
                update(days)
                .where(days.c.day == day, days.c.par.is_(None))
                .values(par=par.moves, line=list(par.line))
            )
        return True

    @patient
    async def unsolved(self, most: int, but: Collection[date]) -> list[date]:
        """Up to `most` days whose par is not known, the latest first."""
        query = select(days.c.day).where(days.c.par.is_(None), days.c.day.not_in(but))
        async with self._engine.connect() as connection:
            return list((await connection.scalars(query.order_by(days.c.day.desc()).limit(most))).all())

    async def _make(self, connection: AsyncConnection, day: date) -> str:
        """Deals a day, and gives the long form of the deal that counts: the first that was written."""
        deal = day_deal(day.isoformat(), self._secret or await _secret(connection), winnable)
        await connection.execute(upsert(days).values(day=day, deal=deal.long).on_conflict_do_nothing())
        # A statement of its own sees what another node committed while this one waited for it.
        counts: str = (await connection.execute(select(days.c.deal).where(days.c.day == day))).scalar_one()
        return counts


async def _secret(connection: AsyncConnection) -> str:
    """The secret that the database keeps; made by the first who needs it."""
    await connection.execute(
        upsert(server_secret).values(secret=secrets.token_urlsafe(32)).on_conflict_do_nothing()
    )
    secret: str = (await connection.execute(select(server_secret.c.secret))).scalar_one()
    return secret
