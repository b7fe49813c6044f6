"""What holds in every position of Hearts, at every table."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games import IllegalMove, Reason
from server.games.game import Seat, View
from server.games.hearts.cards import CARDS, NAMES
from server.games.hearts.state import Hearts
from tests.games.hearts_tables import TABLES, choice, choice_of, setup, tables, walk

seeds = st.binary(min_size=32, max_size=32)
randoms = st.integers(0, 2**32).map(random.Random)


def views(state: Hearts) -> list[View]:
    return [state.view(seat) for seat in (None, *state.table.seats)]


class Tally:
    """The cards of one hand, followed from the outside: what has been played, and what lies where."""

    def __init__(self, state: Hearts) -> None:
        self.dealt = self.in_hands(state)
        self.played: Counter[str] = Counter()

    def in_hands(self, state: Hearts) -> Counter[str]:
        return Counter(itertools.chain(*state.view(None, revealed=True)["hands"]))

    def check(self, state: Hearts, move: str) -> None:
        if move.startswith("play "):
            self.played[move[5:]] += 1
        held = self.in_hands(state)
        if state.status == "passing":
            for seat in state.table.seats:
                held.update(state.view(seat)["sent"] or ())
        assert held + self.played == self.dealt


def expected_sums(state: Hearts) -> set[int]:
    """What a row of scores may add up to."""
    others, points = state.table.players - 1, 52 if state.table.cancelling else 26
    moons = {"choice": {others * points, -points}, "add": {others * points}, "subtract": {-points}}
    jack = -10 if state.table.jack_counts else 0
    return {points + jack} | {total + jack for total in moons[state.table.moon]}


def check(state: Hearts, options: dict[str, Any]) -> None:
    spectator, *seats = views(state)
    own = {"hand", "sent", "received"}
    for seat, view in enumerate(seats):
        assert {**view, **dict.fromkeys(own)} == spectator
        assert len(view["hand"]) == view["counts"][seat]
        assert view["hand"] == sorted(view["hand"], key=NAMES.index)
        assert bool(state.legal(Seat(seat))) is (seat in state.turn())
    assert spectator["status"] == state.status
    assert bool(state.turn()) is not state.over
    assert len(spectator["trick"]) < options["players"]
    scores = spectator["scores"]
    assert spectator["totals"] == [sum(row[seat] for row in scores) for seat in state.table.seats]
    assert all(sum(row) in expected_sums(state) for row in scores)
    assert state.over is (max(spectator["totals"]) >= options["target"])
    if state.over:
        lowest = min(spectator["totals"])
        winners = [seat for seat, total in enumerate(spectator["totals"]) if total == lowest]
        assert (spectator["winners"], state.result()["winners"]) == (winners, winners)


@settings(max_examples=40)
@given(tables(), seeds, randoms)
def test_a_walk_conserves_cards_and_points_and_ends(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    tally, hand = Tally(state), 1
    for _, move in walk(state, rng):
        if state.hand_number != hand:
            tally, hand = Tally(state), state.hand_number
        else:
            tally.check(state, move)
        check(state, options)
    assert state.over


@settings(max_examples=25)
@given(st.sampled_from([table for table in TABLES if table["variant"] != "cancellation"]), seeds, randoms)
def test_passes_arriving_in_any_order_give_the_same_hands(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    start = setup(seed, **options)
    passes = {seat: choice_of(start, seat, rng) for seat in start.turn()}
    ends = []
    for order in rng.sample(list(itertools.permutations(passes)), 6):
        state = start.copy()
        for seat in order:
            _, *cards = passes[seat].split()
            rng.shuffle(cards)
            state.play(seat, " ".join(["pass", *cards]))
        ends.append(views(state))
    assert all(end == ends[0] for end in ends)


def naive_reason(state: Hearts, seat: Seat, card: str) -> Reason | None:
    """Why a card may not be played, read off the rules and a view."""
    view, table = state.view(seat), state.table
    hand, trick = view["hand"], view["trick"]
    first = sum(view["counts"]) + len(trick) == table.players * table.hand_size
    lowest = None if table.cancelling else "3C" if table.players == 5 else "2C"

    def scores(card: str) -> bool:
        return card == "QS" or card[1] == "H"

    if card not in hand:
        return Reason.NOT_IN_HAND
    if first and not trick and lowest not in (None, card):
        return Reason.MUST_LEAD_LOWEST_CLUB
    follows = bool(trick) and any(held[1] == trick[0]["card"][1] for held in hand)
    if follows:
        return None if card[1] == trick[0]["card"][1] else Reason.MUST_FOLLOW_SUIT
    if first and scores(card) and not all(map(scores, hand)):
        return Reason.NO_POINTS_ON_FIRST_TRICK
    if not trick and card[1] == "H" and not view["broken"] and any(held[1] != "H" for held in hand):
        return Reason.HEARTS_NOT_BROKEN
    return None


@settings(max_examples=25)
@given(tables(), seeds, randoms)
def test_a_card_can_be_played_exactly_if_it_is_legal(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    for _ in walk(state, rng, 300):
        if state.status != "playing":
            continue
        (seat,) = state.turn()
        legal = state.legal(seat)
        reasons = {card: naive_reason(state, seat, card) for card in CARDS}
        assert legal == [f"play {card}" for card, reason in reasons.items() if reason is None]
        before = views(state)
        for card in rng.sample(NAMES, 5):
            move = f"play {card}"
            if move in legal:
                assert state.copy().play(seat, move) == move
            else:
                with pytest.raises(IllegalMove) as refused:
                    state.play(seat, move)
                assert refused.value.reason == reasons[card]
        assert views(state) == before


@settings(max_examples=60)
@given(tables(), seeds, randoms, st.text(max_size=20))
def test_any_other_text_is_no_move(
    options: dict[str, Any], seed: bytes, rng: random.Random, text: str
) -> None:
    state = setup(seed, **options)
    for _ in walk(state, rng, rng.randrange(80)):
        pass
    for seat in state.table.seats:
        for move in (text, "pass " + text, "play " + text, "moon " + text):
            if seat in state.turn() and (move in state.legal(seat) or move.startswith("pass ")):
                continue
            with pytest.raises(IllegalMove):
                state.play(seat, move)


@settings(max_examples=25)
@given(tables(), seeds, randoms)
def test_the_same_moves_lead_to_the_same_position(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state, replayed = setup(seed, **options), setup(seed, **options)
    for _ in range(120):
        if not state.over:
            seat, move = choice(state, rng)
            replayed.play(seat, state.play(seat, move))
    assert views(state) == views(replayed)
