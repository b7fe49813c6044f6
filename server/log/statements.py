"""The statements that write games. The one that changes them is SQL over arrays, one element a command.

It takes the games' locks first, in the order of their ids: two nodes that batch the same games in different
orders would else wait for each other. Then it writes, but only where the row that it locked is the row that
it saw when it began (both at the expected revision): so what else it sees of that game is true as well.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import TextClause, text

from server.log.model import Change, GameId, Logged, LoggedMove, ResultRow, SeatRow, Takeback

_MOVES = """
WITH command AS MATERIALIZED (
    SELECT * FROM unnest(
        CAST(:id AS text[]),
        CAST(:expected AS integer[]),
        CAST(:stamp AS bigint[]),
        CAST(:creator AS text[]),
        CAST(:status AS text[]),
        CAST(:totals AS text[]),
        CAST(:ply AS integer[]),
        CAST(:peak AS integer[]),
        CAST(:undone AS integer[]),
        CAST(:clock_ms AS bigint[]),
        CAST(:action_at AS timestamptz[]),
        CAST(:started_at AS timestamptz[]),
        CAST(:finished_at AS timestamptz[]),
        CAST(:takeback AS text[]),
        CAST(:next AS text[]),
        CAST(:step AS smallint[]),
        CAST(:seat AS smallint[]),
        CAST(:move AS text[])
    ) WITH ORDINALITY AS command (
        id, expected, stamp, creator, status, totals, ply, peak, undone, clock_ms,
        action_at, started_at, finished_at, takeback, next, step, seat, move, place
    )
), locked AS MATERIALIZED (
    SELECT command.place, games.revision, games.stamp, games.ply + command.step AS ply
    FROM command JOIN games USING (id)
    ORDER BY id
    FOR NO KEY UPDATE OF games
), written AS (
    UPDATE games SET
        revision = command.expected + 1,
        stamp = command.stamp,
        creator = command.creator,
        status = command.status,
        totals = CAST(command.totals AS integer[]),
        ply = command.ply,
        peak = command.peak,
        undone = command.undone,
        clock_ms = command.clock_ms,
        action_at = command.action_at,
        started_at = command.started_at,
        finished_at = command.finished_at,
        takeback = CAST(command.takeback AS jsonb),
        next = command.next
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

_SEATS_AND_RESULTS = """, seat AS MATERIALIZED (
    SELECT * FROM unnest(
        CAST(:seat_id AS text[]),
        CAST(:seat_seat AS smallint[]),
        CAST(:seat_user_id AS text[]),
        CAST(:seat_bot_name AS text[]),
        CAST(:seat_bot_level AS text[]),
        CAST(:seat_resigned AS boolean[])
    ) AS seat (id, seat, user_id, bot_name, bot_level, resigned)
), seated AS (
    INSERT INTO seats (game_id, seat, user_id, bot_name, bot_level, resigned, created_at, finished)
    SELECT id, seat.seat, user_id, bot_name, bot_level, resigned, created_at, finished_at IS NOT NULL
    FROM seat JOIN written USING (id)
    ON CONFLICT (game_id, seat) DO UPDATE SET
        user_id = excluded.user_id,
        bot_name = excluded.bot_name,
        bot_level = excluded.bot_level,
        resigned = excluded.resigned,
        finished = excluded.finished
), still_seated AS (
    UPDATE seats SET finished = true FROM written
    WHERE seats.game_id = written.id AND NOT seats.finished AND written.finished_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM seat WHERE seat.id = written.id)
), ended AS (
    INSERT INTO results (
        game_id, seat, user_id, game, status, won, score, moves, clock_ms, day, listed, rank, finished_at
    )
    SELECT written.id, result.seat, result.user_id, result.game, result.status, result.won, result.score,
        result.moves, result.clock_ms, result.day, result.day IS NOT NULL AND written.listed, result.rank,
        result.finished_at
    FROM unnest(
        CAST(:result_id AS text[]),
        CAST(:result_seat AS smallint[]),
        CAST(:result_user_id AS text[]),
        CAST(:result_game AS text[]),
        CAST(:result_status AS text[]),
        CAST(:result_won AS boolean[]),
        CAST(:result_score AS integer[]),
        CAST(:result_moves AS integer[]),
        CAST(:result_clock_ms AS bigint[]),
        CAST(:result_day AS date[]),
        CAST(:result_rank AS smallint[]),
        CAST(:result_finished_at AS timestamptz[])
    ) AS result (
        id, seat, user_id, game, status, won, score, moves, clock_ms, day, rank, finished_at
    ) JOIN written USING (id)
    RETURNING day, lost, moves, listed
), counted AS (
    INSERT INTO day_counts (day, lost, moves, listed, unlisted)
    SELECT day, lost, moves, count(*) FILTER (WHERE listed), count(*) FILTER (WHERE NOT listed)
    FROM ended WHERE day IS NOT NULL
    GROUP BY day, lost, moves ORDER BY day, lost, moves
    ON CONFLICT (day, lost, moves) DO UPDATE SET
        listed = day_counts.listed + excluded.listed,
        unlisted = day_counts.unlisted + excluded.unlisted
)"""

_UNWRITTEN = """
SELECT command.place, locked.revision, locked.stamp, locked.ply
FROM command LEFT JOIN locked USING (place)
WHERE NOT EXISTS (SELECT FROM written WHERE written.place = command.place)
"""

MOVES = text(_MOVES + _UNWRITTEN)
"""For commands that make moves or take them back: nearly all."""

ALL = text(_MOVES + _SEATS_AND_RESULTS + _UNWRITTEN)
"""For batches in which a command also seats players, or ends its game."""


CREATE = text("""
WITH created AS (
    INSERT INTO games (
        id, game, options, seed, day, ranked, listed, public, created_at, creator, status, totals, revision,
        ply, peak, undone, clock_ms, action_at, started_at, finished_at, takeback, next, stamp
    ) VALUES (
        :id, :game, CAST(:options AS jsonb), :seed, :day, :ranked, :listed, :public, :created_at, :creator,
        :status, :totals, :revision, :ply, :peak, :undone, :clock_ms, :action_at, :started_at, :finished_at,
        CAST(:takeback AS jsonb), :next, 0
    )
    ON CONFLICT (id) DO NOTHING
    RETURNING id, created_at, finished_at
), seated AS (
    INSERT INTO seats (game_id, seat, user_id, bot_name, bot_level, resigned, created_at, finished)
    SELECT created.id, seat, user_id, bot_name, bot_level, resigned, created_at, finished_at IS NOT NULL
    FROM created CROSS JOIN unnest(
        CAST(:seat_seat AS smallint[]),
        CAST(:seat_user_id AS text[]),
        CAST(:seat_bot_name AS text[]),
        CAST(:seat_bot_level AS text[]),
        CAST(:seat_resigned AS boolean[])
    ) AS seat (seat, user_id, bot_name, bot_level, resigned)
)
INSERT INTO moves (game_id, seq, seat, move, at, peak, undone, clock_ms)
SELECT created.id, seq, seat, move, at, peak, undone, clock_ms
FROM created CROSS JOIN unnest(
    CAST(:move_seat AS smallint[]),
    CAST(:move_move AS text[]),
    CAST(:move_at AS timestamptz[]),
    CAST(:move_peak AS integer[]),
    CAST(:move_undone AS integer[]),
    CAST(:move_clock_ms AS bigint[])
) WITH ORDINALITY AS move (seat, move, at, peak, undone, clock_ms, seq)
""")
"""A whole new game. Where there is one of this id nothing happens: ids are random, so it is this same one."""


def creation(logged: Logged) -> dict[str, Any]:
    """What to execute CREATE with."""
    row = logged.game
    parameters = {name: getattr(row, name) for name in row.__struct_fields__}
    parameters["options"] = msgspec.json.encode(row.options).decode()
    parameters["totals"] = list(row.totals)
    parameters["takeback"] = _json(row.takeback)
    parameters |= _seat_columns([(row.id, seat) for seat in logged.seats])
    del parameters["seat_id"]
    for name in LoggedMove.__struct_fields__:
        parameters[f"move_{name}"] = [getattr(move, name) for move in logged.moves]
    return parameters


def build(changes: Sequence[Change], stamps: Sequence[int]) -> tuple[TextClause, dict[str, list[Any]]]:
    """The statement that writes the changes, no two of them to one game, and what to execute it with.

    It answers a row for each change that it did not write: `place` of the change (from 1), and as the game
    was found (null: there is no such game) its `revision`, its `stamp`, and the `ply` that the change would
    bring it to.
    """
    parameters = _command_columns(changes, stamps)
    if all(change.seats is None and change.after.finished_at is None for change in changes):
        return MOVES, parameters
    parameters |= _seat_columns(
        [(change.after.id, seat) for change in changes for seat in change.seats or ()]
    )
    parameters |= _result_columns([(change.after.id, end) for change in changes for end in change.results])
    return ALL, parameters


def _command_columns(changes: Sequence[Change], stamps: Sequence[int]) -> dict[str, list[Any]]:
    rows = [change.after for change in changes]
    moves = [change.append for change in changes]
    return {
        "id": [row.id for row in rows],
        "expected": [change.expected for change in changes],
        "stamp": list(stamps),
        "creator": [row.creator for row in rows],
        "status": [row.status for row in rows],
        "totals": ["{" + ",".join(map(str, row.totals)) + "}" for row in rows],
        "ply": [row.ply for row in rows],
        "peak": [row.peak for row in rows],
        "undone": [row.undone for row in rows],
        "clock_ms": [row.clock_ms for row in rows],
        "action_at": [row.action_at for row in rows],
        "started_at": [row.started_at for row in rows],
        "finished_at": [row.finished_at for row in rows],
        "takeback": [_json(row.takeback) for row in rows],
        "next": [row.next for row in rows],
        "step": [_step(change) for change in changes],
        "seat": [None if move is None else move.seat for move in moves],
        "move": [None if move is None else move.move for move in moves],
    }


def _seat_columns(seats: Sequence[tuple[GameId, SeatRow]]) -> dict[str, list[Any]]:
    bots = [seat.bot for _, seat in seats]
    return {
        "seat_id": [game for game, _ in seats],
        "seat_seat": [seat.seat for _, seat in seats],
        "seat_user_id": [seat.user for _, seat in seats],
        "seat_bot_name": [None if bot is None else bot.name for bot in bots],
        "seat_bot_level": [None if bot is None else bot.level for bot in bots],
        "seat_resigned": [seat.resigned for _, seat in seats],
    }


def _result_columns(results: Sequence[tuple[GameId, ResultRow]]) -> dict[str, list[Any]]:
    return {
        "result_id": [game for game, _ in results],
        "result_seat": [result.seat for _, result in results],
        "result_user_id": [result.user for _, result in results],
        "result_game": [result.game for _, result in results],
        "result_status": [result.status for _, result in results],
        "result_won": [result.won for _, result in results],
        "result_score": [result.score for _, result in results],
        "result_moves": [result.moves for _, result in results],
        "result_clock_ms": [result.clock_ms for _, result in results],
        "result_day": [result.day for _, result in results],
        "result_rank": [result.rank for _, result in results],
        "result_finished_at": [result.finished_at for _, result in results],
    }


def _step(change: Change) -> int:
    if change.truncate:
        return -1
    return 0 if change.append is None else 1


def _json(takeback: Takeback | None) -> str | None:
    return None if takeback is None else msgspec.json.encode(takeback).decode()
