"""A NATS server of the tests' own, that can go away and come back."""

import asyncio
import contextlib
import socket
import sysconfig
from collections.abc import AsyncIterator
from pathlib import Path

PROGRAM = Path(sysconfig.get_path("scripts")) / "nats-server"


class Nats:
    """One server, at an address that it keeps."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            PROGRAM, "-a", "127.0.0.1", "-p", str(self.port), stderr=asyncio.subprocess.PIPE
        )
        assert self._process.stderr is not None
        while b"Server is ready" not in (line := await self._process.stderr.readline()):
            assert line, "the NATS server does not start"

    async def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            await self._process.communicate()
            self._process = None


@contextlib.asynccontextmanager
async def running_nats() -> AsyncIterator[Nats]:
    nats = Nats()
    await nats.start()
    try:
        yield nats
    finally:
        await nats.stop()
