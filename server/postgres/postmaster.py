"""The PostgreSQL process: started, watched, started again when it dies, and stopped."""

import asyncio
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import structlog

from server.postgres import sockets
from server.postgres.cluster import Cluster
from server.postgres.programs import EmbeddedError, isolated, program, reason

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.postgres")

STOP_SECONDS = 60
"""How long PostgreSQL may take to write all down before it is stopped the hard way, to recover later."""

REMAINS = 300
"""How often a start is tried, a tenth of a second apart, while processes of a killed PostgreSQL are left."""


class Postmaster:
    """The PostgreSQL of one data folder. Whoever starts it sees to it that nobody else does.

    `options` are settings of PostgreSQL that win over all others.
    """

    def __init__(self, cluster: Cluster, options: Mapping[str, str]) -> None:
        self._cluster = cluster
        self._options = options
        self._socket_dir: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The database, while PostgreSQL is started; it stays the same when it has to be started again."""
        if self._socket_dir is None:
            raise EmbeddedError("PostgreSQL is not started.")
        return sockets.url(self._socket_dir)

    async def start(self) -> None:
        """Has PostgreSQL running and answering, however long its recovery takes.

        Raises:
            EmbeddedError, NoUser, OSError: it cannot be started. Nothing runs then.
        """
        await self._stop_left_over()
        # It blocks for a second when all is new. Nothing else runs yet, and it must not be left half done.
        self._cluster.prepare()
        self._socket_dir = self._cluster.make_socket_dir()
        try:
            await self._launch()
            await self._make_database()
        except BaseException:
            await self.stop()
            raise
        self._watcher = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stops PostgreSQL with its data on the disk."""
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.wait([self._watcher])
        if self._process is not None and not self._ended.is_set():
            self._process.send_signal(signal.SIGINT)
            try:
                await asyncio.wait_for(self._ended.wait(), STOP_SECONDS)
            except TimeoutError:
                _logger.warning("PostgreSQL takes too long to stop; it will recover at its next start")
                self._process.send_signal(signal.SIGQUIT)
                await self._ended.wait()
        if self._socket_dir is not None:
            self._cluster.remove_socket_dir()
            self._socket_dir = None

    async def _stop_left_over(self) -> None:
        """Stops the PostgreSQL that stayed behind when an earlier process of ours was killed."""
        pid, waited = self._cluster.postmaster(), 0.0
        if pid is not None:
            _logger.warning("stopping a PostgreSQL that stayed behind", pid=pid)
        while pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT if waited < STOP_SECONDS else signal.SIGQUIT)
            await asyncio.sleep(0.05)
            pid, waited = self._cluster.postmaster(), waited + 0.05
        self._cluster.remove_socket_dir()

    async def _launch(self) -> None:
        """Starts the process and waits until it answers."""
        for attempt in itertools.count(1):
            self._cluster.forget_log()
            with tempfile.TemporaryFile() as errors:
                self._spawn(errors)
                if await self._ready():
                    return
                errors.seek(0)
                why = reason(self._cluster.log() + errors.read())
            # The children of a postmaster that was killed end as soon as they notice.
            if "shared memory block" not in why or attempt == REMAINS:
                raise EmbeddedError(f"PostgreSQL did not start: {why}")
            await asyncio.sleep(0.1)

    def _spawn(self, errors: IO[bytes]) -> None:
        settings = {
            "unix_socket_directories": str(self._socket_dir),
            "port": str(sockets.PORT),
            **self._options,
        }
        # PostgreSQL believes an old pid file if any process of its user has that number by now. We have
        # looked (and it still looks for itself whether the shared memory named there is in use).
        stale = self._cluster.pid_in_file()
        environment = {} if stale is None else {"PG_GRANDPARENT_PID": str(stale)}
        process = subprocess.Popen(  # noqa: S603
            [program("postgres"), "-D", self._cluster.folder, *(f"--{k}={v}" for k, v in settings.items())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=_stop_with_parent,
            **isolated(self._cluster.account, **environment),
        )
        ended, loop = asyncio.Event(), asyncio.get_running_loop()

        def wait() -> None:
            process.wait()
            with suppress(RuntimeError):  # the loop is closed: we have been killed
                loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=wait, daemon=True, name="postgres").start()
        self._process, self._ended = process, ended

    async def _ready(self) -> bool:
        """Waits until PostgreSQL answers (True) or has ended (False)."""
        pause, told = 0.02, False
        while not await sockets.answers(self._socket_dir):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), pause)
                return False
            pause = min(pause * 1.2, 1)
            if pause == 1 and not told:
                _logger.info("PostgreSQL recovers; that takes the time that it takes")
                told = True
        return True

    async def _make_database(self) -> None:
        connection = await sockets.connect(self._socket_dir)
        try:
            made = await connection.fetchval(
                "SELECT true FROM pg_database WHERE datname = $1", sockets.DATABASE
            )
            if not made:
                await connection.execute(f"CREATE DATABASE {sockets.DATABASE}")
        finally:
            await connection.close()

    async def _watch(self) -> None:
        """Starts PostgreSQL again whenever it ends by itself, for as long as that takes."""
        while True:
            await self._ended.wait()
            _logger.error("PostgreSQL ended by itself; starting it again")
            try:
                await self._launch()
                _logger.info("PostgreSQL runs again")
            except (EmbeddedError, OSError) as error:
                _logger.error("PostgreSQL could not be started again; trying on", reason=str(error))
                await asyncio.sleep(1)


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _stop_with_parent() -> None:
    """Runs in the child: should we be killed, the kernel tells PostgreSQL to stop."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
