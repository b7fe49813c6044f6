"""The processes in which bots think: their answers, and that no failure of theirs leaves a table stuck."""

# ruff: noqa: ASYNC110 — what is waited for is in another process

import asyncio
import multiprocessing
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, get_args

import pytest
from structlog.testing import capture_logs

from server.bots import Level, choose
from server.games.game import Seat
from server.log.model import GameId
from server.rooms.minds import Minds
from server.rooms.questions import Decision, Question
from tests.rooms.odd import VIEW, Odd

GAME = GameId("a-game-of-hearts")
PASS = "pass " + " ".join(VIEW["hand"][:3])


def decision(level: str = "steady", ply: int = 0) -> Decision:
    return Decision(GAME, Seat(1), level, 1, ply, 0)


def question(level: str = "steady", view: dict[str, Any] = VIEW) -> Question:
    return Question(level, [view], 7)


@pytest.fixture(scope="module")
def minds() -> Iterator[Minds]:
    minds = Minds(budget_s=60)
    yield minds
    asyncio.run(minds.close())


@pytest.mark.parametrize("level", get_args(Level))
async def test_the_move_is_that_of_the_bot(minds: Minds, level: str) -> None:
    assert await minds.choose(decision(level), question(level)) == choose(level, [VIEW], 7)


async def test_a_decision_is_thought_about_once_at_a_time() -> None:
    seen: list[str] = []
    minds = Minds(lambda level, seconds: seen.append(level))
    asked = [asyncio.create_task(minds.choose(decision(), question())) for _ in range(3)]
    other = asyncio.create_task(minds.choose(decision(ply=1), question()))
    await asyncio.sleep(0)
    assert minds.under_way == 2
    asked[0].cancel()
    assert await asked[1] == await asked[2] == await other
    assert (minds.under_way, seen) == (0, ["steady", "steady"])
    await minds.close()


async def test_nobody_waits_behind_a_long_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.minds.LINE", 1)
    monkeypatch.setattr("server.rooms.minds._CORES", 1)
    minds = Minds(budget_s=60)
    odd = question(view=Odd(tmp_path / "once", "stall"))
    under_way = asyncio.create_task(minds.choose(decision(), odd))
    await asyncio.sleep(0)
    assert await minds.choose(decision("sharp", ply=1), question("sharp")) == choose("steady", [VIEW], 7)
    assert minds.under_way == 1
    await minds.close()
    assert under_way.cancelled()


@pytest.mark.parametrize("how", ["raise", "stall"])
async def test_a_bot_that_fails_is_stood_in_for_and_told_of(tmp_path: Path, how: str) -> None:
    minds = Minds(budget_s=0.1)
    with capture_logs() as logs:
        move = await minds.choose(decision("easy"), question("easy", Odd(tmp_path / "once", how)))
    assert move == choose("steady", [VIEW], 7)
    [told] = logs
    assert told["log_level"] == "error"
    assert (told["game"], told["seat"], told["level"], told["hand"]) == (GAME, 1, "easy", 1)
    assert told["kind"] == {"raise": "ValueError", "stall": "TooSlow"}[how]
    assert "odd.py" in told["where"]
    assert "QS" not in str(told)

    # The process is as good as new.
    assert await minds.choose(decision("easy"), question("easy")) == choose("easy", [VIEW], 7)
    assert _process(tmp_path / "once").is_alive()
    await minds.close()


async def test_where_even_rules_of_thumb_fail_something_legal_is_played(minds: Minds) -> None:
    broken = {name: VIEW[name] for name in ("status", "hand", "legal")}
    with capture_logs() as logs:
        assert await minds.choose(decision(), question(view=broken)) == PASS
    assert [each["event"] for each in logs] == ["bot failed", "rules of thumb failed"]


async def test_an_illegal_move_is_not_played(minds: Minds) -> None:
    # A bot that is shown another hand than its own.
    view = {**VIEW, "status": "playing", "legal": ["play 2C"], "hand": ["2C"], "trick": []}
    with capture_logs() as logs:
        assert await minds.choose(decision("easy"), question("easy", {**view, "status": "moon"})) == "play 2C"
        assert not logs
        assert await minds.choose(decision("easy"), question("easy", {**VIEW, "hand": ["2C"] * 4}))
    assert logs[0]["kind"] == "illegal move"


async def test_a_process_that_dies_is_replaced_and_asked_again(minds: Minds, tmp_path: Path) -> None:
    odd = question(view=Odd(tmp_path / "once", "die"))
    with capture_logs() as logs:
        assert await minds.choose(decision(), odd) == choose("steady", [VIEW], 7)
        assert (tmp_path / "once").exists()
        for each in multiprocessing.active_children():
            assert each.pid is not None
            os.kill(each.pid, signal.SIGKILL)
            each.join()
        assert await minds.choose(decision(), question()) == choose("steady", [VIEW], 7)
    assert {each["event"] for each in logs} == {"a process of bots has died"}


async def test_signals_to_all_processes_do_not_end_a_thought(minds: Minds) -> None:
    await minds.choose(decision(), question())
    for each in multiprocessing.active_children():
        assert each.pid is not None
        os.kill(each.pid, signal.SIGINT)
        os.kill(each.pid, signal.SIGTERM)
    with capture_logs() as logs:
        await minds.choose(decision(), question())
    assert not logs


async def test_signals_do_not_end_a_process_that_is_starting() -> None:
    others = set(multiprocessing.active_children())
    minds = Minds(budget_s=60)
    thought = asyncio.create_task(minds.choose(decision(), question()))
    while not (started := set(multiprocessing.active_children()) - others):
        await asyncio.sleep(0)
    for each in started:
        assert each.pid is not None
        os.kill(each.pid, signal.SIGINT)
    with capture_logs() as logs:
        await thought
    assert not logs
    await minds.close()


async def test_closing_ends_thoughts_and_processes_at_once(tmp_path: Path) -> None:
    minds = Minds()
    odd = question(view=Odd(tmp_path / "once", "stall"))
    thought = asyncio.create_task(minds.choose(decision(), odd))
    while not (tmp_path / "once").exists():
        await asyncio.sleep(0.01)
    process = _process(tmp_path / "once")
    async with asyncio.timeout(1):
        await minds.close()
        await asyncio.to_thread(process.join)
    with pytest.raises(asyncio.CancelledError):
        await thought


def _process(once: Path) -> BaseProcess:
    """The process that has seen the odd view."""
    return next(each for each in multiprocessing.active_children() if str(each.pid) == once.read_text())


SERVER = """
import asyncio, sys
from multiprocessing import active_children
from pathlib import Path
from server.rooms.minds import Minds
from tests.rooms.odd import Odd
from tests.rooms.test_minds import decision, question

async def think():
    minds = Minds(budget_s=60)
    await minds.choose(decision(), question())
    print(active_children()[0].pid, flush=True)
    await minds.choose(decision(), question(view=Odd(Path(sys.argv[1]), "stall")))

asyncio.run(think())
"""


def test_processes_die_with_a_killed_server(tmp_path: Path) -> None:
    script = tmp_path / "thinking.py"
    script.write_text(SERVER)
    project = Path(__file__).parent.parent.parent
    with subprocess.Popen(
        [sys.executable, script, tmp_path / "once"],
        env={**os.environ, "PYTHONPATH": str(project)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        mind = int(server.stdout.readline())
        watched = os.pidfd_open(mind)
        while not (tmp_path / "once").exists():
            time.sleep(0.01)
        server.kill()
    with os.fdopen(watched), selectors.DefaultSelector() as selector:
        selector.register(watched, selectors.EVENT_READ)
        assert selector.select(timeout=5), "the process outlives the server that it thinks for"
