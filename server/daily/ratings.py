"""Ratings of Hearts players: one pass over the results of public tables, in the order in which they ended."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import ColumnElement, Row, Select, delete, func, select
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

    @patient
    async def catch_up(self) -> None:
        """Rates all games that have ended since the last pass; does nothing while another node is at it."""
        async with self._engine.begin() as connection:
            if await connection.scalar(select(func.pg_try_advisory_xact_lock(_LOCK))):
                await _rate_until(connection, self._clock() - LAG)

    @patient
    async def moved(self, ids: Collection[GameId]) -> None:
        """Has all be rated anew if one of these games, which have another player now, is rated already."""
        async with self._engine.begin() as connection:
            await connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
            query = _tables(await _until(connection)).where(results.c.game_id.in_(ids))
            if (await connection.execute(query.limit(1))).one_or_none() is not None:
                await _forget(connection)

    async def again(self) -> None:
        """Rates all games anew, from the first on."""
        async with self._engine.begin() as connection:
            await connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
            await _forget(connection)
            await _rate_until(connection, self._clock() - LAG)


async def _forget(connection: AsyncConnection) -> None:
    """Makes the next pass start from the first game of all."""
    await connection.execute(delete(ratings))
    await connection.execute(delete(rated))


async def _rate_until(connection: AsyncConnection, until: datetime) -> None:
    """Rates the games that ended since the last pass and before `until`."""
    since = await _until(connection)
    query = _tables(until)
    if since is not None:
        query = query.where(results.c.finished_at >= since)
    async with connection.stream(query.execution_options(yield_per=BATCH)) as tables:
        async for batch in tables.partitions():
            await _rate(connection, batch)
    await connection.execute(
        upsert(rated)
        .values(until=until)
        .on_conflict_do_update(index_elements=["only"], set_={"until": until})
    )


def _tables(until: datetime | None) -> Select[Any]:
    """The tables that count and ended before `until`: players and ranks, in the order in which they ended."""
    columns: list[ColumnElement[Any]] = [
        func.array_agg(aggregate_order_by(results.c[name], results.c.seat)).label(name)
        for name in ("user_id", "rank")
    ]
    return (
        select(*columns)
        .join(games, games.c.id == results.c.game_id)
        .where(results.c.game == "hearts", games.c.public, results.c.finished_at < until)
        .group_by(results.c.finished_at, results.c.game_id)
        .having(func.count() > 1)
        .order_by(results.c.finished_at, results.c.game_id)
    )


async def _until(connection: AsyncConnection) -> datetime | None:
    """Before when all games are rated."""
    until: datetime | None = await connection.scalar(select(rated.c.until))
    return until


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
