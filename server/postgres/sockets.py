"""Where the embedded PostgreSQL listens: a Unix socket in a short folder of its own, and no TCP port."""

import os
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import asyncpg

from server.postgres.programs import EmbeddedError

ROLE = DATABASE = "heartline"

PORT = 5432
"""Part of the socket's name."""

LONGEST_SOCKET = 107
"""Bytes that the path of a Unix socket may have on Linux."""


def url(socket_dir: Path) -> str:
    """The database behind a socket, as SQLAlchemy, asyncpg and PostgreSQL's programs take it."""
    return f"postgresql://{ROLE}@/{DATABASE}?host={quote(str(socket_dir))}&port={PORT}"


async def connect(socket_dir: Path | None) -> "asyncpg.Connection[asyncpg.Record]":
    """A connection to the server's own database, from which others are made and dropped."""
    return await asyncpg.connect(host=str(socket_dir), port=PORT, user=ROLE, database="postgres")


async def answers(socket_dir: Path | None) -> bool:
    """Whether PostgreSQL takes connections there: it runs, and has recovered."""
    if socket_dir is None:
        return False
    try:
        await (await connect(socket_dir)).close()
    except (OSError, asyncpg.CannotConnectNowError, asyncpg.ConnectionDoesNotExistError):
        return False
    except asyncpg.PostgresError:
        # It has a reason to refuse us, so it is there: too many connections, say.
        return True
    return True


def listens(socket_dir: Path | None) -> bool:
    """Whether a PostgreSQL is there, be it ready or not."""
    if socket_dir is None:
        return False
    with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
        probe.connect(str(_socket(socket_dir)))
        return True
    return False


def make_socket_dir() -> Path:
    """A new folder that nobody else has a file in, with a path that is short enough.

    Raises:
        EmbeddedError: there is none.
    """
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 — mkdtemp makes a folder of our own there
        socket_dir = Path(tempfile.mkdtemp(prefix="heartline-", dir=base))
        if len(os.fsencode(_socket(socket_dir))) <= LONGEST_SOCKET and "," not in base:
            return socket_dir
        socket_dir.rmdir()
    raise EmbeddedError("There is no temporary folder with a path short enough for PostgreSQL's socket.")


def remove_socket_dir(socket_dir: Path) -> None:
    """Removes the folder, and what a killed PostgreSQL has left in it."""
    for path in (_socket(socket_dir), Path(f"{_socket(socket_dir)}.lock")):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        socket_dir.rmdir()


def _socket(socket_dir: Path) -> Path:
    return socket_dir / f".s.PGSQL.{PORT}"
