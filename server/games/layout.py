"""The heart of Heart to Heart: its 25 places, and which of them cover which."""

from typing import Final, NewType

Position = NewType("Position", int)
"""A place of the heart, 1 to 25, row by row, left to right."""

Places = NewType("Places", int)
"""A set of places: bit `p` stands for place `p`."""

_COLUMNS: Final = (
    (1, 3, 7, 9),
    (0, 2, 4, 6, 8, 10),
    (1, 3, 5, 7, 9),
    (2, 4, 6, 8),
    (3, 5, 7),
    (4, 6),
    (5,),
)
"""Where the cards of each row lie, in half-steps from the left."""

SIZE: Final = sum(len(row) for row in _COLUMNS)

POSITIONS: Final = tuple(Position(p) for p in range(1, SIZE + 1))

ALL: Final = Places(sum(1 << p for p in POSITIONS))


def _covering() -> tuple[Places, ...]:
    """For each place the places of the next row that lie half a step to its left and right."""
    covering = [Places(0)] * (SIZE + 1)
    first = 1
    for row, below in zip(_COLUMNS, (*_COLUMNS[1:], ()), strict=True):
        first_below = first + len(row)
        for i, column in enumerate(row):
            covering[first + i] = Places(
                sum(1 << (first_below + j) for j, other in enumerate(below) if abs(other - column) == 1)
            )
        first = first_below
    return tuple(covering)


COVERING: Final = _covering()
"""The places that cover each place; index 0 is unused."""


def free(filled: Places) -> list[Position]:
    """The filled places that no filled place covers, lowest first."""
    return [p for p in POSITIONS if filled >> p & 1 and not filled & COVERING[p]]
