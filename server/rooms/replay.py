"""From a log to positions: the one now, and those of the past."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final, TypeVar

from msgspec.structs import replace

from server.games import GAMES
from server.games.game import State
from server.games.hearts.state import Hearts
from server.log.model import GameRow, Logged, LoggedMove, Ply, UserId
from server.rooms import table
from server.rooms.position import Position, totals
from server.rooms.timeline import EVERY, Timeline

T = TypeVar("T")

AT_ONCE: Final = 20
"""Views of the past that are made in one go. They take a few thousandths of a second."""

MOVES: Final = 4 * EVERY
"""Moves that are replayed in one go. They take a thousandth of a second."""


def start(row: GameRow) -> State:
    """The state before the first move."""
    return GAMES[row.game].setup(row.options, row.seed)


def replayed(logged: Logged) -> tuple[Position, Timeline]:
    """The position in which a game stands now, and all that led to it."""
    timeline = Timeline(start(logged.game))
    return _now(logged, timeline, timeline.replay(logged.moves)), timeline


async def replayed_gently(logged: Logged) -> tuple[Position, Timeline]:
    """The same; however long the log is, nobody else waits for the event loop for long."""
    timeline = Timeline(start(logged.game))
    state = timeline.state(0)
    async for first in gently(range(0, len(logged.moves), MOVES), 1):
        state = timeline.replay(logged.moves[first : first + MOVES])
    return _now(logged, timeline, state), timeline


def is_open_to(user: UserId | None, now: Position) -> bool:
    """Whether a user may see the moves of a game: of one under way, only the player of a solitaire."""
    return now.over or (now.row.game != table.NAME and now.seat_of(user) is not None)


def past(now: Position, timeline: Timeline, first: int, last: int) -> Iterator[Position]:
    """The positions after the first `first` to `last` moves, each good until the next is asked for.

    Turn and legal moves are those of then, whatever has become of the game. The last position of a finished
    game is the one in which it stands.
    """
    for ply, move, state in timeline.states(first, last):
        if now.over and ply == now.row.ply:
            yield now
        else:
            yield _past(now, move, Ply(ply), state)


async def gently(items: Iterable[T], at_once: int = AT_ONCE) -> AsyncIterator[T]:
    """The same items; after every few of them whoever waits for the event loop has it."""
    for number, each in enumerate(items):
        if number and number % at_once == 0:
            await asyncio.sleep(0)
        yield each


def _now(logged: Logged, timeline: Timeline, state: State) -> Position:
    over = logged.game.finished_at is not None
    since = table.since(logged.game, state, timeline) if isinstance(state, Hearts) else None
    return Position(logged.game, logged.seats, state, timeline.move(timeline.ply), over, since)


def _past(now: Position, move: LoggedMove | None, ply: Ply, state: State) -> Position:
    row = replace(
        now.row,
        status=state.status,
        totals=totals(state),
        ply=ply,
        peak=move.peak if move else Ply(0),
        undone=move.undone if move else 0,
        clock_ms=move.clock_ms if move else 0,
        action_at=move.at if move else None,
        takeback=None,
    )
    return Position(row, now.seats, state, move, state.over)
