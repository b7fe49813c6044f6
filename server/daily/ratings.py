"""Ratings of Hearts players: one pass over the results of public tables, in the order in which they ended."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import ColumnElement, Row, Select, delete, func, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.clock import Clock
from server.daily.schema import rated, ratings
from server.log.database import patient
from server.log.model import GameId, UserId
from server.log.schema import games, results

LAG: Final = timedelta(minutes=1)
"""A game counts once it has been over for so long: then no node still writes one that ended earlier."""

BATCH: Final = 1000
"""Games whose players are read and written at once."""

SILENCE_S: Final = 60.0
"""The longest that a batch may take: a database that is silent for so long does not answer any more."""

_LOCK: Final = 0x52415445
"""The advisory lock of the pass: any number that nothing else locks."""

_MODEL: Final = PlackettLuce()

_Standing = tuple[PlackettLuceRating, int]
"""A rating, and of how many games it is."""


class Ratings:
    """The ratings of all players at public Hearts tables that two people or more sat at."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    async def catch_up(self) -> None:
        """Rates all games that have ended since the last pass; does nothing while another node is at it.

        Raises:
            TimeoutError: the database is silent.
        """
        async with asyncio.timeout(SILENCE_S) as silence, self._engine.begin() as connection:
            if await connection.scalar(select(func.pg_try_advisory_xact_lock(_LOCK))):
                await self._rate_all(connection, silence)

    async def again(self) -> None:
        """Rates all games anew, from the first on."""
        async with asyncio.timeout(None) as silence, self._engine.begin() as connection:
            await connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
            await connection.execute(update(rated).values(until=None))
            await self._rate_all(connection, silence)

    @patient
    async def moved(self, ids: Collection[GameId]) -> None:
        """Has the next pass start anew if ratings were made of these games, which have other players now."""
        counting = _tables().where(results.c.game_id.in_(ids))
        async with self._engine.begin() as connection:
            if (await connection.execute(counting.limit(1))).one_or_none() is not None:
                await connection.execute(update(rated).values(until=None, moved=rated.c.moved + 1))

    async def _rate_all(self, connection: AsyncConnection, silence: asyncio.Timeout) -> None:
        """Rates the games that ended since the last pass, and are over for long enough."""
        loop = asyncio.get_running_loop()
        until = self._clock() - LAG
        before = (await connection.execute(select(rated.c.until, rated.c.moved))).one()
        query = _tables().where(results.c.finished_at < until)
        if before.until is None:
            await connection.execute(delete(ratings))
        else:
            query = query.where(results.c.finished_at >= before.until)
        async with connection.stream(query.execution_options(yield_per=BATCH)) as tables:
            async for batch in tables.partitions():
                await _rate(connection, batch)
                silence.reschedule(loop.time() + SILENCE_S)
        unmoved = update(rated).where(rated.c.moved == before.moved).values(until=until)
        if not (await connection.execute(unmoved)).rowcount:
            # Games have changed hands meanwhile: this pass may have seen either.
            await connection.rollback()


def _tables() -> Select[Any]:
    """The tables that count: their players and the ranks of these, in the order in which they ended."""
    columns: list[ColumnElement[Any]] = [
        func.array_agg(aggregate_order_by(results.c[name], results.c.seat)).label(name)
        for name in ("user_id", "rank")
    ]
    return (
        select(*columns)
        .join(games, games.c.id == results.c.game_id)
        .where(results.c.game == "hearts", games.c.public)
        .group_by(results.c.finished_at, results.c.game_id)
        .having(func.count() > 1)
        .order_by(results.c.finished_at, results.c.game_id)
    )


async def _rate(connection: AsyncConnection, tables: Sequence[Row[Any]]) -> None:
    standings = await _standings(connection, {user for table in tables for user in table.user_id})
    for table in tables:
        teams = [[standings[user][0]] for user in table.user_id]
        for user, [after] in zip(table.user_id, _MODEL.rate(teams, ranks=list(table.rank)), strict=True):
            standings[user] = after, standings[user][1] + 1
    rows = [
        {"user_id": user, "mu": rating.mu, "sigma": rating.sigma, "games": played}
        for user, (rating, played) in standings.items()
    ]
    statement = upsert(ratings)
    changed = {name: statement.excluded[name] for name in ("mu", "sigma", "games")}
    await connection.execute(statement.on_conflict_do_update(index_elements=["user_id"], set_=changed), rows)


async def _standings(connection: AsyncConnection, users: Collection[UserId]) -> dict[UserId, _Standing]:
    standings = {user: (_MODEL.rating(), 0) for user in users}
    for row in await connection.execute(select(ratings).where(ratings.c.user_id.in_(users))):
        standings[row.user_id] = _MODEL.rating(row.mu, row.sigma), row.games
    return standings
