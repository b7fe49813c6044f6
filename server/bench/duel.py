"""Bots against each other: one hero among villains, on duplicate deals with the hero in every seat."""

import hashlib
import random
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

from server.bots import choose
from server.games.game import Options, Seat, View
from server.games.hearts.deal import SEED_BYTES
from server.games.hearts.options import checked, table
from server.games.hearts.state import Hearts

_FEWEST: Final = 20
"""How many deals are played at least before an interval is believed."""


class Duel(NamedTuple):
    """Who plays what against whom."""

    hero: str
    villain: str
    options: Options


class Score(NamedTuple):
    """What a duel has come to after some deals. Points are those of one hand, on average."""

    deals: int
    hands: int
    hero: float
    interval: float
    """Half the width of the 95 % confidence interval of `hero`."""
    villains: float
    ms_a_move: float
    """Processor time that the hero took for a move, in milliseconds."""


class _Played(NamedTuple):
    """One seed, with the hero in every seat."""

    hands: int
    hero: float
    villains: float
    seconds: float
    moves: int


def duel(duel: Duel, *, most: int, within: float, workers: int = 1, seed: int = 1) -> Iterator[Score]:
    """The score after each deal, until the interval is within ± `within` or `most` deals are played.

    A deal is a seed: from each, one hand is played for every direction that cards are passed in.
    """
    played: list[_Played] = []
    with ProcessPoolExecutor(workers) as pool:
        # Few at a time, so that little is in vain when the interval is narrow enough.
        for first in range(0, most, 2 * workers):
            numbers = range(first, min(first + 2 * workers, most))
            for one in pool.map(_play_deal, [duel] * len(numbers), [seed] * len(numbers), numbers):
                played.append(one)
                score = _score(played)
                yield score
            if len(played) >= _FEWEST and score.interval <= within:
                return


def _score(played: list[_Played]) -> Score:
    points = [one.hero for one in played]
    deviation = statistics.stdev(points) if len(points) > 1 else float("inf")
    return Score(
        deals=len(played),
        hands=sum(one.hands for one in played),
        hero=statistics.fmean(points),
        interval=1.96 * deviation / len(points) ** 0.5,
        villains=statistics.fmean(one.villains for one in played),
        ms_a_move=1000 * sum(one.seconds for one in played) / max(1, sum(one.moves for one in played)),
    )


def _play_deal(duel: Duel, seed: int, number: int) -> _Played:
    at = table(checked(duel.options))
    hands = len(at.directions)
    hero = villains = seconds = 0.0
    moves = 0
    for place in at.seats:
        levels = [duel.hero if seat == place else duel.villain for seat in at.seats]
        totals, taken, count = _play(duel.options, f"{seed}/{number}", levels, place, hands)
        hero += totals[place]
        villains += (sum(totals) - totals[place]) / (at.players - 1)
        seconds += taken
        moves += count
    played = hands * at.players
    return _Played(played, hero / played, villains / played, seconds, moves)


def _play(
    given: Mapping[str, object], name: str, levels: list[str], hero: Seat, hands: int
) -> tuple[tuple[int, ...], float, int]:
    """Plays so many hands; the totals, and the hero's processor time and number of moves."""
    options = checked({**given, "target": 1000})
    deal_seed = hashlib.shake_256(f"duel/{name}".encode()).digest(SEED_BYTES)
    state = Hearts(table(options), deal_seed)
    dice = random.Random(f"{name}/{hero}")  # noqa: S311 — dice, not secrets
    seconds, moves = 0.0, 0
    for seat, taken in play(state, options, levels, dice):
        if seat == hero:
            seconds += taken
            moves += 1
        if len(state.scores) == hands:
            break
    return state.totals, seconds, moves


def play(
    state: Hearts, options: Options, levels: Sequence[str], dice: random.Random
) -> Iterator[tuple[Seat, float]]:
    """Has bots play, one level a seat, to the end of the game.

    After each move: who has made it, and how many seconds of processor time it has taken.
    """
    views: list[list[View]] = [[] for _ in levels]
    hand = state.hand_number
    while not state.over:
        if state.hand_number != hand:
            hand = state.hand_number
            views = [[] for _ in levels]
        seat = state.turn()[0]
        views[seat].append({**state.view(seat), "options": options, "you": seat, "legal": state.legal(seat)})
        started = time.process_time()
        move = choose(levels[seat], views[seat], dice.getrandbits(32))
        taken = time.process_time() - started
        state.play(seat, move)
        yield seat, taken
