"""The rows of the log as values: what a game is in the database, and a change to it.

Those of which there are many are out of the garbage collector's sight: they are in no cycle, and it need not
look for one.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import date, datetime
from typing import NewType

import msgspec

from server.games.game import Options, Seat

GameId = NewType("GameId", str)
UserId = NewType("UserId", str)

Names = Callable[[Collection[UserId]], Awaitable[Mapping[UserId, str]]]
"""What users are called; one who is no more has a name too."""

Revision = NewType("Revision", int)
"""How often a game has changed in any way. A command names the one that it was made at."""

Ply = NewType("Ply", int)
"""How many moves a log holds."""


class LoggedMove(msgspec.Struct, frozen=True, gc=False):
    """One row of `moves`. Its counters are those after the move: a replay shows what was shown then."""

    seat: Seat
    move: str
    at: datetime
    peak: Ply
    undone: int
    clock_ms: int


class Bot(msgspec.Struct, frozen=True):
    """Who plays a seat that no person plays."""

    name: str
    level: str


class SeatRow(msgspec.Struct, frozen=True, gc=False):
    """One row of `seats`. A free one has neither user nor bot.

    A resigned one has a bot, and keeps its user unless he has sat at the same table by another name.
    """

    seat: Seat
    user: UserId | None
    bot: Bot | None = None
    resigned: bool = False


class Takeback(msgspec.Struct, frozen=True):
    """An open request of a seat to take its last move back, and the seats still to answer it."""

    seat: Seat
    waiting_for: tuple[Seat, ...]


class GameRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One row of `games`. The second half changes with the game, the first only when its player does."""

    id: GameId
    game: str
    options: Options
    seed: str
    """What `setup` takes: a deal code (long form for a day's deal), or 64 hex digits for Hearts."""
    day: date | None = None
    """The day whose deal this is, ranked or not."""
    ranked: bool = False
    """Whether it is its player's one ranked try at that day."""
    listed: bool = False
    """Whether its result counts for the board of the day: a guest's does not before he registers."""
    public: bool = False
    branch_ply: Ply = Ply(0)
    """With how many moves of another game it began."""
    created_at: datetime

    creator: UserId | None
    status: str
    totals: tuple[int, ...] = ()
    """The points of each seat as they stand, for lists, which replay nothing."""
    revision: Revision = Revision(0)
    ply: Ply = Ply(0)
    peak: Ply = Ply(0)
    """The greatest length that the log has ever had."""
    undone: int = 0
    """How many moves have been taken back so far."""
    clock_ms: int = 0
    action_at: datetime | None = None
    """When the last move or undo came."""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    takeback: Takeback | None = None
    next: GameId | None = None
    passing_since: tuple[Revision, ...] = ()
    """By seat of a table that has begun: the revision from which on a pass of the seat is current.

    It is that at which the present hand was dealt, or at which the seat's pass was last taken back.
    """

    @property
    def last_at(self) -> datetime:
        """When something was last done in it."""
        return self.action_at or self.started_at or self.created_at


class ResultRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `results`: how a game ended for one seat that a person held."""

    seat: Seat
    user: UserId
    game: str
    status: str
    won: bool
    score: int
    moves: int
    """Moves made, those taken back included."""
    clock_ms: int
    day: date | None
    """The day of which this was the user's ranked try."""
    rank: int | None = None
    """Place at a table of several; equal places share it."""
    finished_at: datetime


class Logged(msgspec.Struct, frozen=True):
    """A whole game as the database has it."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    moves: tuple[LoggedMove, ...]


class Listed(msgspec.Struct, frozen=True):
    """A game as lists show it."""

    game: GameRow
    seats: tuple[SeatRow, ...]


class Change(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One command's whole effect on one game: it is written as a whole or not at all."""

    expected: Revision
    """The revision that the game must still have."""
    after: GameRow
    """The game's row as it shall be; its revision is `expected + 1`."""
    append: LoggedMove | None = None
    """A move to add to the log, with the counters and the time of `after`."""
    truncate: bool = False
    """Takes the last move off the log."""
    seats: tuple[SeatRow, ...] | None = None
    """All seats as they shall be, free ones included, when they change."""
    results: tuple[ResultRow, ...] = ()
    """Written when the change ends the game."""
    within_s: float | None = None
    """It may not be written later than so many seconds from now: then the day of its game is over."""
