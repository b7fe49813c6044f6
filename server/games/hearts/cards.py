"""The cards of Hearts as small numbers, and hands of them suit by suit."""

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)
"""0 to 51: clubs 2 to A, then diamonds, spades, hearts. Numbers in order are cards in the order of a hand."""

Hand = list[list[str]]
"""Four suits, clubs, diamonds, spades, hearts, each the moves that play its cards, low to high.

Moves and not cards: whoever plays asks for the legal ones before each, and finds them written.
With two decks a move may come twice.
"""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
IN_SUIT: Final = len(RANKS)
"""A card's suit is its number divided by this."""

NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS: Final = {name: Card(number) for number, name in enumerate(NAMES)}

QUEEN: Final = CARDS["QS"]
JACK: Final = CARDS["JD"]

SUIT_OF: Final = tuple(card // IN_SUIT for card in range(52))
"""The suit of each card, by its place in a hand."""

PENALTY: Final = tuple(13 if card == QUEEN else 1 if SUIT_OF[card] == 3 else 0 for card in range(52))
"""What each card costs who takes it: a heart 1, the queen of spades 13."""

PLAYS: Final = tuple(f"play {name}" for name in NAMES)
"""The move that plays each card."""

PLAYED: Final = {move: Card(number) for number, move in enumerate(PLAYS)}
"""The card of each move that plays one."""

ORDER: Final = PLAYED.__getitem__
"""The key that sorts moves as a hand."""

_NAMED: Final = dict(zip(PLAYS, NAMES, strict=True))
"""The name of the card of each move that plays one."""


def hand_of(cards: Iterable[Card]) -> Hand:
    """These cards, in any order, as a hand."""
    hand: Hand = [[], [], [], []]
    for card in sorted(cards):
        hand[SUIT_OF[card]].append(PLAYS[card])
    return hand


def names(hand: Hand) -> list[str]:
    """The cards' names in the order of a hand."""
    clubs, diamonds, spades, hearts = hand
    return [_NAMED[move] for move in clubs + diamonds + spades + hearts]
