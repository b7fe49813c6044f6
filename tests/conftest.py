"""One PostgreSQL for the whole run, a fresh database for each test that asks, and a clock that tests move."""

import asyncio
import itertools
import os
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.embedded import Embedded
from server.log.database import connect, migrate

T = TypeVar("T")

UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""Settings of PostgreSQL for speed only: nothing in a test has to outlive a crash of the machine."""

ROOM = 2 << 30
"""Bytes that the databases of a run have room in."""


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: datetime = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **duration: float) -> None:
        """Moves on by a duration, given as to `timedelta`: `clock.advance(seconds=5)`."""
        self.now += timedelta(**duration)


class Postgres:
    """The run's PostgreSQL. It lives on a thread and loop of its own, so that any kind of test can use it."""

    def __init__(self, embedded: Embedded, loop: asyncio.AbstractEventLoop) -> None:
        self._embedded = embedded
        self._loop = loop
        self._numbers = itertools.count(1)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def url(self, database: str) -> str:
        return self._embedded.url.replace("/heartline?", f"/{database}?")

    def create(self) -> str:
        """The name of a new, migrated database."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE heartline STRATEGY FILE_COPY")
        return name

    def drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        async def work() -> None:
            connection = await asyncpg.connect(self.url("postgres"))
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        self.run(work())


@contextmanager
def loop_in_thread() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="postgres loop")
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def in_memory() -> Path | None:
    """A folder in memory, if there is one with room: a database for each test is much to write to a disk."""
    memory = Path("/dev/shm")
    with suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= ROOM:
            return memory
    return None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with (
        tempfile.TemporaryDirectory(prefix="heartline-tests-", dir=in_memory()) as folder,
        loop_in_thread() as loop,
    ):

        async def start() -> Embedded:
            embedded = Embedded(Path(folder), options=UNSAFE)
            await embedded.start()
            await migrate(embedded.url)
            return embedded

        embedded = asyncio.run_coroutine_threadsafe(start(), loop).result()
        server = Postgres(embedded, loop)
        try:
            yield server
        finally:
            server.run(embedded.stop())


@pytest.fixture
def database_url(postgres: Postgres) -> Iterator[str]:
    """A fresh, migrated database, for this test alone."""
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(database_url)
    yield engine
    await engine.dispose()


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def waiting_for_locks(engine: AsyncEngine, number: int) -> None:
    """Returns when so many others wait for a lock of this database."""
    query = text("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
    async with engine.connect() as connection, asyncio.timeout(10):
        while (await connection.execute(query)).scalar_one() < number:
            await connection.rollback()
