"""Questions to the driver itself: the pool must not keep what has failed behind its back."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Code, Refused
from server.log.database import connect, patient
from server.log.direct import fetch
from tests.log.proxy import Proxy


@pytest.fixture
async def engine(proxy: Proxy) -> AsyncIterator[AsyncEngine]:
    engine = connect(proxy.url)
    yield engine
    await engine.dispose()


async def test_rows_and_arguments(engine: AsyncEngine) -> None:
    rows = await fetch(engine, "SELECT number, $2 AS word FROM generate_series(1, $1::int) AS number", 2, "a")

    assert [dict(row) for row in rows] == [{"number": 1, "word": "a"}, {"number": 2, "word": "a"}]


async def test_connections_that_were_cut_do_not_come_back(engine: AsyncEngine, proxy: Proxy) -> None:
    ask = patient(fetch)
    await asyncio.gather(*(ask(engine, "SELECT 1") for _ in range(5)))
    proxy.cut()

    assert [tuple(row) for row in await ask(engine, "SELECT 1")] == [(1,)]


async def test_a_silent_database_is_not_waited_for(
    engine: AsyncEngine, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = patient(fetch)
    await ask(engine, "SELECT 1")
    monkeypatch.setattr("server.log.database.PATIENCE", 0.4)
    proxy.fall_silent()

    with pytest.raises(Refused) as refused:
        await ask(engine, "SELECT 1")
    assert refused.value.code is Code.UNAVAILABLE

    proxy.speak()
    assert await ask(engine, "SELECT 1")


async def test_a_mistake_of_ours_is_raised(engine: AsyncEngine) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        await patient(fetch)(engine, "SELECT 1 FROM nothing")
