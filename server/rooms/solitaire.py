"""What a Heart to Heart game does with a command, and what its view has beyond what all views have."""

from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace

from server.clock import closes_at, moment
from server.errors import Code, Refused
from server.games import Reason
from server.games.game import Seat, State
from server.games.heart_to_heart import undoable
from server.log.model import Change, GameRow, LoggedMove, Ply, ResultRow
from server.log.record import counted_ms
from server.rooms.position import (
    Answer,
    Event,
    Move,
    PlayerCommand,
    Position,
    Resign,
    Step,
    Undo,
    played,
    totals,
)
from server.rooms.results import results_of
from server.rooms.timeline import Timeline

RESIGNED: Final = "resigned"


def step(now: Position, timeline: Timeline, seat: Seat, command: PlayerCommand, at: datetime) -> Step:
    """What a command of the player does in a game that is not over.

    Raises:
        Refused: `illegal_move`; `not_your_turn` for an answer, since nobody asks.
    """
    match command:
        case Move():
            return _move(now, seat, command, at)
        case Undo():
            return _undo(now, timeline, seat, at)
        case Resign():
            return _give_up(now, seat, at, within_s=_left_s(now.row, at))
        case Answer():
            raise Refused(Code.NOT_YOUR_TURN, "Nobody asks for a take-back here: there is nothing to answer.")


def expire(now: Position, at: datetime) -> Step:
    """Ends a ranked try as it stands when its day ends, at `at`."""
    return _give_up(now, now.seats[0].seat, at)


def own_part(position: Position) -> dict[str, Any]:
    """The fields of the view that come from the log and not from the rules."""
    row = position.row
    return {
        "undone": row.undone,
        "undoable": 0 if position.over else undoable(row.ply, row.peak),
        "clock_ms": row.clock_ms,
        "clock_at": moment(row.action_at),
        "ranked": ranked(row),
    }


def ranked(row: GameRow) -> str | None:
    """The day at which the game is its player's ranked try."""
    return row.day.isoformat() if row.ranked and row.day is not None else None


def _move(now: Position, seat: Seat, command: Move, at: datetime) -> Step:
    state, spelling = played(now.state, seat, command.move)
    ply = Ply(now.row.ply + 1)
    row = _acted(now.row, state, ply, max(now.row.peak, ply), now.row.undone, at)
    move = LoggedMove(seat, spelling, at, row.peak, row.undone, row.clock_ms)
    results: tuple[ResultRow, ...] = ()
    if state.over:
        row = replace(row, finished_at=at)
        results = results_of(row, now.seats, state)
    change = Change(
        expected=now.row.revision, after=row, append=move, results=results, within_s=_left_s(row, at)
    )
    return Step(change, Position(row, now.seats, state, move, state.over), Event("move", seat, spelling))


def _undo(now: Position, timeline: Timeline, seat: Seat, at: datetime) -> Step:
    if now.last is None or not undoable(now.row.ply, now.row.peak):
        detail = "No move is left to take back: at most the last 100 can be."
        raise Refused(Code.ILLEGAL_MOVE, detail, reason=Reason.NO_UNDO_LEFT.value)
    ply = Ply(now.row.ply - 1)
    state = timeline.state(ply)
    row = _acted(now.row, state, ply, now.row.peak, now.row.undone + 1, at)
    change = Change(expected=now.row.revision, after=row, truncate=True, within_s=_left_s(row, at))
    after = Position(row, now.seats, state, timeline.move(ply), False)
    return Step(change, after, Event("undo", seat, now.last.move))


def _give_up(now: Position, seat: Seat, at: datetime, *, within_s: float | None = None) -> Step:
    row = replace(now.row, revision=now.row.revision + 1, status=RESIGNED, finished_at=at)
    results = results_of(row, now.seats, now.state)
    change = Change(expected=now.row.revision, after=row, results=results, within_s=within_s)
    return Step(change, Position(row, now.seats, now.state, now.last, True), Event("resign", seat))


def _left_s(row: GameRow, at: datetime) -> float | None:
    """How long a change of a ranked try may take to be written: its day must not be over by then."""
    if not row.ranked or row.day is None:
        return None
    return (closes_at(row.day) - at).total_seconds()


def _acted(row: GameRow, state: State, ply: Ply, peak: Ply, undone: int, at: datetime) -> GameRow:
    """The row after a move or an undo. The first action starts the clock at 0."""
    return replace(
        row,
        status=state.status,
        totals=totals(state),
        revision=row.revision + 1,
        ply=ply,
        peak=peak,
        undone=undone,
        clock_ms=row.clock_ms + (0 if row.action_at is None else counted_ms(row.action_at, at)),
        action_at=at,
    )
