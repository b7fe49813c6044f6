"""How an ended game is remembered: the rows of `results`, from its log alone."""

from collections.abc import Sequence
from typing import NamedTuple

from server.clock import closes_at
from server.games.game import Seat, State
from server.log.model import GameRow, ResultRow, SeatRow


class _Outcome(NamedTuple):
    """How a game ended for a seat, whoever had it."""

    won: bool
    """At a table: with the lowest total of those who have not resigned."""
    score: int
    rank: int | None
    """Place at a table, bots counted: equal places share it, those who resigned the last."""


def results_of(row: GameRow, seats: Sequence[SeatRow], state: State) -> tuple[ResultRow, ...]:
    """The results of a game, one for each seat of a person; `state` is its last.

    None before it has ended, nor of a table that was closed, nor of a branch that has begun with moves of
    another game: it can be won as often as one likes, and counts for nobody.

    Written by the command that ends the game, and made again by `heartline rebuild`: so it reads nothing but
    what stays in the log.
    """
    if row.finished_at is None or row.status == "closed" or row.branch_ply or _was_never_begun(row):
        return ()
    outcomes = _outcomes(row, seats, state)
    return tuple(
        ResultRow(
            seat=each.seat,
            user=each.user,
            game=row.game,
            status=row.status,
            won=outcomes[each.seat].won,
            score=outcomes[each.seat].score,
            moves=row.ply + row.undone,
            clock_ms=row.clock_ms,
            day=row.day if row.ranked else None,
            rank=outcomes[each.seat].rank,
            finished_at=row.finished_at,
        )
        for each in seats
        if each.user is not None
    )


def winners(seats: Sequence[SeatRow], totals: Sequence[int]) -> list[Seat]:
    """The seats at a table with the lowest total of those who have not resigned."""
    staying = [each.seat for each in seats if not each.resigned]
    lowest = min((totals[seat] for seat in staying), default=None)
    return [seat for seat in staying if totals[seat] == lowest]


def _outcomes(row: GameRow, seats: Sequence[SeatRow], state: State) -> list[_Outcome]:
    result = state.result()
    if "score" in result:
        return [_Outcome(row.status == "won", result["score"], None)]
    totals: list[int] = result["totals"]
    won = winners(seats, totals)
    standing = [(each.resigned, 0 if each.resigned else totals[each.seat]) for each in seats]
    return [
        _Outcome(
            won=each.seat in won,
            score=totals[each.seat],
            rank=1 + sum(other < own for other in standing),
        )
        for each, own in zip(seats, standing, strict=True)
    ]


def _was_never_begun(row: GameRow) -> bool:
    """Whether it is a try that its day has ended without a single move."""
    return row.day is not None and row.finished_at == closes_at(row.day) and not row.ply + row.undone
