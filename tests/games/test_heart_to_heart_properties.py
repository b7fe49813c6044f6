"""What holds of Heart to Heart at every position that a game can reach."""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games import IllegalMove, Reason
from server.games.cards import HEART_CARDS, RANKS
from server.games.heart_to_heart import HeartToHeartState
from tests.games import naive
from tests.games.walks import PLAYER, Walk, greedy_walk, walks

MOVE_TEXTS = [
    "draw",
    "recycle",
    *(f"{p}-{q}" for p in range(27) for q in range(27)),
    *(f"{p}-w" for p in range(27)),
    *("", "w-1", "Draw", "25_w", "025-w", "25-w ", "２５-w"),
]
"""Every move, and texts that look like one."""


def naive_end(walk: Walk) -> naive.Position:
    """The position after a walk, by the plain rules."""
    position = naive.deal("".join(RANKS[rank] for rank in walk.begin()._deal.cards))
    for move in walk.moves:
        position = dict(naive.after_each_move(position))[move]
    return position


def cards_left(state: HeartToHeartState) -> Counter[str]:
    """All cards that are still in the game, stock included."""
    cards = [card for card in state.view(None)["heart"] if card]
    return Counter([*cards, *(HEART_CARDS[rank] for rank in state._pile)])


def snapshot(state: HeartToHeartState) -> tuple[object, ...]:
    return state.view(PLAYER), state.legal(PLAYER), state.turn(), state.over, state.result(), state._pile


@given(walks())
def test_no_card_is_lost(walk: Walk) -> None:
    state = walk.begin()
    gone: Counter[str] = Counter()
    for move in walk.moves:
        before = state.view(None)
        state.play(PLAYER, move)
        if "-" in move:
            places = [int(place) for place in move.split("-") if place != "w"]
            gone.update(before["heart"][place - 1] for place in places)
            if len(places) == 1:
                gone[before["waste"]["top"]] += 1
        assert all(count % 2 == 0 for count in gone.values())
        assert gone + cards_left(state) == Counter(dict.fromkeys(HEART_CARDS, 4))


@given(walks())
def test_every_position_is_as_the_plain_rules_say(walk: Walk) -> None:
    state, position = walk.end(), naive_end(walk)
    view = state.view(PLAYER)
    places = dict(position.heart)
    assert view["heart"] == [f"{places[p]}H" if p in places else None for p in range(1, 26)]
    assert view["free"] == naive.free(position)
    assert view["stock"] == len(position.stock)
    top = f"{position.waste[-1]}H" if position.waste else None
    assert view["waste"] == {"count": len(position.waste), "top": top}
    assert view["score"] == 10 * (25 - len(position.heart))
    assert view["moves"] == len(walk.moves)
    assert state.legal(PLAYER) == [move for move, _ in naive.after_each_move(position)]
    assert state.over == (not position.heart)


@given(walks())
@settings(max_examples=30)
def test_play_takes_the_legal_moves_and_no_others(walk: Walk) -> None:
    state, position = walk.end(), naive_end(walk)
    before = snapshot(state)
    playable = []
    for move in MOVE_TEXTS:
        twin = state.copy()
        reason = reason_against(twin, move)
        assert reason == naive.refusal(position, move)
        assert snapshot(state) == before
        if reason is None:
            playable.append(move)
        else:
            assert snapshot(twin) == before
    assert sorted(playable) == sorted(state.legal(PLAYER))


def reason_against(state: HeartToHeartState, move: str) -> Reason | None:
    """Makes the move; why not, if it is illegal."""
    try:
        assert state.play(PLAYER, move) == move
    except IllegalMove as refusal:
        return refusal.reason
    return None


@given(walks())
def test_stuck_is_when_no_draw_and_no_recycle_ever_brings_a_pair(walk: Walk) -> None:
    position = naive_end(walk)
    pair_to_come = any(
        "-" in move for reached in naive.reachable(position) for move, _ in naive.after_each_move(reached)
    )
    expected = "won" if not position.heart else "playing" if pair_to_come else "stuck"
    assert walk.end().status == expected


@given(walks(), st.randoms(use_true_random=False))
def test_the_order_of_the_stock_shows_nowhere(walk: Walk, random: random.Random) -> None:
    state = walk.end()
    twin = state.copy()
    stock = list(state._pile[state._drawn :])
    random.shuffle(stock)
    twin._pile = (*state._pile[: state._drawn], *stock)
    for seat in (PLAYER, None):
        for revealed in (False, True):
            views = [msgspec.json.encode(s.view(seat, revealed=revealed)) for s in (state, twin)]
            assert views[0] == views[1]
    for ours, other in ((state.legal(PLAYER), twin.legal(PLAYER)), (state.status, twin.status)):
        assert ours == other
    assert state.result() == twin.result()


@given(walks(), st.data())
def test_copies_go_their_own_ways(walk: Walk, data: st.DataObject) -> None:
    state = walk.begin()
    at = data.draw(st.integers(0, len(walk.moves)))
    for move in walk.moves[:at]:
        state.play(PLAYER, move)
    before, twin = snapshot(state), state.copy()
    assert snapshot(twin) == before
    for move in walk.moves[at:]:
        twin.play(PLAYER, move)
    assert snapshot(twin) == snapshot(walk.end())
    assert snapshot(state) == before


@pytest.mark.parametrize("wanted", ["won", "stuck"])
def test_the_walks_reach_every_end(wanted: str) -> None:
    """Else the properties above would hold of less than they say."""
    for number in range(200):
        walk = greedy_walk(number)
        if walk.end().status == wanted:
            return
    pytest.fail(f"no walk was {wanted}")
