"""A database that loses answers, goes away, falls silent, dies: nothing is doubled, nothing is lost."""

import asyncio
import os
import random
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.embedded import Embedded
from server.errors import Code, Refused
from server.log.database import connect, migrate
from server.log.errors import Stale
from server.log.log import Log
from server.log.model import GameRow, UserId
from server.log.schema import day_counts, results
from tests.log.games import move, new_game, resign, undo
from tests.log.proxy import Proxy

PATIENCE = 0.4
"""Seconds, in tests in which it is in vain."""


@pytest.fixture
async def log(proxy: Proxy) -> AsyncIterator[Log]:
    """A log that reaches its database through the proxy."""
    engine = connect(proxy.url)
    async with Log(engine) as log:
        yield log
    await engine.dispose()


@contextmanager
def impatience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.log.commit.PATIENCE", PATIENCE)
        patch.setattr("server.log.database.PATIENCE", PATIENCE)
        yield


async def begin(log: Log, number: int = 1) -> list[GameRow]:
    games = [new_game() for _ in range(number)]
    for game in games:
        await log.create(game)
    return [game.game for game in games]


async def check(log: Log, row: GameRow) -> None:
    """Makes sure that the game is as the row says, with a log of that length."""
    logged = await log.read(row.id)
    assert logged is not None
    assert logged.game == row
    assert len(logged.moves) == row.ply


async def test_a_lost_answer_is_not_a_lost_move(log: Log, proxy: Proxy) -> None:
    rows = await begin(log, 10)
    changes = [move(row) for row in rows]
    proxy.lose_answers(3)

    await asyncio.gather(*map(log.commit, changes))

    for change in changes:
        await check(log, change.after)


async def test_a_lost_answer_ends_a_game_once(log: Log, proxy: Proxy, engine: AsyncEngine) -> None:
    logged = new_game(day=date(2026, 11, 29), ranked=True, listed=True)
    await log.create(logged)
    end = resign(logged)
    proxy.lose_answers(1)

    await log.commit(end)

    await check(log, end.after)
    async with engine.connect() as connection:
        assert len((await connection.execute(select(results))).all()) == 1
        assert (await connection.execute(select(day_counts.c.listed))).scalars().all() == [1, 1, 1]


async def test_a_lost_answer_of_another_is_still_stale(log: Log, proxy: Proxy, engine: AsyncEngine) -> None:
    (row,) = await begin(log)
    async with Log(engine) as other:
        await other.commit(move(row, "his"))
    proxy.lose_answers(1)

    with pytest.raises(Stale):
        await log.commit(move(row, "mine"))


async def test_a_statement_that_outlives_its_connection_counts_once(
    log: Log, proxy: Proxy, database_url: str
) -> None:
    rows = await begin(log, 2)
    changes = [move(row) for row in rows]
    lock = await asyncpg.connect(database_url)
    transaction = lock.transaction()
    await transaction.start()
    await lock.execute("INSERT INTO moves VALUES ($1, 1, 0, 'draw', now(), 1, 0, 0)", rows[0].id)

    commits = [asyncio.create_task(log.commit(change)) for change in changes]
    for _ in range(2):
        # One statement waits for that row; the next, of a log that knows nothing of it, finds the games held.
        await proxy.commands_sent.wait()
        proxy.commands_sent.clear()
        proxy.cut()
    await transaction.rollback()
    await asyncio.gather(*commits)
    await lock.close()

    for change in changes:
        await check(log, change.after)


@pytest.mark.parametrize("silent", [False, True])
async def test_who_waits_in_vain_is_told_in_time(log: Log, proxy: Proxy, silent: bool) -> None:
    rows = await begin(log, 3)
    await log.commit(move(rows[0]))
    if silent:
        proxy.fall_silent()
    else:
        proxy.go_down()

    began = time.monotonic()
    with impatience():
        ends = await asyncio.gather(*(log.commit(move(row)) for row in rows), return_exceptions=True)

    assert [end.code for end in ends if isinstance(end, Refused)] == [Code.UNAVAILABLE] * 3
    assert PATIENCE <= time.monotonic() - began < PATIENCE + 1.5
    proxy.speak()
    proxy.come_up()
    change = move(move(rows[0]).after)
    await log.commit(change)
    await check(log, change.after)


async def test_what_must_be_written_by_a_moment_is_not_written_after_it(log: Log, proxy: Proxy) -> None:
    hurried, patient = await begin(log, 2)
    proxy.fall_silent()
    changes = replace(move(hurried), within_s=PATIENCE), move(patient)
    ends = [asyncio.create_task(log.commit(change)) for change in changes]

    with pytest.raises(Refused) as caught:
        await ends[0]
    assert caught.value.code is Code.UNAVAILABLE
    proxy.speak()
    await ends[1]
    await check(log, hurried)
    await check(log, changes[1].after)


async def test_a_silent_database_does_not_keep_a_node_from_stopping(proxy: Proxy) -> None:
    engine = connect(proxy.url)
    async with engine.connect(), engine.connect():
        pass
    proxy.fall_silent()
    async with asyncio.timeout(4):
        await engine.dispose()


async def test_the_other_ways_to_games_wait_as_long(log: Log, proxy: Proxy) -> None:
    (row,) = await begin(log)
    proxy.go_down()

    for work in (
        log.read(row.id),
        log.create(new_game()),
        log.list_games(user=UserId("ann")),
    ):
        with impatience(), pytest.raises(Refused) as caught:
            await work
        assert caught.value.code is Code.UNAVAILABLE

    proxy.come_up()
    await check(log, row)


async def test_who_waits_goes_on_when_it_is_back(log: Log, proxy: Proxy) -> None:
    rows = await begin(log, 3)
    proxy.go_down()
    commits = [asyncio.create_task(log.commit(move(row))) for row in rows]
    creation = asyncio.create_task(log.create(new_game()))
    reading = asyncio.create_task(log.read(rows[0].id))
    await proxy.refused.wait()
    assert not any(task.done() for task in (*commits, creation, reading))

    proxy.come_up()

    await asyncio.gather(*commits, creation, reading)
    for row in rows:
        await check(log, move(row).after)


async def play(log: Log, row: GameRow, revision: int, choice: random.Random) -> GameRow:
    """Moves and undoes up to a revision; after an answer that tells nothing, goes on from the log."""
    while row.revision < revision:
        change = undo(row) if row.ply and choice.random() < 0.3 else move(row)
        try:
            await log.commit(change)
        except Refused:
            logged = await log.read(row.id)
            assert logged is not None
            assert logged.game in (row, change.after)
            row = logged.game
        else:
            row = change.after
    return row


async def trouble(proxy: Proxy) -> None:
    """Lets some commands through, and then strikes, until it is cancelled."""
    choice = random.Random(1)
    while True:
        for _ in range(choice.randrange(4)):
            await proxy.commands_sent.wait()
            proxy.commands_sent.clear()
        match choice.randrange(3):
            case 0:
                proxy.cut()
            case 1:
                proxy.lose_answers(1)
            case _:
                proxy.go_down()
                await proxy.refused.wait()
                proxy.refused.clear()
                proxy.come_up()


async def test_nothing_is_doubled_or_lost_while_it_comes_and_goes(log: Log, proxy: Proxy) -> None:
    rows = await begin(log, 20)
    troubles = asyncio.create_task(trouble(proxy))

    rows = await asyncio.gather(*(play(log, row, 20, random.Random(row.id)) for row in rows))

    troubles.cancel()
    proxy.come_up()
    for row in rows:
        assert row.revision == 20
        await check(log, row)


@pytest.fixture
async def embedded() -> AsyncIterator[Embedded]:
    """A PostgreSQL of its own, with all its care for the disk."""
    with tempfile.TemporaryDirectory(prefix="heartline-tests-") as folder:
        embedded = Embedded(Path(folder) / "data")
        await embedded.start()
        yield embedded
        await embedded.stop()


async def test_nothing_is_doubled_or_lost_when_it_crashes_under_load(embedded: Embedded) -> None:
    await migrate(embedded.url)
    engine = connect(embedded.url)
    async with Log(engine) as log:
        rows = await begin(log, 10)
        players = asyncio.gather(*(play(log, row, 60, random.Random(row.id)) for row in rows))
        for _ in range(2):
            await crash(embedded.url)
        for row in await players:
            assert row.revision == 60
            await check(log, row)
    await engine.dispose()


async def crash(url: str) -> None:
    """Kills one process of PostgreSQL, which then throws out all, and recovers from its write-ahead log."""
    while True:
        try:
            connection = await asyncpg.connect(url)
            process = await connection.fetchval("SELECT pg_backend_pid()")
        except (OSError, asyncpg.PostgresError):
            await asyncio.sleep(0.05)
        else:
            break
    os.kill(process, signal.SIGKILL)
    with pytest.raises((OSError, asyncpg.PostgresError, asyncpg.InterfaceError)):
        await connection.fetchval("SELECT 1")
