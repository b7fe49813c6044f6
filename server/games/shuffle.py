"""The documented shuffle: a pure function of a text, the same on every machine for ever."""

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

_FAIR: Final = (0, *(256 - 256 % choices for choices in range(1, 257)))
"""For each number of choices, how many values of a byte are shared out among them evenly."""


def shuffled(deck: Sequence[T], key: bytes, length: int = 256) -> list[T]:
    """A copy of `deck` (2 to 256 cards), shuffled by the SHAKE-256 stream of `key`.

    Fisher-Yates from the last card down. A byte that would favour the low places is skipped, so every
    order is equally likely (docs/rules.md, "The shuffle"). `length` bytes of the stream are tried first.
    """
    cards = list(deck)
    choices = len(cards)
    for byte in hashlib.shake_256(key).digest(length):
        if byte < _FAIR[choices]:
            place = byte % choices
            choices -= 1
            cards[choices], cards[place] = cards[place], cards[choices]
            if choices == 1:
                return cards
    return shuffled(deck, key, 2 * length)
