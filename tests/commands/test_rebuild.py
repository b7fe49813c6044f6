"""`heartline rebuild`: the projections come out row for row as the commands wrote them."""

import asyncio
import os
import pty
import random
import sys
from contextlib import suppress

from sqlalchemy import delete, func, insert, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncEngine

from server.commands.rebuild import COLUMNS, count_again
from server.log.counts import count
from server.log.log import Log
from server.log.schema import day_counts, games, moves, results
from tests.commands.generated import PROJECTIONS, Club, Rows, ended, projections, rebuild
from tests.conftest import Clock, waiting_for_locks


async def play(engine: AsyncEngine, clock: Clock, number: int) -> Rows:
    """Has so many games played; the projections as the commands wrote them."""
    async with Log(engine) as log:
        await Club(engine, log, clock, random.Random(3)).play(number)
    return await projections(engine)


async def test_the_projections_are_made_again(engine: AsyncEngine, clock: Clock) -> None:
    before = await play(engine, clock, 500)
    assert await kinds(engine) >= {
        (how, ranked, listed)
        for how in ("won", "resigned")
        for ranked, listed in ((True, True), (True, False), (False, False))
    } | {("finished", False, False)}
    assert before["ratings"]

    found = await rebuild(engine, clock)
    assert (found.mended, found.broken) == (0, [])
    assert await projections(engine) == before

    async with engine.begin() as connection:
        for table in PROJECTIONS:
            await connection.execute(delete(table))
    assert (await rebuild(engine, clock)).mended == len(before["results"])
    assert await projections(engine) == before


async def kinds(engine: AsyncEngine) -> set[tuple[str, bool, bool]]:
    """Which results there are: how it ended, whether it was a ranked try, whether it is on a board."""
    query = select(results.c.status, results.c.day.is_not(None), results.c.listed).distinct()
    async with engine.connect() as connection:
        return {tuple(row) for row in await connection.execute(query)}


async def test_what_is_wrong_is_mended(engine: AsyncEngine, clock: Clock) -> None:
    before = await play(engine, clock, 60)
    some, other = [game for game, _, _, kind, *_ in before["results"] if kind == "heart-to-heart"][:2]
    async with engine.begin() as connection:
        await connection.execute(update(results).where(results.c.game_id == some).values(moves=999))
        lost = delete(results).where(results.c.game_id == other).returning(results)
        [values] = (await connection.execute(lost)).mappings()
        unfinished = select(games.c.id).where(games.c.finished_at.is_(None), games.c.game == "heart-to-heart")
        going_on = await connection.scalar(unfinished.limit(1))
        untimely = {name: value for name, value in values.items() if name != "lost"} | {"game_id": going_on}
        await connection.execute(insert(results).values(**untimely))
        await connection.execute(update(day_counts).values(listed=7))

    assert (await rebuild(engine, clock)).mended == 3
    assert await projections(engine) == before


async def test_results_that_are_written_meanwhile_do_not_wait_while_the_counts_are_right(
    engine: AsyncEngine, clock: Clock
) -> None:
    before = await play(engine, clock, 60)
    async with engine.begin() as connection:
        await connection.execute(text("LOCK TABLE day_counts IN ROW EXCLUSIVE MODE"))
        assert (await rebuild(engine, clock)).mended == 0
    assert await projections(engine) == before


async def test_a_result_that_is_being_written_is_counted_once(engine: AsyncEngine, clock: Clock) -> None:
    before = await play(engine, clock, 60)
    async with engine.begin() as connection:
        # One of several in a wide bucket, which is there without it.
        several = select(results.c.day, results.c.lost).group_by(results.c.day, results.c.lost)
        several = several.where(results.c.day.is_not(None)).having(func.count() > 1)
        query = select(results.c.game_id).where(tuple_(results.c.day, results.c.lost).in_(several))
        game = await connection.scalar(query.limit(1))
        lost = delete(results).where(results.c.game_id == game).returning(*COLUMNS)
        [result] = (await connection.execute(lost)).mappings()
        await connection.execute(delete(day_counts))
        await connection.execute(text(count("results")))
        await connection.execute(update(day_counts).where(day_counts.c.depth == 3).values(listed=7))

    async with engine.begin() as connection:
        await connection.execute(insert(results).values(result))
        await connection.execute(text(count("results", "game_id = :game")), {"game": game})
        under_way = asyncio.create_task(count_again(engine))
        await waiting_for_locks(engine, 1)
    await under_way
    assert await projections(engine) == before


async def test_a_log_that_does_not_replay_is_named(engine: AsyncEngine, clock: Clock) -> None:
    before = await play(engine, clock, 60)
    async with engine.begin() as connection:
        finished = select(games.c.id).where(games.c.finished_at.is_not(None), games.c.ply > 0)
        finished = finished.where(games.c.game == "heart-to-heart")
        broken = await connection.scalar(finished.limit(1))
        first = update(moves).where(moves.c.game_id == broken, moves.c.seq == 1)
        await connection.execute(first.values(move="1-2"))

    found = await rebuild(engine, clock)

    assert (found.broken, found.mended) == ([broken], 0)
    assert await projections(engine) == before


def read(terminal: int) -> str:
    """What is shown on a terminal until nobody writes to it any more."""
    shown = b""
    with os.fdopen(terminal, "rb", buffering=0) as screen, suppress(OSError):
        while some := screen.read(4096):
            shown += some
    return shown.decode()


async def test_a_terminal_shows_how_far_it_has_come(
    engine: AsyncEngine, database_url: str, clock: Clock
) -> None:
    await play(engine, clock, 30)
    number = await ended(engine)
    terminal, its_end = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "rebuild",
        env=os.environ | {"HEARTLINE_DATABASE_URL": database_url, "TERM": "xterm", "COLUMNS": "100"},
        stdout=asyncio.subprocess.PIPE, stderr=its_end,
    )  # fmt: skip
    os.close(its_end)
    (said, _), shown = await asyncio.gather(process.communicate(), asyncio.to_thread(read, terminal))

    assert process.returncode == 0
    assert said.decode() == f"Replayed {number} games; mended 0 results.\n"
    assert "replaying games" in shown
    assert f"{number}/{number}" in shown
