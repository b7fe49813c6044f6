"""Hidden cards: what a seat cannot know makes no difference to what it is shown."""

import random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import Seat
from server.games.hearts.cards import CARDS, hand_of, names
from server.games.hearts.state import Hearts
from tests.games.hearts_tables import setup, tables, walk


def shown(state: Hearts, seat: Seat | None) -> bytes:
    return msgspec.json.encode([state.view(seat), state.turn()])


def disguised(state: Hearts, seat: Seat | None, rng: random.Random) -> Hearts:
    """The position with all cards that `seat` does not see dealt anew among the places where they lie."""
    other = state.copy()
    hidden = [one for one in state.table.seats if one != seat]
    passing = state.status == "passing"
    pool = [CARDS[name] for one in hidden for name in names(state.hands[one])] + list(state.widow)
    if passing:
        pool += [card for one in hidden for card in state.sent[one]]
    rng.shuffle(pool)
    cards = iter(pool)
    for one in hidden:
        other.hands[one] = hand_of(next(cards) for _ in range(state.counts[one]))
        if passing and state.sent[one]:
            other.sent[one] = tuple(next(cards) for _ in range(3))
    other.widow = tuple(cards)
    if not passing:
        hide_passes(other, seat, rng)
    return other


def hide_passes(state: Hearts, seat: Seat | None, rng: random.Random) -> None:
    """Of the passes that were revealed, a seat knows its own and the one it got."""
    known = set()
    if seat is not None and any(state.sent):
        step = {"left": -1, "right": 1, "across": 2}[state.direction]
        known = {seat, (seat + step) % state.table.players}
    for one in state.table.seats:
        if state.sent[one] and one not in known:
            state.sent[one] = tuple(sorted(rng.sample(list(CARDS.values()), 3)))


@settings(max_examples=60)
@given(tables(), st.binary(min_size=32, max_size=32), st.integers(0, 2**32).map(random.Random))
def test_unknown_cards_make_no_difference(options: dict[str, Any], seed: bytes, rng: random.Random) -> None:
    state = setup(seed, **options)
    for _ in walk(state, rng):
        if rng.random() > 0.15:
            continue
        for seat in (None, *state.table.seats):
            other = disguised(state, seat, rng)
            assert shown(other, seat) == shown(state, seat)
            if seat in state.turn():
                assert other.legal(seat) == state.legal(seat)


@settings(max_examples=15)
@given(tables(), st.binary(min_size=32, max_size=32), st.integers(0, 2**32).map(random.Random))
def test_a_spectator_is_shown_no_card_but_those_on_the_table(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    for _ in walk(state, rng, 200):
        view = state.view(None)
        assert view["hand"] is view["sent"] is view["received"] is None
        assert "hands" not in view
        for field in ("trick", "held", "last_trick"):
            view.pop(field)
        text = msgspec.json.encode(view).decode()
        assert not [name for name in CARDS if f'"{name}"' in text]


def test_disguises_differ() -> None:
    """The test above would hold for nothing if the hidden cards stayed where they were."""
    state = setup(bytes(32), variant="cancellation")
    other = disguised(state, Seat(0), random.Random(1))
    assert other.hands[0] == state.hands[0]
    assert other.hands[1] != state.hands[1]
    assert sorted(other.widow) != sorted(state.widow)
