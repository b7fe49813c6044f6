"""States of the past, whatever stretch of the log they are asked from."""

from datetime import UTC, datetime

from server.games import GAMES
from server.games.game import Seat, State
from server.log.model import LoggedMove, Ply
from server.rooms.timeline import EVERY, Timeline

MOVES = (["draw"] * 26 + ["recycle", *["draw"] * 27] * 6)[: 2 * EVERY + 9]
AT = datetime(2026, 11, 29, tzinfo=UTC)


def logged(ply: int) -> LoggedMove:
    return LoggedMove(Seat(0), MOVES[ply - 1], AT, Ply(ply), 0, 0)


def start() -> State:
    return GAMES["heart-to-heart"].setup({}, "HH1-N-AAAAAAM")


def seen(state: State) -> dict[str, object]:
    return state.view(Seat(0))


def by_hand(plies: int) -> list[dict[str, object]]:
    state = start()
    views = [seen(state)]
    for move in MOVES[:plies]:
        state.play(Seat(0), move)
        views.append(seen(state))
    return views


def test_any_state_is_found_again() -> None:
    timeline = Timeline(start())
    state = timeline.replay(logged(ply) for ply in range(1, len(MOVES) + 1))
    views = by_hand(len(MOVES))
    assert seen(state) == views[-1]
    assert [seen(timeline.state(ply)) for ply in range(timeline.ply + 1)] == views
    stretch = range(EVERY - 3, EVERY + 4)
    assert [seen(state) for _, _, state in timeline.states(stretch[0], stretch[-1])] == [
        views[n] for n in stretch
    ]
    assert timeline.move(0) is None
    assert [timeline.move(ply) for ply in range(1, 4)] == list(timeline.moves[:3])


def test_what_is_taken_off_leaves_nothing_behind() -> None:
    timeline = Timeline(start())
    timeline.replay(logged(ply) for ply in range(1, len(MOVES) + 1))
    for _ in range(EVERY + 10):
        timeline.truncate()
    again = [logged(ply) for ply in range(timeline.ply + 1, len(MOVES) + 1)]
    timeline.replay(again)
    assert [seen(timeline.state(ply)) for ply in range(timeline.ply + 1)] == by_hand(len(MOVES))


def test_a_stretch_stays_what_it_was_when_moves_are_taken_off_meanwhile() -> None:
    timeline = Timeline(start())
    timeline.replay(logged(ply) for ply in range(1, 31))
    found = []
    for ply, move, state in timeline.states(10, 30):
        found.append(seen(state))
        assert move == logged(ply)
        timeline.truncate()
    assert found == by_hand(30)[10:]


def test_a_state_given_out_is_a_copy() -> None:
    timeline = Timeline(start())
    timeline.replay([logged(1)])
    timeline.state(1).play(Seat(0), "draw")
    timeline.state(0).play(Seat(0), "draw")
    assert [seen(timeline.state(ply)) for ply in (0, 1)] == by_hand(1)
