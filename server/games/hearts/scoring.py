"""Scoring: what a finished hand adds to the totals, and who has won."""

from collections.abc import Sequence
from typing import Final

from server.games.game import Seat

JACK_POINTS: Final = -10
"""What the jack of diamonds adds to its taker's points in Omnibus."""


def with_jack(taken: Sequence[int], jack: Seat | None) -> list[int]:
    """Points by seat: the penalties taken, and the jack's for the seat that took it, if any did."""
    points = list(taken)
    if jack is not None:
        points[jack] += JACK_POINTS
    return points


def moon_row(shooter: Seat, all_points: int, players: int, *, add: bool) -> list[int]:
    """What a moon adds to each total: `all_points` to all others', or their negative to the shooter's."""
    if add:
        return [0 if seat == shooter else all_points for seat in range(players)]
    return [-all_points if seat == shooter else 0 for seat in range(players)]


def winners(totals: Sequence[int]) -> list[Seat]:
    """The seats with the lowest total: they share the win."""
    lowest = min(totals)
    return [Seat(seat) for seat, total in enumerate(totals) if total == lowest]
