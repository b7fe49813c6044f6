"""Tables of Hearts for the tests: every variant, legal walks, and hands as a test wants them."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from server.games import GAMES
from server.games.game import Seat
from server.games.hearts.cards import CARDS, hand_of
from server.games.hearts.state import Hearts

TABLES: list[dict[str, Any]] = [
    *({"variant": "standard", "players": players} for players in range(3, 8)),
    *({"variant": "omnibus", "players": players} for players in range(3, 8)),
    *({"variant": "cancellation", "players": players} for players in range(6, 11)),
]
"""One table of each variant and number of players."""

Move = tuple[Seat, str]


def setup(seed: bytes, **options: Any) -> Hearts:
    state = GAMES["hearts"].setup(options, seed)
    assert isinstance(state, Hearts)
    return state


def tables() -> st.SearchStrategy[dict[str, Any]]:
    """Options of any table, with a target low enough to be reached soon."""
    return st.builds(
        lambda table, moon, target: {**table, "moon": moon, "target": target},
        st.sampled_from(TABLES),
        st.sampled_from(["choice", "add", "subtract"]),
        st.integers(1, 60),
    )


def choice(state: Hearts, rng: random.Random) -> Move:
    """Any legal move of anybody on turn."""
    seat = rng.choice(state.turn())
    return seat, choice_of(state, seat, rng)


def choice_of(state: Hearts, seat: Seat, rng: random.Random) -> str:
    legal = state.legal(seat)
    if legal == ["pass"]:
        return "pass " + " ".join(rng.sample(state.view(seat)["hand"], 3))
    return rng.choice(legal)


def greedy(state: Hearts, shooter: Seat, rng: random.Random) -> Move:
    """A legal move of a table at which one seat takes all it can and the others let it: moons come often."""
    seat = rng.choice(state.turn())
    legal = state.legal(seat)
    if not legal[0].startswith("play"):
        return seat, choice_of(state, seat, rng)
    return seat, (max if seat == shooter else min)(legal, key=lambda move: CARDS[move[5:]] % 13)


def walk(state: Hearts, rng: random.Random, most: int = 10_000) -> Iterator[Move]:
    """Plays legal moves at random until the game is over, or for so many moves, and yields each after it."""
    for _ in range(most):
        if state.over:
            return
        seat, move = choice(state, rng)
        state.play(seat, move)
        yield seat, move


def arranged(hands: list[str], *, leader: int = 0, first: bool = False, **options: Any) -> Hearts:
    """A table in the middle of a hand, without any passing: these cards are held, and `leader` leads."""
    state = setup(bytes(32), **{"players": len(hands), **options})
    state.hands = [hand_of(CARDS[name] for name in hand.split()) for hand in hands]
    state.counts = [len(hand.split()) for hand in hands]
    state.first = first
    state.leader = Seat(leader)
    state.status = "playing"
    state._give_turn(Seat(leader))
    return state
