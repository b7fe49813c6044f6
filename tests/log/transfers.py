"""Games that change hands, as signing in and registering have it done."""

from datetime import date

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log import transfer
from server.log.database import fault
from server.log.log import SECOND_TRY
from server.log.model import GameId, UserId


async def move_seats(engine: AsyncEngine, guest: UserId, account: UserId) -> list[GameId]:
    """Makes the guest's games the account's; which they are."""
    while True:
        try:
            async with engine.begin() as connection:
                games = await transfer.lock_games(connection, guest)
                await transfer.move_seats(connection, games, guest, account)
        except IntegrityError as error:
            # The account began its own try meanwhile.
            if fault(error) != SECOND_TRY:
                raise
        else:
            return games


async def enter_board(engine: AsyncEngine, user: UserId, day: date) -> None:
    """Has the user's ranked try of a day count for its board."""
    async with engine.begin() as connection:
        await transfer.enter_board(connection, user, day)
