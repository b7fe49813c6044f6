"""The documented shuffle: a pure function of a text, the same on every machine for ever."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

T = TypeVar("T")


def _blocks(key: bytes) -> Iterator[bytes]:
    """SHAKE-256 of `key`, block by block without end. One block is nearly always enough."""
    length, start = 256, 0
    while True:
        yield hashlib.shake_256(key).digest(length)[start:]
        start, length = length, length * 2


def shuffled(deck: Sequence[T], key: bytes) -> list[T]:
    """A copy of `deck` (at most 256 cards), shuffled by the SHAKE-256 stream of `key`.

    Fisher-Yates from the last card down. A byte that would favour the low places is skipped, so every
    order is equally likely (docs/rules.md, "The shuffle").
    """
    cards = list(deck)
    stream = chain.from_iterable(_blocks(key))
    for choices in range(len(cards), 1, -1):
        fair = 256 - 256 % choices
        byte = next(stream)
        while byte >= fair:
            byte = next(stream)
        last, j = choices - 1, byte % choices
        cards[last], cards[j] = cards[j], cards[last]
    return cards
