"""Whether a deal of Heart to Heart can be won at all: exact, and cheap."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from server.games.cards import RANKS
from server.games.deals import Cards
from server.games.layout import ALL, POSITIONS, SIZE, Places, Position, free


def winnable(cards: Cards) -> bool:
    """Whether some sequence of moves empties the heart.

    Every card of the stock and the waste can be brought to the top any time, so a position is no more than
    the set of filled places.
    """
    ranks = _places_by_rank(cards)
    seen: set[Places] = set()
    waiting = [ALL]
    while waiting:
        filled = _clear(ranks, waiting.pop())
        if not filled:
            return True
        if filled not in seen:
            seen.add(filled)
            waiting.extend(_choices(ranks, filled))
    return False


def _places_by_rank(cards: Cards) -> list[Places]:
    places = [0] * len(RANKS)
    for p, rank in zip(POSITIONS, cards[:SIZE], strict=True):
        places[rank] |= 1 << p
    return [Places(p) for p in places]


def _clear(ranks: list[Places], filled: Places) -> Places:
    """The filled places once every free card is gone whose rank has a mate outside for each that is left.

    Such a card is never missed. Of 3 in the heart, the last is one: it is left when two have gone as a pair.
    """
    single = 0
    for places in ranks:
        dealt, left = places.bit_count(), (places & filled).bit_count()
        if dealt < 3 or left == 1:
            single |= places
    while gone := _bits(free(filled)) & single:
        filled = Places(filled & ~gone)
    return filled


def _choices(ranks: list[Places], filled: Places) -> Iterator[Places]:
    """The filled places after each pair of a rank that has 3 or 4 cards in the heart.

    Of 3, one may go with the only mate outside; then the other two must go together, as any two of 4 must.
    """
    available = _bits(free(filled))
    for places in ranks:
        dealt, left = places.bit_count(), (places & filled).bit_count()
        if dealt < 3:
            continue
        playable = [1 << p for p in POSITIONS if places & available & 1 << p]
        for first, second in combinations(playable, 2):
            yield Places(filled & ~(first | second))
        if dealt == left == 3:
            for only in playable:
                yield Places(filled & ~only)


def _bits(positions: Iterable[Position]) -> int:
    return sum(1 << p for p in positions)
