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
from server.games.hearts import HeartsGame
from server.log.model import GameId, UserId
from server.log.schema import among, games, results

LAG: Final = timedelta(minutes=1)
"""A game counts once it has been over for so long: then no node still writes one that ended earlier."""

WHOLE: Final = timedelta(hours=1)
"""From one pass over all games to the next at least, however many games change hands."""

BATCH: Final = 1000
"""Games whose players are read and written at once."""

AT_A_TIME: Final = 20
"""Games that are rated before others have their turn on the event loop."""

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

    async def _rate_all(self, connection: AsyncConnection, silence: asyncio.Timeout) -> None:
        """Rates the games that ended since the last pass, and are over for long enough."""
        loop = asyncio.get_running_loop()
        now = self._clock()
        before = (await connection.execute(select(rated))).one()
        due = before.moved > before.known and (before.whole_at is None or before.whole_at <= now - WHOLE)
        done: dict[str, object] = {"until": now - LAG}
        query = _tables().where(results.c.finished_at < now - LAG)
        if before.until is None or due:
            await connection.execute(delete(ratings))
            # What changes hands while this runs has been seen by it or not: it raises `moved` once more.
            done |= {"known": before.moved, "whole_at": now}
        else:
            query = query.where(results.c.finished_at >= before.until)
        async with connection.stream(query.execution_options(yield_per=BATCH)) as tables:
            async for batch in tables.partitions():
                await _rate(connection, batch)
                silence.reschedule(loop.time() + SILENCE_S)
        await connection.execute(update(rated).values(done))


async def moved(connection: AsyncConnection, ids: Collection[GameId]) -> None:
    """Has a later pass rate all games if ratings may hang on these, which have other players now."""
    # Not by `_tables`: where both players have become one, the table counts no more.
    counting = (
        select(results.c.game_id)
        .join(games, games.c.id == results.c.game_id)
        .where(among(results.c.game_id, ids), results.c.game == HeartsGame.name, games.c.public)
    )
    if (await connection.execute(counting.limit(1))).one_or_none() is not None:
        await connection.execute(update(rated).values(moved=rated.c.moved + 1))


def _tables() -> Select[Any]:
    """The tables that count: their players and the ranks of these, in the order in which they ended."""
    columns: list[ColumnElement[Any]] = [
        func.array_agg(aggregate_order_by(results.c[name], results.c.seat)).label(name)
        for name in ("user_id", "rank")
    ]
    return (
        select(*columns)
        .join(games, games.c.id == results.c.game_id)
        .where(results.c.game == HeartsGame.name, games.c.public)
        .group_by(results.c.finished_at, results.c.game_id)
        .having(func.count() > 1)
        .order_by(results.c.finished_at, results.c.game_id)
    )


async def _rate(connection: AsyncConnection, tables: Sequence[Row[Any]]) -> None:
    standings = await _standings(connection, {user for table in tables for user in table.user_id})
    for number, table in enumerate(tables, 1):
        if number % AT_A_TIME == 0:
            await asyncio.sleep(0)
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
    for row in await connection.execute(select(ratings).where(among(ratings.c.user_id, users))):
        standings[row.user_id] = _MODEL.rating(row.mu, row.sigma), row.games
    return standings
