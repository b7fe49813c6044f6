"""Rules of thumb: which card a sensible player plays, from its own hand and from what all have seen.

Everything hangs on two questions: how likely is a card to win its trick, and what would the trick cost?
The weights were found by play on duplicate deals (`heartline bench bots`).
"""

from math import comb
from typing import Final

from server.bots.deck import Bit, Bits, each
from server.bots.round import Round

_SUSPICION: Final = 0.3
"""The share of all penalties that one seat must have, and nobody else any, to be suspected of a moon."""

_JACK: Final = 10
_RELIEF: Final = 1.3
"""What it is worth to be rid of a card that would surely win a later trick."""


def _chance_that_all_hold(hands: int, cards: int) -> float:
    """The chance that each of so many hands has at least one of so many cards that lie among them."""
    if hands == 0:
        return 1.0
    return sum(
        (-1.0) ** empty * comb(hands, empty) * (1 - empty / hands) ** cards for empty in range(hands + 1)
    )


_WINS: Final = [[_chance_that_all_hold(hands, cards) for cards in range(27)] for hands in range(10)]
"""By opponents who hold the suit and by their lower cards of it: the chance that none of them must win.

Nobody wins who can help it: a card loses if somebody has higher cards of its suit alone.
"""

_VOIDS: Final = [
    [hands * (1 - 1 / hands) ** cards if hands else 0.0 for cards in range(27)] for hands in range(10)
]
"""By opponents who may hold a suit and by their cards of it: how many of them hold none, on average."""


def card(round: Round) -> Bit:
    """The card that the seat on turn plays."""
    legal = round.legal()
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    if not round.trick:
        return _lead(round, legal)
    if legal & round.led:
        return _follow(round, legal)
    return _discard(round, legal)


def _moon_threat(round: Round) -> int:
    """Another seat that seems about to shoot the moon, or -1."""
    only = round.only
    if only < 0 or only == round.turn or round.taken[only] < _SUSPICION * 26 * round.deck.copies:
        return -1
    return only


def _lead(round: Round, legal: Bits) -> Bit:
    """The card whose trick is likely to cost least, with some relief for high cards that get away."""
    deck, void_count = round.deck, round.void_count
    hand = round.hands[round.turn]
    unseen = round.cards & ~round.gone & ~hand
    opponents = round.players - 1
    queen_out = unseen & deck.queens
    gift = (13 / opponents if queen_out else 0) + (1 if unseen & deck.hearts else 0)
    chosen, least = -1, 1e9
    for number, suit in enumerate(deck.suits):
        mine = legal & suit
        if not mine:
            continue
        theirs = unseen & suit
        count = theirs.bit_count()
        hopeful = opponents - void_count[number] if count else 0
        followers = hopeful if hopeful < count else count
        cost = (opponents - hopeful + _VOIDS[hopeful][count]) * gift + round.stake - _RELIEF
        if number == 3:
            cost += 1 + followers
        bias = _spade_bias(round, hand, queen_out) if number == 2 else 0.0
        low, high = (mine & -mine).bit_length() - 1, mine.bit_length() - 1
        for one in (low, high) if low != high else (low,):
            above = (theirs >> one).bit_count()
            wins = _WINS[followers][count - above] if above else 1.0
            value = wins * cost + bias
            if number == 2:
                value += wins * _queen_on_lead(round, one, queen_out, followers, count)
            elif number == 3:
                if not above and _moon_threat(round) >= 0:
                    return one
            elif number == 1 and round.jack_counts:
                value += _jack_on_lead(round, one, wins, unseen)
            if value < least:
                chosen, least = one, value
    return chosen


def _queen_on_lead(round: Round, one: Bit, queen_out: Bits, followers: int, count: int) -> float:
    """What the queen of spades adds to the cost of winning with this spade."""
    deck = round.deck
    if 1 << one & deck.queens:
        return 13.0
    if queen_out and 1 << one & deck.above_queen:
        return 13.0 * followers / count
    return 0.0


def _spade_bias(round: Round, hand: Bits, queen_out: Bits) -> float:
    """What speaks against leading spades: the queen in the hand, or a king or ace that she may fall on."""
    deck = round.deck
    if hand & deck.queens:
        return 3.0
    if not queen_out:
        return 0.0
    return 1.5 if hand & deck.above_queen else -0.8


def _jack_on_lead(round: Round, one: Bit, wins: float, unseen: Bits) -> float:
    """In Omnibus: what the lead of a diamond is worth for the jack."""
    deck = round.deck
    if 1 << one & deck.jacks:
        return -_JACK if wins == 1.0 else 4.0
    return -3.0 * wins if unseen & deck.jacks and 1 << one & deck.above_jack else 0.0


def _follow(round: Round, mine: Bits) -> Bit:
    """A card of the suit led: the highest that loses, if winning may cost anything."""
    deck, led, best = round.deck, round.led, round.best
    later = round.players - 1 - len(round.trick)
    lower = mine & ((1 << best) - 1) if best >= 0 else 0
    costly = led == deck.hearts or round.stake > (_JACK if round.jack else 0)
    if round.only >= 0 and costly and _stops_the_moon(round, mine, lower, later):
        return (mine if later else mine & ~lower & -(mine & ~lower)).bit_length() - 1
    if led == deck.spades:
        if lower & deck.queens:
            return (lower & deck.queens).bit_length() - 1
        mine = mine & ~deck.queens or mine
    elif led == deck.suits[1] and round.jack_counts:
        jack = _follow_for_the_jack(round, mine, lower, later)
        if jack >= 0:
            return jack
        mine, lower = mine & ~deck.jacks or mine, lower & ~deck.jacks
    if not later:
        return (lower if costly and lower else mine).bit_length() - 1
    unseen = round.cards & ~round.gone & ~round.hands[round.turn]
    if led == deck.spades and unseen & deck.queens:
        safe = mine & deck.below_queen
        return (safe & lower or safe or mine & -mine).bit_length() - 1
    if lower and (costly or _danger(round, unseen, later) > 0.9):
        return lower.bit_length() - 1
    if costly and unseen & led & -(mine & -mine):
        return (mine & -mine).bit_length() - 1
    return mine.bit_length() - 1


def _stops_the_moon(round: Round, mine: Bits, lower: Bits, later: int) -> bool:
    """Whether to win this trick so that the seat that takes all does not get its points."""
    threat = _moon_threat(round)
    return threat >= 0 and (threat == round.best_seat or later > 0) and mine != lower


def _danger(round: Round, unseen: Bits, later: int) -> float:
    """What those who still play to this trick may throw on it, on average."""
    if round.first:
        return 0.0
    deck, led = round.deck, round.led
    opponents = round.players - 1
    number = deck.suits.index(led)
    hopeful = opponents - round.void_count[number]
    voids = opponents - hopeful + _VOIDS[hopeful][(unseen & led).bit_count()]
    gift = (13 / opponents if unseen & deck.queens else 0) + (1 if unseen & deck.hearts else 0)
    return voids * later / opponents * gift


def _follow_for_the_jack(round: Round, mine: Bits, lower: Bits, later: int) -> int:
    """In Omnibus, with diamonds led: the card that takes the jack, if that can be hoped for; else -1."""
    higher = mine & ~lower
    if round.stake >= _JACK or not higher:
        return -1
    if round.jack:
        return (higher if later else higher & -higher).bit_length() - 1
    return -1 if later else (higher & round.deck.jacks).bit_length() - 1


def _discard_against_the_moon(round: Round, legal: Bits) -> int:
    """To the seat that takes all no points, and no card that may stop it; a heart to anybody else; or -1."""
    deck = round.deck
    if round.only != round.best_seat:
        hearts = legal & deck.hearts
        return (hearts & -hearts).bit_length() - 1
    spare = legal & deck.harmless or legal
    return min(each(spare), key=lambda card: card // deck.copies % 13)


def _discard(round: Round, legal: Bits) -> Bit:
    """With none of the suit led: the card that is most likely to cost something later."""
    deck, hand = round.deck, round.hands[round.turn]
    if round.only >= 0 and _moon_threat(round) >= 0:
        spoiler = _discard_against_the_moon(round, legal)
        if spoiler >= 0:
            return spoiler
    if legal & deck.queens:
        return (legal & deck.queens).bit_length() - 1
    if round.jack_counts:
        legal = legal & ~deck.jacks or legal
    unseen = round.cards & ~round.gone & ~hand
    opponents = round.players - 1
    chosen, most = -1, -1e9
    for number, suit in enumerate(deck.suits):
        mine = legal & suit
        if not mine:
            continue
        theirs = unseen & suit
        one = mine.bit_length() - 1
        above = (theirs >> one).bit_count()
        wins = 1.0
        if above:
            count = theirs.bit_count()
            hopeful = opponents - round.void_count[number]
            wins = _WINS[hopeful if hopeful < count else count][count - above]
        if number == 3:
            value = wins * 4.6 + 0.6
        else:
            value = wins * 3 + 0.5 / mine.bit_count()
            if number == 2 and unseen & deck.queens and 1 << one & deck.above_queen:
                value += 6 / ((mine & deck.below_queen).bit_count() + 0.7)
            elif number == 1 and round.jack_counts and unseen & deck.jacks and 1 << one & deck.above_jack:
                value -= 3
        if value > most:
            chosen, most = one, value
    return chosen
