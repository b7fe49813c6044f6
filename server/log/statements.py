"""The statements that write games. The one that changes them takes many commands, as a JSON array.

It first takes the games' locks that it can have: it waits for none, since all who are in the batch would wait
with it. Then it writes, but only where the row that it locked is the row that it saw when it began (both at
the expected revision): so what else it sees of that game is true as well.

JSON, since a driver takes longer to send eighteen arrays than PostgreSQL takes to read the text.
"""
# ruff: noqa: S608 — nothing in these texts comes from outside

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import text

from server.games.game import Seat
from server.log.counts import count
from server.log.model import (
    Change,
    GameId,
    Logged,
    Ply,
    ResultRow,
    Revision,
    SeatRow,
    Takeback,
    UserId,
)

_MOVES = """
WITH command AS MATERIALIZED (
    SELECT * FROM ROWS FROM (json_to_recordset($1) AS (
        id text, expected integer, stamp bigint, status text, totals integer[],
        ply integer, peak integer, undone integer, clock_ms bigint, action_at timestamptz,
        step smallint, seat smallint, move text,
        creator text, started_at timestamptz, finished_at timestamptz, takeback jsonb, next text,
        passing_since integer[]
    )) WITH ORDINALITY AS command (
        id, expected, stamp, status, totals,
        ply, peak, undone, clock_ms, action_at,
        step, seat, move,
        creator, started_at, finished_at, takeback, next, passing_since, place
    )
), locked AS MATERIALIZED (
    SELECT command.place, games.revision, games.stamp, games.ply + command.step AS ply
    FROM command JOIN games USING (id)
    FOR NO KEY UPDATE OF games SKIP LOCKED
), written AS (
    UPDATE games SET
        revision = command.expected + 1,
        stamp = command.stamp,
        status = command.status,
        totals = command.totals,
        ply = command.ply,
        peak = command.peak,
        undone = command.undone,
        clock_ms = command.clock_ms,
        action_at = command.action_at,
        creator = command.creator,
        started_at = command.started_at,
        finished_at = command.finished_at,
        takeback = command.takeback,
        next = command.next,
        passing_since = command.passing_since
    FROM command JOIN locked USING (place)
    WHERE games.id = command.id
      AND games.revision = command.expected
      AND locked.revision = command.expected
      AND locked.ply = command.ply
    RETURNING place, step, seat, move,
        games.id, games.listed, games.ply, games.peak, games.undone, games.clock_ms,
        games.action_at, games.created_at, games.finished_at
), appended AS (
    INSERT INTO moves (game_id, seq, seat, move, at, peak, undone, clock_ms)
    SELECT id, ply, seat, move, action_at, peak, undone, clock_ms FROM written WHERE step = 1
), truncated AS (
    DELETE FROM moves USING written
    WHERE step = -1 AND moves.game_id = written.id AND moves.seq = written.ply + 1
)"""

_SEATS_AND_RESULTS = f""", seat AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2) AS seat (
        game_id text, seat smallint, user_id text, bot_name text, bot_level text, resigned boolean
    )
), seated AS (
    INSERT INTO seats (game_id, seat, user_id, bot_name, bot_level, resigned, created_at, finished)
    SELECT seat.*, created_at, finished_at IS NOT NULL FROM seat JOIN written ON game_id = id
    ON CONFLICT (game_id, seat) DO UPDATE SET
        user_id = excluded.user_id,
        bot_name = excluded.bot_name,
        bot_level = excluded.bot_level,
        resigned = excluded.resigned,
        finished = excluded.finished
), still_seated AS (
    UPDATE seats SET finished = true FROM written
    WHERE seats.game_id = written.id AND NOT seats.finished AND written.finished_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM seat WHERE seat.game_id = written.id)
), ended AS (
    INSERT INTO results (
        game_id, seat, user_id, game, status, won, score, moves, clock_ms, day, listed, rank, finished_at
    )
    SELECT id, result.seat, user_id, game, status, won, score, result.moves, result.clock_ms, day,
        day IS NOT NULL AND listed, rank, result.finished_at
    FROM json_to_recordset($3) AS result (
        game_id text, seat smallint, user_id text, game text, status text, won boolean, score integer,
        moves integer, clock_ms bigint, day date, rank smallint, finished_at timestamptz
    ) JOIN written ON game_id = id
    RETURNING day, lost, moves, clock_ms, listed
), counted AS (
    {count("ended")}
)"""

_UNWRITTEN = """
SELECT command.place, locked.revision, locked.stamp, locked.ply,
    locked.place IS NULL AND EXISTS (SELECT FROM games WHERE games.id = command.id) AS held
FROM command LEFT JOIN locked USING (place)
WHERE (SELECT count(*) FROM written) < (SELECT count(*) FROM command)
  AND NOT EXISTS (SELECT FROM written WHERE written.place = command.place)
"""

MOVES = _MOVES + _UNWRITTEN
"""For commands that make moves or take them back: nearly all."""

ALL = _MOVES + _SEATS_AND_RESULTS + _UNWRITTEN
"""For batches in which a command also seats players, or ends its game."""

CREATE = text("""
WITH created AS (
    INSERT INTO games (
        id, game, options, seed, day, ranked, listed, public, branch_ply, created_at, creator, status, totals,
        revision, ply, peak, undone, clock_ms, action_at, started_at, finished_at, takeback, next,
        passing_since, stamp
    )
    SELECT id, game, options, seed, day, ranked, listed, public, branch_ply, created_at, creator, status,
        totals, revision, ply, peak, undone, clock_ms, action_at, started_at, finished_at, takeback, next,
        passing_since, 0
    FROM json_populate_record(CAST(NULL AS games), CAST(:game AS json))
    ON CONFLICT (id) DO NOTHING
    RETURNING id, created_at, finished_at
), seated AS (
    INSERT INTO seats (game_id, seat, user_id, bot_name, bot_level, resigned, created_at, finished)
    SELECT seat.*, created_at, finished_at IS NOT NULL
    FROM created JOIN json_to_recordset(CAST(:seats AS json)) AS seat (
        game_id text, seat smallint, user_id text, bot_name text, bot_level text, resigned boolean
    ) ON game_id = id
)
INSERT INTO moves (game_id, seq, seat, move, at, peak, undone, clock_ms)
SELECT id, seq, seat, move, at, peak, undone, clock_ms
FROM created CROSS JOIN ROWS FROM (json_to_recordset(CAST(:moves AS json)) AS (
    seat smallint, move text, at timestamptz, peak integer, undone integer, clock_ms bigint
)) WITH ORDINALITY AS move (seat, move, at, peak, undone, clock_ms, seq)
""")
"""A whole new game. Where there is one of this id nothing happens: ids are random, so it is this same one."""


class _Command(msgspec.Struct, omit_defaults=True):
    """What the statement is told of a change."""

    id: GameId
    expected: Revision
    stamp: int
    status: str
    totals: tuple[int, ...]
    ply: Ply
    peak: Ply
    undone: int
    clock_ms: int
    action_at: datetime | None
    step: int
    passing_since: tuple[Revision, ...]
    seat: Seat | None = None
    move: str | None = None
    creator: UserId | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    takeback: Takeback | None = None
    next: GameId | None = None


def build(changes: Sequence[Change], stamps: Sequence[int]) -> tuple[str, list[str]]:
    """The statement that writes the changes, no two of them to one game, and what to execute it with.

    It answers a row for each change that it did not write: `place` of the change (from 1), whether another
    transaction has `held` the game, and as it was found (null: held, or there is no such game) its
    `revision`, its `stamp`, and the `ply` that the change would bring it to.
    """
    commands = _json(list(map(_command, changes, stamps)))
    if all(change.seats is None and change.after.finished_at is None for change in changes):
        return MOVES, [commands]
    seats = [_seat(change.after.id, seat) for change in changes for seat in change.seats or ()]
    results = [_result(change.after.id, result) for change in changes for result in change.results]
    return ALL, [commands, _json(seats), _json(results)]


def creation(logged: Logged) -> dict[str, str]:
    """What to execute CREATE with."""
    return {
        "game": _json(logged.game),
        "seats": _json([_seat(logged.game.id, seat) for seat in logged.seats]),
        "moves": _json(logged.moves),
    }


def _command(change: Change, stamp: int) -> _Command:
    after, move = change.after, change.append
    return _Command(
        after.id,
        change.expected,
        stamp,
        after.status,
        after.totals,
        after.ply,
        after.peak,
        after.undone,
        after.clock_ms,
        after.action_at,
        -1 if change.truncate else 0 if move is None else 1,
        after.passing_since,
        None if move is None else move.seat,
        None if move is None else move.move,
        after.creator,
        after.started_at,
        after.finished_at,
        after.takeback,
        after.next,
    )


def _seat(game: GameId, seat: SeatRow) -> dict[str, Any]:
    return {
        "game_id": game,
        "seat": seat.seat,
        "user_id": seat.user,
        "bot_name": None if seat.bot is None else seat.bot.name,
        "bot_level": None if seat.bot is None else seat.bot.level,
        "resigned": seat.resigned,
    }


def _result(game: GameId, result: ResultRow) -> dict[str, Any]:
    return msgspec.structs.asdict(result) | {"game_id": game, "user_id": result.user}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
