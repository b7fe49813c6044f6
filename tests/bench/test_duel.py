"""Duels of bots: the same deals for all, the hero in every seat."""

import math
from collections import Counter

import pytest

from server.bench.duel import Duel, duel
from server.bots.race import race


@pytest.mark.parametrize("options", [{}, {"players": 3, "variant": "omnibus"}, {"variant": "cancellation"}])
def test_among_equals_all_score_the_same(options: dict[str, object]) -> None:
    scores = list(duel(Duel("steady", "steady", options), most=3, within=0.0))
    assert [score.deals for score in scores] == [1, 2, 3]
    assert scores[-1].hero == pytest.approx(scores[-1].villains)
    assert math.isfinite(scores[-1].interval)
    *_, again = duel(Duel("steady", "steady", options), most=3, within=0.0)
    assert again.hero == scores[-1].hero


def test_the_better_player_wins() -> None:
    *_, score = duel(Duel("steady", "easy", {}), most=20, within=0.0)
    assert score.hands == 20 * 4 * 4
    assert score.hero + score.interval < 5.0
    assert score.villains > 6.5


def test_it_ends_when_the_interval_is_narrow() -> None:
    *_, score = duel(Duel("steady", "easy", {}), most=100, within=100.0)
    assert score.deals == 20


def test_a_race_is_won_by_the_least_cost_and_the_worse_drop_out() -> None:
    tried: Counter[int] = Counter()

    def trial(noise: int, plan: int) -> float:
        tried[plan] += 1
        return plan + noise

    worlds = iter(range(10**6))
    assert race([3, 9, 1, 7, 5, 8], lambda: next(worlds) % 3, trial, 600) == 1
    assert tried[1] > tried[5] > tried[9] >= 4
    assert race([4], lambda: 0, trial, 600) == 4
