"""Questions that are asked all the time, put to the driver itself."""

from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine


async def fetch(engine: AsyncEngine, query: str, *arguments: object) -> list[asyncpg.Record]:
    """The rows that a query answers, in one round trip and a transaction of its own.

    The connection comes from the engine's pool, but SQLAlchemy does not read the rows: it would take longer
    than the database. Arguments are those of PostgreSQL, from $1.
    """
    async with engine.connect() as connection:
        raw: Any = await connection.get_raw_connection()
        try:
            rows: list[asyncpg.Record] = await raw.driver_connection.fetch(query, *arguments)
        except BaseException:
            # The pool does not see what has become of it.
            await connection.invalidate()
            raise
        return rows
