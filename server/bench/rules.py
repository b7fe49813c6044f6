"""How fast the rules replay whole games of Heart to Heart."""

import time
from collections.abc import Iterator

from server.games import GAMES
from server.games.deals import numbered_code
from server.games.game import Seat, State

GAMES_PLAYED = 300
LONGEST = 400
"""Moves after which a game that goes on is left as it is."""

PLAYER = Seat(0)


def _setup(number: int) -> State:
    return GAMES["heart-to-heart"].setup({}, numbered_code(number))


def _greedy(state: State) -> Iterator[str]:
    """Takes a pair where there is one, else draws or recycles: to the win, the end, or `LONGEST` moves."""
    for _ in range(LONGEST):
        if state.status != "playing":
            return
        yield state.play(PLAYER, state.legal(PLAYER)[-1])


def replayed_per_second(seconds: float) -> float:
    """Moves a second through the public `play`, setups not counted, in one thread."""
    logs = [list(_greedy(_setup(number))) for number in range(GAMES_PLAYED)]
    moves, spent = 0, 0.0
    while spent < seconds:
        states = [_setup(number) for number in range(GAMES_PLAYED)]
        start = time.perf_counter()
        for state, log in zip(states, logs, strict=True):
            for move in log:
                state.play(PLAYER, move)
        spent += time.perf_counter() - start
        moves += sum(map(len, logs))
    return moves / spent
