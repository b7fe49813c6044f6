"""What every game of the card room is: options, a setup, and a state that moves are played on."""

from collections.abc import Mapping
from typing import Any, NewType, Protocol, Self

Seat = NewType("Seat", int)
"""A place at a table, from 0. The next higher seat sits to the left."""

Options = dict[str, Any]
View = dict[str, Any]


class State(Protocol):
    """A position of one game. Only `play` changes it."""

    @property
    def status(self) -> str:
        """The game's own word for how it stands, as in the view."""

    @property
    def over(self) -> bool:
        """Whether the rules have ended the game: it takes no move and no undo any more."""

    def turn(self) -> tuple[Seat, ...]:
        """The seats that may move now, lowest first."""

    def legal(self, seat: Seat) -> list[str]:
        """The moves that `seat` may make, one text each; empty when it is not on turn."""

    def play(self, seat: Seat, move: str) -> str:
        """Makes a move and returns its one spelling, as the log keeps it.

        Raises:
            IllegalMove: the rules forbid it, or `seat` is not on turn. Nothing has changed.
        """

    def view(self, seat: Seat | None, *, revealed: bool = False) -> View:
        """What `seat` may see (None: a spectator), as the game's own part of a view.

        `revealed` opens everything, as in the replay of a finished game.
        """

    def result(self) -> dict[str, Any]:
        """The figures that the game is remembered by: its own part of a record's `result`."""

    def copy(self) -> Self:
        """An independent copy, cheap."""


class Game(Protocol):
    """The rules of one game, under the name that logs and URLs know it by."""

    @property
    def name(self) -> str:
        """The stable key in the registry."""

    def options(self, given: Mapping[str, object]) -> Options:
        """The given options, checked, with the defaults filled in.

        Raises:
            BadOptions: an option that the game does not have, or a value out of its range.
        """

    def seats(self, options: Options) -> int:
        """How many seats a table with these options has."""

    def setup(self, options: Mapping[str, object], seed: str | bytes) -> State:
        """The position before the first move.

        Raises:
            BadOptions: as `options` does.
            BadDealCode: the seed is not one of this game's.
        """

    def public(self, move: str) -> str:
        """The move as the other seats may see it while the game runs."""
