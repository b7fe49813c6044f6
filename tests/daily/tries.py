"""Ranked tries for tests, written through the log as the rooms write them."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import count

from msgspec.structs import replace

from server.clock import opens_at
from server.games.deals import day_deal
from server.games.game import Seat
from server.games.winnable import winnable
from server.log.log import Log
from server.log.model import (
    Change,
    GameId,
    GameRow,
    Logged,
    ResultRow,
    Revision,
    SeatRow,
    UserId,
)

_numbers = count(1)


@dataclass
class Ending:
    """How a try ends: its figures, and when."""

    score: int = 250
    moves: int = 90
    clock_ms: int = 60_000
    after: timedelta = field(default_factory=lambda: timedelta(hours=1))
    """Since the day began."""


def try_of(user: str, day: date, *, listed: bool = True) -> Logged:
    """A ranked try that has just begun."""
    row = GameRow(
        id=GameId(f"game-{next(_numbers):06}"),
        game="heart-to-heart",
        options={},
        seed=day_deal(day.isoformat(), "sesame", winnable).long,
        day=day,
        ranked=True,
        listed=listed,
        created_at=opens_at(day),
        creator=UserId(user),
        status="playing",
        totals=(0,),
        started_at=opens_at(day),
    )
    return Logged(row, (SeatRow(Seat(0), UserId(user)),), ())


def ending(row: GameRow, how: Ending) -> Change:
    """The change that ends a try."""
    assert row.day is not None
    assert row.creator is not None
    ended_at: datetime = opens_at(row.day) + how.after
    won = how.score == 250
    after = replace(
        row,
        revision=Revision(row.revision + 1),
        status="won" if won else "resigned",
        totals=(how.score,),
        undone=how.moves,
        clock_ms=how.clock_ms,
        action_at=ended_at,
        finished_at=ended_at,
    )
    result = ResultRow(
        seat=Seat(0),
        user=row.creator,
        game=row.game,
        status=after.status,
        won=won,
        score=how.score,
        moves=how.moves,
        clock_ms=how.clock_ms,
        day=row.day if row.ranked else None,
        finished_at=ended_at,
    )
    return Change(expected=row.revision, after=after, results=(result,))


async def play(log: Log, user: str, day: date, how: Ending | None = None, *, listed: bool = True) -> GameId:
    """A try from its beginning to its end, or just begun without `how`."""
    logged = try_of(user, day, listed=listed)
    await log.create(logged)
    if how is not None:
        await log.commit(ending(logged.game, how))
    return logged.game.id
