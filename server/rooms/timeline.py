"""The moves of one game, and the state at any of them."""

from collections.abc import Iterable, Iterator
from typing import Final

from server.games.game import State
from server.log.model import LoggedMove, Ply

EVERY: Final = 64
"""A state is kept after so many moves each, so that no replay is longer than that."""


class Timeline:
    """A log of moves over its first state. The states that it keeps are never played on."""

    def __init__(self, start: State) -> None:
        self._kept = [start]
        self._moves: list[LoggedMove] = []

    @property
    def ply(self) -> Ply:
        """How many moves there are."""
        return Ply(len(self._moves))

    @property
    def moves(self) -> tuple[LoggedMove, ...]:
        """All moves, the first one first."""
        return tuple(self._moves)

    def move(self, ply: int) -> LoggedMove | None:
        """The move that led to a ply; None at ply 0."""
        return self._moves[ply - 1] if ply else None

    def state(self, ply: int) -> State:
        """The state after the first `ply` moves, as a copy of one's own."""
        state = self._kept[ply // EVERY].copy()
        for move in self._moves[ply // EVERY * EVERY : ply]:
            state.play(move.seat, move.move)
        return state

    def states(self, first: int, last: int) -> Iterator[tuple[int, LoggedMove | None, State]]:
        """The plies from `first` to `last`, each with the move that led to it.

        Each state is good until the next is asked for. Moves that are taken off meanwhile still count.
        """
        moves = [self.move(first), *self._moves[first:last]]
        state = self.state(first)
        for ply, move in zip(range(first, last + 1), moves, strict=False):
            if move is not None and ply > first:
                state.play(move.seat, move.move)
            yield ply, move, state

    def replay(self, moves: Iterable[LoggedMove]) -> State:
        """Appends moves by playing them. The state after the last of them.

        Raises:
            IllegalMove: the rules forbid one. Those before it have been appended.
        """
        state = self.state(self.ply)
        for move in moves:
            state.play(move.seat, move.move)
            self.append(move, state)
        return state

    def append(self, move: LoggedMove, after: State) -> None:
        """Adds a move and the state that it leads to."""
        self._moves.append(move)
        if self.ply % EVERY == 0:
            self._kept.append(after.copy())

    def truncate(self) -> None:
        """Takes the last move off."""
        self._moves.pop()
        del self._kept[self.ply // EVERY + 1 :]
