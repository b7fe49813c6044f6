"""The way to the database, and whether its schema is the one that this server was written for."""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import asyncpg
import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, make_url, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from server.errors import Code, Refused
from server.files import folder

P = ParamSpec("P")
T = TypeVar("T")

AWAY = {"08", "25", "40", "53", "57", "58"}
"""Classes of SQLSTATE that pass: connection, read-only standby, deadlock, resources, shutdown, system."""

_UNSUPPORTED = asyncpg.UnsupportedClientFeatureError
_OURS = {errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EACCES}
"""What the system says of this process's own doings."""

MIGRATORS = 0x4845415254
"""The advisory lock of migrators: any number that nothing else locks."""


PATIENCE = 5.0
"""Seconds that a command waits for a database that is away."""

PAUSE = 0.05
"""Seconds between two attempts to reach it."""

GOODBYE = 1.0
"""Seconds that a database has to agree to the end of a connection."""

CONNECTIONS = 15
"""The most that a node opens. Once opened they stay: to open one costs the database a process."""


class Driver(asyncpg.Connection):
    """A connection that the pool drops without a word once it has failed."""

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 — asyncpg's
        """Takes leave of the database, unless a timeout says that it is in doubt: that would be used up."""
        if timeout is None:
            await super().close(timeout=GOODBYE)
        else:
            self.terminate()


class SchemaMismatch(RuntimeError):  # noqa: N818 — it says what is the matter, and what to do
    """The database is at another schema than this server needs; the text names the command that helps."""


def connect(url: str) -> AsyncEngine:
    """An engine for a URL such as `postgresql://user@host/name`. It opens no connection yet.

    Its errors do not tell the values of a statement, since those hold cards and tokens.
    """
    return create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"),
        json_serializer=lambda value: msgspec.json.encode(value).decode(),
        json_deserializer=msgspec.json.decode,
        connect_args={"timeout": PATIENCE, "connection_class": Driver},
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=PATIENCE,
        # The connection that was used last has its plans, and what they read, in the processor's caches.
        pool_use_lifo=True,
        hide_parameters=True,
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


def is_away(error: Exception) -> bool:
    """Whether an error says that the database cannot be reached or cannot work now, not that it refused."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _passes(error.orig)
    if isinstance(error, asyncpg.InterfaceError):
        # The connection is closed, or busy with what was given up; but some of these are our mistakes.
        return not isinstance(error, ValueError | _UNSUPPORTED)
    if isinstance(error, OSError):
        # Those of a connection name no file, except that of files that cannot be opened.
        return error.filename is None and error.errno not in _OURS
    # The driver lost its connection in the midst of something, and cannot use it again.
    return isinstance(error, asyncpg.InternalClientError) or _passes(error)


def _passes(error: BaseException | None) -> bool:
    state: str | None = getattr(error, "sqlstate", None)
    return state is not None and state[:2] in AWAY


def patient(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Makes work that may be begun again wait for a database that is away, for 5 s in all.

    Then it raises Refused (`unavailable`).
    """

    @wraps(work)
    async def attempts(*args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    return await work(*args, **kwargs)
            except Exception as error:
                if not is_away(error):
                    raise
                if loop.time() + PAUSE >= deadline:
                    raise unavailable() from error
            await asyncio.sleep(PAUSE)

    return attempts


def prompt(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Gives work that may not be begun again 5 s for a database that is silent.

    Then it raises Refused (`unavailable`); whether it has been done only a look tells.
    """

    @wraps(work)
    async def attempt(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            async with asyncio.timeout(PATIENCE):
                return await work(*args, **kwargs)
        except TimeoutError as error:
            raise unavailable() from error

    return attempt


def fault(error: BaseException | None) -> str:
    """What a refused statement broke, without the values that are in the database's own words."""
    if isinstance(error, DBAPIError):
        return fault(error.orig and error.orig.__cause__)
    return getattr(error, "constraint_name", None) or type(error).__name__


def unavailable() -> Refused:
    """What a caller is told when the database stays away."""
    return Refused(Code.UNAVAILABLE, "The database does not answer. Try again in a moment.")


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _present_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")))
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
