"""Who deletes his account leaves no seat behind that is nobody's, and no game that nobody can finish."""

from contextlib import closing

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.channels.hub import Hub
from server.errors import Refused
from server.log.log import Log
from server.log.model import GameId, UserId
from server.log.schema import moves, seats
from server.rooms.position import Join, Move
from server.rooms.rooms import Rooms
from tests.conftest import Clock


async def test_a_seat_taken_while_the_account_goes_is_free_again(engine: AsyncEngine, clock: Clock) -> None:
    with closing(Accounts(engine, clock)) as accounts:
        async with Log(engine) as log:
            rooms = Rooms(log, Hub(), clock, accounts.names)
            ann, ben = [(await accounts.new_guest("here")).caller for _ in range(2)]
            tables = [GameId((await rooms.open_table(ben.user, {}))["id"]) for _ in range(2)]
            await rooms.do(tables[0], Join(ann.user, ann.name, None))

            async def depart(user: UserId) -> None:
                await rooms.depart(user)
                if await accounts.sessions.of(user):
                    # What another device has asked for while this one asked to delete the account.
                    await rooms.do(tables[1], Join(user, ann.name, None))

            assert await accounts.delete(ann.user, depart) == [ann.session]
        async with engine.connect() as connection:
            assert set(await connection.scalars(select(seats.c.user_id))) == {ben.user, None}


async def test_solitaires_that_are_not_over_go_with_the_account(engine: AsyncEngine, clock: Clock) -> None:
    with closing(Accounts(engine, clock)) as accounts:
        async with Log(engine) as log:
            rooms = Rooms(log, Hub(), clock, accounts.names)
            ann = (await accounts.new_guest("here")).caller
            game = GameId((await rooms.deal(ann.user))["id"])
            await rooms.do(game, Move(ann.user, 0, "draw"))
            await accounts.delete(ann.user, rooms.depart)
            with pytest.raises(Refused, match="no such game"):
                await rooms.do(game, Move(ann.user, 1, "draw"))
        async with engine.connect() as connection:
            for table in (seats, moves):
                assert not (await connection.execute(select(table))).all()
