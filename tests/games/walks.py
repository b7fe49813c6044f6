"""Games of Heart to Heart that walk legal moves only, for property tests."""

from typing import NamedTuple

from hypothesis import strategies as st

from server.games.deals import NUMBERS, numbered_code
from server.games.game import Seat
from server.games.heart_to_heart import HeartToHeart, HeartToHeartState

PLAYER = Seat(0)


class Walk(NamedTuple):
    """A deal code, and moves that are legal one after the other."""

    code: str
    moves: tuple[str, ...]

    def begin(self) -> HeartToHeartState:
        return HeartToHeart().setup({}, self.code)

    def end(self) -> HeartToHeartState:
        state = self.begin()
        for move in self.moves:
            state.play(PLAYER, move)
        return state


def choose(state: HeartToHeartState, choice: int) -> str:
    """A legal move. 0 is the last of them, which is a pair if there is one."""
    moves = state.legal(PLAYER)
    return moves[-1 - choice % len(moves)]


def _walk(number: int, choices: list[int], steps: int) -> Walk:
    code = numbered_code(number)
    state = HeartToHeart().setup({}, code)
    moves: list[str] = []
    for choice in [*choices, *[0] * steps]:
        if not state.legal(PLAYER):
            break
        moves.append(state.play(PLAYER, choose(state, choice)))
    return Walk(code, tuple(moves))


def walks() -> st.SearchStrategy[Walk]:
    """Walks of up to 200 moves, some of which end in a win, some stuck."""
    return st.builds(
        _walk, st.integers(0, NUMBERS - 1), st.lists(st.integers(0, 3), max_size=50), st.integers(0, 150)
    )


def greedy_walk(number: int) -> Walk:
    """A walk that takes every pair at once."""
    return _walk(number, [], 200)
