"""What the games of a player come to: wins, streaks, best ranks, his rating at Hearts."""

from collections.abc import Iterable
from datetime import date
from typing import Final

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.clock import Clock
from server.daily.days import ONE_DAY
from server.daily.model import Player
from server.daily.ranking import better
from server.daily.schema import ratings
from server.log.database import patient
from server.log.model import GameId, UserId
from server.log.schema import games, results

BEST: Final = 5
"""How many best ranks a profile tells."""
DAYS: Final = 372
"""How many days a calendar goes back: a year and a week."""


class Streak(msgspec.Struct, frozen=True):
    """Days in a row on which the ranked try was won."""

    current: int
    """The one that today or yesterday is in; 0 if there is none."""
    longest: int


class BestRank(msgspec.Struct, frozen=True):
    """A rank on the board of a closed day."""

    date: date
    rank: int


class Tally(msgspec.Struct, frozen=True):
    """Finished games of one kind."""

    games: int
    wins: int


class TriedDay(msgspec.Struct, frozen=True):
    """A ranked try that has ended."""

    date: date
    won: bool
    score: int
    moves: int


class Calendar(msgspec.Struct, frozen=True):
    """A player's ranked tries, day by day."""

    streak: Streak
    days: list[TriedDay]
    """The latest first, at most `DAYS` of them."""


class Rating(msgspec.Struct, frozen=True):
    """Strength at public Hearts tables: the likely value, and how uncertain it is."""

    mu: float
    sigma: float
    games: int


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of a player."""

    user: Player
    games: int
    wins: int
    by_game: dict[str, Tally]
    daily: Tally
    """Ranked tries."""
    streak: Streak
    best_ranks: list[BestRank]
    """The best first, of equal ones the latest first."""
    days: list[TriedDay]
    """As in the calendar."""
    rating: Rating | None


class Players:
    """What the games of each player come to."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = clock

    @patient
    async def profile(self, player: Player) -> Profile:
        """What the finished games of a user come to."""
        today = self._clock().date()
        async with self._engine.connect() as connection:
            by_game = await _tallies(connection, player.id)
            tries = await _tries(connection, player.id)
            best_ranks = await _best_ranks(connection, player.id, today)
            rating = await _rating(connection, player.id)
        return Profile(
            user=player,
            games=sum(tally.games for tally in by_game.values()),
            wins=sum(tally.wins for tally in by_game.values()),
            by_game=by_game,
            daily=Tally(len(tries), sum(each.won for each in tries)),
            streak=streak_of(tries, today),
            best_ranks=best_ranks,
            days=tries[:DAYS],
            rating=rating,
        )

    @patient
    async def calendar(self, user: UserId) -> Calendar:
        """The ranked tries of a user, guests included."""
        async with self._engine.connect() as connection:
            tries = await _tries(connection, user)
        return Calendar(streak_of(tries, self._clock().date()), tries[:DAYS])

    @patient
    async def try_of(self, user: UserId, day: date) -> GameId | None:
        """The user's ranked try of a day, if he has begun it."""
        query = select(games.c.id).where(games.c.ranked, games.c.day == day, games.c.creator == user)
        async with self._engine.connect() as connection:
            return await connection.scalar(query)


def streak_of(tries: Iterable[TriedDay], today: date) -> Streak:
    """The streaks in tries, of which the latest comes first."""
    won = [each.date for each in tries if each.won]
    runs: list[int] = []
    for day, later in zip(won, [None, *won], strict=False):
        if later is not None and later - day == ONE_DAY:
            runs[-1] += 1
        else:
            runs.append(1)
    lives = bool(won) and today - won[0] <= ONE_DAY
    return Streak(current=runs[0] if lives else 0, longest=max(runs, default=0))


async def _tallies(connection: AsyncConnection, user: UserId) -> dict[str, Tally]:
    query = (
        select(results.c.game, func.count(), func.count().filter(results.c.won))
        .where(results.c.user_id == user)
        .group_by(results.c.game)
    )
    return {game: Tally(games, wins) for game, games, wins in await connection.execute(query)}


async def _tries(connection: AsyncConnection, user: UserId) -> list[TriedDay]:
    query = (
        select(results.c.day, results.c.won, results.c.score, results.c.moves)
        .where(results.c.user_id == user, results.c.day.is_not(None))
        .order_by(results.c.day.desc())
    )
    return [TriedDay(*row) for row in await connection.execute(query)]


async def _best_ranks(connection: AsyncConnection, user: UserId, today: date) -> list[BestRank]:
    entry = results.alias()
    rank = (better(entry) + 1).label("rank")
    query = select(entry.c.day, rank).where(entry.c.user_id == user, entry.c.listed, entry.c.day < today)
    best = await connection.execute(query.order_by(rank, entry.c.day.desc()).limit(BEST))
    return [BestRank(row.day, row.rank) for row in best]


async def _rating(connection: AsyncConnection, user: UserId) -> Rating | None:
    query = select(ratings.c.mu, ratings.c.sigma, ratings.c.games).where(ratings.c.user_id == user)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Rating(row.mu, row.sigma, row.games)
