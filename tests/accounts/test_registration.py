"""A guest becomes an account while something of his is under way."""

import asyncio
from contextlib import closing
from datetime import date

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.accounts.schema import users
from server.channels.hub import Hub
from server.log.log import Log
from server.log.schema import games
from server.rooms.rooms import Rooms
from tests.conftest import Clock, waiting_for_locks


async def test_a_try_that_begins_meanwhile_enters_the_board(engine: AsyncEngine, clock: Clock) -> None:
    today: date = clock().date()
    with closing(Accounts(engine, clock)) as accounts:
        ann = (await accounts.new_guest("here")).caller
        async with engine.begin() as connection:
            # What a registration has done when it looks for games that are to enter the board: none yet.
            becomes = update(users).where(users.c.id == ann.user)
            await connection.execute(becomes.values(name="Ann", name_key="ann", password_hash="hash"))
            async with Log(engine) as log:
                rooms = Rooms(log, Hub(), clock, accounts.names)
                await rooms.deal(ann.user, "HH1-N-AAAAAAM", day=today, ranked=True)
            entering = asyncio.create_task(accounts.enter_board(ann.user))
            await waiting_for_locks(engine, 1)
        await entering
    async with engine.connect() as connection:
        assert list(await connection.scalars(select(games.c.listed))) == [True]
