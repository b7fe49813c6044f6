"""What a node does again and again."""

import asyncio
from contextlib import suppress

import structlog
from structlog.testing import capture_logs

from server.errors import Code, Refused
from server.rounds import rounds


async def test_a_round_that_fails_is_logged_and_the_next_one_comes() -> None:
    problems = iter([Refused(Code.UNAVAILABLE, "The database does not answer."), RuntimeError("ours")])
    done = asyncio.Event()

    async def work() -> None:
        for problem in problems:
            raise problem
        done.set()

    with capture_logs() as logs:
        running = asyncio.create_task(rounds(work, 0, structlog.get_logger("test"), "not done"))
        async with asyncio.timeout(10):
            await done.wait()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert [(each["event"], each["log_level"]) for each in logs] == [
        ("not done", "warning"),
        ("not done", "error"),
    ]
    assert logs[0]["reason"] == "The database does not answer."
