"""How fast Hearts is: single hands by the rules, beside OpenSpiel's, and whole games of bots.

Both play the same: four players, the cards dealt at random, three of them passed to the left at random, then
random legal cards until the hand is over, all through their public Python API. Neither is asked for anything
that it does not need for that.
"""

import random
import secrets
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from server.bench.duel import play
from server.games import GAMES
from server.games.game import Seat
from server.games.hearts.deal import SEED_BYTES
from server.games.hearts.options import checked, table
from server.games.hearts.state import Hearts

PLAYERS: Final = 4

ONE_HAND: Final = {"target": 1, "moon": "add"}
"""A game that is over after its first hand."""

SPIEL: Final = (
    "hearts(pass_cards=true,no_pts_on_first_trick=true,can_lead_any_club=false,avoid_all_tricks_bonus=false,"
    "must_break_hearts=true,qs_breaks_hearts=true,can_lead_hearts_instead_of_qs=false)"
)
"""OpenSpiel's game with the same rules."""

TURNS: Final = 20
"""How often each takes its turn."""

PASS_LEFT: Final = 1
"""What OpenSpiel's first chance node makes of the passing."""


class NoSpiel(Exception):  # noqa: N818 — told to the user as it stands
    """OpenSpiel is not installed."""


class HandSpeed(NamedTuple):
    """Hands a second."""

    ours: float
    """As a player's program would play them through `server.games`."""
    documented: float
    """OpenSpiel's by the loop of its documentation and examples: a chance node is asked for its outcomes
    and their probabilities, and one is drawn. By `random.choices`: NumPy's, which they take, is slower."""
    quickest: float
    """OpenSpiel's by the quickest loop that we know: all outcomes are equally likely here, so a chance node
    is only asked for its actions."""


def hands_per_second(seconds: float) -> HandSpeed:
    """Plays each kind of hands for so long, in turns, so that what else the machine does falls on all alike.

    OpenSpiel's 52 dealt cards, 12 passed and 52 played ones are an action each.

    Raises:
        NoSpiel: OpenSpiel is not installed.
    """
    try:
        import pyspiel
    except ImportError:
        raise NoSpiel("OpenSpiel is missing: install the development dependencies (make check).") from None
    game, dice = pyspiel.load_game(SPIEL), random.Random(1)  # noqa: S311 — dice, not secrets
    kinds = (
        lambda: _our_hand(dice),
        lambda: _their_hand(game, dice, _drawn),
        lambda: _their_hand(game, dice, _chosen),
    )
    rounds = [[_per_second(kind, seconds / TURNS) for kind in kinds] for _ in range(TURNS)]
    return HandSpeed(*map(statistics.fmean, zip(*rounds, strict=True)))


def _our_hand(dice: random.Random) -> None:
    state = GAMES["hearts"].setup(ONE_HAND, secrets.token_bytes(SEED_BYTES))
    for seat in map(Seat, range(PLAYERS)):
        state.play(seat, f"pass {' '.join(dice.sample(state.view(seat)['hand'], 3))}")
    while not state.over:
        (seat,) = state.turn()
        state.play(seat, dice.choice(state.legal(seat)))


def _their_hand(game: Any, dice: random.Random, action: Callable[[Any, random.Random], int]) -> None:
    state = game.new_initial_state()
    state.apply_action(PASS_LEFT)
    while not state.is_terminal():
        state.apply_action(action(state, dice))


def _drawn(state: Any, dice: random.Random) -> int:
    if state.is_chance_node():
        actions, probabilities = zip(*state.chance_outcomes(), strict=True)
        drawn: int = dice.choices(actions, probabilities)[0]
        return drawn
    return _chosen(state, dice)


def _chosen(state: Any, dice: random.Random) -> int:
    chosen: int = dice.choice(state.legal_actions())
    return chosen


def bots_per_second(level: str, seconds: float) -> float:
    """Whole games a second, to 100 points, of four bots of a level on one core, without thinking time."""
    options, dice = checked({}), random.Random(1)  # noqa: S311 — as above

    def game() -> None:
        for _ in play(Hearts(table(options), dice.randbytes(SEED_BYTES)), options, [level] * PLAYERS, dice):
            pass

    return _per_second(game, seconds)


def _per_second(work: Callable[[], None], seconds: float) -> float:
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work()
        done += 1
    return done / spent
