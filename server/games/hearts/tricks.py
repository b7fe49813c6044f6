"""Tricks: which cards may be played, why others may not, and who wins."""

from collections.abc import Sequence
from typing import Final

from server.games.errors import IllegalMove, Reason
from server.games.hearts.cards import NAMES, PENALTY, PLAYED, PLAYS, QUEEN, SUIT_OF, Card, Hand

_PLAY_QUEEN: Final = PLAYS[QUEEN]


def leads(hand: Hand, first: bool, broken: bool, lowest_club: Card | None) -> list[str]:
    """The moves that may lead a card of a hand.

    `first` says that it is the hand's first trick, which `lowest_club` must lead where there is one;
    `broken`, that hearts may be led.
    """
    if first:
        if lowest_club is not None:
            return [PLAYS[lowest_club]]
        harmless = _harmless(hand)
        if harmless:
            return harmless
    clubs, diamonds, spades, hearts = hand
    if broken:
        return clubs + diamonds + spades + hearts
    return clubs + diamonds + spades or hearts


def discards(hand: Hand, first: bool) -> list[str]:
    """The moves that may play a card of a hand when it holds none of the suit led."""
    clubs, diamonds, spades, hearts = hand
    return (first and _harmless(hand)) or clubs + diamonds + spades + hearts


def _harmless(hand: Hand) -> list[str]:
    """The moves that play what scores nothing against anybody."""
    clubs, diamonds, spades, _ = hand
    return clubs + diamonds + [move for move in spades if move != _PLAY_QUEEN]


def refusal(
    move: str, hand: Hand, trick: Sequence[Card], first: bool, lowest_club: Card | None
) -> IllegalMove:
    """Why a move that plays none of the playable cards is illegal: the first reason that applies."""
    card = PLAYED.get(move)
    if card is None:
        return IllegalMove(Reason.NOT_A_MOVE, "Play one card of your hand, like `play QS`.")
    if move not in hand[SUIT_OF[card]]:
        return IllegalMove(Reason.NOT_IN_HAND, f"You do not hold {NAMES[card]}: play a card of your hand.")
    if first and not trick and lowest_club is not None:
        return IllegalMove(Reason.MUST_LEAD_LOWEST_CLUB, f"Lead {NAMES[lowest_club]} to the first trick.")
    if trick and hand[SUIT_OF[trick[0]]]:
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


def winner(trick: Sequence[Card], cancelling: bool) -> int | None:
    """Who wins a complete trick, as the place in it; None when all cards of the suit led cancelled out.

    When `cancelling`, equal cards cancel each other: neither can win.
    """
    led, best = SUIT_OF[trick[0]], -1
    for card in trick:
        if card > best and SUIT_OF[card] == led and not (cancelling and trick.count(card) > 1):
            best = card
    return None if best < 0 else trick.index(best)
