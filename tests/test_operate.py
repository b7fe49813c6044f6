"""The server as it is run for real: a process of its own, signals, ports, data, `make` and containers."""

# ruff: noqa: ASYNC110 — what is waited for is in another process

import asyncio
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest
import yaml

from server.cli import cli
from server.embedded import Embedded, attached
from server.log.database import migrate
from server.postgres.cluster import Cluster
from server.settings import PREFIX, Settings
from tests.conftest import in_memory

PROJECT = Path(__file__).parent.parent
VENV = Path(sys.executable).parent.parent


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data folder with a migrated database, to be copied."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:

        async def make() -> None:
            embedded = Embedded(Path(folder))
            await embedded.start()
            await migrate(embedded.url)
            await embedded.stop()

        asyncio.run(make())
        yield Path(folder)


@pytest.fixture
def data_dir(made: Path) -> Iterator[Path]:
    # pytest's own folders are closed again to PostgreSQL's user whenever a pytest of root starts.
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        copy = Path(folder) / "data"
        subprocess.run(["cp", "-a", made, copy], check=True)
        yield copy


class Server:
    """`python -m server serve` in a session of its own, as a terminal or a supervisor starts it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._arguments = arguments
        self._environment = environment
        self.url = ""

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "serve", "--port", "0", *self._arguments),
            cwd=PROJECT,
            env={"PATH": os.environ["PATH"], **self._environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            entry = json.loads(line)
            if entry["event"] == "ready":
                self.url = entry["url"]
                return
        raise AssertionError(await self.ended())

    def signal(self, how: signal.Signals) -> None:
        self.process.send_signal(how)

    async def ended(self) -> tuple[int | None, str]:
        """Exit status and what stands on stderr, once the process has ended."""
        _, errors = await self.process.communicate()
        return self.process.returncode, errors.decode()

    async def stop(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.terminate()
            await self.ended()


@pytest.fixture
async def server(data_dir: Path) -> AsyncIterator[Server]:
    server = Server("--data-dir", str(data_dir))
    await server.start()
    yield server
    await server.stop()


class Player:
    """A guest at a server."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http = http
        self._url = url
        self._headers: dict[str, str] = {}

    async def arrive(self) -> None:
        self._headers["Authorization"] = f"Bearer {(await self.post('/api/guests', 201))['token']}"

    async def post(self, path: str, status: int = 200, **body: object) -> Any:
        async with self._http.post(self._url + path, json=body or None, headers=self._headers) as answer:
            assert answer.status == status, await answer.text()
            return await answer.json()

    async def try_to_move(self, game: dict[str, Any], move: str) -> aiohttp.ClientResponse:
        path, body = f"/api/games/{game['id']}/moves", {"move": move, "revision": game["revision"]}
        return await self._http.post(self._url + path, json=body, headers=self._headers)

    async def get(self, path: str) -> Any:
        async with self._http.get(self._url + path, headers=self._headers) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    def socket(self) -> Any:
        return self._http.ws_connect(f"{self._url}/ws", headers=self._headers)


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def player(http: aiohttp.ClientSession, server: Server) -> Player:
    player = Player(http, server.url)
    await player.arrive()
    return player


# Start and stop


async def test_ready_means_ready(player: Player) -> None:
    assert await player.get("/readyz") == {"status": "ok"}
    assert (await player.get("/api/me"))["user"]["guest"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_it_cleanly(
    server: Server, player: Player, data_dir: Path, how: signal.Signals
) -> None:
    async with player.socket() as watching:
        # Ctrl-C reaches every process in the foreground.
        os.killpg(server.process.pid, how)
        closed = await watching.receive()
        assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, 1001)
    assert await server.ended() == (0, "")
    assert Cluster(data_dir).postmaster() is None


async def test_a_command_under_way_is_committed_and_answered(
    server: Server, player: Player, data_dir: Path
) -> None:
    game = await player.post("/api/games", 201, game="heart-to-heart")
    async with attached(data_dir) as (url, _):
        blocker = await asyncpg.connect(url)
        async with blocker.transaction():
            await blocker.execute("LOCK TABLE games IN EXCLUSIVE MODE")
            move = asyncio.create_task(
                player.post(f"/api/games/{game['id']}/moves", move="draw", revision=game["revision"])
            )
            await _until_blocked(url)
            server.signal(signal.SIGTERM)
            await _until_closed(server.url)
            assert not move.done()
        assert (await move)["ply"] == 1
        # The server takes its database along as soon as it has answered.
        blocker.terminate()
    assert await server.ended() == (0, "")


async def test_a_command_of_another_release_leaves_the_schema_to_the_running_server(
    server: Server, data_dir: Path
) -> None:
    async with attached(data_dir) as (url, _):
        connection = await asyncpg.connect(url)
        await connection.execute("UPDATE alembic_version SET version_num = '9999'")
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "verify", "--all", "--data-dir", str(data_dir)),
            cwd=PROJECT,
            stderr=asyncio.subprocess.PIPE,
        )
        _, said = await command.communicate()
        present = await connection.fetchval("SELECT version_num FROM alembic_version")
        await connection.close()

    assert command.returncode == 1
    assert "The database is at schema 9999" in said.decode()
    assert said.decode().count("\n") == 1
    assert present == "9999"
    server.signal(signal.SIGTERM)
    assert await server.ended() == (0, "")


async def _until_blocked(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        async with asyncio.timeout(20):
            while not await connection.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                await asyncio.sleep(0.01)
    finally:
        await connection.close()


async def _until_closed(url: str) -> None:
    port = int(url.rpartition(":")[2])
    async with asyncio.timeout(20):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                return
            writer.close()
            await writer.wait_closed()


async def test_what_was_answered_outlives_a_kill(
    server: Server, player: Player, http: aiohttp.ClientSession
) -> None:
    game = await player.post("/api/games", 201, game="heart-to-heart")
    view = await player.post(f"/api/games/{game['id']}/moves", move="draw", revision=game["revision"])
    server.signal(signal.SIGKILL)
    await server.ended()
    await server.start()
    again = await Player(http, server.url).get(f"/api/games/{game['id']}")
    assert (again["ply"], again["waste"], again["revision"]) == (1, view["waste"], view["revision"])


async def test_a_database_that_is_killed_comes_back_under_a_running_server(
    server: Server, player: Player, data_dir: Path
) -> None:
    game = await player.post("/api/games", 201, game="heart-to-heart")
    postgres = Cluster(data_dir).postmaster()
    assert postgres is not None
    os.kill(postgres, signal.SIGKILL)
    # A command waits for 5 seconds. A slow disk may need longer to recover.
    while (answer := await player.try_to_move(game, "draw")).status == 503:
        assert (await answer.json())["code"] == "unavailable"
    assert (await answer.json())["ply"] == 1


async def test_a_signal_during_the_start_stops_it(data_dir: Path) -> None:
    gate = data_dir / "postgres" / "gate"
    os.mkfifo(gate)
    (data_dir / "postgres" / "recovery.signal").touch()
    with (data_dir / "postgres" / "postgresql.conf").open("a") as file:
        file.write("hot_standby = off\nrestore_command = 'read line < gate; false'\n")
    for path in (gate, data_dir / "postgres" / "recovery.signal"):
        shutil.chown(path, (data_dir / "postgres").stat().st_uid)
    server = Server("--data-dir", str(data_dir))
    start = asyncio.create_task(server.start())
    # Opening succeeds once PostgreSQL's recovery waits at the other end.
    with await asyncio.to_thread(gate.open, "w"):
        server.signal(signal.SIGTERM)
        with pytest.raises(AssertionError, match=re.escape("(0, '')")):
            await start
    assert Cluster(data_dir).postmaster() is None


# What can be wrong


async def fails(*arguments: str) -> str:
    """The one line with which the server gives up."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "serve", *arguments),
        cwd=PROJECT,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode == 1
    (line,) = errors.decode().splitlines()
    return line


async def test_a_second_server_on_the_folder(server: Server, data_dir: Path) -> None:
    line = await fails("--port", "0", "--data-dir", str(data_dir))
    assert line == f"Error: A server already runs on the data folder {data_dir}."


async def test_a_port_that_is_taken(database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = await fails("--port", str(port), "--database-url", database_url)
    assert line.startswith(f"Error: Cannot listen on 127.0.0.1, port {port}: ")
    assert line.endswith("address already in use. Choose another with --port, or PORT= for make play.")


async def test_a_folder_that_cannot_be_written() -> None:
    line = await fails("--port", "0", "--data-dir", "/proc/heartline")
    assert line.startswith("Error: The data folder /proc/heartline cannot be used: ")


async def test_a_command_works_beside_the_server(player: Player, data_dir: Path) -> None:
    await player.post("/api/users", 201, name="Mali", password="correct horse")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "user", "Mali", "--link-code", "--data-dir", str(data_dir)),
        cwd=PROJECT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    code, _ = await process.communicate()
    assert process.returncode == 0
    session = await player.post("/api/sessions", 201, link_code=code.decode().strip())
    assert session["user"]["name"] == "Mali"


# make


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project as a newcomer has it, with nothing installed."""
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        shutil.copy(PROJECT / name, tmp_path / name)
    return tmp_path


def make(project: Path, *arguments: str, path: str = os.defpath) -> tuple[int, str]:
    ran = subprocess.run(
        [shutil.which("make") or "make", *arguments],
        cwd=project,
        env={"PATH": path},
        capture_output=True,
        text=True,
    )
    assert ran.stdout == ""
    return ran.returncode, ran.stderr


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_make_without_a_new_python(project: Path) -> None:
    program(project / "bin", "python3", "exit 1")
    status, told = make(project, "play", path=str(project / "bin"))
    assert status == 2
    assert "install the package python3." in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(("missing", "package"), [("ensurepip", "python3-venv"), ("-m pip", "python3-pip")])
def test_make_without_a_part_of_python(project: Path, missing: str, package: str) -> None:
    make_environment = 'mkdir -p .venv/bin; cp "$0" .venv/bin/python'
    program(
        project / "bin",
        "python3",
        f'case "$*" in *"{missing}"*) exit 1;; "-m venv"*) {make_environment};; esac',
    )
    status, told = make(project, "play", path=f"{project / 'bin'}:{os.defpath}")
    assert status == 2
    assert f"install the package {package}." in told
    assert len(told.splitlines()) == 1


def test_make_test_without_a_browser(project: Path) -> None:
    (project / ".venv").mkdir()
    program(project / ".venv" / "bin", "python", "exit 0")
    (project / ".venv" / "installed-dev").touch()
    status, told = make(project, "test", path=str(project / "bin"))
    assert status == 2
    assert "install the package chromium." in told
    assert len(told.splitlines()) == 1


def playing(data_dir: Path, **environment: str) -> tuple[int, int, str]:
    """`make play` as a person starts it: its process, its terminal, and the address that it tells."""
    pid, terminal = pty.fork()
    if pid == 0:
        # What is installed is taken to be up to date: nothing is fetched here.
        command = ["make", f"--old-file={VENV}/installed", f"VENV={VENV}", "play"]
        settings = {"HEARTLINE_DATA_DIR": str(data_dir), "PATH": os.environ["PATH"], **environment}
        os.chdir(PROJECT)
        os.execvpe("make", command, settings)
    said = ""
    with suppress(OSError):  # It has ended.
        while "ready at " not in said:
            said += os.read(terminal, 1024).decode()
    assert "ready at " in said, said
    return pid, terminal, said.partition("ready at ")[2].strip()


def ended(pid: int, terminal: int) -> int:
    """The exit status of a process, whose terminal is read until it is gone."""
    with suppress(OSError):
        while os.read(terminal, 1024):
            pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_make_play_takes_the_port_of_the_environment_and_ends_well_on_ctrl_c(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    pid, terminal, address = playing(data_dir, HEARTLINE_PORT=str(port))
    os.write(terminal, b"\x03")
    assert ended(pid, terminal) == 0
    assert address == f"http://127.0.0.1:{port}"
    assert Cluster(data_dir).postmaster() is None


def test_the_end_of_make_play_is_the_end_of_the_server(data_dir: Path) -> None:
    pid, terminal, _ = playing(data_dir, HEARTLINE_PORT="0")
    os.kill(pid, signal.SIGTERM)
    # Make itself does not survive the signal.
    assert ended(pid, terminal) == -signal.SIGTERM
    assert Cluster(data_dir).postmaster() is None


# Containers


@pytest.fixture
def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
    return parsed


def test_the_server_waits_for_the_migration_and_that_for_the_database(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["server"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert services["migrate"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert services["migrate"]["command"] == ["migrate"]
    assert services["migrate"]["restart"] == "no"
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)


def test_data_lie_in_a_named_volume_of_a_new_postgres(compose: dict[str, Any]) -> None:
    database = compose["services"]["database"]
    name, version = database["image"].split(":")
    assert name == "postgres"
    assert int(version) >= 17
    volume, _, where = database["volumes"][0].partition(":")
    assert volume in compose["volumes"]
    assert where == "/var/lib/postgresql"


def test_health_is_looked_at(compose: dict[str, Any]) -> None:
    assert "pg_isready" in compose["services"]["database"]["healthcheck"]["test"]
    dockerfile = (PROJECT / "Dockerfile").read_text()
    assert "HEALTHCHECK" in dockerfile
    assert "/readyz" in dockerfile


def test_nothing_in_a_container_is_root(compose: dict[str, Any]) -> None:
    assert compose["services"]["database"]["user"] == "postgres"
    lines = (PROJECT / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["heartline"]
    for service in compose["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_secrets_come_from_the_environment(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service["environment"].items():
            if "PASSWORD" in name or "SECRET" in name:
                assert re.fullmatch(r"\$\{[A-Z_]+:[-?][^}]*\}", value), f"{name} is written down"


def test_the_settings_of_the_containers_are_settings(compose: dict[str, Any]) -> None:
    known = {PREFIX + each.name.upper() for each in fields(Settings)}
    given = {name for service in compose["services"].values() for name in service["environment"]}
    given |= set(re.findall(r"\bHEARTLINE_[A-Z_]+", (PROJECT / "Dockerfile").read_text()))
    assert {name for name in given if name.startswith(PREFIX)} <= known


def test_what_the_handbook_runs_in_containers_is_there(compose: dict[str, Any]) -> None:
    text = (PROJECT / "docs" / "operating.md").read_text()
    said = re.findall(r"docker compose (exec|run)((?: -\S+)*) (\w+) ([^<>\n]*)", text)
    assert {how for how, *_ in said} == {"exec", "run"}
    for how, options, service, line in said:
        assert service in compose["services"]
        # What is executed is the whole command; what is run follows the image's entry point.
        name, *arguments = line.split() if how == "run" else line.removeprefix("heartline ").split()
        cli.commands[name].make_context(name, list(arguments))
        # A terminal would change the bytes of a backup.
        assert (" -T" in options) == ("-" in arguments)


def test_the_image_has_all_that_it_copies() -> None:
    lines = (PROJECT / "Dockerfile").read_text().splitlines()
    allowed = (PROJECT / ".dockerignore").read_text().splitlines()
    for source in [each for line in lines if line.startswith("COPY ") for each in line.split()[1:-1]]:
        assert (PROJECT / source).exists()
        assert f"!{source}" in allowed
