"""Passing: three cards of each hand, face down, to another seat."""

from bisect import insort

from server.games.errors import IllegalMove, Reason
from server.games.hearts.cards import CARDS, NAMES, ORDER, PLAYS, SUIT_OF, Card, Hand
from server.games.hearts.options import PASSED, STEPS, Direction

Passed = tuple[Card, ...]
"""The three cards of a pass in the order of a hand; none before it."""


def read_pass(move: str, hand: Hand) -> Passed:
    """The three cards that a move passes, named in any order.

    Raises:
        IllegalMove: it names no three different cards, or one that the hand does not hold.
    """
    try:
        word, first, second, third = move.split(" ")
        cards = {CARDS[first], CARDS[second], CARDS[third]}
    except (ValueError, KeyError):
        raise _no_pass() from None
    if word != "pass" or len(cards) != PASSED:
        raise _no_pass()
    for card in cards:
        if PLAYS[card] not in hand[SUIT_OF[card]]:
            raise IllegalMove(
                Reason.NOT_IN_HAND, f"You do not hold {NAMES[card]}: pass three cards of your hand."
            )
    return tuple(sorted(cards))


def _no_pass() -> IllegalMove:
    return IllegalMove(Reason.NOT_A_MOVE, "Pass three different cards, like `pass 2C QS AH`.")


def written(passed: Passed) -> str:
    """The one spelling of a pass: its cards in the order of a hand."""
    first, second, third = passed
    return f"pass {NAMES[first]} {NAMES[second]} {NAMES[third]}"


def received(sent: list[Passed], direction: Direction) -> list[Passed]:
    """What each seat gets; `sent` is what each has passed. The direction must not be `none`."""
    step = STEPS[direction]
    return sent[-step:] + sent[:-step]


def give(hand: Hand, passed: Passed) -> None:
    """Takes the passed cards out of the hand that held them."""
    for card in passed:
        hand[SUIT_OF[card]].remove(PLAYS[card])


def get(hand: Hand, passed: Passed) -> None:
    """Puts the passed cards into the hand that gets them."""
    for card in passed:
        insort(hand[SUIT_OF[card]], PLAYS[card], key=ORDER)
