"""The documented shuffle: a pure function of a text, the same on every machine for ever."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def _stream(key: bytes) -> Iterator[int]:
    """The bytes of SHAKE-256 of `key`, without end."""
    length, start = 256, 0
    while True:
        block = hashlib.shake_256(key).digest(length)
        yield from block[start:]
        start, length = length, length * 2


def shuffled(deck: Sequence[T], key: bytes) -> list[T]:
    """A copy of `deck` (at most 256 cards), shuffled by the SHAKE-256 stream of `key`.

    Fisher-Yates from the last card down. A byte that would favour the low places is skipped, so every
    order is equally likely (docs/rules.md, "The shuffle").
    """
    cards = list(deck)
    stream = _stream(key)
    for i in range(len(cards) - 1, 0, -1):
        fair = 256 - 256 % (i + 1)
        byte = next(b for b in stream if b < fair)
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards
