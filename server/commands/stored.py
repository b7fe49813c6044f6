"""Whether games in the database are what they say: each is replayed, and all beside its moves compared."""

from collections.abc import AsyncIterator, Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import click
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.commands import common
from server.commands.common import progress
from server.commands.rebuild import COLUMNS, ResultTuple, expected_results
from server.games import GAMES, BadDealCode, BadOptions
from server.games.game import State
from server.games.heart_to_heart import HeartToHeart
from server.log import read
from server.log.model import GameId, GameRow, Logged
from server.log.record import LONGEST_PAUSE_MS, BadRecord, Made, Problem, replay
from server.log.schema import games, moves, results, seats
from server.rooms.position import totals
from server.rooms.replay import start
from server.rooms.solitaire import RESIGNED
from server.rooms.table import CLOSED, NAME, WAITING
from server.settings import Settings

PAGE: Final = 200
"""Games that are looked at together, as of one moment."""

ENDED_OTHERWISE: Final = {HeartToHeart.name: RESIGNED, NAME: CLOSED}
"""How a game can end although its rules would let it go on."""

_MS: Final = timedelta(milliseconds=1)


class Counters(NamedTuple):
    """The counters of a game after a move, or as it stands now."""

    move: int | None
    ply: int
    peak: int
    undone: int
    clock_ms: int
    at: datetime | None
    """When the last action came."""


class Stored(NamedTuple):
    """A game, and what else the database says of it."""

    logged: Logged
    last_seq: int
    """The place of its last move."""
    results: Collection[ResultTuple]
    """The rows of `results`."""


async def verify_all(settings: Settings) -> int:
    """Looks at every game, and says what is wrong with each; how many there are with which something is."""
    wrong = checked = 0
    async with common.engine(settings) as engine:
        async with engine.connect() as connection:
            total = await connection.scalar(select(func.count()).select_from(games))
        with progress() as bar:
            task = bar.add_task("replaying games", total=total)
            async for game, stored in _all(engine):
                checked += 1
                bar.advance(task)
                problem = problem_of(stored)
                if problem is not None:
                    wrong += 1
                    click.echo(f"game {game}: {told(problem)}", err=True)
    click.echo(f"{checked} games, {wrong} wrong.")
    return wrong


def told(problem: Problem) -> str:
    """What is wrong with a game, as a line."""
    return problem.detail if problem.move is None else f"move {problem.move}: {problem.detail}"


def problem_of(stored: Stored | None) -> Problem | None:
    """The first thing that is wrong with what `find` has found, if any is."""
    if stored is None:
        return Problem(None, "It has no seats.")
    try:
        state = _start(stored.logged)
        _check_log(stored, state)
        _check_end(stored.logged, state)
        _check_results(stored, state)
    except BadRecord as bad:
        return bad.problem
    return None


def _start(logged: Logged) -> State:
    """The position before the first move, at a table with all its seats."""
    row = logged.game
    if row.game not in GAMES:
        raise BadRecord(f"There is no game {row.game!r}.")
    try:
        state = start(row)
    except (BadOptions, BadDealCode) as error:
        raise BadRecord(str(error)) from None
    _compare("seats", [each.seat for each in logged.seats], list(range(GAMES[row.game].seats(row.options))))
    return state


def _check_log(stored: Stored, state: State) -> None:
    """Plays the moves on `state`, and checks the counters and times that stand beside them."""
    row, log = stored.logged.game, stored.logged.moves
    before = Counters(None, 0, 0, 0, 0, None)
    made = replay(state, (Made(each.seat, each.move, each.at) for each in log), row.created_at)
    for number, (move, _) in enumerate(zip(log, made, strict=True), 1):
        after = Counters(number, number, move.peak, move.undone, move.clock_ms, move.at)
        _check_counters(row, before, after)
        before = after
    if not row.ply == len(log) == stored.last_seq:
        raise BadRecord(f"Its ply is {row.ply}, but it has {len(log)} moves, the last at {stored.last_seq}.")
    _check_counters(row, before, Counters(None, row.ply, row.peak, row.undone, row.clock_ms, row.action_at))


def _check_counters(row: GameRow, before: Counters, after: Counters) -> None:
    """Checks counters against those before them: in between, moves may have been made and taken back.

    Raises:
        BadRecord: no such history leads from one to the other.
    """
    taken_back = after.undone - before.undone
    least_peak = max(before.peak, after.ply)
    if taken_back < 0 or not least_peak <= after.peak <= max(least_peak, before.ply + taken_back):
        raise BadRecord(
            f"There it cannot have a peak of {after.peak} with {after.undone} undone.", after.move
        )
    pauses = 2 * taken_back + after.ply - before.ply
    if not pauses and after.at != before.at:
        raise BadRecord("Its last action was not at the time of its last move.", after.move)
    least, most = _clock(row, before.at, after.at, pauses)
    if not least <= after.clock_ms - before.clock_ms <= most:
        raise BadRecord(f"There its clock cannot be at {after.clock_ms} ms.", after.move)


def _clock(row: GameRow, before: datetime | None, after: datetime | None, pauses: int) -> tuple[int, int]:
    """The least and the most that the clock can have counted, by times and the number of pauses between."""
    if row.game != HeartToHeart.name or after is None:
        return 0, 0  # At a table no clock runs.
    if before is None:
        # The first action, whenever it came, has started the clock.
        return 0, min((after - row.created_at) // _MS, max(0, pauses - 1) * LONGEST_PAUSE_MS)
    passed = (after - before) // _MS
    return min(passed, LONGEST_PAUSE_MS), min(passed, pauses * LONGEST_PAUSE_MS)


def _check_end(logged: Logged, state: State) -> None:
    """Checks what the game's row says of how it stands, `state` being the position after its last move."""
    row = logged.game
    over = state.over or row.status == ENDED_OTHERWISE[row.game]
    is_waiting = row.game == NAME and row.started_at is None
    status = WAITING if is_waiting else state.status
    _compare("status", row.status, row.status if over and not state.over else status)
    _compare("totals", row.totals, totals(state))
    if (row.finished_at is not None) is not over:
        raise BadRecord(f"A {row.status} game has a finished_at if it is over, and only then.")
    began_at, last_at = row.started_at or row.created_at, row.action_at or row.created_at
    if began_at < row.created_at or (
        row.finished_at is not None and row.finished_at < max(began_at, last_at)
    ):
        raise BadRecord("It began before it was created, or ended before its last move.")


def _check_results(stored: Stored, state: State) -> None:
    expected = {row[1]: row for row in expected_results(stored.logged, state)}
    entered = {row[1]: row for row in stored.results}
    _compare("seats with a result", sorted(entered), sorted(expected))
    for seat, row in entered.items():
        for column, told_of_it, made in zip(COLUMNS, row, expected[seat], strict=True):
            _compare(f"result of seat {seat} in {column.name}", told_of_it, made)


def _compare(figure: str, told: object, made: object) -> None:
    if told != made:
        raise BadRecord(f"Its {figure} is {told!r}, but its moves make it {made!r}.")


async def _all(engine: AsyncEngine) -> AsyncIterator[tuple[GameId, Stored | None]]:
    """Every game in the order of their ids, each as of one moment: a server may run meanwhile."""
    at_one_moment = engine.execution_options(isolation_level="REPEATABLE READ")
    behind = ""
    while True:
        async with at_one_moment.connect() as connection:
            query = select(games.c.id).where(games.c.id > behind).order_by(games.c.id).limit(PAGE)
            page = (await connection.scalars(query)).all()
            found = [await find(connection, game) for game in page]
        for game, stored in zip(page, found, strict=True):
            yield game, stored
        if len(page) < PAGE:
            return
        behind = page[-1]


async def find(connection: AsyncConnection, game: GameId) -> Stored | None:
    """A game in the database; None if it has no seats."""
    last = select(func.coalesce(func.max(moves.c.seq), 0)).where(moves.c.game_id == game).scalar_subquery()
    is_seated = select(seats.c.seat).where(seats.c.game_id == game).exists()
    last_seq, seated = (await connection.execute(select(last, is_seated))).one()
    logged = await read.read(connection, game) if seated else None
    if logged is None:
        return None
    rows = await connection.execute(select(*COLUMNS).where(results.c.game_id == game))
    return Stored(logged, last_seq, [tuple(row) for row in rows])
