"""The position that bots try moves out on, side by side with the rules."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.deck import Bits, Deck, each
from server.bots.round import Round
from server.bots.seen import deck_at, seen, start
from server.bots.worlds import Worlds
from server.games import GAMES
from server.games.hearts.state import Hearts
from tests.bots.tables import Watched
from tests.games.hearts_tables import choice, setup, tables

seeds = st.binary(min_size=32, max_size=32)
randoms = st.integers(0, 2**32).map(random.Random)


def names(deck: Deck, cards: Bits) -> list[str]:
    return [deck.names[card] for card in each(cards)]


def beginning(state: Hearts) -> Round:
    """The play of the hand that `state` is at the beginning of, all cards open."""
    round = start(state.table)
    deck, used = deck_at(state.table), 0
    for seat in state.table.seats:
        hand = deck.bits(state.view(seat)["hand"])
        if hand & used:  # of two equal cards each hand has another one
            hand = sum(1 << (card + 1 if used >> card & 1 else card) for card in each(hand))
        used |= hand
        round.hands[seat] = hand
    (round.leader,) = (round.turn,) = state.turn()
    round.widow = sum(round.deck.penalty[card] for card in each(round.cards & ~used))
    return round


def check(round: Round, state: Hearts) -> None:
    view, deck = state.view(None), round.deck
    assert state.turn() == (round.turn,)
    legal = dict.fromkeys(names(deck, round.legal()))
    assert [f"play {name}" for name in legal] == state.legal(state.turn()[0])
    assert [deck.names[card] for card in round.trick] == [played["card"] for played in view["trick"]]
    assert round.broken is view["broken"]
    assert round.left == sum(view["counts"])
    if round.deck.copies == 1:
        points = [taken - 10 if seat == round.jack_seat else taken for seat, taken in enumerate(round.taken)]
        assert points == view["points"]


@settings(max_examples=40, deadline=None)
@given(tables(), seeds, randoms)
def test_it_keeps_the_rules(options: dict[str, Any], seed: bytes, rng: random.Random) -> None:
    state = setup(seed, **options)
    while state.status == "passing":
        state.play(*choice(state, rng))
    round = beginning(state)
    while not state.scores and state.status == "playing":
        check(round, state)
        seat, move = choice(state, rng)
        state.play(seat, move)
        round.play(next(card for card in each(round.legal()) if f"play {round.deck.names[card]}" == move))
    assert round.left == 0
    taken = [taken - 10 if seat == round.jack_seat else taken for seat, taken in enumerate(round.taken)]
    if max(round.taken) < state.table.all_points:
        assert list(state.scores[0]) == taken


@settings(max_examples=30, deadline=None)
@given(tables(), seeds, randoms)
def test_what_a_seat_has_seen(options: dict[str, Any], seed: bytes, rng: random.Random) -> None:
    game = Watched(setup(seed, **options), options)
    state = game.state
    for _ in range(rng.randrange(200)):
        game.play(*choice(state, rng))
        if state.over:
            return
        if state.status != "playing" or rng.random() < 0.9:
            continue
        (seat,) = state.turn()
        found = seen(game.views[seat])
        check(found.round, state)
        fits(Worlds(found).deal(rng).hands, found, state)
        # Views at the own turns tell as much as those after every move.
        own = [view for view in game.views[seat] if view["legal"]]
        assert repr_of(seen(own).round) == repr_of(found.round)


def repr_of(round: Round) -> list[Any]:
    return [getattr(round, name) for name in Round.__slots__]


def fits(hands: list[Bits], found: Any, state: Hearts) -> None:
    """A dealt world agrees with what was seen, and so does the true one."""
    round, deck = found.round, found.round.deck
    assert [hand.bit_count() for hand in hands] == state.view(None)["counts"]
    assert names(deck, hands[found.seat]) == state.view(found.seat)["hand"]
    together = 0
    for seat, hand in enumerate(hands):
        assert not hand & round.gone
        assert not hand & together
        assert not hand & round.voids[seat]
        assert not found.known[seat] & ~hand
        together |= hand
        true = set(state.view(state.table.seats[seat])["hand"])
        assert set(names(deck, found.known[seat])) <= true
        assert not {deck.names[card] for card in each(round.voids[seat])} & true


def test_an_unlikely_deal_is_found() -> None:
    """One opponent can hold hearts only, another clubs only: the cards still go round."""
    options = GAMES["hearts"].options({})
    game = Watched(setup(bytes(32)), options)
    rng = random.Random(1)
    while game.state.status == "passing":
        game.play(*choice(game.state, rng))
    (seat,) = game.state.turn()
    found = seen(game.views[seat])
    others = [other for other in range(4) if other != seat]
    clubs, diamonds, _, hearts = found.round.deck.suits
    found.round.voids[others[0]] = clubs | diamonds
    found.round.voids[others[1]] = hearts
    for _ in range(50):
        hands = Worlds(found).deal(rng).hands
        assert not hands[others[0]] & (clubs | diamonds)
        assert not hands[others[1]] & hearts
