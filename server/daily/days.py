"""The days and their deals: made once, from the server's secret, and kept."""

import asyncio
import secrets
from datetime import date, timedelta

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.clock import Clock
from server.daily.par import Par
from server.daily.schema import days, server_secret
from server.daily.solver import SearchFailedError, solve
from server.errors import Code, Refused
from server.games.deals import Deal, day_deal, read_deal
from server.games.winnable import winnable
from server.log.database import patient

ONE_DAY = timedelta(days=1)

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.daily")


class Days:
    """What is known of each day. `secret` wins over the one in the database, for days not yet dealt."""

    def __init__(self, engine: AsyncEngine, clock: Clock, secret: str | None = None) -> None:
        self._engine = engine
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = clock
        self._secret = secret
        self._last: tuple[date, Deal] | None = None
        self._solver = asyncio.Lock()
        self._searches: dict[date, asyncio.Task[Par | None]] = {}
        self._without_par: set[date] = set()
        """Days whose par could not be found: this node does not try again."""

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

    def over(self, day: date) -> date:
        """The same day, if it is over.

        Raises:
            Refused: `not_yet`, it is still open or to come.
        """
        if not self.is_over(day):
            raise Refused(Code.NOT_YET, f"The deal of {day} is open for practice once that day is over.")
        return day

    @patient
    async def deal(self, day: date) -> Deal:
        """The deal of a day. The first to ask anywhere settles it for all."""
        if self._last is None or self._last[0] != day:
            async with self._single.connect() as connection:
                stored = await connection.scalar(select(days.c.deal).where(days.c.day == day))
            self._last = day, read_deal(stored or await self._make(day))
        return self._last[1]

    @patient
    async def par(self, day: date) -> Par | None:
        """The par of a day, if it has been solved: for those who have finished it, and once it is over."""
        query = select(days.c.par, days.c.line).where(days.c.day == day, days.c.par.is_not(None))
        async with self._single.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else Par(row.par, tuple(row.line))

    async def solve(self, day: date) -> Par | None:
        """The par of a day, found in another process if it is not known; None if the search was given up.

        The search goes on when who waits for it has lost patience, for those who ask next.

        Raises:
            Refused: `unavailable`.
        """
        search = self._searches.get(day)
        if search is None:
            search = self._searches[day] = asyncio.create_task(self._search(day))
            search.add_done_callback(lambda _: self._searches.pop(day))
        return await asyncio.shield(search)

    async def close(self) -> None:
        """Gives up the searches that are under way."""
        searches = tuple(self._searches.values())
        for search in searches:
            search.cancel()
        await asyncio.gather(*searches, return_exceptions=True)

    async def _search(self, day: date) -> Par | None:
        async with self._solver:
            known = await self.par(day)
            if known is not None or day in self._without_par:
                return known
            found, reason = None, "the search needs too much memory"
            try:
                found = await solve(await self.deal(day))
            except SearchFailedError as error:
                reason = str(error)
            if found is None:
                self._without_par.add(day)
                _logger.error("no par found", day=str(day), reason=reason)
            else:
                await self._keep(day, found)
            return found

    @patient
    async def unsolved(self) -> date | None:
        """The latest day that was dealt and has no par yet."""
        query = select(func.max(days.c.day)).where(days.c.par.is_(None), days.c.day.not_in(self._without_par))
        async with self._single.connect() as connection:
            latest: date | None = await connection.scalar(query)
        return latest

    @patient
    async def _keep(self, day: date, par: Par) -> None:
        statement = update(days).where(days.c.day == day, days.c.par.is_(None))
        async with self._engine.begin() as connection:
            await connection.execute(statement.values(par=par.moves, line=list(par.line)))

    async def _make(self, day: date) -> str:
        """Deals a day, and gives the long form of the deal that counts: the first that was written."""
        async with self._engine.begin() as connection:
            deal = day_deal(day.isoformat(), self._secret or await _secret(connection), winnable)
            await connection.execute(upsert(days).values(day=day, deal=deal.long).on_conflict_do_nothing())
            # A statement of its own sees what another node committed while this one waited for it.
            stored: str = (
                await connection.execute(select(days.c.deal).where(days.c.day == day))
            ).scalar_one()
            return stored


async def _secret(connection: AsyncConnection) -> str:
    """The secret that the database keeps; made by the first who needs it."""
    await connection.execute(
        upsert(server_secret).values(secret=secrets.token_urlsafe(32)).on_conflict_do_nothing()
    )
    secret: str = (await connection.execute(select(server_secret.c.secret))).scalar_one()
    return secret
