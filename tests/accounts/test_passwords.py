"""Passwords: how long they are, how they are kept, and what a flood of them does."""

import asyncio
from collections.abc import Iterator

import pytest

from server.accounts.passwords import Passwords
from server.errors import Code, Refused


@pytest.fixture(scope="module")
def passwords() -> Iterator[Passwords]:
    passwords = Passwords()
    yield passwords
    passwords.close()


@pytest.mark.parametrize("password", ["correct horse", "12345678", "x" * 128, "น้ำผึ้งหวาน", "\0" * 8, "😀" * 8])
async def test_a_password_matches_itself_alone(passwords: Passwords, password: str) -> None:
    kept = await passwords.hash(password)
    assert kept.startswith("$argon2id$")
    assert password not in kept
    assert await passwords.matches(kept, password)
    assert not await passwords.matches(kept, password + "x")
    assert not await passwords.matches(kept, "")


async def test_the_same_password_is_kept_differently(passwords: Passwords) -> None:
    assert await passwords.hash("12345678") != await passwords.hash("12345678")


async def test_keyboards_may_compose_or_not(passwords: Passwords) -> None:
    assert await passwords.matches(await passwords.hash("Zoë-1234"), "Zoe\u0308-1234")


@pytest.mark.parametrize("password", ["", "1234567", "e\u0301" * 7, "ﬃﬃﬃ", "ﷺﷺ", "x" * 129, "x" * 10_000])
async def test_too_short_or_too_long_is_weak(passwords: Passwords, password: str) -> None:
    with pytest.raises(Refused) as refused:
        await passwords.hash(password)
    assert refused.value.code is Code.WEAK_PASSWORD


async def test_an_endless_password_is_wrong(passwords: Passwords) -> None:
    kept = await passwords.hash("12345678")
    assert not await passwords.matches(kept, "12345678" + "\u0301\u0323" * 30_000)


async def test_nobodys_password_never_matches(passwords: Passwords) -> None:
    assert not await passwords.matches(None, "nobody's password")


async def test_a_flood_is_turned_away(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.accounts.passwords._MOST_WAITING", 4)
    answers = await asyncio.gather(*(passwords.matches(None, "x") for _ in range(10)), return_exceptions=True)
    refused = [each for each in answers if isinstance(each, Refused)]
    assert len(refused) == 6
    assert {each.code for each in refused} == {Code.SLOW_DOWN}
    assert not await passwords.matches(None, "x")


async def test_the_loop_stays_free(passwords: Passwords) -> None:
    turns = 0
    checks = asyncio.gather(*(passwords.matches(None, "x") for _ in range(8)))
    while not checks.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 100
