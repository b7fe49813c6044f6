"""What the games of a player come to: wins, streaks, best ranks, his rating at Hearts."""

from collections.abc import Iterable
from datetime import date
from typing import Final

import msgspec
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import Clock
from server.daily.days import ONE_DAY
from server.daily.model import Player
from server.daily.ranking import better
from server.log.database import patient
from server.log.direct import fetch
from server.log.model import GameId, UserId

BEST: Final = 5
"""How many best ranks a profile tells."""
DAYS: Final = 372
"""How many days a calendar goes back: a year and a week."""


_TRY: Final = "SELECT id FROM games WHERE ranked AND day = $1 AND creator = $2"

_TALLIES: Final = """
SELECT game, count(*) AS games, count(*) FILTER (WHERE won) AS wins
FROM results WHERE user_id = $1 GROUP BY game
"""

_TRIES: Final = """
SELECT day, won, score, moves FROM results WHERE user_id = $1 AND day IS NOT NULL ORDER BY day DESC
"""

_BEST_RANKS: Final = f"""
SELECT day, {better("entry")} + 1 AS rank
FROM results AS entry
WHERE user_id = $1 AND listed AND day < $2
ORDER BY rank, day DESC
LIMIT {BEST}
"""  # noqa: S608 — nothing in it comes from outside

_RATING: Final = "SELECT mu, sigma, games FROM ratings WHERE user_id = $1"


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
        self._engine = engine
        self._clock = clock

    @patient
    async def profile(self, player: Player) -> Profile:
        """What the finished games of a user come to."""
        today = self._clock().date()
        tallies = await fetch(self._engine, _TALLIES, player.id)
        by_game = {row["game"]: Tally(row["games"], row["wins"]) for row in tallies}
        tries = await self._tries(player.id)
        best_ranks = await fetch(self._engine, _BEST_RANKS, player.id, today)
        return Profile(
            user=player,
            games=sum(tally.games for tally in by_game.values()),
            wins=sum(tally.wins for tally in by_game.values()),
            by_game=by_game,
            daily=Tally(len(tries), sum(each.won for each in tries)),
            streak=streak_of(tries, today),
            best_ranks=[BestRank(*row) for row in best_ranks],
            days=tries[:DAYS],
            rating=await self.rating(player.id),
        )

    @patient
    async def rating(self, user: UserId) -> Rating | None:
        """How strong a user is at public Hearts tables, if he has played at one."""
        rows = await fetch(self._engine, _RATING, user)
        return Rating(*rows[0]) if rows else None

    @patient
    async def calendar(self, user: UserId) -> Calendar:
        """The ranked tries of a user, guests included."""
        tries = await self._tries(user)
        return Calendar(streak_of(tries, self._clock().date()), tries[:DAYS])

    @patient
    async def try_of(self, user: UserId, day: date) -> GameId | None:
        """The user's ranked try of a day, if he has begun it."""
        rows = await fetch(self._engine, _TRY, day, user)
        return rows[0]["id"] if rows else None

    async def _tries(self, user: UserId) -> list[TriedDay]:
        return [TriedDay(*row) for row in await fetch(self._engine, _TRIES, user)]


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
