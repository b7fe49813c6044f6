"""What alembic runs: a migration of the database over asyncpg, one migrator at a time.

By hand: `HEARTLINE_DATABASE_URL=postgresql://… alembic upgrade head`.
"""

import asyncio
import os
from importlib import import_module
from pathlib import Path

from alembic import context
from sqlalchemy import Connection

import server
from server.log.database import migrating
from server.log.schema import metadata

for path in Path(server.__file__).parent.glob("*/schema.py"):
    import_module(f"server.{path.parent.name}.schema")


def run(connection: Connection) -> None:
    """Runs what was asked for in the transaction that the connection is in."""
    context.configure(connection=connection, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


async def run_by_hand() -> None:
    """The same on a connection to the database that the environment names."""
    url = os.environ.get("HEARTLINE_DATABASE_URL")
    if not url:
        raise SystemExit("say which database: HEARTLINE_DATABASE_URL=postgresql://…")
    async with migrating(url) as connection:
        await connection.run_sync(run)


given: Connection | None = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_by_hand())
else:
    run(given)
