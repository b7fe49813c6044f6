"""Games for tests of the log, and commands on them: plausible rows, no rules."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from msgspec.structs import replace

from server.games.game import Seat
from server.log.model import (
    Bot,
    Change,
    GameId,
    GameRow,
    Logged,
    LoggedMove,
    Ply,
    ResultRow,
    Revision,
    SeatRow,
    UserId,
)

BEGIN = datetime(2026, 11, 29, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)

_numbers = count(1)


def new_game(*users: str | Bot | None, **fields: Any) -> Logged:
    """A game that has just begun, of users, bots and free seats; of Ann alone, if none is given."""
    seats = tuple(_seat(Seat(place), who) for place, who in enumerate(users or ("ann",)))
    first = seats[0].user
    row = GameRow(
        id=GameId(f"game-{next(_numbers):06}"),
        game="heart-to-heart",
        options={},
        seed="HH1-N-AAAAAAM",
        created_at=BEGIN,
        creator=first,
        status="playing",
        totals=(0,) * len(seats),
    )
    return Logged(replace(row, **fields), seats, ())


def _seat(place: Seat, who: str | Bot | None) -> SeatRow:
    if isinstance(who, Bot):
        return SeatRow(place, None, who)
    return SeatRow(place, None if who is None else UserId(who))


def touch(row: GameRow, **fields: Any) -> Change:
    """A change that makes no move."""
    after = replace(row, revision=Revision(row.revision + 1), **fields)
    return Change(expected=row.revision, after=after)


def move(row: GameRow, text: str = "draw", **fields: Any) -> Change:
    """The next move, one second after the action before."""
    at = (row.action_at or BEGIN) + SECOND
    ply = Ply(row.ply + 1)
    after = replace(
        row,
        revision=Revision(row.revision + 1),
        ply=ply,
        peak=max(row.peak, ply),
        clock_ms=row.clock_ms + 1000,
        action_at=at,
        started_at=row.started_at or at,
    )
    after = replace(after, **fields)
    logged = LoggedMove(Seat(0), text, at, after.peak, after.undone, after.clock_ms)
    return Change(expected=row.revision, after=after, append=logged)


def undo(row: GameRow) -> Change:
    """The last move taken back."""
    after = replace(
        row,
        revision=Revision(row.revision + 1),
        ply=Ply(row.ply - 1),
        undone=row.undone + 1,
        clock_ms=row.clock_ms + 1000,
        action_at=(row.action_at or BEGIN) + SECOND,
    )
    return Change(expected=row.revision, after=after, truncate=True)


def resign(logged: Logged, **fields: Any) -> Change:
    """The end of a game, with a result for each seat that a person holds."""
    row = logged.game
    ended_at = (row.action_at or BEGIN) + SECOND
    after = replace(row, revision=Revision(row.revision + 1), status="resigned", finished_at=ended_at)
    results = tuple(
        ResultRow(
            seat=seat.seat,
            user=seat.user,
            game=row.game,
            status="resigned",
            won=False,
            score=row.totals[seat.seat],
            moves=row.ply + row.undone,
            clock_ms=row.clock_ms,
            day=row.day if row.ranked else None,
            finished_at=ended_at,
        )
        for seat in logged.seats
        if seat.user is not None
    )
    return Change(expected=row.revision, after=replace(after, **fields), results=results)
