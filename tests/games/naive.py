"""Heart to Heart as docs/rules.md words it, written out plainly: what the fast rules are held against."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

COVERED_BY = {
    1: {5, 6}, 2: {6, 7}, 3: {8, 9}, 4: {9, 10},
    5: {11}, 6: {11, 12}, 7: {12, 13}, 8: {13, 14}, 9: {14, 15}, 10: {15},
    11: {16}, 12: {16, 17}, 13: {17, 18}, 14: {18, 19}, 15: {19},
    16: {20}, 17: {20, 21}, 18: {21, 22}, 19: {22},
    20: {23}, 21: {23, 24}, 22: {24},
    23: {25}, 24: {25},
    25: set(),
}  # fmt: skip

MOVES = {
    "draw",
    "recycle",
    *(f"{p}-w" for p in COVERED_BY),
    *(f"{p}-{q}" for p, q in combinations(COVERED_BY, 2)),
}


class Position(NamedTuple):
    """A position: the ranks of the heart by place, the stock (next card first), the waste (top last)."""

    heart: tuple[tuple[int, str], ...]
    stock: str
    waste: str


def deal(ranks: str) -> Position:
    return Position(tuple(enumerate(ranks[:25], 1)), ranks[25:-1], ranks[-1])


def free(position: Position) -> list[int]:
    places = dict(position.heart)
    return [place for place in places if not COVERED_BY[place] & places.keys()]


def after_each_move(position: Position) -> Iterator[tuple[str, Position]]:
    """Every legal move, and the position after it."""
    heart, stock, waste = position
    if not heart:
        return
    if stock:
        yield "draw", Position(heart, stock[1:], waste + stock[0])
    elif waste:
        yield "recycle", Position(heart, waste, "")
    places = dict(heart)
    for p, q in combinations(free(position), 2):
        if places[p] == places[q]:
            yield f"{p}-{q}", Position(_without(heart, p, q), stock, waste)
    for p in free(position):
        if waste and places[p] == waste[-1]:
            yield f"{p}-w", Position(_without(heart, p), stock, waste[:-1])


def refusal(position: Position, move: str) -> str | None:
    """Why a move is illegal: the first reason that applies. None if it is legal."""
    heart, stock, waste = position
    if not heart or move not in MOVES:
        return "not_a_move"
    if move == "draw":
        return None if stock else "stock_empty"
    if move == "recycle":
        return "stock_not_empty" if stock else None if waste else "waste_empty"
    places, chosen = dict(heart), [int(place) for place in move.split("-") if place != "w"]
    if any(place not in places for place in chosen):
        return "empty_place"
    if any(COVERED_BY[place] & places.keys() for place in chosen):
        return "covered"
    if move.endswith("w") and not waste:
        return "waste_empty"
    ranks = [*(places[place] for place in chosen), *(waste[-1:] if move.endswith("w") else "")]
    return None if ranks[0] == ranks[1] else "different_rank"


def reachable(position: Position) -> dict[Position, int]:
    """Every position that can come of this one without a pair, this one too, by the least moves to it."""
    found = {position: 0}
    for known in (queue := [position]):
        for move, after in after_each_move(known):
            if "-" not in move and after not in found:
                found[after] = found[known] + 1
                queue.append(after)
    return found


def _without(heart: tuple[tuple[int, str], ...], *places: int) -> tuple[tuple[int, str], ...]:
    return tuple(card for card in heart if card[0] not in places)
