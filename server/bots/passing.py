"""Which three cards to pass: what is dangerous to hold, and what makes a suit short."""

from server.bots.deck import Bit, Bits, Deck, each


def by_danger(deck: Deck, hand: Bits, *, jack_counts: bool) -> list[Bit]:
    """The cards of a hand that is to pass some, the most dangerous to hold first."""
    return sorted(each(hand), key=lambda card: -_danger(deck, hand, card, jack_counts))


def _danger(deck: Deck, hand: Bits, card: Bit, jack_counts: bool) -> float:
    bit, rank = 1 << card, card // deck.copies % 13
    suit = hand & deck.suit[card]
    length = suit.bit_count()
    below = (suit & (bit - 1)).bit_count()
    if bit & deck.spades:
        return _danger_of_a_spade(deck, hand, bit)
    if bit & deck.hearts:
        # Two low hearts under a high one make it safe to hold.
        return rank * 0.9 + (1 if rank >= 8 and below < 2 else 0) - (4 if bit & deck.low_hearts else 0)
    value = rank * 0.8 + (4 - length) * 0.9 if length <= 3 else rank * 0.8 - below * 0.7
    if jack_counts and bit & (deck.jacks | deck.above_jack):
        value -= 8
    return value


def _danger_of_a_spade(deck: Deck, hand: Bits, bit: Bits) -> float:
    """The queen and what she falls on are safe behind four other spades; low spades guard them."""
    guards = (hand & deck.spades & ~(deck.queens | deck.above_queen)).bit_count()
    if bit & deck.queens:
        return 20.0 if guards < 4 else 0.0
    if bit & deck.above_queen:
        return 15.0 if guards < 4 and not (guards == 3 and hand & deck.queens) else 0.0
    return -5.0
