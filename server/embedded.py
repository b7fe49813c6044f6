"""Who runs the embedded PostgreSQL of a data folder, and who attaches to it.

A data folder holds

    server.lock    held (`flock`) by its one server
    postgres.lock  held by whoever runs PostgreSQL: the server, or a command while there is none
    commands.lock  shared by the commands that have attached to the PostgreSQL of another
    socket         the folder in which that PostgreSQL listens
    postgres/      its data, with its logs in `log/`

The kernel frees a lock when its holder dies, however it dies. Whether PostgreSQL runs is asked of its socket.
"""

import asyncio
import fcntl
import itertools
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import structlog

from server.postgres import sockets
from server.postgres.cluster import Cluster
from server.postgres.postmaster import Postmaster
from server.postgres.programs import EmbeddedError
from server.postgres.unprivileged import NoUser

__all__ = ["Attached", "Embedded", "EmbeddedError", "attached"]

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.postgres")


class Embedded:
    """The PostgreSQL of a server's data folder, for as long as the server runs. One server a folder.

    `options` are settings of PostgreSQL that win over our own.
    """

    def __init__(self, data_dir: Path, *, options: Mapping[str, str] | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._options = options or {}
        self._postmaster: Postmaster | None = None
        self._held = AsyncExitStack()

    @property
    def url(self) -> str:
        """The database, while it is started, for SQLAlchemy, asyncpg and PostgreSQL's programs alike."""
        if self._postmaster is None:
            raise EmbeddedError("PostgreSQL is not started.")
        return self._postmaster.url

    async def start(self) -> None:
        """Has PostgreSQL running and answering. A command that runs it at the moment may finish first.

        Raises:
            EmbeddedError: another server has the folder, the folder cannot be used, or PostgreSQL will not
                start. Nothing runs then.
        """
        async with AsyncExitStack() as held:
            with _clear_errors(self._data_dir):
                server_lock = _take(self._data_dir / "server.lock", fcntl.LOCK_EX)
                if server_lock is None:
                    raise EmbeddedError(f"A server already runs on the data folder {self._data_dir}.")
                held.enter_context(server_lock)
                held.enter_context(await _wait_for(self._data_dir / "postgres.lock"))
                self._postmaster = Postmaster(Cluster(self._data_dir), self._options)
                await self._postmaster.start()
            held.push_async_callback(self._postmaster.stop)
            self._held = held.pop_all()

    async def stop(self) -> None:
        """Stops PostgreSQL with its data on the disk, and frees the folder."""
        await self._held.aclose()


class Attached(NamedTuple):
    """Where a command finds the database."""

    url: str
    alone: bool
    """Whether the command runs PostgreSQL itself: then no server is at work on the data."""


@asynccontextmanager
async def attached(data_dir: Path) -> AsyncIterator[Attached]:
    """A data folder's database for one command, which runs PostgreSQL itself if nobody does.

    Raises:
        EmbeddedError: the folder cannot be used, or PostgreSQL will not start.
    """
    for attempt in itertools.count(1):
        with _clear_errors(data_dir):
            owner = _take(data_dir / "postgres.lock", fcntl.LOCK_EX)
            guest = None if owner else _take(data_dir / "commands.lock", fcntl.LOCK_SH)
        if owner is not None:
            with owner:
                async with _run(data_dir) as url:
                    yield Attached(url, alone=True)
            return
        if guest is not None:
            with guest:
                socket_dir = Cluster(data_dir).socket_dir()
                if socket_dir is not None and await sockets.answers(socket_dir):
                    yield Attached(sockets.url(socket_dir), alone=False)
                    return
        if attempt == 100:
            _logger.warning("waiting for the PostgreSQL of another process to answer", folder=str(data_dir))
        await asyncio.sleep(0.05)


@asynccontextmanager
async def _run(data_dir: Path) -> AsyncIterator[str]:
    """Runs PostgreSQL for a command, and for as long as others have attached to it."""
    with _clear_errors(data_dir):
        postmaster = Postmaster(Cluster(data_dir), {})
        await postmaster.start()
    try:
        yield postmaster.url
    finally:
        try:
            guests_gone = await _wait_for(data_dir / "commands.lock")
        finally:
            await postmaster.stop()
        guests_gone.close()


async def _wait_for(path: Path) -> IO[str]:
    """Takes a lock alone, as soon as the commands that hold it are done."""
    told = False
    while (lock := _take(path, fcntl.LOCK_EX)) is None:
        if not told:
            _logger.warning(
                "waiting for another command on the data folder to finish", folder=str(path.parent)
            )
            told = True
        await asyncio.sleep(0.05)
    return lock


def _take(path: Path, kind: int) -> IO[str] | None:
    """The lock, to be closed to free it; None when somebody holds it."""
    if not path.parent.exists():
        # The user that PostgreSQL runs as under root has to pass through.
        path.parent.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True)
    file = path.open("a")
    if os.geteuid() == 0:
        # A command that root gives must not lock the folder's owner out.
        owner = path.parent.stat()
        os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except OSError:
        file.close()
        raise
    return file


@contextmanager
def _clear_errors(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except NoUser as error:
        raise EmbeddedError(str(error)) from None
    except OSError as error:
        raise EmbeddedError(
            f"The data folder {data_dir} cannot be used: {error.strerror or error}."
        ) from error
