"""The options of a table of Hearts, and what follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from server.games.errors import BadOptions
from server.games.game import Options, Seat
from server.games.hearts.cards import CARDS, Card

Variant = Literal["standard", "omnibus", "cancellation"]
Moon = Literal["choice", "add", "subtract"]
Direction = Literal["left", "right", "across", "none"]

PASSED: Final = 3
"""How many cards each seat passes."""

STEPS: Final[dict[Direction, int]] = {"left": 1, "right": -1, "across": 2}
"""How many seats on to the left they go."""

_VARIANTS: Final = ("standard", "omnibus", "cancellation")
_MOONS: Final = ("choice", "add", "subtract")


class _Players(NamedTuple):
    """How many play: at least, at most, and when nothing is said."""

    fewest: int
    most: int
    usual: int


_ONE_DECK: Final = _Players(3, 7, 4)
_TWO_DECKS: Final = _Players(6, 10, 6)

_REMOVED: Final = {3: "2D", 4: "", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}
"""The cards that leave one deck so that all get the same number, by players."""


@dataclass(frozen=True, slots=True)
class Table:
    """What holds for every hand of a game. All of it follows from the options."""

    players: int
    target: int
    moon: Moon
    cancelling: bool
    """Whether two decks are in play, whose equal cards cancel each other."""
    jack_counts: bool
    """Whether the jack of diamonds takes points off who takes it."""
    all_points: int
    """What all penalty cards together cost: whoever takes them has shot the moon."""
    deck: tuple[Card, ...]
    """All cards before the shuffle: clubs 2 to A, diamonds, spades, hearts; two decks one after the other."""
    hand_size: int
    lowest_club: Card | None
    """The card that must be led to a hand's first trick; None when any card may that scores nothing."""
    directions: tuple[Direction, ...]
    """Where cards are passed, hand by hand, and then from the start again."""
    seats: tuple[Seat, ...]
    left: tuple[Seat, ...]
    """For each seat the one to its left, which plays after it."""
    order: tuple[tuple[Seat, ...], ...]
    """For each seat, all seats as they play to a trick that it leads."""
    alone: tuple[tuple[Seat], ...]
    """For each seat, what `turn` says when nobody else is on turn."""

    def direction(self, hand_number: int) -> Direction:
        """Where cards are passed in a hand; hands count from 1."""
        return self.directions[(hand_number - 1) % len(self.directions)]


def checked(given: Mapping[str, object]) -> Options:
    """The given options with the defaults filled in.

    Raises:
        BadOptions: an option that Hearts does not have, or a value out of its range.
    """
    unknown = given.keys() - {"players", "target", "moon", "variant", "turn_seconds"}
    if unknown:
        raise BadOptions(f"Hearts has no option {min(map(str, unknown))!r}.")
    variant = _one_of(given, "variant", _VARIANTS, "standard")
    players = _TWO_DECKS if variant == "cancellation" else _ONE_DECK
    return {
        "players": _whole(given, "players", players.fewest, players.most, players.usual),
        "target": _whole(given, "target", 1, 1000, 100),
        "moon": _one_of(given, "moon", _MOONS, "choice"),
        "variant": variant,
        "turn_seconds": _whole(given, "turn_seconds", 0, 600, 60),
    }


def table(options: Options) -> Table:
    """The table that checked options describe."""
    return _table(options["players"], options["target"], options["moon"], options["variant"])


@lru_cache(maxsize=256)
def _table(players: int, target: int, moon: Moon, variant: Variant) -> Table:
    cancelling = variant == "cancellation"
    deck = _deck(players, cancelling)
    seats = tuple(Seat(seat) for seat in range(players))
    return Table(
        players=players,
        target=target,
        moon=moon,
        cancelling=cancelling,
        jack_counts=variant == "omnibus",
        all_points=52 if cancelling else 26,
        deck=deck,
        hand_size=len(deck) // players,
        lowest_club=None if cancelling else deck[0],
        directions=_directions(players, cancelling),
        seats=seats,
        left=seats[1:] + seats[:1],
        order=tuple(seats[seat:] + seats[:seat] for seat in seats),
        alone=tuple((seat,) for seat in seats),
    )


def _deck(players: int, cancelling: bool) -> tuple[Card, ...]:
    whole = tuple(CARDS.values())
    if cancelling:
        return whole + whole
    removed = {CARDS[name] for name in _REMOVED[players].split()}
    return tuple(card for card in whole if card not in removed)


def _directions(players: int, cancelling: bool) -> tuple[Direction, ...]:
    if cancelling:
        return ("none",)
    return ("left", "right", "across", "none") if players == 4 else ("left", "right")


def _whole(given: Mapping[str, object], name: str, least: int, most: int, usual: int) -> int:
    value = given.get(name, usual)
    # A bool is an int to Python, but not to whoever writes JSON.
    if type(value) is not int or not least <= value <= most:
        raise BadOptions(f"{name!r} must be a whole number from {least} to {most}.")
    return value


def _one_of(given: Mapping[str, object], name: str, choices: tuple[str, ...], usual: str) -> str:
    value = given.get(name, usual)
    if not isinstance(value, str) or value not in choices:
        raise BadOptions(f"{name!r} must be one of {', '.join(choices)}.")
    return value
