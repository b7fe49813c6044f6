"""What a game is at one moment, and what one command makes of it, as values."""

from datetime import datetime
from typing import TypeVar

import msgspec

from server.clock import closes_at
from server.errors import Code, Refused
from server.games import IllegalMove
from server.games.game import Seat, State
from server.log.model import Change, GameId, GameRow, LoggedMove, SeatRow, UserId

AnyState = TypeVar("AnyState", bound=State)


class Position(msgspec.Struct, frozen=True):
    """A game at one moment: now, or after a move in the past."""

    row: GameRow
    """In the past: with the counters and the status of then."""
    seats: tuple[SeatRow, ...]
    state: State
    last: LoggedMove | None
    """The move that led here."""
    over: bool
    since: datetime | None = None
    """Since when the seats on turn have been so; while cards are passed, since the hand was dealt.

    None in the past, and where nobody is on turn.
    """

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may move, lowest first. None before the start, or when the game is over."""
        return () if self.over or self.row.started_at is None else self.state.turn()

    def seat_of(self, user: UserId | None) -> Seat | None:
        """Where a user sits, or sat until he resigned."""
        if user is not None:
            for each in self.seats:
                if each.user == user:
                    return each.seat
        return None


class Event(msgspec.Struct, frozen=True):
    """What has just happened in a game."""

    kind: str
    seat: Seat
    move: str | None = None
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
    """A command: take the last move back; in Hearts, ask the others for it."""

    user: UserId
    revision: int


class Answer(msgspec.Struct, frozen=True):
    """A command: agree to another's take-back or refuse it."""

    user: UserId
    revision: int | None
    accept: bool


class Resign(msgspec.Struct, frozen=True):
    """A command: give the game up; in Hearts, to a bot."""

    user: UserId
    revision: int


class Join(msgspec.Struct, frozen=True):
    """A command: take a free seat of a table; the lowest, unless `seat` names one."""

    user: UserId
    name: str
    """What the user is called."""
    seat: int | None = None
    revision: None = None


class Leave(msgspec.Struct, frozen=True):
    """A command: give one's seat back before the start."""

    user: UserId
    revision: None = None


class Fill(msgspec.Struct, frozen=True):
    """A command of a table's creator: put bots on all free seats, or on one."""

    user: UserId
    seat: int | None
    level: str
    revision: None = None


class Depart(msgspec.Struct, frozen=True):
    """A command for who is no more from now on: leave before the start, resign after it."""

    user: UserId
    revision: None = None


class Again(msgspec.Struct, frozen=True):
    """A command: say which table comes after this one."""

    user: UserId
    next: GameId
    revision: None = None


PlayerCommand = Move | Undo | Answer | Resign
"""What the player of a seat does in a game under way."""

TableCommand = Join | Leave | Fill | Depart | Again
"""What people do about the seats of a table of Hearts."""


class HouseMove(msgspec.Struct, frozen=True):
    """A command of the house: a bot's move, or one for a person whose time is up."""

    seat: Seat
    revision: int
    move: str
    user: None = None


class Close(msgspec.Struct, frozen=True):
    """A command of the house: close a table that nobody has joined, or that all have left."""

    revision: int | None = None
    user: None = None


class Expire(msgspec.Struct, frozen=True):
    """A command of the house: end a ranked try, since its day is over."""

    user: None = None
    revision: None = None


HouseCommand = HouseMove | Close | Expire

Command = PlayerCommand | TableCommand | HouseCommand


def totals(state: State) -> tuple[int, ...]:
    """The points of each seat as they stand, as lists show them."""
    result = state.result()
    return (result["score"],) if "score" in result else tuple(result["totals"])


def played(state: AnyState, seat: Seat, move: str) -> tuple[AnyState, str]:
    """The state after a move, and the move in its one spelling.

    Raises:
        Refused: `illegal_move`.
    """
    after = state.copy()
    try:
        return after, after.play(seat, move)
    except IllegalMove as illegal:
        raise Refused(Code.ILLEGAL_MOVE, illegal.detail, reason=illegal.reason.value) from None


def expired_at(row: GameRow, now: datetime) -> datetime | None:
    """When the day of a ranked try ended, if it has: then the game takes no more commands."""
    if not row.ranked or row.day is None or now < closes_at(row.day):
        return None
    return closes_at(row.day)


def is_closed(row: GameRow, now: datetime) -> bool:
    """Whether the game is on the deal of a day that is not over: then it is its player's alone."""
    return row.day is not None and now < closes_at(row.day)
