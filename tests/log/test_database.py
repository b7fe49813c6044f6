"""What counts as a database that is away."""

import errno
import socket

import asyncpg
import pytest
from asyncpg.exceptions import DataError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.database import is_away


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(errno.ECONNREFUSED, "refused"),
        FileNotFoundError(errno.ENOENT, "no socket"),
        BrokenPipeError(errno.EPIPE, "broken pipe"),
        OSError(errno.ENETUNREACH, "unreachable"),
        OSError("Multiple exceptions: ..."),
        socket.gaierror(-2, "unknown"),
        TimeoutError(),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.InternalClientError("got result for unknown protocol state"),
        asyncpg.AdminShutdownError(),
    ],
    ids=repr,
)
def test_away(error: Exception) -> None:
    assert is_away(error)


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, "no such file", "cards.txt"),
        PermissionError(errno.EACCES, "denied"),
        OSError(errno.EMFILE, "too many open files"),
        OSError(errno.ENOSPC, "no space left"),
        asyncpg.UnsupportedClientFeatureError("no"),
        ValueError("no"),
        DataError("no"),
    ],
    ids=repr,
)
def test_a_fault_of_ours(error: Exception) -> None:
    assert not is_away(error)


async def test_a_value_that_cannot_be_sent_is_a_fault_of_ours(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        with pytest.raises(DataError) as caught:
            await raw.fetch("SELECT $1::integer", "seven")
        assert not is_away(caught.value)
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1
