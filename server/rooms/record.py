"""Records of games: written from a live game, and played again to be looked at."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from server.clock import moment, rfc3339
from server.games import GAMES
from server.games.game import Seat
from server.games.hearts.deal import commitment
from server.log.model import GameId, GameRow, LoggedMove, SeatRow, UserId
from server.log.record import (
    FORMAT,
    BadRecord,
    HeartsRecord,
    HeartToHeartRecord,
    Problem,
    Record,
    RecordedMove,
    SolitaireResult,
    TableResult,
    check_end,
    digest,
    play,
    read,
    start,
)
from server.rooms import table
from server.rooms.position import Position, totals
from server.rooms.replay import past
from server.rooms.timeline import Timeline
from server.rooms.views import View, players, view


class Checked(msgspec.Struct, frozen=True):
    """What a check of a record has found. The views go as far as the moves are right."""

    ok: bool
    problem: Problem | None
    views: list[View]


def record(now: Position, moves: Sequence[LoggedMove], names: Mapping[UserId, str]) -> Record:
    """The record of a game as it stands now. Of a table of Hearts it has the seed: it must be over."""
    row = now.row
    common: dict[str, Any] = {
        "format": FORMAT,
        "options": row.options,
        "players": [_called(each, names) for each in now.seats],
        "moves": [RecordedMove(move.seat, move.move, rfc3339(move.at)) for move in moves],
        "created_at": rfc3339(row.created_at),
        "finished_at": moment(row.finished_at),
    }
    result = now.state.result() | {"status": row.status}
    written: Record
    if row.game == table.NAME:
        written = HeartsRecord(
            seed=row.seed,
            commitment=commitment(bytes.fromhex(row.seed)),
            result=msgspec.convert(result, TableResult),
            **common,
        )
    else:
        result |= {"moves": row.ply, "undone": row.undone, "clock_ms": row.clock_ms}
        written = HeartToHeartRecord(deal=row.seed, result=msgspec.convert(result, SolitaireResult), **common)
    return replace(written, digest=digest(written))


def checked(text: bytes, first: int, last: int) -> Checked:
    """Plays a record through, and shows a spectator's views of its plies from `first` to `last`.

    Of a game of Hearts they show all hands: the record has the seed.
    """
    try:
        written = read(text)
        now, timeline, problem = _played(written)
    except BadRecord as bad:
        return Checked(False, bad.problem, [])
    plies = past(now, timeline, first, min(last, timeline.ply)) if first <= timeline.ply else ()
    return Checked(problem is None, problem, [_view(each, None) for each in plies])


def shown(written: Record, ply: int | None, viewer: Seat | None) -> View:
    """What a seat (None: a spectator) sees in a replay after the first `ply` moves; None: after all.

    Raises:
        BadRecord: the record is not right so far, or has no such ply or seat.
    """
    now, timeline, problem = _played(written)
    if viewer is not None and viewer >= len(now.seats):
        raise BadRecord(f"The table has {len(now.seats)} seats, from 0.")
    ply = len(written.moves) if ply is None else ply
    if ply > len(written.moves):
        raise BadRecord(f"The game has {len(written.moves)} moves.")
    if problem is not None and (ply > timeline.ply or ply == len(written.moves)):
        raise BadRecord(problem.detail, problem.move)
    return _view(next(past(now, timeline, ply, ply)), viewer)


def _played(written: Record) -> tuple[Position, Timeline, Problem | None]:
    """Where the right moves of a record lead, those moves, and what is wrong then.

    Raises:
        BadRecord: it is wrong before the first move.
    """
    state = start(written)
    timeline = Timeline(state)
    state, problem = timeline.state(0), None
    try:
        for move in play(written, state):
            timeline.append(move, state)
        check_end(written, state, timeline.move(timeline.ply))
    except BadRecord as bad:
        problem = bad.problem
    now = _position(written, timeline)
    return now if problem else _end(written, now), timeline, problem


def _view(position: Position, viewer: Seat | None) -> View:
    names = {each.user: str(each.user) for each in position.seats if each.user is not None}
    seated = players(position.seats, names, lambda _: False)
    return view(position, viewer, seated, revealed=True)


def _called(seat: SeatRow, names: Mapping[UserId, str]) -> str | None:
    if seat.user is not None:
        return names[seat.user]
    return None if seat.bot is None else seat.bot.name


def _position(written: Record, timeline: Timeline) -> Position:
    """Where the right moves of a record lead."""
    ply = timeline.ply
    state, last = timeline.state(ply), timeline.move(ply)
    created_at = datetime.fromisoformat(written.created_at)
    game = str(written.__struct_config__.tag)
    row = GameRow(
        id=GameId(""),
        game=game,
        options=GAMES[game].options(written.options),
        seed=written.deal if isinstance(written, HeartToHeartRecord) else written.seed,
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


def _end(written: Record, right: Position) -> Position:
    """The last position of a record that is right to its end."""
    finished_at = None if written.finished_at is None else datetime.fromisoformat(written.finished_at)
    row = replace(right.row, status=written.result.status, finished_at=finished_at)
    if isinstance(written, HeartToHeartRecord):
        row = replace(row, undone=written.result.undone, clock_ms=written.result.clock_ms)
    return Position(row, right.seats, right.state, right.last, finished_at is not None)
