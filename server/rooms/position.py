"""What a game is at one moment, and what one command makes of it, as values."""

from datetime import datetime

import msgspec

from server.clock import closes_at
from server.games.game import Seat, State
from server.log.model import Change, GameRow, LoggedMove, SeatRow, UserId


class Position(msgspec.Struct, frozen=True):
    """A game at one moment: now, or after a move in the past."""

    row: GameRow
    """In the past: with the counters and the status of then."""
    seats: tuple[SeatRow, ...]
    state: State
    last: LoggedMove | None
    """The move that led here."""
    over: bool

    def seat_of(self, user: UserId | None) -> Seat | None:
        """Where a user sits."""
        if user is not None:
            for each in self.seats:
                if each.user == user:
                    return each.seat
        return None


class Event(msgspec.Struct, frozen=True):
    """What has just happened in a game."""

    kind: str
    seat: Seat
    move: str | None
    """The move that was made or taken back."""


class Step(msgspec.Struct, frozen=True):
    """What a command does: to be written, and then to be true."""

    change: Change
    after: Position
    event: Event


class Move(msgspec.Struct, frozen=True):
    """A command: play a move."""

    user: UserId
    revision: int
    move: str


class Undo(msgspec.Struct, frozen=True):
    """A command: take the last move back."""

    user: UserId
    revision: int


class Answer(msgspec.Struct, frozen=True):
    """A command: agree to another's take-back or refuse it."""

    user: UserId
    revision: int | None
    accept: bool


class Resign(msgspec.Struct, frozen=True):
    """A command: give the game up."""

    user: UserId
    revision: int


PlayerCommand = Move | Undo | Answer | Resign


class Expire(msgspec.Struct, frozen=True):
    """A command of the house: end a ranked try, since its day is over."""

    user: None = None
    revision: None = None


Command = PlayerCommand | Expire


def expired_at(row: GameRow, now: datetime) -> datetime | None:
    """When the day of a ranked try ended, if it has: then the game takes no more commands."""
    if not row.ranked or row.day is None or now < closes_at(row.day):
        return None
    return closes_at(row.day)


def is_closed(row: GameRow, now: datetime) -> bool:
    """Whether the game is on the deal of a day that is not over: then it is its player's alone."""
    return row.day is not None and now < closes_at(row.day)
