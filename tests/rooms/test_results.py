"""How tables of Hearts are remembered."""

import random
from datetime import UTC, datetime

from msgspec.structs import replace

from server.games import GAMES
from server.games.game import Seat, State
from server.log.model import Bot, GameId, GameRow, SeatRow, UserId
from server.rooms.results import results_of

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def played_out(chance: random.Random) -> State:
    """The end of a short game."""
    state = GAMES["hearts"].setup({"target": 1}, chance.randbytes(32))
    while not state.over:
        seat = state.turn()[0]
        legal = state.legal(seat)
        if legal == ["pass"]:
            legal = [f"pass {' '.join(state.view(seat)['hand'][:3])}"]
        state.play(seat, chance.choice(legal))
    return state


def test_who_has_resigned_is_last_and_the_best_of_the_others_has_won() -> None:
    state = played_out(random.Random(1))
    totals, winners = state.result()["totals"], state.result()["winners"]
    others = [total for seat, total in enumerate(totals) if seat not in winners]
    row = GameRow(
        id=GameId("a"),
        game="hearts",
        options=GAMES["hearts"].options({}),
        seed="",
        created_at=AT,
        creator=None,
        status="finished",
        totals=tuple(totals),
        finished_at=AT,
    )
    seats = [SeatRow(Seat(seat), UserId(f"user-{seat}")) for seat in range(4)]
    for seat in winners:
        seats[seat] = replace(seats[seat], bot=Bot("Ada", "steady"), resigned=True)

    results = results_of(row, seats, state)

    for seat, result in enumerate(results):
        has_resigned = seat in winners
        assert result.won == (totals[seat] == min(others) and not has_resigned)
        ahead = len(others) if has_resigned else sum(other < totals[seat] for other in others)
        assert result.rank == 1 + ahead
