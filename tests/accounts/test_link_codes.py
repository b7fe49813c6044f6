"""Link codes under contention: what two devices do at the same moment."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.accounts.model import Left, SignedIn
from server.errors import Code, Refused
from tests.conftest import Clock


@pytest.fixture
async def accounts(engine: AsyncEngine, clock: Clock) -> AsyncIterator[Accounts]:
    accounts = Accounts(engine, clock)
    yield accounts
    accounts.close()


async def test_two_guests_may_redeem_each_others_codes_at_once(
    accounts: Accounts, engine: AsyncEngine
) -> None:
    one, other = [(await accounts.new_guest("a phone")).caller for _ in range(2)]
    of_one, _ = await accounts.link_code(one.user)
    of_other, _ = await accounts.link_code(other.user)

    async with engine.begin() as connection:
        # Until both have come as far as they can.
        await connection.execute(text("SELECT FROM users FOR UPDATE"))
        entering = [
            asyncio.create_task(accounts.redeem(of_other, "a phone", one)),
            asyncio.create_task(accounts.redeem(of_one, "a phone", other)),
        ]
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        while await connection.scalar(waiting) < 2:
            pass
    outcomes: list[tuple[SignedIn, Left] | BaseException] = await asyncio.gather(
        *entering, return_exceptions=True
    )

    [came_in] = [each for each in outcomes if not isinstance(each, BaseException)]
    [refused] = [each for each in outcomes if isinstance(each, Refused)]
    assert refused.code is Code.BAD_CREDENTIALS
    assert came_in[0].caller.user in (one.user, other.user)


async def test_a_guest_who_becomes_part_of_an_account_meanwhile_gets_no_code(
    accounts: Accounts, engine: AsyncEngine
) -> None:
    guest = (await accounts.new_guest("a phone")).caller
    async with engine.begin() as connection:
        await connection.execute(text("DELETE FROM users"))
        asked = asyncio.create_task(accounts.link_code(guest.user))
        while not await connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
            pass

    with pytest.raises(Refused) as refused:
        await asked
    assert refused.value.code is Code.NOT_SIGNED_IN
