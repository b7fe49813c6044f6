"""Records of games: written from a live game, and played again to be looked at."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from server.clock import rfc3339
from server.games.game import Seat
from server.log.model import GameId, GameRow, LoggedMove, SeatRow, UserId
from server.log.record import (
    BadRecord,
    HeartToHeartRecord,
    Problem,
    RecordedMove,
    SolitaireResult,
    check_end,
    digest,
    play,
    read,
    start,
    verify,
)
from server.rooms.position import Position
from server.rooms.replay import past
from server.rooms.solitaire import totals
from server.rooms.timeline import Timeline
from server.rooms.views import View, players, view


class Checked(msgspec.Struct, frozen=True):
    """What a check of a record has found. The views go as far as the moves are right."""

    ok: bool
    problem: Problem | None
    views: list[View]


def record(now: Position, moves: Sequence[LoggedMove], names: Mapping[UserId, str]) -> HeartToHeartRecord:
    """The record of a game of Heart to Heart as it stands now."""
    row = now.row
    written = HeartToHeartRecord(
        options=row.options,
        deal=row.seed,
        players=[None if each.user is None else names[each.user] for each in now.seats],
        moves=[RecordedMove(move.seat, move.move, rfc3339(move.at)) for move in moves],
        result=msgspec.convert(
            {
                "status": row.status,
                "score": row.totals[0],
                "moves": row.ply,
                "undone": row.undone,
                "clock_ms": row.clock_ms,
            },
            SolitaireResult,
        ),
        created_at=rfc3339(row.created_at),
        finished_at=None if row.finished_at is None else rfc3339(row.finished_at),
    )
    return replace(written, digest=digest(written))


def checked(text: bytes, first: int, last: int) -> Checked:
    """Plays a record through, and shows a spectator's views of its plies from `first` to `last`.

    Of a game of Hearts it shows none.
    """
    try:
        written = read(text)
        if not isinstance(written, HeartToHeartRecord):
            problem = verify(written)
            return Checked(problem is None, problem, [])
        state = start(written)
    except BadRecord as bad:
        return Checked(False, bad.problem, [])
    timeline = Timeline(state)
    state, problem = timeline.state(0), None
    try:
        for move in play(written, state):
            timeline.append(move, state)
        check_end(written, state, timeline.move(timeline.ply))
    except BadRecord as bad:
        problem = bad.problem
    now = _position(written, timeline)
    if problem is None:
        now = _end(written, now)
    names = {each.user: str(each.user) for each in now.seats if each.user is not None}
    seated = players(now.seats, names, lambda _: False)
    plies = past(now, timeline, first, min(last, timeline.ply)) if first <= timeline.ply else ()
    return Checked(problem is None, problem, [view(each, None, seated) for each in plies])


def _position(written: HeartToHeartRecord, timeline: Timeline) -> Position:
    """Where the right moves of a record lead."""
    ply = timeline.ply
    state, last = timeline.state(ply), timeline.move(ply)
    created_at = datetime.fromisoformat(written.created_at)
    row = GameRow(
        id=GameId(""),
        game="heart-to-heart",
        options=dict(written.options),
        seed=written.deal,
        created_at=created_at,
        creator=None,
        status=state.status,
        totals=totals(state),
        ply=ply,
        peak=ply,
        clock_ms=last.clock_ms if last else 0,
        action_at=last.at if last else None,
        started_at=created_at,
    )
    seats = tuple(
        SeatRow(Seat(seat), None if name is None else UserId(name))
        for seat, name in enumerate(written.players)
    )
    return Position(row, seats, state, last, state.over)


def _end(written: HeartToHeartRecord, right: Position) -> Position:
    """The last position of a record that is right to its end."""
    result, finished_at = written.result, written.finished_at
    row = replace(
        right.row,
        status=result.status,
        undone=result.undone,
        clock_ms=result.clock_ms,
        finished_at=None if finished_at is None else datetime.fromisoformat(finished_at),
    )
    return Position(row, right.seats, right.state, right.last, finished_at is not None)
