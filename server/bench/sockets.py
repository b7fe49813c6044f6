"""Durable moves a second over WebSocket: a real server and its bare limit, each in a process of its own."""

import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import aiohttp
import msgspec

from server.bench.load import Measured
from server.embedded import Embedded
from server.log.database import migrate

T = TypeVar("T")

START_S = 30.0
"""The longest that a server may take to answer."""

SERVER = ("server", "serve", "--port")
BARE = ("server.bench.bare",)


@asynccontextmanager
async def database() -> AsyncIterator[str]:
    """A fresh embedded PostgreSQL with the settings of a real one; gives its URL."""
    with tempfile.TemporaryDirectory(prefix="heartline-bench-") as folder:
        embedded = Embedded(Path(folder))
        await embedded.start()
        try:
            await migrate(embedded.url)
            yield embedded.url
        finally:
            await embedded.stop()


@asynccontextmanager
async def serving(module: Sequence[str], database_url: str) -> AsyncIterator[str]:
    """A server process of this Python on a free port, with rate limits off; gives its URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = os.environ | {"HEARTLINE_DATABASE_URL": database_url, "HEARTLINE_RATE_LIMITS": "off"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *module, str(port), env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        await _listening(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def _listening(port: int) -> None:
    async with asyncio.timeout(START_S), aiohttp.ClientSession() as http:
        while True:
            try:
                async with http.get(f"http://127.0.0.1:{port}/healthz"):
                    return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.05)


async def load(module: str, kind: type[T], *arguments: object) -> T:
    """What players measure, in a process of their own: a module that prints it as JSON."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *map(str, arguments), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError("the load did not come to its end; its message stands above")
    return msgspec.json.decode(out, type=kind)


async def measure(module: Sequence[str], sockets: Sequence[int], seconds: float) -> list[Measured]:
    """One server, measured with each number of sockets in turn."""
    async with database() as database_url, serving(module, database_url) as url:
        return [await load("server.bench.load", Measured, url, each, seconds) for each in sockets]
