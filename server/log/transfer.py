"""A guest's games become an account's, and a user's results enter a day's board."""
# ruff: noqa: S608 — nothing in these texts comes from outside

from collections.abc import Sequence
from datetime import date

from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.log.bots import STAND_IN, another
from server.log.counts import LOCK, counted, recount
from server.log.model import GameId, UserId
from server.log.read import seats_of
from server.log.schema import seats

_LOCK = text("""
SELECT id FROM games
WHERE id IN (SELECT game_id FROM seats WHERE user_id = :guest)
ORDER BY id
FOR NO KEY UPDATE
""")

_DAYS = text("""
SELECT DISTINCT day FROM games WHERE id = ANY(:moved) AND ranked
""")

_SHARED = text("""
SELECT DISTINCT game_id FROM seats WHERE game_id = ANY(:moved) AND user_id = :account
""")

# A ranked try of a day that the account has tried as well counts no more, and its result leaves the board.
_DEMOTE = text(f"""
WITH demoted AS (
    UPDATE games SET ranked = false, listed = false
    WHERE id = ANY(:moved) AND ranked AND creator = :guest AND EXISTS (
        SELECT FROM games AS own WHERE own.ranked AND own.day = games.day AND own.creator = :account
    )
    RETURNING id
), unlisted AS (
    UPDATE results SET day = NULL, listed = false WHERE game_id IN (SELECT id FROM demoted)
)
{recount(counted("results", "game_id IN (SELECT id FROM demoted)"), "-counted.listed", "-counted.unlisted")}
""")

_LOCK_COUNTS = text(LOCK)

_FORGET_EMPTY_COUNTS = text("""
DELETE FROM day_counts
WHERE listed + unlisted = 0 AND day IN (SELECT day FROM games WHERE id = ANY(:moved))
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

_LIST_TRY = text("""
UPDATE games SET listed = true WHERE ranked AND creator = :user AND day = :day AND NOT listed
""")

_LIST_RESULT = text(f"""
WITH entered AS (
    UPDATE results SET listed = true
    WHERE user_id = :user AND day = :day AND NOT listed
    RETURNING day, lost, moves, clock_ms, listed
)
{recount(counted("entered"), "counted.listed", "-counted.listed")}
""")


async def enter_board(connection: AsyncConnection, user: UserId, day: date) -> None:
    """Has the user's ranked try of `day` count for its board, which it did not while he was a guest."""
    # The first takes the game's lock: a command that ends the game meanwhile has either written its result
    # before the last looks for it, or finds the game listed.
    parameters = {"user": user, "day": day}
    await connection.execute(_LIST_TRY, parameters)
    await connection.execute(_LOCK_COUNTS, {"days": [day]})
    await connection.execute(_LIST_RESULT, parameters)


async def lock_games(connection: AsyncConnection, guest: UserId) -> list[GameId]:
    """The games in which the guest has a seat, locked, in the order in which everybody locks games."""
    return list((await connection.execute(_LOCK, {"guest": guest})).scalars())


async def move_seats(
    connection: AsyncConnection, moved: list[GameId], guest: UserId, account: UserId
) -> None:
    """Makes the guest's games, those that `lock_games` gave, the account's, with their results.

    Where both have a ranked game of one day the account's stays, the guest's becomes an unranked game, and
    its result leaves the board. Where both sit at one table a bot takes the guest's seat.

    Raises:
        IntegrityError: the account has begun its own try meanwhile (`SECOND_TRY`): to be done again.
    """
    found = await connection.execute(_SHARED, {"moved": moved, "account": account})
    shared: Sequence[GameId] = found.scalars().all()
    for game in shared:
        await _seat_stand_in(connection, game, guest)
    days = (await connection.execute(_DAYS, {"moved": moved})).scalars().all()
    await connection.execute(_LOCK_COUNTS, {"days": days})
    parameters = {"guest": guest, "account": account, "moved": moved, "shared": shared}
    for statement in (
        _DEMOTE,
        _FORGET_EMPTY_COUNTS,
        _DROP_RESULTS_OF_STAND_INS,
        _MOVE_SEATS,
        _MOVE_RESULTS,
        _MOVE_GAMES,
    ):
        await connection.execute(statement, parameters)


async def _seat_stand_in(connection: AsyncConnection, game: GameId, guest: UserId) -> None:
    """Gives the guest's seat to a bot: the one that he left it to when he resigned, else another."""
    held = await seats_of(connection, game)
    bot = next(each.bot for each in held if each.user == guest) or another(game, held, STAND_IN)
    statement = update(seats).where(seats.c.game_id == game, seats.c.user_id == guest)
    # How a finished table ranks its players hangs on who had resigned; at a running one the bot plays on.
    resigned = seats.c.resigned & seats.c.finished
    await connection.execute(
        statement.values(user_id=None, bot_name=bot.name, bot_level=bot.level, resigned=resigned)
    )
