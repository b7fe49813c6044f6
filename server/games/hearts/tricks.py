"""Tricks: which cards may be played, why others may not, and who wins."""

from collections.abc import Sequence

from server.games.errors import IllegalMove, Reason
from server.games.hearts.cards import IN_SUIT, NAMES, PENALTY, PLAYED, QUEEN, Card, Hand


def leads(hand: Hand, first: bool, broken: bool, lowest_club: Card | None) -> list[Card]:
    """The cards of a hand that may be led.

    `first` says that it is the hand's first trick, which `lowest_club` must lead where there is one;
    `broken`, that hearts may be led.
    """
    if first:
        if lowest_club is not None:
            return [lowest_club]
        harmless = _harmless(hand)
        if harmless:
            return harmless
    clubs, diamonds, spades, hearts = hand
    if broken:
        return clubs + diamonds + spades + hearts
    return clubs + diamonds + spades or hearts


def discards(hand: Hand, first: bool) -> list[Card]:
    """The cards of a hand that may be played when it holds none of the suit led."""
    clubs, diamonds, spades, hearts = hand
    return (first and _harmless(hand)) or clubs + diamonds + spades + hearts


def _harmless(hand: Hand) -> list[Card]:
    """The cards that score nothing against anybody."""
    clubs, diamonds, spades, _ = hand
    return clubs + diamonds + [card for card in spades if card != QUEEN]


def refusal(
    move: str, hand: Hand, trick: Sequence[Card], first: bool, lowest_club: Card | None
) -> IllegalMove:
    """Why a move that plays none of the playable cards is illegal: the first reason that applies."""
    card = PLAYED.get(move)
    if card is None:
        return IllegalMove(Reason.NOT_A_MOVE, "Play one card of your hand, like `play QS`.")
    if card not in hand[card // IN_SUIT]:
        return IllegalMove(Reason.NOT_IN_HAND, f"You do not hold {NAMES[card]}: play a card of your hand.")
    if first and not trick and lowest_club is not None:
        return IllegalMove(Reason.MUST_LEAD_LOWEST_CLUB, f"Lead {NAMES[lowest_club]} to the first trick.")
    if trick and hand[trick[0] // IN_SUIT]:
        return IllegalMove(Reason.MUST_FOLLOW_SUIT, f"Follow suit: {NAMES[trick[0]]} was led.")
    if first and PENALTY[card] and _harmless(hand):
        return IllegalMove(
            Reason.NO_POINTS_ON_FIRST_TRICK,
            "No heart and no queen of spades on the first trick: play another card.",
        )
    return IllegalMove(
        Reason.HEARTS_NOT_BROKEN,
        "Lead another suit: no heart and no queen of spades has been played yet.",
    )


def winner(trick: Sequence[Card]) -> int | None:
    """Who wins a complete trick, as the place in it; None when all cards of the suit led cancelled out.

    Equal cards, as two decks have them, cancel each other: neither can win.
    """
    led = trick[0] // IN_SUIT
    best: Card | None = None
    for card in trick:
        if card // IN_SUIT == led and (best is None or card > best) and trick.count(card) == 1:
            best = card
    return None if best is None else trick.index(best)
