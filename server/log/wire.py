"""The connection that commands are written over: opened when it is needed, dropped when it fails."""

import asyncio
from typing import Any, TypeAlias

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

RawConnection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Prepared: TypeAlias = "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]"

_PLAN_ONCE = """
SELECT set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_seqscan', 'off', false),
    set_config('enable_mergejoin', 'off', false)
"""
"""Statements are planned once, and so that they stay good when the tables grow."""


class Wire:
    """A connection of an engine, for one statement at a time, each in a transaction of its own.

    It comes from the engine's pool, but statements go to the driver: SQLAlchemy would double the cost.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: RawConnection | None = None
        self._prepared: dict[str, Prepared] = {}

    async def execute(self, statement: str, arguments: list[str], deadline: float) -> list[asyncpg.Record]:
        """The rows that the statement answers. The connection fails at `deadline` (the loop's time)."""
        async with asyncio.timeout_at(deadline):
            driver = self._driver or await self._open()
        # Not a timeout, which would ask a silent database to agree to cancel.
        watchdog = asyncio.get_running_loop().call_at(deadline, driver.terminate)
        try:
            prepared = self._prepared.get(statement)
            if prepared is None:
                prepared = self._prepared[statement] = await driver.prepare(statement)
            return await prepared.fetch(*arguments)
        finally:
            watchdog.cancel()

    async def drop(self) -> None:
        """Lets a connection that failed go, without a word to the database. The next statement opens one."""
        if self._driver is not None:
            self._driver.terminate()
        await self.close()

    async def close(self) -> None:
        """Takes leave of the database."""
        connection, self._connection, self._driver = self._connection, None, None
        self._prepared.clear()
        if connection is not None:
            # Not back to the pool, where its settings would surprise.
            await connection.invalidate()
            await connection.close()

    async def _open(self) -> RawConnection:
        self._connection = await self._engine.connect()
        raw: Any = await self._connection.get_raw_connection()
        driver: RawConnection = raw.driver_connection
        await driver.execute(_PLAN_ONCE)
        self._driver = driver
        return driver
