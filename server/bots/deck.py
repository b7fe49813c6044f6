"""The cards as bots see them: each a bit of an int, so that hands are searched fast."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from server.games.hearts.cards import CARDS, IN_SUIT, NAMES, PENALTY

Bit = int
"""One card, by its place in a set: kind × decks + copy. A higher place of one suit is a higher card."""

Bits = int
"""A set of cards: bit b for card b."""


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck, or two shuffled as one, whose equal cards lie side by side."""

    copies: int
    suits: tuple[Bits, ...]
    """Clubs, diamonds, spades, hearts."""
    suit: tuple[Bits, ...]
    """For each card, its whole suit."""
    penalty: tuple[int, ...]
    """For each card, what it costs who takes it."""
    names: tuple[str, ...]
    spades: Bits
    hearts: Bits
    queens: Bits
    below_queen: Bits
    """The spades lower than the queen."""
    above_queen: Bits
    """Kings and aces of spades."""
    jacks: Bits
    """Of diamonds."""
    above_jack: Bits
    """The diamonds higher than the jack."""
    harmless: Bits
    """All but hearts and queens of spades."""
    low_hearts: Bits
    """Hearts up to the five."""

    def bits(self, names: list[str]) -> Bits:
        """The set of these cards, the first of two equal ones as the first copy."""
        found = 0
        for name in names:
            bit = 1 << CARDS[name] * self.copies
            found |= bit << 1 if found & bit else bit
        return found


@cache
def deck_of(copies: int) -> Deck:
    """The deck, or two."""
    size = 52 * copies
    kinds = [place // copies for place in range(size)]
    suits = tuple(sum(1 << b for b in range(size) if kinds[b] // IN_SUIT == s) for s in range(4))

    def those(*names: str) -> Bits:
        return sum(1 << b for b in range(size) if NAMES[kinds[b]] in names)

    queens = those("QS")
    return Deck(
        copies=copies,
        suits=suits,
        suit=tuple(suits[kind // IN_SUIT] for kind in kinds),
        penalty=tuple(PENALTY[kind] for kind in kinds),
        names=tuple(NAMES[kind] for kind in kinds),
        spades=suits[2],
        hearts=suits[3],
        queens=queens,
        below_queen=those(*(f"{rank}S" for rank in "23456789TJ")),
        above_queen=those("KS", "AS"),
        jacks=those("JD"),
        above_jack=those("QD", "KD", "AD"),
        harmless=sum(suits[:3]) & ~queens,
        low_hearts=those("2H", "3H", "4H", "5H"),
    )


def each(cards: Bits) -> Iterator[Bit]:
    """The cards of a set, lowest first."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest
