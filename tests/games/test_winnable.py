"""Whether a deal can be won: against a search through all sets of filled places, without any shortcut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.cards import RANKS
from server.games.deals import NUMBERS, numbered_code, read_deal
from server.games.winnable import winnable
from tests.games import naive


def winnable_plainly(ranks: str) -> bool:
    """A search by the plain rules. Any card of the pile counts as being on top: draws can put it there."""
    start = naive.deal(ranks)
    pile = "".join(sorted(start.stock + start.waste))
    waiting, seen = [(start.heart, pile)], set()
    while waiting:
        heart, pile = waiting.pop()
        if not heart:
            return True
        if (heart, pile) in seen:
            continue
        seen.add((heart, pile))
        for top in {*pile, ""}:
            rest = pile.replace(top, "", 1)
            for move, after in naive.after_each_move(naive.Position(heart, "", top)):
                if "-" in move:
                    waiting.append((after.heart, rest if move.endswith("w") else pile))
    return False


@pytest.mark.parametrize(
    ("code", "can_be_won"),
    [
        ("HH1-N-AAAAAAM", True),
        ("HH1-N-AAAAAAS", True),
        ("HH1-N-AAAAAAZ", True),
        ("HH1-N-AAAAAEG", True),
        ("HH1-N-AAAAAFD", True),
        ("HH1-N-AAAAABN", False),
    ],
)
def test_known_deals(code: str, can_be_won: bool) -> None:
    assert winnable(read_deal(code).cards) is can_be_won


@given(st.integers(0, NUMBERS - 1))
@settings(max_examples=25)
def test_as_the_plain_search_says(number: int) -> None:
    deal = read_deal(numbered_code(number))
    ranks = "".join(RANKS[rank] for rank in deal.cards)
    assert winnable(deal.cards) is winnable_plainly(ranks)


def test_about_28_of_100_deals_can_be_won() -> None:
    won = sum(winnable(read_deal(numbered_code(number)).cards) for number in range(1000))
    assert 250 < won < 310
