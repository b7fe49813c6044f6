"""Playing a hand out to its end, and what the end costs."""

from collections.abc import Callable
from typing import Final

from server.bots import thumb
from server.bots.deck import Bit, Bits, each
from server.bots.round import NOBODY, Round
from server.games.hearts.scoring import JACK_POINTS

Policy = Callable[[Round], Bit]
"""Picks the card of the seat on turn. It may look at that seat's own hand alone."""

_OTHERS: Final = 0.3
"""What a point of the others counts, beside a point of one's own."""


def play_out(round: Round, seat: int, policy: Policy) -> None:
    """Plays on until no points are left to be taken: `seat` by `policy`, the others by rules of thumb."""
    deck = round.deck
    points = round.cards & ~deck.harmless | (deck.jacks if round.jack_counts else 0)
    # With a widow some points are never played: the hand goes on to its end then.
    while round.left and (round.trick or round.stake or points & ~round.gone):
        round.play(policy(round) if round.turn == seat else thumb.card(round))


def cost(round: Round, seat: int) -> float:
    """How bad the end of a hand is for a seat: its own points, less a share of what the others got."""
    all_points, players = 26 * round.deck.copies, round.players
    taken = round.taken
    if taken[seat] == all_points:
        own, others = 0, all_points * (players - 1)
    elif max(taken) == all_points:
        own, others = all_points, all_points * (players - 2)
    else:
        own, others = taken[seat], sum(taken) - taken[seat]
    if round.jack_seat == seat:
        own += JACK_POINTS
    elif round.jack_seat != NOBODY:
        others += JACK_POINTS
    return own - _OTHERS * others / (players - 1)


def bold(round: Round) -> Bit:
    """Takes every trick that it can, as long as nobody else has points: on the way to the moon."""
    seat = round.turn
    if round.only not in (NOBODY, seat):
        return thumb.card(round)
    legal = round.legal()
    if not round.trick:
        return _likeliest_winner(round, legal)
    if legal & round.led:
        higher = legal & -(2 << round.best) if round.best >= 0 else legal
        if not higher:
            return (legal & -legal).bit_length() - 1
        last = len(round.trick) == round.players - 1
        return (higher & -higher if last else higher).bit_length() - 1
    spare = legal & round.deck.harmless or legal
    return min(each(spare), key=lambda card: card // round.deck.copies % 13)


def _likeliest_winner(round: Round, legal: Bits) -> Bit:
    """The card that fewest unseen cards beat; of equals, one of the longest suit."""
    unseen = round.cards & ~round.gone & ~round.hands[round.turn]
    suit = round.deck.suit
    return min(
        each(legal),
        key=lambda card: (
            (unseen & suit[card] & -(2 << card)).bit_count(),
            -(legal & suit[card]).bit_count(),
        ),
    )
