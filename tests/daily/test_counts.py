"""The counts that ranks are summed from: written with the results, true after whatever befalls a try."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import pytest
from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.log import Log
from server.log.model import UserId
from server.log.schema import day_counts, games, results
from tests.daily.tries import Ending, ending, play, try_of
from tests.log.transfers import enter_board, move_seats

Bucket = tuple[date, int, int, int, int]

TODAY = date(2026, 11, 29)
YESTERDAY = date(2026, 11, 28)
GUEST = UserId("guest")
ANN = UserId("ann")


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


async def counts(engine: AsyncEngine) -> dict[tuple[date, int, int], tuple[int, int]]:
    """By day, points lost and moves: how many are listed and how many are not.

    All buckets are held against the results.
    """
    async with engine.connect() as connection:
        rows = (await connection.execute(select(day_counts))).all()
        ended = (await connection.execute(select(results).where(results.c.day.is_not(None)))).all()
    counted = Counter((*bucket, row.listed) for row in ended for bucket in buckets(row))
    told = {tuple(row)[:5]: (row.listed, row.unlisted) for row in rows}
    assert told == {key[:5]: (counted[*key[:5], True], counted[*key[:5], False]) for key in counted}
    return {(row.day, row.lost, row.moves): (row.listed, row.unlisted) for row in rows if row.depth == 2}


def buckets(row: Row[Any]) -> tuple[Bucket, Bucket, Bucket]:
    """Those that a result is counted in."""
    return (
        (row.day, 1, row.lost, 0, 0),
        (row.day, 2, row.lost, row.moves, 0),
        (row.day, 3, row.lost, row.moves, row.clock_ms // 30_000),
    )


async def test_results_are_counted_by_day_points_lost_and_moves(engine: AsyncEngine, log: Log) -> None:
    endings = [Ending(250, 90), Ending(250, 90), Ending(250, 91), Ending(40, 90)]
    await asyncio.gather(*(play(log, f"user-{i}", TODAY, how) for i, how in enumerate(endings)))
    await play(log, "ann", YESTERDAY, Ending(250, 90))

    assert await counts(engine) == {
        (TODAY, 0, 90): (2, 0),
        (TODAY, 0, 91): (1, 0),
        (TODAY, 210, 90): (1, 0),
        (YESTERDAY, 0, 90): (1, 0),
    }


async def test_a_guest_counts_apart_until_he_has_an_account(engine: AsyncEngine, log: Log) -> None:
    await play(log, GUEST, TODAY, Ending(250, 90), listed=False)
    await play(log, GUEST, YESTERDAY, Ending(250, 90), listed=False)
    assert await counts(engine) == {(TODAY, 0, 90): (0, 1), (YESTERDAY, 0, 90): (0, 1)}

    for _ in range(2):
        await enter_board(engine, GUEST, TODAY)
        assert await counts(engine) == {(TODAY, 0, 90): (1, 0), (YESTERDAY, 0, 90): (0, 1)}


async def test_who_registers_before_the_end_is_listed_at_the_end(engine: AsyncEngine, log: Log) -> None:
    logged = try_of(GUEST, TODAY, listed=False)
    await log.create(logged)

    await enter_board(engine, GUEST, TODAY)
    await log.commit(ending(logged.game, Ending(250, 90)))

    assert await counts(engine) == {(TODAY, 0, 90): (1, 0)}


async def test_who_registers_while_the_game_ends_is_listed(engine: AsyncEngine, log: Log) -> None:
    for number in range(30):
        logged = try_of(f"{GUEST}-{number}", TODAY, listed=False)
        await log.create(logged)
        await asyncio.gather(
            enter_board(engine, UserId(f"{GUEST}-{number}"), TODAY),
            log.commit(ending(logged.game, Ending(250, 90))),
        )

    assert await counts(engine) == {(TODAY, 0, 90): (30, 0)}


async def test_the_second_try_of_an_account_leaves_the_counts(engine: AsyncEngine, log: Log) -> None:
    own = await play(log, ANN, TODAY, Ending(250, 90))
    other = await play(log, GUEST, TODAY, Ending(250, 80), listed=False)
    only = await play(log, GUEST, YESTERDAY, Ending(30, 70), listed=False)

    await move_seats(engine, GUEST, ANN)

    assert await counts(engine) == {(TODAY, 0, 90): (1, 0), (YESTERDAY, 220, 70): (0, 1)}
    async with engine.connect() as connection:
        ranked = await connection.execute(select(games.c.id, games.c.creator).where(games.c.ranked))
        assert set(ranked.all()) == {(own, ANN), (only, ANN)}
        demoted = await connection.execute(select(results).where(results.c.game_id == other))
        row = demoted.one()
    assert (row.user_id, row.day, row.listed) == (ANN, None, False)


async def test_the_only_try_goes_to_the_account_and_enters_the_board(engine: AsyncEngine, log: Log) -> None:
    await play(log, GUEST, TODAY, Ending(250, 80), listed=False)

    await move_seats(engine, GUEST, ANN)
    await enter_board(engine, ANN, TODAY)

    assert await counts(engine) == {(TODAY, 0, 80): (1, 0)}
