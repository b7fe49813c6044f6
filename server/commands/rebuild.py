"""`heartline rebuild`: makes again what is drawn from the logs: results, the counts of days, ratings."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import click
from sqlalchemy import delete, func, insert, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.clock import Clock, system_clock
from server.commands import common
from server.commands.common import database_settings, progress
from server.daily.ratings import Ratings
from server.games import BadDealCode, BadOptions, IllegalMove
from server.games.game import State
from server.log import read
from server.log.counts import LOCK, WRONG_DAYS, count
from server.log.model import GameId, Logged
from server.log.schema import day_counts, games, results
from server.rooms.replay import replayed
from server.rooms.results import results_of
from server.settings import Settings

BATCH: Final = 200
"""Games that are replayed in one transaction. So long a running server waits for them at most."""

COLUMNS: Final = tuple(column for column in results.c if column.computed is None)

ResultTuple = tuple[Any, ...]
"""A row of `results`: the values of COLUMNS, of which `game_id` and `seat` are the first."""


@dataclass
class Rebuilt:
    """What a rebuild has found."""

    games: int = 0
    mended: int = 0
    """Rows of `results` that were missing, wrong or too many."""
    broken: list[GameId] = field(default_factory=list)
    """Games whose logs do not replay: their results stay as they are."""


@click.command()
@database_settings
def rebuild(**flags: Any) -> None:
    """Make results, boards and ratings again from the logs of the games. The server may run meanwhile."""
    asyncio.run(_rebuild(Settings.from_environment(**flags)))


async def _rebuild(settings: Settings) -> None:
    async with common.engine(settings) as engine:
        async with engine.connect() as connection:
            total = await connection.scalar(select(func.count()).where(games.c.finished_at.is_not(None)))
        with progress() as bar:
            task = bar.add_task("replaying games", total=total)
            found = await rebuild_all(engine, system_clock, lambda number: bar.advance(task, number))
    click.echo(f"Replayed {found.games:,} games; mended {found.mended:,} results.")
    if found.broken:
        some = ", ".join(found.broken[:10])
        raise click.ClickException(f"{len(found.broken)} games do not replay, and stay as they are: {some}")


async def rebuild_all(engine: AsyncEngine, clock: Clock, advance: Callable[[int], None]) -> Rebuilt:
    """Makes everything again; tells `advance` of each batch of games that is done."""
    found = Rebuilt()
    behind: GameId | None = None
    while True:
        async with engine.begin() as connection:
            batch = await read.finished(connection, behind, BATCH)
            if not batch:
                break
            await _mend(connection, batch, found)
        behind = batch[-1].game.id
        found.games += len(batch)
        advance(len(batch))
    async with engine.begin() as connection:
        found.mended += await _drop_untimely(connection)
    await count_again(engine)
    await Ratings(engine, clock).again()
    return found


async def _mend(connection: AsyncConnection, batch: Sequence[Logged], found: Rebuilt) -> None:
    """Has the results of these games be those of their logs."""
    expected: set[ResultTuple] = set()
    replayable: list[GameId] = []
    for logged in batch:
        try:
            now, _ = replayed(logged)
            expected.update(expected_results(logged, now.state))
            replayable.append(logged.game.id)
        except (BadDealCode, BadOptions, IllegalMove):
            found.broken.append(logged.game.id)
    query = select(*COLUMNS).where(results.c.game_id.in_(replayable))
    present = {tuple(row) for row in await connection.execute(query)}
    wrong, missing = present - expected, expected - present
    if wrong:
        key = tuple_(results.c.game_id, results.c.seat)
        await connection.execute(delete(results).where(key.in_([row[:2] for row in wrong])))
    if missing:
        names = [column.name for column in COLUMNS]
        await connection.execute(insert(results), [dict(zip(names, row, strict=True)) for row in missing])
    found.mended += len({row[:2] for row in wrong | missing})


def expected_results(logged: Logged, last: State) -> list[ResultTuple]:
    """The results of a game by its log, `last` being the state after its moves."""
    rows = []
    for result in results_of(logged.game, logged.seats, last):
        values = {name: getattr(result, name) for name in result.__struct_fields__}
        values |= {
            "game_id": logged.game.id,
            "user_id": result.user,
            "listed": logged.game.listed and result.day is not None,
        }
        rows.append(tuple(values[column.name] for column in COLUMNS))
    return rows


async def _drop_untimely(connection: AsyncConnection) -> int:
    """Drops results of games that have not ended."""
    going_on = select(games.c.id).where(games.c.finished_at.is_(None))
    return (await connection.execute(delete(results).where(results.c.game_id.in_(going_on)))).rowcount


async def count_again(engine: AsyncEngine) -> None:
    """Counts the days again whose counts are wrong. The results of other days need not wait for that."""
    async with engine.connect() as connection:
        days = list((await connection.execute(text(WRONG_DAYS))).scalars())
    for day in days:
        async with engine.begin() as connection:
            # Commands that write results of the day are waited for; those that come wait until it is counted.
            await connection.execute(text(LOCK), {"days": [day]})
            await connection.execute(delete(day_counts).where(day_counts.c.day == day))
            await connection.execute(text(count("results", "day = :day")), {"day": day})
