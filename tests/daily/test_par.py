"""Par against searches that know no bound, and lines played through the rules themselves."""

from heapq import heappop, heappush

import pytest

from server.daily.par import _Search, par
from server.games.cards import RANKS
from server.games.deals import Cards, numbered_code, read_deal
from server.games.game import Seat
from server.games.heart_to_heart import HeartToHeart
from server.games.winnable import winnable
from tests.games import naive

KNOWN = {
    "HH1-N-AAAAAAM": 89,
    "HH1-N-AAAAAAS": 57,
    "HH1-N-AAAAAAZ": 66,
    "HH1-N-AAAAAEG": 100,
    "HH1-N-AAAAAFD": 78,
}

QUICK = (95, 355)
"""Numbers of winnable deals that even a search by the plain rules is done with soon."""

UNBOUNDED = (
    1, 12, 18, 21, 30, 39, 60, 62, 68, 84, 96, 106, 111, 115, 136, 143, 185, 190, 209, 212, 245, 255, 266,
    276, 298, 314, 321, 343, 351, 352, 380, 387,
)  # fmt: skip
"""Numbers of winnable deals whose search is soon done without its bound."""


def least_moves_plainly(cards: Cards) -> int:
    """The least number of moves that wins, by a search by the plain rules, one pair after the other."""
    start = naive.deal("".join(RANKS[rank] for rank in cards))
    waiting, done = [(0, start)], set()
    while waiting:
        cost, position = heappop(waiting)
        if not position.heart:
            return cost
        if position in done:
            continue
        done.add(position)
        for reached, moves in naive.reachable(position).items():
            for move, after in naive.after_each_move(reached):
                if "-" in move:
                    heappush(waiting, (cost + moves + 1, after))
    raise AssertionError("the deal cannot be won")


@pytest.mark.parametrize(("code", "moves"), KNOWN.items())
def test_known_pars(code: str, moves: int) -> None:
    solved = par(read_deal(code).cards)
    assert solved is not None
    assert solved.moves == moves


def test_a_deal_that_cannot_be_won_has_none() -> None:
    assert par(read_deal("HH1-N-AAAAABN").cards) is None


@pytest.mark.parametrize("number", QUICK)
def test_no_line_is_shorter(number: int) -> None:
    cards = read_deal(numbered_code(number)).cards
    solved = par(cards)
    assert solved is not None
    assert solved.moves == least_moves_plainly(cards)


@pytest.mark.parametrize("number", UNBOUNDED)
def test_the_bound_never_says_too_much(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = read_deal(numbered_code(number)).cards
    bounded = par(cards)
    monkeypatch.setattr(_Search, "_bound", lambda search, node: 0)
    unbounded = par(cards)
    assert bounded is not None
    assert unbounded is not None
    assert bounded.moves == unbounded.moves


@pytest.mark.parametrize("number", [n for n in range(40) if winnable(read_deal(numbered_code(n)).cards)])
def test_the_line_wins_in_just_so_many_moves(number: int) -> None:
    code = numbered_code(number)
    solved = par(read_deal(code).cards)
    assert solved is not None
    state = HeartToHeart().setup({}, code)
    for move in solved.line:
        state.play(Seat(0), move)
    assert state.result() == {"status": "won", "score": 250, "moves": solved.moves}
