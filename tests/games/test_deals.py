"""Deal codes as people type them, and the cards that they stand for."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games import BadDealCode
from server.games.cards import RANKS
from server.games.deals import (
    NUMBERS,
    Cards,
    DealCode,
    day_code,
    day_deal,
    day_of,
    is_day,
    numbered_code,
    numbered_deal,
    parse,
    read_deal,
)
from server.games.winnable import winnable

DOCUMENTED = "HH1-N-AAAAAAM:T793Q38787K45QQTAJJ58QA3423T292KJ4AKK29876J69456T65A"
OF_A_DAY = f"HH1-D-20261129:{DOCUMENTED[14:]}"


def text(cards: Cards) -> str:
    return "".join(RANKS[rank] for rank in cards)


def shuffled_plainly(key: str) -> str:
    """The shuffle as the rules state it, for any key."""
    deck = [rank for rank in "A23456789TJQK" for _ in range(4)]
    stream = iter(hashlib.shake_256(key.encode("ascii")).digest(4096))
    for i in range(51, 0, -1):
        byte = next(stream)
        while byte >= 256 - 256 % (i + 1):
            byte = next(stream)
        j = byte % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return "".join(deck)


def test_the_documented_deal() -> None:
    assert read_deal("HH1-N-AAAAAAM").long == DOCUMENTED


@given(st.integers(0, NUMBERS - 1))
def test_a_numbered_deal_is_the_documented_shuffle(number: int) -> None:
    code = numbered_code(number)
    deal = read_deal(code)
    assert text(deal.cards) == shuffled_plainly(f"{code}/21252")
    assert deal == numbered_deal(code)
    assert read_deal(deal.long) == deal


@pytest.mark.parametrize(
    ("number", "code"),
    [(0, "HH1-N-AAAAAAA"), (12, "HH1-N-AAAAAAM"), (32, "HH1-N-AAAAABA"), (NUMBERS - 1, "HH1-N-7777777")],
)
def test_numbers_are_written_most_significant_first(number: int, code: str) -> None:
    assert numbered_code(number) == code


@pytest.mark.parametrize("number", [-1, NUMBERS])
def test_a_number_that_has_no_code(number: int) -> None:
    with pytest.raises(ValueError, match="deal number"):
        numbered_code(number)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("HH1-N-AAAAAAM", "HH1-N-AAAAAAM"),
        ("hh1-n-aaaaaam", "HH1-N-AAAAAAM"),
        (" \tHH1-N-aAaAaAm\n", "HH1-N-AAAAAAM"),
        ("HH1-N-0188234", "HH1-N-OIBB234"),
        ("HH1-N-7777777", "HH1-N-7777777"),
        ("hh1-d-20261129 ", "HH1-D-20261129"),
        ("HH1-D-20240229", "HH1-D-20240229"),
        ("HH1-D-00010101", "HH1-D-00010101"),
        ("HH1-D-99991231", "HH1-D-99991231"),
    ],
)
def test_codes_are_read_as_people_type_them(typed: str, code: str) -> None:
    assert parse(typed) == code


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "missing"),
        ("  ", "missing"),
        ("AAAAAAM", "begins with HH1-"),
        ("HHI-N-AAAAAAM", "begins with HH1-, not with HHI-"),
        ("HH2-N-AAAAAAM", "begins with HH1-, not with HH2-"),
        ("HH1N-AAAAAAM", "begins with HH1-"),
        ("HH1-", "After HH1- comes N-"),
        ("HH1-X-AAAAAAM", "After HH1- comes N-"),
        ("HH1-NAAAAAAAM", "After HH1- comes N-"),
        ("HH1-N-", "seven letters, not 0"),
        ("HH1-N-AAAAAA", "seven letters, not 6"),
        ("HH1-N-AAAAAAMM", "seven letters, not 8"),
        ("HH1-N-AAAAAA9", "'9' is not in a deal code"),
        ("HH1-N-AAA AAM", "' ' is not in a deal code"),
        ("HH1-N-AAAAAA\x00", "'\\\\x00' is not in a deal code"),
        ("HH1-N-AAAAAA-", "'-' is not in a deal code"),
        ("HH1-N-AAAAAAſ", "only the letters A to Z"),
        ("HH1-N-AAAAAAı", "only the letters A to Z"),
        ("HH1-D-2026112", "a date of eight digits"),
        ("HH1-D-2026-11-29", "a date of eight digits"),
        ("HH1-D-2O261129", "a date of eight digits"),
        ("HH1-D-٢٠٢٦١١٢٩", "only the letters A to Z"),
        ("HH1-D-20261301", "no day 2026-13-01"),
        ("HH1-D-20260001", "no day 2026-00-01"),
        ("HH1-D-20260100", "no day 2026-01-00"),
        ("HH1-D-20260431", "no day 2026-04-31"),
        ("HH1-D-20260229", "no day 2026-02-29"),
        ("HH1-D-21000229", "no day 2100-02-29"),
        ("HH1-D-00000101", "no day 0000-01-01"),
        ("H" * 10_000, "is not 10000 characters long"),
        (None, "a text such as"),
        (12, "a text such as"),
        (b"HH1-N-AAAAAAM", "a text such as"),
        (DOCUMENTED, "ends before the colon"),
        ("HH1-N-AAAAAAM:", "ends before the colon"),
    ],
)
def test_what_is_wrong_with_a_code_is_said(typed: object, complaint: str) -> None:
    with pytest.raises(BadDealCode, match=complaint):
        parse(typed)


@given(st.text(max_size=30) | st.from_regex(r"(?i)\A\s*HH1-[ND]-[A-Z0-9]{6,8}(:.{0,9})?\s*\Z"))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        code = parse(typed)
    except BadDealCode:
        return
    assert parse(code) == code


@pytest.mark.parametrize("typed", [DOCUMENTED, OF_A_DAY, f" {OF_A_DAY.lower()}\n"])
def test_the_long_form_carries_its_cards(typed: str) -> None:
    assert read_deal(typed).long == typed.strip().upper()


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("HH1-D-20261129", "its cards must follow"),
        ("HH1-D-20261129:", "52 cards, not 0"),
        (OF_A_DAY[:-1], "52 cards, not 51"),
        (f"{OF_A_DAY}A", "52 cards, not 53"),
        (f"{OF_A_DAY[:-1]}X", "'X' is no rank"),
        (f"{OF_A_DAY[:-1]}:", "':' is no rank"),
        (f"{OF_A_DAY[:-1]}2", "3 of A"),
        (f"HH1-N-AAAAAAN:{DOCUMENTED[14:]}", "not the cards that HH1-N-AAAAAAN deals"),
        (
            f"{DOCUMENTED[:14]}{DOCUMENTED[15]}{DOCUMENTED[14]}{DOCUMENTED[16:]}",
            "not the cards that HH1-N-AAAAAAM deals",
        ),
        (f"HH1-X-20261129:{DOCUMENTED[14:]}", "After HH1- comes N-"),
        (b"HH1-N-AAAAAAM", "a text such as"),
    ],
)
def test_what_is_wrong_with_a_long_form_is_said(typed: object, complaint: str) -> None:
    with pytest.raises(BadDealCode, match=complaint):
        read_deal(typed)


def test_the_code_of_a_day_names_it() -> None:
    code = day_code("2026-11-29")
    assert code == "HH1-D-20261129"
    assert is_day(code)
    assert day_of(code) == "2026-11-29"
    assert not is_day(DealCode("HH1-N-AAAAAAM"))
    assert day_of(DealCode("HH1-N-AAAAAAM")) is None
    with pytest.raises(BadDealCode, match="no day 2026-02-30"):
        day_code("2026-02-30")


def test_the_deal_of_a_day_is_the_first_attempt_that_can_be_won() -> None:
    tried: list[str] = []

    def only_the_third(cards: Cards) -> bool:
        tried.append(text(cards))
        return len(tried) == 3

    deal = day_deal("2026-11-29", "a secret", only_the_third)
    assert tried == [shuffled_plainly(f"HH1-D-20261129/a secret/{attempt}") for attempt in range(3)]
    assert deal.long == f"HH1-D-20261129:{tried[-1]}"


def test_the_deal_of_a_day_hangs_on_day_and_secret() -> None:
    days = ("2026-11-29", "2026-11-30")
    deals = {day_deal(day, secret, winnable).cards for day in days for secret in ("one", "two")}
    assert len(deals) == 4
    assert all(winnable(cards) for cards in deals)


def test_the_program_in_the_rules_deals_as_we_do() -> None:
    rules = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
    names: dict[str, Callable[[str], str]] = {}
    exec(rules.split("```python\n")[1].split("```")[0], names)
    for number in range(100):
        code = numbered_code(number)
        assert names["deal"](code) == text(numbered_deal(code).cards)
