"""The way to the database, and whether its schema is the one that this server was written for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, make_url, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

MIGRATIONS = Path(__file__).parents[2] / "migrations"
MIGRATORS = 0x4845415254
"""The advisory lock of migrators: any number that nothing else locks."""


class SchemaMismatch(RuntimeError):  # noqa: N818 — it says what is the matter, and what to do
    """The database is at another schema than this server needs; the text names the command that helps."""


def connect(url: str) -> AsyncEngine:
    """An engine for a URL such as `postgresql://user@host/name`. It opens no connection yet."""
    return create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"),
        json_serializer=lambda value: msgspec.json.encode(value).decode(),
        json_deserializer=msgspec.json.decode,
        connect_args={"timeout": 5},
    )


async def migrate(url: str) -> None:
    """Brings the database to the schema of this server, in one transaction; does nothing when it is there.

    Any number of processes may call it at once: they go one after the other.
    """
    async with migrating(url) as connection:
        await connection.run_sync(_upgrade)


@asynccontextmanager
async def migrating(url: str) -> AsyncIterator[AsyncConnection]:
    """A transaction that no other migrator is in."""
    engine = connect(url)
    try:
        async with engine.begin() as connection:
            await connection.execute(select(func.pg_advisory_xact_lock(MIGRATORS)))
            yield connection
    finally:
        await engine.dispose()


async def check_schema(engine: AsyncEngine) -> None:
    """Makes sure that the database answers and is at the schema of this server.

    Raises:
        SchemaMismatch: it is at another.
        OSError, sqlalchemy.exc.DBAPIError: it does not answer.
    """
    async with engine.connect() as connection:
        present = await connection.run_sync(_present_revision)
    needed = _scripts().get_current_head()
    if present != needed:
        raise SchemaMismatch(
            f"the database is at schema {present or 'none'}, this server needs {needed}: "
            "run `heartline migrate`"
        )


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _present_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
