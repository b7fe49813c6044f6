"""The documented deal: every hand of a game follows from its seed, which is committed to beforehand."""

import hashlib
import re
from typing import Final, NamedTuple

from server.games.errors import BadDealCode
from server.games.hearts.cards import Card, Hand, hand_of
from server.games.hearts.options import Table
from server.games.shuffle import shuffled

SEED_BYTES: Final = 32
_HEX: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", re.ASCII)


class Deal(NamedTuple):
    """One hand as it is dealt: the cards of each seat, and those that are left over."""

    hands: list[Hand]
    widow: tuple[Card, ...]


def read_seed(seed: str | bytes) -> bytes:
    """The 32 bytes of a seed, given as they are or as 64 lower-case hex digits.

    Raises:
        BadDealCode: it is neither.
    """
    if isinstance(seed, str) and _HEX.fullmatch(seed):
        return bytes.fromhex(seed)
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    raise BadDealCode(f"A seed of Hearts is {SEED_BYTES} bytes, or {2 * SEED_BYTES} lower-case hex digits.")


def commitment(seed: bytes) -> str:
    """What is published of a seed before the game is over: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def deal(table: Table, seed: bytes, hand_number: int) -> Deal:
    """The cards of one hand (docs/rules.md, "Hearts", "Deal"); hands count from 1."""
    cards = shuffled(table.deck, f"HEARTS/{seed.hex()}/{hand_number}".encode())
    size = table.hand_size
    dealt = size * table.players
    return Deal(
        hands=[hand_of(cards[first : first + size]) for first in range(0, dealt, size)],
        widow=tuple(cards[dealt:]),
    )
