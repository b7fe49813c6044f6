"""A guest's games become an account's, and a user's results enter a day's board."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.log.model import Bot, GameId, UserId

STAND_IN = Bot("Bot", "steady")
"""Who takes a guest's seat where the account sits at the same table."""

_LOCK = text("""
SELECT id FROM games
WHERE id IN (SELECT game_id FROM seats WHERE user_id = :guest)
ORDER BY id
FOR NO KEY UPDATE
""")

_SHARED = text("""
SELECT DISTINCT game_id FROM seats WHERE game_id = ANY(:moved) AND user_id = :account
""")

# A ranked try of a day that the account has tried as well counts no more, and its result leaves the board.
_DEMOTE = text("""
WITH demoted AS (
    UPDATE games SET ranked = false
    WHERE id = ANY(:moved) AND ranked AND creator = :guest AND EXISTS (
        SELECT FROM games AS own WHERE own.ranked AND own.day = games.day AND own.creator = :account
    )
    RETURNING id
), unlisted AS (
    UPDATE results SET day = NULL, listed = false WHERE game_id IN (SELECT id FROM demoted)
)
UPDATE day_counts SET results = day_counts.results - gone.results
FROM (
    SELECT day, lost, moves, count(*) AS results FROM results
    WHERE listed AND game_id IN (SELECT id FROM demoted)
    GROUP BY day, lost, moves
) AS gone
WHERE (day_counts.day, day_counts.lost, day_counts.moves) = (gone.day, gone.lost, gone.moves)
""")

_FORGET_EMPTY_COUNTS = text("""
DELETE FROM day_counts WHERE results = 0 AND day IN (SELECT day FROM games WHERE id = ANY(:moved))
""")

_SEAT_STAND_INS = text("""
UPDATE seats SET user_id = NULL, bot_name = :bot_name, bot_level = :bot_level
WHERE game_id = ANY(:shared) AND user_id = :guest
""")

_DROP_RESULTS_OF_STAND_INS = text("""
DELETE FROM results WHERE game_id = ANY(:shared) AND user_id = :guest
""")

_MOVE_SEATS = text("""
UPDATE seats SET user_id = :account WHERE game_id = ANY(:moved) AND user_id = :guest
""")

_MOVE_RESULTS = text("""
UPDATE results SET user_id = :account WHERE game_id = ANY(:moved) AND user_id = :guest
""")

# A bot agrees to whatever is asked, so where one has sat down no answer is waited for any more.
_MOVE_GAMES = text("""
UPDATE games SET
    revision = revision + 1,
    stamp = 0,
    creator = CASE WHEN creator = :guest THEN :account ELSE creator END,
    takeback = CASE WHEN id = ANY(:shared) THEN NULL ELSE takeback END
WHERE id = ANY(:moved)
""")

ENTER_BOARD = text("""
WITH entered AS (
    UPDATE results SET listed = true
    WHERE user_id = :user AND day = :day AND NOT listed
    RETURNING day, lost, moves
)
INSERT INTO day_counts (day, lost, moves, results)
SELECT day, lost, moves, count(*) FROM entered
GROUP BY day, lost, moves ORDER BY day, lost, moves
ON CONFLICT (day, lost, moves) DO UPDATE SET results = day_counts.results + excluded.results
""")


async def lock_games(connection: AsyncConnection, guest: UserId) -> list[GameId]:
    """The games in which the guest has a seat, locked, in the order in which everybody locks games."""
    return list((await connection.execute(_LOCK, {"guest": guest})).scalars())


async def move_seats(
    connection: AsyncConnection, moved: list[GameId], guest: UserId, account: UserId
) -> None:
    """Does what `Log.move_seats` says with the locked games."""
    found = await connection.execute(_SHARED, {"moved": moved, "account": account})
    parameters = {
        "guest": guest,
        "account": account,
        "moved": moved,
        "shared": list(found.scalars()),
        "bot_name": STAND_IN.name,
        "bot_level": STAND_IN.level,
    }
    for statement in (
        _DEMOTE,
        _FORGET_EMPTY_COUNTS,
        _SEAT_STAND_INS,
        _DROP_RESULTS_OF_STAND_INS,
        _MOVE_SEATS,
        _MOVE_RESULTS,
        _MOVE_GAMES,
    ):
        await connection.execute(statement, parameters)
