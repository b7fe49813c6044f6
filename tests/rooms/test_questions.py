"""What a bot is told: what its seat has been shown at its own turns of this hand, and not one card more."""

import pickle
import random
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, cast

import msgspec
import pytest

from server.games.game import Seat
from server.games.hearts.cards import CARDS, IN_SUIT, QUEEN, Card, Hand, hand_of, names
from server.games.hearts.state import Hearts
from server.log.model import Logged, LoggedMove, Ply, UserId
from server.rooms.beginnings import hearts
from server.rooms.questions import decision, question
from server.rooms.replay import replayed
from server.rooms.room import Copy
from server.rooms.table import rules
from server.rooms.timeline import Timeline
from tests.bots.tables import view_of
from tests.games.hearts_tables import TABLES, choice

AT = datetime(2026, 11, 29, tzinfo=UTC)


def table(options: dict[str, Any]) -> Logged:
    return hearts(UserId("ann"), options, options["players"] - 1, "sharp", AT, public=False)


def after(logged: Logged, moves: list[tuple[Seat, str]]) -> Logged:
    """The table once these moves have been made."""
    log = tuple(LoggedMove(seat, move, AT, Ply(ply), 0, 0) for ply, (seat, move) in enumerate(moves, 1))
    row = msgspec.structs.replace(logged.game, ply=Ply(len(moves)), peak=Ply(len(moves)))
    return Logged(row, logged.seats, log)


def game_of(logged: Logged, first: Hearts | None = None) -> Copy:
    """The game of a log; with other hands at the start, if they are given."""
    position, timeline = replayed(logged)
    if first is not None:
        timeline = Timeline(first)
        position = msgspec.structs.replace(position, state=timeline.replay(logged.moves))
    return Copy(position, timeline)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_bot_is_told_what_its_seat_was_shown_at_its_own_turns(options: dict[str, Any]) -> None:
    chance, logged = random.Random(1), table(options)
    state = rules(replayed(logged)[0])
    moves: list[tuple[Seat, str]] = []
    hand = 0
    while state.hand_number < 3 and not state.over:
        if state.hand_number > hand:
            hand, dealt = state.hand_number, state.copy()
            shown: dict[Seat, list[Any]] = {seat: [] for seat in state.table.seats}
        seat, move = choice(state, chance)
        if chance.random() < 0.2 or state.status == "moon":
            game = game_of(after(logged, moves))
            told = question(game, decision(game.position, seat, "sharp"))
            # Of who has passed already a pass takes no notice.
            present = view_of(dealt if state.status == "passing" else state, seat, logged.game.options)
            expected = [*shown[seat], present]
            assert list(map(fields, told.views, expected)) == expected
            assert len(told.views) == len(expected)
        shown[seat].append(view_of(state, seat, logged.game.options))
        moves.append((seat, move))
        state.play(seat, move)


def fields(view: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """The part of a view that a bot looks at; the room adds whose table it is, and the like."""
    return {name: view[name] for name in shown}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_hidden_cards_make_no_difference_to_what_a_bot_is_told(options: dict[str, Any]) -> None:
    chance, logged = random.Random(2), table(options)
    state = rules(replayed(logged)[0])
    moves: list[tuple[Seat, str]] = []
    compared = 0
    while state.hand_number == 1 and not state.over:
        seat, move = choice(state, chance)
        game = game_of(after(logged, moves))
        other = disguised(game, seat, chance)
        if other is not None and (compared < 12 or state.status == "passing"):
            about = decision(game.position, seat, "sharp")
            twin = game_of(after(logged, moves), other)
            assert rules(twin.position).hands != rules(game.position).hands
            assert pickle.dumps(question(twin, about)) == pickle.dumps(question(game, about))
            compared += 1
        moves.append((seat, move))
        state.play(seat, move)
    assert compared >= 12


def disguised(game: Copy, seat: Seat, chance: random.Random) -> Hearts | None:
    """The first hand as it may have been dealt as well, as far as a seat can tell from the moves until now.

    Two cards of one suit have changed places, neither of them passed or played. The queen of spades stays:
    whether others may discard points can hang on her.
    """
    now, first = rules(game.position), cast(Hearts, game.timeline.state(0))
    places = [
        (one, card)
        for one in now.table.seats
        for card in cards(now.hands[one])
        if one != seat and card in cards(first.hands[one]) and card != QUEEN
    ]
    pairs = [
        (mine, other)
        for mine, other in combinations(places, 2)
        if mine[0] != other[0] and mine[1] != other[1] and mine[1] // IN_SUIT == other[1] // IN_SUIT
    ]
    if not pairs:
        return None
    (mine, card), (other, twin) = chance.choice(pairs)
    for one, out, into in ((mine, card, twin), (other, twin, card)):
        held = cards(first.hands[one])
        held.remove(out)
        first.hands[one] = hand_of([*held, into])
    return first


def cards(hand: Hand) -> list[Card]:
    """The cards of a hand, in its order."""
    return [CARDS[name] for name in names(hand)]


def test_dice_are_those_of_the_table_and_of_the_turn() -> None:
    logged = table({"players": 4})
    game, other = game_of(logged), game_of(table({"players": 4}))
    seeds = {
        question(each, decision(each.position, Seat(seat), "easy")).seed
        for each in (game, other)
        for seat in (0, 1)
    }
    assert len(seeds) == 4
    moves = [
        (seat, "pass " + " ".join(names(rules(game.position).hands[seat])[:3])) for seat in (Seat(1), Seat(2))
    ]
    later = game_of(after(logged, moves))
    # A pass depends on nothing that others do.
    about = decision(later.position, Seat(0), "easy")
    assert question(later, about) == question(game, decision(game.position, Seat(0), "easy"))
