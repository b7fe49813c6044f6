"""Par: the least number of moves that wins a deal of Heart to Heart, and a line that takes just so many.

A* over whole steps: a pair, with the draws and the recycle that bring its card of the pile to the top.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations
from typing import Final, NamedTuple

from server.games.cards import RANKS
from server.games.deals import Cards
from server.games.heart_to_heart import DRAW, RECYCLE
from server.games.layout import ALL, COVERING, POSITIONS, SIZE, Places, Position, free
from server.games.winnable import winnable

_Heart = int
"""A set of filled places of the heart: bit `p` stands for place `p`."""

_Pile = int
"""A set of cards of the pile, stock and waste together: bit `i` stands for the `i`-th in drawing order."""


@dataclass(frozen=True, slots=True)
class Par:
    """The least number of moves that wins a deal, and a line of just so many."""

    moves: int
    line: tuple[str, ...]


def par(cards: Cards) -> Par | None:
    """The par of a deal; None when it cannot be won."""
    return _Search(cards).run() if winnable(cards) else None


_Node = tuple[_Heart, _Pile, _Pile]
"""A position: heart, stock and waste. Every card of the waste comes before every card of the stock."""


class _Need(NamedTuple):
    """What the cards of one rank that are left in the heart take at the least."""

    pairs: int
    fetched: int
    """How many of the pairs take a card of the pile."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What follows from the heart alone."""

    pairs_left: int
    """At the least."""
    fetches: list[tuple[_Pile, int]]
    """For each rank that must fetch: its cards of the pile, and how many of them at the least."""
    spent: _Pile
    """The cards of the pile that have no mate in the heart any more: they never leave."""
    heart_pairs: list[tuple[_Heart, str]]
    waste_pairs: list[tuple[_Heart, _Pile, str]]
    """A place, the cards of the pile that are mates of its card, the move."""


class _Search:
    def __init__(self, cards: Cards) -> None:
        pile = (cards[-1], *cards[SIZE:-1])
        self._ranks = cards[:SIZE]
        self._start: _Node = (ALL, (1 << len(pile)) - 2, 1)
        self._mates = [
            sum(1 << i for i, card in enumerate(pile) if card == rank) for rank in range(len(RANKS))
        ]
        self._looks: dict[_Heart, _Look] = {}

    def run(self) -> Par:
        """The par of a deal that can be won."""
        costs = {self._start: 0}
        came: dict[_Node, tuple[_Node, str]] = {}
        waiting = [(0, 0, self._start)]
        while True:
            _, minus_cost, node = heappop(waiting)
            if not node[0]:
                return Par(-minus_cost, self._line(came, node))
            if -minus_cost > costs[node]:
                continue
            for after, cost_of_step, pair in self._steps(node):
                cost = cost_of_step - minus_cost
                if cost < costs.get(after, cost + 1) and (bound := self._bound(after)) is not None:
                    costs[after] = cost
                    came[after] = node, pair
                    # Of equals the one that has come farthest goes first: it is nearest to the end.
                    heappush(waiting, (cost + bound, -cost, after))

    def _steps(self, node: _Node) -> Iterator[tuple[_Node, int, str]]:
        """Each pair that can come next: the position after it, the moves it takes, its text."""
        heart, stock, waste = node
        look = self._look(heart)
        for places, pair in look.heart_pairs:
            yield (heart ^ places, stock, waste), 1, pair
        pile = stock | waste
        for place, mates, pair in look.waste_pairs:
            wanted = mates & pile
            while wanted:
                card = wanted & -wanted
                wanted ^= card
                up_to_card = card * 2 - 1
                after = heart ^ place, pile & ~up_to_card, pile & (card - 1)
                yield after, len(_reach(stock, waste, card)) + 1, pair

    def _bound(self, node: _Node) -> int | None:
        """No more moves than it takes from here to win; None when it is plain that nothing wins.

        The pairs left, and the draws down to the farthest card of the pile that some rank must fetch. A card
        of the waste counts nothing as long as it may come to the top for nothing, those above it leaving. One
        below a card that can never leave must wait for the recycle.
        """
        heart, stock, waste = node
        look = self._look(heart)
        never = waste & look.spent
        buried = waste & ((1 << never.bit_length()) - 1)
        moves = 0
        for mates, fetched in look.fetches:
            missing = fetched - (mates & (waste ^ buried)).bit_count()
            if missing <= 0:
                continue
            in_stock = mates & stock
            if missing <= in_stock.bit_count():
                moves = max(moves, _draws_to(missing, in_stock, stock))
                continue
            missing -= in_stock.bit_count()
            if missing > (mates & buried).bit_count():
                return None
            moves = max(moves, stock.bit_count() + 1 + _draws_to(missing, mates & buried, buried))
        return look.pairs_left + moves

    def _look(self, heart: _Heart) -> _Look:
        if heart not in self._looks:
            self._looks[heart] = self._make_look(heart)
        return self._looks[heart]

    def _make_look(self, heart: _Heart) -> _Look:
        left: dict[int, list[Position]] = {}
        for p in POSITIONS:
            if heart >> p & 1:
                left.setdefault(self._ranks[p - 1], []).append(p)
        needs = {rank: _need(places) for rank, places in left.items()}
        playable = free(Places(heart))
        return _Look(
            pairs_left=sum(need.pairs for need in needs.values()),
            fetches=[(self._mates[rank], need.fetched) for rank, need in needs.items() if need.fetched],
            spent=sum(mates for rank, mates in enumerate(self._mates) if rank not in left),
            heart_pairs=[
                (1 << p | 1 << q, f"{p}-{q}")
                for p, q in combinations(playable, 2)
                if self._ranks[p - 1] == self._ranks[q - 1]
            ],
            waste_pairs=[(1 << p, self._mates[self._ranks[p - 1]], f"{p}-w") for p in playable],
        )

    def _line(self, came: dict[_Node, tuple[_Node, str]], node: _Node) -> tuple[str, ...]:
        """The moves from the deal to `node`."""
        steps: list[list[str]] = []
        while node != self._start:
            before, pair = came[node]
            _, stock, waste = before
            card = (stock | waste) ^ (node[1] | node[2])
            steps.append([*_reach(stock, waste, card), pair] if card else [pair])
            node = before
        return tuple(move for step in reversed(steps) for move in step)


def _reach(stock: _Pile, waste: _Pile, card: _Pile) -> list[str]:
    """The moves that bring one card of the pile to the top of the waste."""
    up_to_card = card * 2 - 1
    if card > waste:
        return [DRAW] * (stock & up_to_card).bit_count()
    if up_to_card >= waste:
        return []
    return [DRAW] * stock.bit_count() + [RECYCLE] + [DRAW] * (waste & up_to_card).bit_count()


def _draws_to(number: int, wanted: _Pile, pile: _Pile) -> int:
    """The draws from `pile`, with no card of it drawn yet, down to the so-manieth of the wanted cards."""
    for _ in range(number - 1):
        wanted &= wanted - 1
    return (pile & ((wanted & -wanted) * 2 - 1)).bit_count()


def _need(places: list[Position]) -> _Need:
    """What these places, all of one rank, need. Two go together only if neither buries the other."""
    pairs = _most_pairs(places)
    return _Need(len(places) - pairs, len(places) - 2 * pairs)


def _most_pairs(places: list[Position]) -> int:
    if len(places) < 2:
        return 0
    first, *rest = places
    paired = [1 + _most_pairs([r for r in rest if r != q]) for q in rest if not _BURYING[first] >> q & 1]
    return max([_most_pairs(rest), *paired])


def _burying() -> list[Places]:
    """For each place all that must be gone before it is free."""
    burying = [Places(0)] * (SIZE + 1)
    for p in reversed(POSITIONS):
        for q in POSITIONS:
            if COVERING[p] >> q & 1:
                burying[p] = Places(burying[p] | 1 << q | burying[q])
    return burying


_BURYING: Final = _burying()
