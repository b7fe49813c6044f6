"""A game written down so that anybody can check it, and the check."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from server.clock import rfc3339
from server.games import GAMES, BadDealCode, BadOptions, IllegalMove
from server.games.deals import read_deal
from server.games.game import Seat, State
from server.log.model import GameId, GameRow, LoggedMove, Ply, SeatRow, UserId
from server.rooms.position import Position
from server.rooms.solitaire import RESIGNED, counted_ms, totals
from server.rooms.timeline import Timeline


class RecordedMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move and when it was made."""

    seat: int
    move: str
    at: str


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """How a game of Heart to Heart stands at the end of its record."""

    status: str
    score: int
    moves: int
    undone: int
    clock_ms: int


class Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A game of Heart to Heart, whole."""

    format: Literal["heartline/1"] = "heartline/1"
    game: Literal["heart-to-heart"] = "heart-to-heart"
    options: dict[str, Any]
    deal: str
    """The deal code; the long form for the deal of a day."""
    players: list[str]
    """What they were called when the record was made."""
    moves: list[RecordedMove]
    result: Result
    created_at: str
    finished_at: str | None


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a record."""

    move: int | None
    """The number of the move, from 1, if it is one."""
    detail: str


class Wrong(ValueError):  # noqa: N818 — it says what is wrong
    """Something in a record is not as it must be."""

    def __init__(self, detail: str, move: int | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(move, detail)


class Checked(msgspec.Struct, frozen=True):
    """What a check has found: the game as far as its moves are right, and what is wrong."""

    problem: Problem | None
    now: Position | None
    """The last position; None if not even the deal is right."""
    timeline: Timeline | None


def record(now: Position, moves: Sequence[LoggedMove], names: Mapping[UserId, str]) -> Record:
    """The record of a game in which nothing is hidden any more from whom it is for."""
    row = now.row
    return Record(
        options=row.options,
        deal=row.seed,
        players=[names[each.user] for each in now.seats if each.user is not None],
        moves=[RecordedMove(move.seat, move.move, rfc3339(move.at)) for move in moves],
        result=Result(row.status, row.totals[0], row.ply, row.undone, row.clock_ms),
        created_at=rfc3339(row.created_at),
        finished_at=None if row.finished_at is None else rfc3339(row.finished_at),
    )


def check(written: Record) -> Checked:
    """Plays a record through: its deal, every move, its result and its times."""
    try:
        deal = read_deal(written.deal)
        if written.deal not in (deal.code, deal.long):
            raise Wrong(f"The deal is not in its canonical spelling: {deal.code}.")
        start = GAMES[written.game].setup(written.options, written.deal)
        if len(written.players) > 1:
            raise Wrong("A solitaire has one player.")
        created_at = _moment(written.created_at, "created_at")
    except (BadDealCode, BadOptions, Wrong) as error:
        return Checked(Problem(None, str(error)), None, None)
    timeline = Timeline(start)
    problem = None
    try:
        state = _play(written.moves, timeline, created_at)
        _check_end(written, state, timeline, created_at)
    except Wrong as wrong:
        problem = wrong.problem
    return Checked(problem, _position(written, timeline, created_at, problem), timeline)


def _play(moves: Sequence[RecordedMove], timeline: Timeline, created_at: datetime) -> State:
    state, before, clock_ms = timeline.state(0), created_at, 0
    for number, move in enumerate(moves, 1):
        try:
            state.play(Seat(move.seat), move.move)
        except IllegalMove as illegal:
            raise Wrong(illegal.detail, number) from None
        at = _moment(move.at, "at", number)
        if at < before:
            raise Wrong("It was made before what comes before it.", number)
        clock_ms += counted_ms(before, at) if number > 1 else 0
        before = at
        timeline.append(LoggedMove(Seat(move.seat), move.move, at, Ply(number), 0, clock_ms), state)
    return state


def _check_end(written: Record, state: State, timeline: Timeline, created_at: datetime) -> None:
    result, last = written.result, timeline.move(timeline.ply)
    if written.finished_at is None:
        status = state.status
        if state.over:
            raise Wrong("The game was over with its last move, but finished_at is missing.")
    else:
        status = state.status if state.over else RESIGNED
        finished_at = _moment(written.finished_at, "finished_at")
        last_at = created_at if last is None else last.at
        if finished_at < last_at or (state.over and finished_at != last_at):
            raise Wrong("finished_at does not fit the time of the last move.")
    if result.status != status:
        raise Wrong(f"The result says {result.status}; the moves lead to {status}.")
    if result.score != totals(state)[0]:
        raise Wrong(f"The result says {result.score} points; the moves make {totals(state)[0]}.")
    if result.moves != timeline.ply:
        raise Wrong(f"The result says {result.moves} moves; there are {timeline.ply}.")
    clock_ms = 0 if last is None else last.clock_ms
    # What was taken back is not in the record, but its time is.
    if result.undone < 0 or result.clock_ms < clock_ms or (result.clock_ms > clock_ms and not result.undone):
        raise Wrong(f"The result says {result.clock_ms} ms; the times of the moves make {clock_ms}.")


def _position(written: Record, timeline: Timeline, created_at: datetime, problem: Problem | None) -> Position:
    """Where the record leads to. What the result says of the clock and of undos counts if it is right."""
    ply = timeline.ply
    state, last = timeline.state(ply), timeline.move(ply)
    whole = problem is None
    finished_at = datetime.fromisoformat(written.finished_at) if whole and written.finished_at else None
    row = GameRow(
        id=GameId(""),
        game=written.game,
        options=written.options,
        seed=written.deal,
        created_at=created_at,
        creator=None,
        status=written.result.status if whole else state.status,
        totals=totals(state),
        ply=ply,
        peak=ply,
        undone=written.result.undone if whole else 0,
        clock_ms=written.result.clock_ms if whole else 0,
        action_at=last.at if last else None,
        started_at=created_at,
        finished_at=finished_at,
    )
    seats = tuple(SeatRow(Seat(seat), UserId(name)) for seat, name in enumerate(written.players))
    return Position(row, seats, state, last, finished_at is not None)


def _moment(text: str, what: str, move: int | None = None) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if rfc3339(moment) == text:
            return moment
    except (ValueError, OverflowError):
        pass
    raise Wrong(f"{what} is no time such as 2026-11-29T12:00:00.000Z.", move)
