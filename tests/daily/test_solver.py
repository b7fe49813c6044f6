"""Par in a process of its own: it answers as par itself does, and goes when it is not wanted any more."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from server.daily.par import par
from server.daily.solver import SearchFailedError, solve
from server.games.deals import DealCode, numbered_deal

DEAL = numbered_deal(DealCode("HH1-N-AAAAAAM"))
HOPELESS = numbered_deal(DealCode("HH1-N-AAAAABN"))


def solvers() -> int:
    """How many of our child processes solve a deal."""
    children = " ".join(file.read_text() for file in Path("/proc/self/task").glob("*/children")).split()
    return sum(b"server.daily.solver" in Path("/proc", pid, "cmdline").read_bytes() for pid in children)


async def test_it_answers_as_par_does() -> None:
    solved = await solve(DEAL)

    assert solved == par(DEAL.cards)
    assert solved is not None
    assert solved.moves == 89


async def test_a_deal_that_cannot_be_won_has_no_par() -> None:
    assert await solve(HOPELESS) is None


async def test_a_search_that_fails_says_where_and_names_no_card() -> None:
    broken = replace(DEAL, cards=DEAL.cards[:-1])
    with pytest.raises(SearchFailedError) as failed:
        await solve(broken)
    assert "server/daily/solver.py" in str(failed.value)
    assert not re.search(r"\b[2-9TJQKA]H\b", str(failed.value))


async def test_cancelled_it_ends_its_process() -> None:
    solving = asyncio.create_task(solve(DEAL))
    async with asyncio.timeout(10):
        while not solvers():  # noqa: ASYNC110 — a process that starts tells nobody
            await asyncio.sleep(0)

    solving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await solving

    assert solvers() == 0
