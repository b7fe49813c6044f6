"""What a command does to a game: the checks that all games have, in the order of the contract, and then the
step of the game itself.
"""

from datetime import datetime

from server.errors import Code, Refused
from server.games.game import Seat
from server.rooms import seats, solitaire, table, takeback
from server.rooms.position import (
    Again,
    Answer,
    Close,
    Command,
    Depart,
    Event,
    Expire,
    Fill,
    HouseMove,
    Join,
    Leave,
    Move,
    PlayerCommand,
    Position,
    Resign,
    Step,
    Undo,
    expired_at,
)
from server.rooms.timeline import Timeline


def step(now: Position, timeline: Timeline, command: Command, at: datetime) -> Step:
    """What a command does that comes at a moment.

    Raises:
        Refused: the command is not for this game, or not now. A `stale_revision` is without a view.
    """
    expired = expired_at(now.row, at)
    at = _no_earlier(now, at)
    match command:
        case Expire():
            if now.over or expired is None:
                raise Refused(Code.GAME_OVER, "The game is over already, or its day is not.")
            return solitaire.expire(now, expired)
        case HouseMove():
            return table.house_move(now, command, at)
        case Close():
            return _close(now, command, at)
        case Join() | Leave() | Fill() | Depart() | Again():
            return seats.step(now, timeline, command, at)
        case Move() | Undo() | Answer() | Resign():
            return _play(now, timeline, command, expired, at)


def _no_earlier(now: Position, at: datetime) -> datetime:
    """The clocks of two nodes differ; the log's times never run backwards."""
    return max(at, now.row.last_at)


def _close(now: Position, command: Close, at: datetime) -> Step:
    if command.revision is not None and command.revision != now.row.revision:
        raise _stale()
    if now.over:
        raise Refused(Code.GAME_OVER, "The table is closed already.")
    return seats.close(now, at, Event("closed", now.seats[0].seat))


def _play(
    now: Position, timeline: Timeline, command: PlayerCommand, expired: datetime | None, at: datetime
) -> Step:
    seat = now.seat_of(command.user)
    if seat is None:
        raise Refused(Code.NOT_YOUR_GAME, "You do not play in this game: you can only watch it.")
    if expired is not None:
        # Before the revision, which the house raises when it ends the game.
        raise Refused(Code.GAME_OVER, "The day of this deal is over: play the deal of today.")
    if not _is_current(now, seat, command):
        raise _stale()
    if now.over:
        raise Refused(Code.GAME_OVER, "The game is over: start another one.")
    if now.seats[seat].resigned:
        raise Refused(Code.NOT_YOUR_TURN, "You have resigned: a bot plays your seat.")
    if isinstance(command, Move) and seat not in now.turn:
        raise Refused(Code.NOT_YOUR_TURN, "It is not your turn: wait for the others.")
    if now.row.game != table.NAME:
        return solitaire.step(now, timeline, seat, command, at)
    match command:
        case Move():
            return table.move(now, seat, command.move, at)
        case Undo():
            return takeback.ask(now, timeline, seat, at)
        case Answer():
            return takeback.answer(now, timeline, seat, command.accept, at)
        case Resign():
            return seats.resign(now, timeline, seat, at)


def _is_current(now: Position, seat: Seat, command: PlayerCommand) -> bool:
    if isinstance(command, Move) and now.row.game == table.NAME:
        return table.is_current(now.row, seat, command)
    return command.revision is None or command.revision == now.row.revision


def _stale() -> Refused:
    detail = "The game has changed meanwhile: look at it as it is now, and decide again."
    return Refused(Code.STALE_REVISION, detail)
