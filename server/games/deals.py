"""Deals of Heart to Heart: the codes that name them, and the cards that a code deals.

A code is `HH1-N-` and seven base-32 letters (a numbered deal), or `HH1-D-` and a date (the deal of one
day). The cards of a numbered deal follow from its code alone. Those of a day follow from the server's
secret too, so they travel in the long form `CODE:<52 ranks>` (docs/rules.md, "Deal codes").
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final, NewType

from server.games.cards import RANKS, Rank
from server.games.errors import BadDealCode
from server.games.shuffle import shuffled

DealCode = NewType("DealCode", str)
"""A deal code in its one canonical spelling, without the cards."""

Cards = tuple[Rank, ...]
"""All 52 cards in the order of the deal: the heart by position, the stock as it is drawn, the waste."""

NUMBERS: Final = 1 << 35
"""How many numbered deals there are."""

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_SLIPS: Final = str.maketrans("018", "OIB")
_DECK: Final = tuple(Rank(rank) for rank in range(13) for _ in range(4))
_LONGEST: Final = 100


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal code and the cards that it deals."""

    code: DealCode
    cards: Cards

    @property
    def long(self) -> str:
        """The long form: the code, a colon and the 52 ranks."""
        return f"{self.code}:{''.join(RANKS[rank] for rank in self.cards)}"


def parse(text: object) -> DealCode:
    """The canonical spelling of a deal code typed by a person.

    Any letter case, surrounding blanks, and 0, 1, 8 for O, I, B are put right.

    Raises:
        BadDealCode: it is no deal code. The message says what is wrong with it.
    """
    code, cards = _split(text)
    if cards is not None:
        raise BadDealCode("A deal code ends before the colon: leave the cards away.")
    return code


def read_deal(text: object) -> Deal:
    """The deal that a code or a long form names.

    Raises:
        BadDealCode: it is neither; or a day's code without its cards; or the cards are not four of each
            rank; or they are not those of the numbered deal.
    """
    code, given = _split(text)
    if given is None:
        if is_day(code):
            raise BadDealCode(f"{code} is the deal of a day: its cards must follow the code after a colon.")
        return numbered_deal(code)
    deal = Deal(code, _read_cards(given))
    if not is_day(code) and deal != numbered_deal(code):
        raise BadDealCode(f"These are not the cards that {code} deals.")
    return deal


def is_day(code: DealCode) -> bool:
    """Whether the code names the deal of a day."""
    return code.startswith("HH1-D-")


def numbered_code(number: int) -> DealCode:
    """The code of a numbered deal, `0 <= number < NUMBERS`."""
    if not 0 <= number < NUMBERS:
        raise ValueError(f"deal number {number} is not below 2 ** 35")
    letters = (_LETTERS[number >> shift & 31] for shift in range(30, -5, -5))
    return DealCode(f"HH1-N-{''.join(letters)}")


def numbered_deal(code: DealCode) -> Deal:
    """The deal that a numbered code stands for, for ever.

    21252 is the smallest number with which `HH1-N-AAAAAAM` deals the cards that the game was described by.
    """
    return Deal(code, tuple(shuffled(_DECK, f"{code}/21252".encode())))


def day_code(day: str) -> DealCode:
    """The code of the deal of a day written `2026-11-29`.

    Raises:
        BadDealCode: there is no such day.
    """
    return parse(f"HH1-D-{day.replace('-', '')}")


def day_of(code: DealCode) -> str | None:
    """The day whose deal the code names, written `2026-11-29`; None for a numbered deal."""
    digits = code.removeprefix("HH1-D-")
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if is_day(code) else None


def day_deal(day: str, secret: str, winnable: Callable[[Cards], bool]) -> Deal:
    """The deal of a day: the first that is winnable among those that the server's secret gives.

    Raises:
        BadDealCode: there is no such day.
    """
    code = day_code(day)
    attempts = (tuple(shuffled(_DECK, f"{code}/{secret}/{attempt}".encode())) for attempt in count())
    return Deal(code, next(cards for cards in attempts if winnable(cards)))


def bare(seed: str) -> str:
    """The code of a deal without its cards, if they stand behind it."""
    return seed.partition(":")[0]


def _split(text: object) -> tuple[DealCode, str | None]:
    """The canonical code, and what follows its colon (in capitals) if there is one."""
    if not isinstance(text, str):
        raise BadDealCode("A deal code is a text such as HH1-N-AAAAAAM.")
    if len(text) > _LONGEST:
        raise BadDealCode(f"A deal code such as HH1-N-AAAAAAM is not {len(text)} characters long.")
    if not (stripped := text.strip()).isascii():
        raise BadDealCode("A deal code has only the letters A to Z, digits and hyphens.")
    bare, colon, cards = stripped.upper().partition(":")
    return _canonical(bare), cards if colon else None


def _canonical(bare: str) -> DealCode:
    if not bare:
        raise BadDealCode("The deal code is missing: write one such as HH1-N-AAAAAAM.")
    if not bare.startswith("HH1-"):
        raise BadDealCode(f"A deal code begins with HH1-, not with {bare[:4]}.")
    kind, body = bare[4:6], bare[6:]
    if kind == "N-":
        return DealCode(f"HH1-N-{_letters(body)}")
    if kind == "D-":
        return DealCode(f"HH1-D-{_date(body)}")
    raise BadDealCode("After HH1- comes N- (a numbered deal) or D- (the deal of a day).")


def _letters(body: str) -> str:
    if len(body) != 7:
        raise BadDealCode(f"After HH1-N- come seven letters, not {len(body)}.")
    letters = body.translate(_SLIPS)
    for letter in letters:
        if letter not in _LETTERS:
            raise BadDealCode(
                f"{letter!r} is not in a deal code: it has the letters A to Z and digits 2 to 7."
            )
    return letters


def _date(body: str) -> str:
    if len(body) != 8 or not body.isdigit():
        raise BadDealCode("After HH1-D- comes a date of eight digits: year, month, day.")
    year, month, day = int(body[:4]), int(body[4:6]), int(body[6:])
    if not (year and 1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        raise BadDealCode(f"There is no day {body[:4]}-{body[4:6]}-{body[6:]}.")
    return body


def days_in_month(year: int, month: int) -> int:
    """The length of a month of the Gregorian calendar."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _read_cards(text: str) -> Cards:
    if len(text) != 52:
        raise BadDealCode(f"After the colon come the ranks of 52 cards, not {len(text)}.")
    for rank in text:
        if rank not in RANKS:
            raise BadDealCode(f"{rank!r} is no rank: ranks are {' '.join(RANKS)}.")
    counts = Counter(text)
    for rank in RANKS:
        if counts[rank] != 4:
            raise BadDealCode(f"A deal has four cards of each rank; this has {counts[rank]} of {rank}.")
    return tuple(Rank(RANKS.index(rank)) for rank in text)
