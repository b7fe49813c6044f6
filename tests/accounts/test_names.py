"""Names: every script is welcome, nothing that looks like something else is."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.accounts import names
from server.errors import Code, Refused

GOOD = [
    "Al", "a" * 20, "7up", "x_y-z", "Zoë", "Ømer", "ǅabar", "Łukasz",
    "สมชาย", "น้ำผึ้ง", "ก๊กเก๊า",  # Thai vowels and tone marks are marks
    "Nguyễn", "Đặng-Văn", "trường",
    "محمد", "שרה", "अनिल", "田中さん", "김철수", "Ⴀⴁ", "١٢٣", "ＷＩＤＥ",
]  # fmt: skip

BAD = [
    "", "a", "a" * 21, "a" * 10_000,
    "_ab", "-ab", "\u0301ab", "ab cd", " ab", "ab ", "a\tb", "a\nb", "ab\0", "\0\0",
    "a.b", "a@b", "a/b", "a+b", "<b>", "a'b", "a\\b", "a%b",
    "ab😀", "😀😀", "a👍🏽", "ab♥", "½½", "ⅧⅧ", "x²",
    "a\u200bb", "a\u200db", "a\u202eb", "\ufeffab", "a\u00adb",
    "ㅤㅤ", "ﾠﾠ", "a\ufe0fb", "a\u034fb", "ab\U000e0100",
    "a—b", "ａ－ｂ", "a‿b", "\ue000\ue000", "\U00010fff\U00010fff", "\ud800a", "a\udfff",
]  # fmt: skip

RESERVED = [
    "me", "ME", "ｍｅ", "guest", "Guest-AB2CD", "GUEST-1", "deleted", "Deleted-player", "deleted_player",
]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_letters_marks_and_digits_of_all_scripts_make_a_name(name: str) -> None:
    assert names.checked(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_a_bad_name(name: str) -> None:
    with pytest.raises(Refused) as refused:
        names.checked(name)
    assert refused.value.code is Code.BAD_NAME
    assert refused.value.reason is None


@pytest.mark.parametrize("name", RESERVED)
def test_the_servers_own_names_are_told_apart(name: str) -> None:
    with pytest.raises(Refused) as refused:
        names.checked(name)
    assert (refused.value.code, refused.value.reason) == (Code.BAD_NAME, "reserved")


def test_code_points_are_counted_after_composition() -> None:
    assert names.checked("e\u0301" * 20) == "é" * 20
    with pytest.raises(Refused):
        names.checked("e\u0301")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "aNN"), ("Ann", "ａｎｎ"), ("straße", "STRASSE"), ("Zoë", "ZOE\u0308"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ﬁsh", "FISH"), ("٣٣", "٣٣"), ("ｱｲ", "アイ"), ("Ǆo", "ǆo"),
    ],
)  # fmt: skip
def test_case_and_width_make_no_other_name(one: str, other: str) -> None:
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anne"), ("สมชาย", "สมชัย"), ("Zoe", "Zoë"), ("a-b", "a_b")]
)
def test_other_letters_do(one: str, other: str) -> None:
    assert names.key(one) != names.key(other)


@given(st.text(max_size=30))
def test_a_name_stays_what_it_is(text: str) -> None:
    try:
        name = names.checked(text)
    except Refused:
        return
    assert names.checked(name) == name
    assert names.key(names.key(name)) == names.key(name)
    assert names.SHORTEST <= len(name) <= names.LONGEST


def test_endless_rows_of_marks_are_refused_at_once() -> None:
    text = "a" + "\u0301\u0323" * 30_000
    start = time.perf_counter()
    with pytest.raises(Refused):
        names.checked(text)
    names.key(text)
    assert time.perf_counter() - start < 0.5


def test_guests_have_names_that_no_account_can_take() -> None:
    for _ in range(100):
        name = names.of_guest()
        assert len(name) <= names.LONGEST
        with pytest.raises(Refused):
            names.checked(name)
    with pytest.raises(Refused):
        names.checked(names.DELETED)
