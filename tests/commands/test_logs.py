"""The log: its lines, and that no error brings values of the database into it, whichever way it comes."""

import asyncio
import gc
import io
import json
import logging
import subprocess
import sys
import traceback
from collections.abc import Iterator
from functools import partial

import asyncpg
import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.commands.logs import configure_logs, told
from server.log.log import Log
from tests.log.games import new_game
from tests.web.calls import PASSWORD, Api, call, new_guest, refused, register
from tests.web.conftest import api as api
from tests.web.conftest import start_node as start_node

HUSH = "5eed" * 16
"""A value that nobody may read in a log."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(params=[io.StringIO, Terminal])
def stream(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """The log as it is written for machines, and for people."""
    stream: io.StringIO = request.param()
    hook = sys.excepthook
    configure_logs(stream, logging.INFO)
    yield stream
    sys.excepthook = hook
    structlog.reset_defaults()
    logging.getLogger().handlers.clear()


async def broken(engine: AsyncEngine) -> None:
    """Has the database refuse a row of a game, which it quotes then."""
    async with Log(engine) as log:
        await log.create(new_game(seed=HUSH))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE games SET ply = -1"))


async def ill_typed(engine: AsyncEngine) -> None:
    """Has the driver refuse an argument, which it quotes then."""
    async with engine.begin() as connection:
        await connection.execute(text("SELECT CAST(:seed AS int)"), {"seed": HUSH})


@pytest.fixture
async def error(engine: AsyncEngine) -> IntegrityError:
    with pytest.raises(IntegrityError) as caught:
        await broken(engine)
    assert HUSH in "".join(traceback.format_exception(caught.value))
    return caught.value


async def test_an_error_is_told_by_what_was_broken_and_where(
    error: IntegrityError, stream: io.StringIO
) -> None:
    structlog.get_logger("heartline").error("failed", exc_info=error)
    logging.getLogger("aiohttp.server").error("Error handling request", exc_info=error)
    written = stream.getvalue()
    assert HUSH not in written
    assert "[SQL" not in written
    assert written.count("asyncpg.exceptions.CheckViolationError: ck_games_log") == 2
    assert written.count("sqlalchemy.exc.IntegrityError: ck_games_log") == 2
    assert written.count("in broken") == 2


async def constrain(engine: AsyncEngine, table: str, condition: str) -> None:
    """Has the database refuse what a call is about to write."""
    async with engine.begin() as connection:
        await connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT odd CHECK ({condition})"))


async def test_a_call_that_breaks_a_game_does_not_tell_its_seed(
    api: Api, engine: AsyncEngine, stream: io.StringIO
) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    assert (await call(api, "POST", "/api/games", {"game": "hearts"}, guest))[0] == 201
    async with engine.connect() as connection:
        seed = await connection.scalar(text("SELECT seed FROM games"))
    await constrain(engine, "games", "revision = 0")
    credentials = {"name": "Ann", "password": PASSWORD}
    assert await refused(api, "POST", "/api/sessions", credentials, guest) == (500, "internal")
    assert "request failed" in stream.getvalue()
    assert "odd" in stream.getvalue()
    assert seed not in stream.getvalue()


async def test_a_call_that_breaks_an_account_does_not_tell_its_hash(
    api: Api, engine: AsyncEngine, stream: io.StringIO
) -> None:
    ann = await register(api, "Ann")
    await constrain(engine, "users", "locale IS NULL")
    assert await refused(api, "PATCH", "/api/me", {"locale": "th"}, ann) == (500, "internal")
    assert "request failed" in stream.getvalue()
    assert "odd" in stream.getvalue()
    assert "argon2" not in stream.getvalue()


async def test_an_error_that_nobody_waits_for(engine: AsyncEngine, stream: io.StringIO) -> None:
    task = asyncio.create_task(ill_typed(engine))
    await asyncio.wait([task])
    # The driver quotes the argument's beginning, and asyncio the error.
    assert HUSH[:16] in repr(task)
    del task
    gc.collect()
    assert HUSH[:16] not in stream.getvalue()
    assert "Task exception was never retrieved" in stream.getvalue()
    assert "asyncpg.exceptions.DataError" in stream.getvalue()
    assert "in ill_typed" in stream.getvalue()


async def test_an_error_in_a_callback_does_not_tell_what_that_was_given(stream: io.StringIO) -> None:
    called = asyncio.Event()

    def fail(_value: object) -> None:
        called.set()
        raise RuntimeError("as in a room")

    asyncio.get_running_loop().call_soon(partial(fail, {"seed": HUSH[:20]}))
    await called.wait()
    assert HUSH[:20] not in stream.getvalue()
    assert "Exception in callback" in stream.getvalue()
    assert "RuntimeError: as in a room" in stream.getvalue()


def test_a_line_for_machines_is_json() -> None:
    stream = io.StringIO()
    configure_logs(stream, logging.INFO)
    structlog.get_logger("heartline").info("ready", url="http://localhost")
    line = json.loads(stream.getvalue())
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "ready", "level": "info", "logger": "heartline", "url": "http://localhost"}


def chained() -> Exception:
    """An error with all that can lead to one."""
    try:
        try:
            try:
                raise KeyError("first")
            except KeyError:
                raise asyncpg.PostgresError(HUSH)  # noqa: B904 — the context is what is looked at
        except asyncpg.PostgresError as second:
            raise ValueError("third") from second
    except ValueError as third:
        return ExceptionGroup("all", [third, TypeError("fourth")])


def test_all_that_led_to_an_error_is_told() -> None:
    said = told(chained())
    assert HUSH not in said
    places = [said.index(each) for each in ("KeyError: 'first'", "PostgresError: ", "ValueError: third")]
    assert places == sorted(places)
    assert "During handling of the above exception" in said
    assert "direct cause of the following exception" in said
    assert "TypeError: fourth" in said


def test_what_is_hidden_on_purpose_stays_hidden() -> None:
    try:
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("outer") from None
    except ValueError as error:
        said = told(error)
    assert said.endswith("ValueError: outer")
    assert "inner" not in said


def test_an_error_that_ends_the_process_is_told_so_too() -> None:
    program = f"""
import logging, sys, asyncpg
from server.commands.logs import configure_logs
configure_logs(sys.stdout, logging.INFO)
raise asyncpg.UniqueViolationError("{HUSH}")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.splitlines()[0] == "Traceback (most recent call last):"
    last = "asyncpg.exceptions.UniqueViolationError: UniqueViolationError"
    assert ended.stderr.splitlines()[-1] == last
