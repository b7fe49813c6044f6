"""Who sits where at a table of Hearts: joining, leaving, bots, the start, and giving a seat up."""

from datetime import datetime
from typing import Any

from msgspec.structs import replace

from server.errors import Code, Refused
from server.games.game import Seat
from server.log.bots import STAND_IN, another
from server.log.model import Change, GameRow, Revision, SeatRow, UserId
from server.rooms import takeback
from server.rooms.position import (
    Again,
    Depart,
    Event,
    Fill,
    Join,
    Leave,
    Position,
    Step,
    TableCommand,
)
from server.rooms.table import CLOSED, NAME, people, rules
from server.rooms.timeline import Timeline


def step(now: Position, timeline: Timeline, command: TableCommand, at: datetime) -> Step:
    """What a command about the seats of a table does.

    Raises:
        Refused: `not_found`, it is no table; `bad_request`, it has no such seat; `not_your_game`;
            `stale_revision`, it has begun meanwhile; `seat_taken`; `game_over`; `not_yet`.
    """
    if now.row.game != NAME:
        raise Refused(Code.NOT_FOUND, "This is a solitaire: only tables of Hearts have seats to give.")
    match command:
        case Join():
            return _join(now, command, at)
        case Leave():
            return _leave(now, command.user, at)
        case Fill():
            return _fill(now, command, at)
        case Depart():
            return _depart(now, timeline, command.user, at)
        case Again():
            return _again(now, command)


def resign(now: Position, timeline: Timeline, seat: Seat, at: datetime) -> Step:
    """Gives the seat of a person to a bot; the table closes when no other person plays.

    Raises:
        Refused: `not_your_turn`, the game has not begun.
    """
    if now.row.started_at is None:
        raise Refused(Code.NOT_YOUR_TURN, "The game has not begun: leave the table instead.")
    bot = another(now.row.id, now.seats, STAND_IN)
    seats = _with(now.seats, seat, bot=bot, resigned=True)
    if not people(seats):
        return close(now, at, Event("resign", seat), seats)
    return takeback.give_way(now, timeline, seat, seats, at)


def close(now: Position, at: datetime, event: Event, seats: tuple[SeatRow, ...] | None = None) -> Step:
    """Ends a table without a result."""
    row = replace(now.row, status=CLOSED, finished_at=at, takeback=None)
    return _changed(now, row, seats, event, over=True)


def all_taken(seats: tuple[SeatRow, ...]) -> bool:
    """Whether nothing is left to wait for."""
    return all(each.user is not None or each.bot is not None for each in seats)


def started(row: GameRow, status: str, at: datetime) -> GameRow:
    """The row of a game that begins at this moment, at the revision that it has."""
    passing_since = (row.revision,) * len(row.totals) if row.game == NAME else ()
    return replace(row, status=status, started_at=at, passing_since=passing_since)


def _join(now: Position, command: Join, at: datetime) -> Step:
    seat, seats = command.seat, now.seats
    if seat is not None and seat >= len(seats):
        raise Refused(Code.BAD_REQUEST, f"This table has the seats 0 to {len(seats) - 1}.")
    if now.over:
        raise Refused(Code.GAME_OVER, "This table is closed: join or open another one.")
    if now.seat_of(command.user) is not None:
        raise Refused(Code.SEAT_TAKEN, "You have a seat at this table already.")
    free = _free(seats)
    if not free:
        raise Refused(Code.SEAT_TAKEN, "All seats are taken: join or open another table.")
    if seat is None:
        seat = free[0]
    if seat not in free:
        raise Refused(Code.SEAT_TAKEN, "This seat is taken: choose another.")
    place = Seat(seat)
    joined = _with(seats, place, user=command.user)
    return _seated(now, joined, Event("seats", place), at)


def _leave(now: Position, user: UserId, at: datetime) -> Step:
    seat = now.seat_of(user)
    if seat is None:
        raise Refused(Code.NOT_YOUR_GAME, "You have no seat at this table.")
    if now.over:
        raise Refused(Code.GAME_OVER, "This table is closed already.")
    if now.row.started_at is not None:
        raise Refused(Code.STALE_REVISION, "The game has begun meanwhile: play on, or resign.")
    seats = _with(now.seats, seat, user=None)
    left, event = people(seats), Event("seats", seat)
    if not left:
        return close(now, at, event, seats)
    creator = now.row.creator if user != now.row.creator else seats[left[0]].user
    return _changed(now, replace(now.row, creator=creator), seats, event)


def _fill(now: Position, command: Fill, at: datetime) -> Step:
    if now.seat_of(command.user) is None or now.row.creator != command.user:
        raise Refused(Code.NOT_YOUR_GAME, "Only who opened the table puts bots on its seats.")
    if command.seat is not None and command.seat >= len(now.seats):
        raise Refused(Code.BAD_REQUEST, f"This table has the seats 0 to {len(now.seats) - 1}.")
    if now.over:
        raise Refused(Code.GAME_OVER, "This table is closed: open another one.")
    free = _free(now.seats)
    wanted = free if command.seat is None else tuple(seat for seat in free if seat == command.seat)
    if not wanted:
        raise Refused(Code.SEAT_TAKEN, "No free seat is left for a bot there.")
    seats = with_bots(now.row, now.seats, wanted, command.level)
    return _seated(now, seats, Event("seats", wanted[0]), at)


def with_bots(
    row: GameRow, seats: tuple[SeatRow, ...], wanted: tuple[Seat, ...], level: str
) -> tuple[SeatRow, ...]:
    """The seats with a bot on each of those that are wanted."""
    for seat in wanted:
        seats = _with(seats, seat, bot=another(row.id, seats, level))
    return seats


def _depart(now: Position, timeline: Timeline, user: UserId, at: datetime) -> Step:
    if now.row.started_at is None or now.over:
        return _leave(now, user, at)
    seat = now.seat_of(user)
    if seat is None or seat not in people(now.seats):
        raise Refused(Code.NOT_YOUR_GAME, "You do not play at this table.")
    return resign(now, timeline, seat, at)


def _again(now: Position, command: Again) -> Step:
    seat = now.seat_of(command.user)
    if seat is None:
        raise Refused(Code.NOT_YOUR_GAME, "You did not play at this table: open one of your own.")
    if not now.over:
        raise Refused(Code.NOT_YET, "Play again once the game is over.")
    if now.row.next is not None:
        raise Refused(Code.STALE_REVISION, "There is a next table already.")
    return _changed(now, replace(now.row, next=command.next), None, Event("again", seat), over=True)


def _seated(now: Position, seats: tuple[SeatRow, ...], event: Event, at: datetime) -> Step:
    """New seats at a waiting table. When all are taken the game begins."""
    row = now.row
    if not all_taken(seats):
        return _changed(now, row, seats, event)
    row = replace(row, revision=Revision(row.revision + 1))
    row = started(row, rules(now).status, at)
    after = Position(row, seats, now.state, now.last, False, at)
    return Step(Change(expected=now.row.revision, after=row, seats=seats), after, event)


def _changed(
    now: Position, row: GameRow, seats: tuple[SeatRow, ...] | None, event: Event, *, over: bool = False
) -> Step:
    after = replace(row, revision=Revision(now.row.revision + 1))
    position = Position(after, now.seats if seats is None else seats, now.state, now.last, over, now.since)
    return Step(Change(expected=now.row.revision, after=after, seats=seats), position, event)


def _free(seats: tuple[SeatRow, ...]) -> tuple[Seat, ...]:
    return tuple(each.seat for each in seats if each.user is None and each.bot is None)


def _with(seats: tuple[SeatRow, ...], seat: Seat, **changes: Any) -> tuple[SeatRow, ...]:
    return tuple(replace(each, **changes) if each.seat == seat else each for each in seats)
