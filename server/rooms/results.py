"""How an ended game is remembered: the rows of `results`, from its log alone."""

from collections.abc import Sequence

from server.clock import closes_at
from server.games.game import State
from server.log.model import GameRow, ResultRow, SeatRow


def results_of(row: GameRow, seats: Sequence[SeatRow], state: State) -> tuple[ResultRow, ...]:
    """The results of a game that has ended, one for each seat of a person; `state` is its last.

    Written by the command that ends the game, and made again by `heartline rebuild`: so it reads nothing but
    what stays in the log.
    """
    if row.finished_at is None or _was_never_begun(row):
        return ()
    return tuple(
        ResultRow(
            seat=each.seat,
            user=each.user,
            game=row.game,
            status=row.status,
            won=row.status == "won",
            score=state.result()["score"],
            moves=row.ply + row.undone,
            clock_ms=row.clock_ms,
            day=row.day if row.ranked else None,
            finished_at=row.finished_at,
        )
        for each in seats
        if each.user is not None
    )


def _was_never_begun(row: GameRow) -> bool:
    """Whether it is a try that its day has ended without a single move."""
    return row.day is not None and row.finished_at == closes_at(row.day) and not row.ply + row.undone
