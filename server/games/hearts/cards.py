"""The cards of Hearts as small numbers, and hands of them suit by suit."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)
"""0 to 51: clubs 2 to A, then diamonds, spades, hearts. Numbers in order are cards in the order of a hand."""

Hand = list[list[Card]]
"""Four suits, clubs, diamonds, spades, hearts, each low to high. With two decks a card may come twice."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
IN_SUIT: Final = len(RANKS)
"""A card's suit is its number divided by this."""

NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS: Final = {name: Card(number) for number, name in enumerate(NAMES)}

QUEEN: Final = CARDS["QS"]
JACK: Final = CARDS["JD"]

PENALTY: Final = tuple(13 if card == QUEEN else 1 if card // IN_SUIT == 3 else 0 for card in range(52))
"""What each card costs who takes it: a heart 1, the queen of spades 13."""

PLAYS: Final = tuple(f"play {name}" for name in NAMES)
"""The move that plays each card."""

PLAYED: Final = {move: Card(number) for number, move in enumerate(PLAYS)}
"""The card of each move that plays one."""


def hand_of(cards: Iterable[Card]) -> Hand:
    """These cards, in any order, as a hand."""
    low_to_high = sorted(cards)
    diamonds = bisect_left(low_to_high, IN_SUIT)
    spades = bisect_left(low_to_high, 2 * IN_SUIT)
    hearts = bisect_left(low_to_high, 3 * IN_SUIT)
    return [
        low_to_high[:diamonds],
        low_to_high[diamonds:spades],
        low_to_high[spades:hearts],
        low_to_high[hearts:],
    ]


def names(hand: Hand) -> list[str]:
    """The cards' names in the order of a hand."""
    clubs, diamonds, spades, hearts = hand
    return [NAMES[card] for card in clubs + diamonds + spades + hearts]
