"""Heart to Heart, the solitaire: 25 cards in the shape of a heart leave it in pairs of equal rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple, Self

from server.games.cards import HEART_CARDS, Card, Rank
from server.games.deals import Deal, read_deal
from server.games.errors import BadOptions, IllegalMove, Reason
from server.games.game import Options, Seat, View
from server.games.layout import ALL, COVERING, POSITIONS, SIZE, Places, Position, free

UNDO_LIMIT: Final = 100
"""How many of the last moves of a log can be undone."""

PLAYER: Final = Seat(0)

DRAW: Final = "draw"
RECYCLE: Final = "recycle"

_POINTS: Final = 10
"""For each card that leaves the heart."""


def undoable(ply: int, peak: int) -> int:
    """How many undos in a row are allowed now.

    `ply` is the length of the log, `peak` the greatest length that it has ever had.
    """
    return max(0, ply - max(0, peak - UNDO_LIMIT))


class _Pair(NamedTuple):
    """A pair move. `second` is None when the mate is the waste's top card."""

    first: Position
    second: Position | None
    places: Places
    covering: Places


def _pairs() -> dict[str, _Pair]:
    pairs = {f"{p}-w": _Pair(p, None, Places(1 << p), COVERING[p]) for p in POSITIONS}
    for p, q in combinations(POSITIONS, 2):
        pairs[f"{p}-{q}"] = _Pair(p, q, Places(1 << p | 1 << q), Places(COVERING[p] | COVERING[q]))
    return pairs


_PAIRS: Final = _pairs()
"""Every pair move, under its one spelling."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What follows from the cards that are left, however far the stock has been drawn."""

    heart: list[Card | None]
    free: list[Position]
    pairs: list[str]
    """The legal pairs of two heart cards."""
    waste_pairs: dict[Rank, list[str]]
    """The legal pairs with the waste's top card, by its rank."""
    status: str


class HeartToHeartState:
    """A position. The stock and the waste are one pile of which the first `drawn` cards are the waste."""

    __slots__ = ("_deal", "_drawn", "_filled", "_look", "_moves", "_pile")

    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self._filled = ALL
        self._pile = (deal.cards[-1], *deal.cards[SIZE:-1])
        self._drawn = 1
        self._moves = 0
        self._look: _Look | None = None

    @property
    def status(self) -> str:
        """`playing`, `stuck` or `won`. A stuck game is not over."""
        return self._looked().status

    @property
    def over(self) -> bool:
        """Whether the game is won."""
        return not self._filled

    @property
    def score(self) -> int:
        """10 for each card that has left the heart."""
        return _POINTS * (SIZE - self._filled.bit_count())

    def turn(self) -> tuple[Seat, ...]:
        """The player, until the game is won."""
        return (PLAYER,) if self._filled else ()

    def legal(self, seat: Seat) -> list[str]:
        """The legal moves: `draw` or `recycle`, pairs within the heart, pairs with the waste."""
        if seat != PLAYER or not self._filled:
            return []
        look, drawn = self._looked(), self._drawn
        moves = [DRAW if drawn < len(self._pile) else RECYCLE, *look.pairs]
        if drawn:
            moves += look.waste_pairs.get(self._pile[drawn - 1], ())
        return moves

    def play(self, seat: Seat, move: str) -> str:
        """Makes a move and returns it.

        Raises:
            IllegalMove: the rules forbid it, or `seat` is not on turn. Nothing has changed.
        """
        if seat != PLAYER or not self._filled:
            raise IllegalMove(
                Reason.NOT_A_MOVE, "This seat has nothing to play: the game is won or not its own."
            )
        if move == DRAW:
            if self._drawn == len(self._pile):
                raise IllegalMove(Reason.STOCK_EMPTY, "The stock is empty: recycle the waste.")
            self._drawn += 1
        elif move == RECYCLE:
            self._recycle()
        else:
            self._remove(move)
        self._moves += 1
        return move

    def _recycle(self) -> None:
        if self._drawn < len(self._pile):
            raise IllegalMove(
                Reason.STOCK_NOT_EMPTY, "The waste is recycled once the stock is empty: draw first."
            )
        # Of its 27 cards the pile gives 25 at most to the heart: with the stock empty, there is a waste.
        self._drawn = 0

    def _remove(self, move: str) -> None:
        try:
            first, second, places, covering = _PAIRS[move]
        except (KeyError, TypeError):
            detail = "A move is draw, recycle, or a pair such as 21-24 or 25-w."
            raise IllegalMove(Reason.NOT_A_MOVE, detail) from None
        if self._filled & places != places:
            raise IllegalMove(
                Reason.EMPTY_PLACE, "A card of this pair has already gone: choose one that is there."
            )
        if self._filled & covering:
            raise IllegalMove(Reason.COVERED, "A card of this pair is covered: remove what covers it first.")
        cards, drawn = self._deal.cards, self._drawn
        if second is not None:
            mate = cards[second - 1]
        elif drawn:
            mate = self._pile[drawn - 1]
        else:
            raise IllegalMove(Reason.WASTE_EMPTY, "The waste is empty: draw a card first.")
        if cards[first - 1] != mate:
            raise IllegalMove(Reason.DIFFERENT_RANK, "The two cards must be of the same rank.")
        if second is None:
            self._pile = self._pile[: drawn - 1] + self._pile[drawn:]
            self._drawn = drawn - 1
        self._filled = Places(self._filled ^ places)
        self._look = None

    def view(self, seat: Seat | None, *, revealed: bool = False) -> View:  # noqa: ARG002 — one view for all
        """What everybody may see: all but the order of the stock, which stays hidden even when `revealed`."""
        look, drawn = self._looked(), self._drawn
        return {
            "status": look.status,
            "deal": self._deal.code,
            "heart": look.heart.copy(),
            "free": look.free.copy(),
            "stock": len(self._pile) - drawn,
            "waste": {"count": drawn, "top": HEART_CARDS[self._pile[drawn - 1]] if drawn else None},
            "score": self.score,
            "moves": self._moves,
        }

    def result(self) -> dict[str, object]:
        """Status, score and number of moves."""
        return {"status": self.status, "score": self.score, "moves": self._moves}

    def copy(self) -> Self:
        """An independent copy."""
        twin = self.__class__.__new__(self.__class__)
        twin._deal = self._deal
        twin._filled = self._filled
        twin._pile = self._pile
        twin._drawn = self._drawn
        twin._moves = self._moves
        twin._look = self._look
        return twin

    def _looked(self) -> _Look:
        # Only a pair changes it, and a replay never asks: so it is made when it is asked for, and kept.
        if self._look is None:
            self._look = self._make_look()
        return self._look

    def _make_look(self) -> _Look:
        cards = self._deal.cards
        free_now = free(self._filled)
        waste_pairs: dict[Rank, list[str]] = {}
        for p in free_now:
            waste_pairs.setdefault(cards[p - 1], []).append(f"{p}-w")
        pairs = [f"{p}-{q}" for p, q in combinations(free_now, 2) if cards[p - 1] == cards[q - 1]]
        if not self._filled:
            status = "won"
        elif pairs or not waste_pairs.keys().isdisjoint(self._pile):
            status = "playing"
        else:
            status = "stuck"
        heart = [HEART_CARDS[cards[p - 1]] if self._filled >> p & 1 else None for p in POSITIONS]
        return _Look(heart, free_now, pairs, waste_pairs, status)


class HeartToHeart:
    """The rules of Heart to Heart: one seat, no options."""

    name = "heart-to-heart"

    def options(self, given: Mapping[str, object]) -> Options:
        """No options.

        Raises:
            BadOptions: one was given.
        """
        for option in given:
            raise BadOptions(f"Heart to Heart has no option {str(option)[:40]!r}.")
        return {}

    def seats(self, options: Options) -> int:  # noqa: ARG002 — there are no options
        """One."""
        return 1

    def setup(self, options: Mapping[str, object], seed: str | bytes) -> HeartToHeartState:
        """The deal that `seed` names: a deal code, or its long form.

        Raises:
            BadOptions: an option was given.
            BadDealCode: it is no deal code, or a day's code without its cards.
        """
        self.options(options)
        return HeartToHeartState(read_deal(seed))

    def public(self, move: str) -> str:
        """The move: every move is seen by all."""
        return move
