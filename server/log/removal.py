"""Games that go for good, since those who played them are no more."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.games.heart_to_heart import HeartToHeart
from server.log.model import UserId
from server.log.schema import among, games, moves, seats


async def remove_unfinished(connection: AsyncConnection, users: Sequence[UserId]) -> int:
    """Removes the unfinished games of Heart to Heart of these users; how many they were.

    A table has others at it, and stays.
    """
    theirs = select(seats.c.game_id).where(among(seats.c.user_id, users), ~seats.c.finished)
    query = select(games.c.id).where(
        games.c.id.in_(theirs), games.c.game == HeartToHeart.name, games.c.finished_at.is_(None)
    )
    # Locked in the order in which everybody locks games.
    ids = (await connection.scalars(query.order_by(games.c.id).with_for_update())).all()
    # No foreign key takes the moves along.
    await connection.execute(delete(moves).where(among(moves.c.game_id, ids)))
    await connection.execute(delete(games).where(among(games.c.id, ids)))
    return len(ids)
