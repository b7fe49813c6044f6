"""What a player's games come to: streaks as the rules have them, best ranks of closed days, games, wins."""

from collections.abc import AsyncIterator
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import closes_at
from server.daily.model import Player
from server.daily.players import BEST, BestRank, Players, Streak, Tally, TriedDay, streak_of
from server.log.log import Log
from server.log.model import UserId
from tests.conftest import Clock
from tests.daily.tries import Ending, play

TODAY = date(2026, 11, 29)
ANN = Player(UserId("ann"), "Ann")


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


def ago(number: int) -> date:
    return TODAY - timedelta(days=number)


def days(*won: int, lost: tuple[int, ...] = ()) -> list[TriedDay]:
    """Tries so many days ago, the latest first."""
    return [TriedDay(ago(number), number in won, 250, 90) for number in sorted({*won, *lost})]


@pytest.mark.parametrize(
    ("tries", "streak"),
    [
        (days(), (0, 0)),
        (days(0), (1, 1)),
        (days(1), (1, 1)),
        (days(2), (0, 1)),
        (days(0, 1, 2), (3, 3)),
        (days(1, 2, 3), (3, 3)),
        (days(2, 3, 4), (0, 3)),
        (days(0, 2, 3, 4), (1, 3)),
        (days(1, 2, lost=(0,)), (2, 2)),
        (days(0, 2, lost=(1,)), (1, 1)),
        (days(lost=(0, 1)), (0, 0)),
    ],
)
def test_streaks(tries: list[TriedDay], streak: tuple[int, int]) -> None:
    assert streak_of(tries, TODAY) == Streak(*streak)


@given(st.sets(st.integers(min_value=0, max_value=12)))
def test_streaks_are_what_the_rules_say(won: set[int]) -> None:
    def run(newest: int) -> int:
        return next(length for length in range(20) if newest + length not in won)

    current = run(0) or run(1)
    assert streak_of(days(*won), TODAY) == Streak(current, max(map(run, range(14))))


async def test_nobody_has_played_nothing(engine: AsyncEngine, clock: Clock) -> None:
    profile = await Players(engine, clock).profile(ANN)

    assert (profile.games, profile.wins, profile.by_game, profile.daily) == (0, 0, {}, Tally(0, 0))
    assert (profile.streak, profile.best_ranks, profile.days, profile.rating) == (Streak(0, 0), [], [], None)


async def test_best_ranks_of_closed_days(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    for number in range(BEST + 3):
        for better in range(number):
            await play(log, f"user-{better}", ago(number), Ending(moves=70))
        await play(log, "ann", ago(number), Ending(moves=80))
        await play(log, "worse", ago(number), Ending(moves=90))
    await play(log, "ann", ago(20), Ending(moves=80, clock_ms=2))
    await play(log, "quicker", ago(20), Ending(moves=80, clock_ms=1))
    await play(log, "guest", ago(20), Ending(moves=60), listed=False)

    async def best() -> list[BestRank]:
        return (await Players(engine, clock).profile(ANN)).best_ranks

    expected = [(1, 2), (20, 2), (2, 3), (3, 4), (4, 5)]
    assert await best() == [BestRank(ago(number), rank) for number, rank in expected]
    clock.now = closes_at(TODAY)
    assert (await best())[0] == BestRank(TODAY, 1)


async def test_a_guests_days_are_in_his_calendar(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    await play(log, "guest", TODAY, Ending(moves=80), listed=False)
    await play(log, "guest", ago(1), Ending(score=40, moves=12), listed=False)
    await play(log, "guest", ago(2), listed=False)

    calendar = await Players(engine, clock).calendar(UserId("guest"))

    assert calendar.days == [TriedDay(TODAY, True, 250, 80), TriedDay(ago(1), False, 40, 12)]
    assert calendar.streak == Streak(1, 1)
