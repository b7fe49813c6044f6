"""The connection that commands are written over: opened when it is needed, dropped when it fails."""

import asyncio
from collections.abc import Sequence
from typing import Any, TypeAlias

import asyncpg
from sqlalchemy import Row, TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

Driver: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_PLAN_ONCE = text("""
SELECT set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_seqscan', 'off', false),
    set_config('enable_mergejoin', 'off', false)
""")
"""Statements are planned once, and so that they stay good when the tables grow."""


class Wire:
    """A connection of an autocommit engine, for one statement at a time."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: Driver | None = None

    async def execute(
        self, statement: TextClause, parameters: dict[str, str], deadline: float
    ) -> Sequence[Row[Any]]:
        """The rows that the statement answers. The connection fails at `deadline` (the loop's time)."""
        async with asyncio.timeout_at(deadline):
            connection, driver = await self._open()
        # Not a timeout, which would ask a silent database to agree to cancel.
        watchdog = asyncio.get_running_loop().call_at(deadline, driver.terminate)
        try:
            return (await connection.execute(statement, parameters)).all()
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
        if connection is not None:
            # Not back to the pool, where its settings would surprise.
            await connection.invalidate()
            await connection.close()

    async def _open(self) -> tuple[AsyncConnection, Driver]:
        if self._connection is None or self._driver is None:
            self._connection = await self._engine.connect()
            raw: Any = await self._connection.get_raw_connection()
            self._driver = raw.driver_connection
            await self._connection.execute(_PLAN_ONCE)
        return self._connection, self._driver
