"""What every game of the registry must hold. A game that is not named here makes the first test fail."""

import copy
import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple

import msgspec
import pytest

from server.games import GAMES, BadDealCode, BadOptions, IllegalMove, Reason
from server.games.game import Game, Seat, State


class Sample(NamedTuple):
    """A table of a game that the tests below play at."""

    game: str
    options: dict[str, Any]
    seed: str | bytes


SAMPLES = [
    Sample("heart-to-heart", {}, "HH1-N-AAAAAAM"),
    Sample("heart-to-heart", {}, "HH1-N-AAAAABN"),
    Sample("hearts", {}, bytes(range(32))),
    Sample("hearts", {"players": 3, "moon": "add", "turn_seconds": 0}, bytes(32)),
    Sample("hearts", {"players": 7, "variant": "omnibus", "target": 50}, b"\x01" * 32),
    Sample("hearts", {"variant": "cancellation", "players": 8, "moon": "subtract"}, b"\x02" * 32),
]

BAD_SEEDS: dict[str, list[str | bytes]] = {
    "heart-to-heart": ["", "HH1-D-20261129", b"HH1-N-AAAAAAM", bytes(32)],
    "hearts": ["", "HH1-N-AAAAAAM", bytes(31), b""],
}

NONSENSE = [
    "",
    "draw ",
    "pass",
    "pass ",
    "play",
    "play XX",
    "play 2C 3C",
    "moon",
    "moon sub",
    "1-1",
    "\x00",
    "x" * 9999,
]

MOVES = 150
"""How many moves of a walk are looked at."""


def begin(sample: Sample) -> State:
    return GAMES[sample.game].setup(sample.options, sample.seed)


def seats(sample: Sample) -> list[Seat]:
    game = GAMES[sample.game]
    return [Seat(seat) for seat in range(game.seats(game.options(sample.options)))]


def playable(state: State, seat: Seat) -> list[str]:
    """The legal moves of a seat, written out: `pass` alone stands for any three cards of the hand."""
    legal = state.legal(seat)
    if legal == ["pass"]:
        hand = state.view(seat)["hand"]
        return [f"pass {' '.join(cards)}" for cards in combinations(hand, 3)]
    return legal


def walk(sample: Sample) -> Iterator[tuple[State, Seat, str]]:
    """A game at random: each state before a move, and the move that comes then. Pairs come before draws."""
    state, chance = begin(sample), random.Random(7)
    while not state.over:
        seat = chance.choice(state.turn())
        moves = playable(state, seat)
        move = moves[-1] if chance.random() < 0.5 else chance.choice(moves)
        yield state, seat, move
        state.play(seat, move)


def seen(state: State, sample: Sample) -> bytes:
    """All that the outside can see of a state."""
    views = [
        state.view(seat, revealed=revealed) for seat in (None, *seats(sample)) for revealed in (False, True)
    ]
    legal = [state.legal(seat) for seat in seats(sample)]
    return msgspec.json.encode([views, legal, state.turn(), state.status, state.over, state.result()])


def test_the_games_are_these() -> None:
    assert list(GAMES) == ["heart-to-heart", "hearts"]
    assert set(GAMES) == {sample.game for sample in SAMPLES} == set(BAD_SEEDS)


@pytest.mark.parametrize(("name", "game"), GAMES.items())
def test_a_game_is_found_by_its_name(name: str, game: Game) -> None:
    assert game.name == name


@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_seed_or_no_option_is_refused(name: str) -> None:
    game = GAMES[name]
    for seed in BAD_SEEDS[name]:
        with pytest.raises(BadDealCode):
            game.setup({}, seed)
    with pytest.raises(BadOptions, match="jokers"):
        game.options({"jokers": 2})


all_samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.game} {sample.options}")


@all_samples
def test_options_are_filled_in_once(sample: Sample) -> None:
    game = GAMES[sample.game]
    options = game.options(sample.options)
    assert options.items() >= sample.options.items()
    assert game.options(options) == options
    assert seen(game.setup(options, sample.seed), sample) == seen(begin(sample), sample)


@all_samples
def test_exactly_those_on_turn_have_moves(sample: Sample) -> None:
    for state, _, _ in islice(walk(sample), MOVES):
        on_turn = state.turn()
        assert list(on_turn) == sorted(set(on_turn))
        for seat in (*seats(sample), Seat(99), Seat(-1)):
            assert bool(state.legal(seat)) == (seat in on_turn)


@all_samples
def test_every_legal_move_can_be_played_on_a_copy(sample: Sample) -> None:
    for state, seat, _ in islice(walk(sample), MOVES):
        before = seen(state, sample)
        for move in playable(state, seat)[:20]:
            twin = state.copy()
            spelling = twin.play(seat, move)
            again = state.copy()
            assert again.play(seat, spelling) == spelling
            assert seen(again, sample) == seen(twin, sample) != before
            assert spelling.startswith(GAMES[sample.game].public(spelling))
        assert seen(state, sample) == before


@all_samples
def test_an_illegal_move_changes_nothing(sample: Sample) -> None:
    for state, seat, move in islice(walk(sample), 0, MOVES, 10):
        before = seen(state, sample)
        others = {*seats(sample), Seat(99), Seat(-1)} - {*state.turn()}
        for wrong_seat, text in [(seat, text) for text in NONSENSE] + [(other, move) for other in others]:
            with pytest.raises(IllegalMove) as refusal:
                state.play(wrong_seat, text)
            assert refusal.value.reason is Reason.NOT_A_MOVE
            assert refusal.value.detail
            assert len(refusal.value.detail) < 300
        assert seen(state, sample) == before


@all_samples
def test_a_log_is_replayed_to_the_same_position(sample: Sample) -> None:
    live = begin(sample)
    replayed = begin(sample)
    for _, seat, move in islice(walk(sample), MOVES):
        live = live.copy()
        spelling = live.play(seat, move)
        replayed.play(seat, spelling)
        assert seen(replayed, sample) == seen(live, sample)


@all_samples
def test_a_view_belongs_to_who_asked_for_it(sample: Sample) -> None:
    for state, seat, _ in islice(walk(sample), 0, MOVES, 10):
        before = seen(state, sample)
        for viewer in (seat, None):
            ruin(state.view(viewer))
            ruin(state.view(viewer, revealed=True))
        ruin(state.legal(seat))
        ruin(state.result())
        assert seen(state, sample) == before


def ruin(value: object) -> None:
    """Empties all that can be emptied."""
    if isinstance(value, dict):
        for inner in value.values():
            ruin(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            ruin(inner)
        value.clear()


@all_samples
def test_views_and_results_know_the_status(sample: Sample) -> None:
    for state, seat, _ in islice(walk(sample), MOVES):
        assert (
            state.view(seat)["status"]
            == state.view(None)["status"]
            == state.result()["status"]
            == state.status
        )


@all_samples
def test_options_and_seeds_of_the_caller_stay_his(sample: Sample) -> None:
    options = copy.deepcopy(sample.options)
    state = GAMES[sample.game].setup(options, sample.seed)
    before = seen(state, sample)
    options.clear()
    assert seen(state, sample) == before


@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if sample.game == "hearts"])
def test_a_game_that_is_over_takes_no_move(sample: Sample) -> None:
    """Here for the games whose every walk ends; test_heart_to_heart.py has a solitaire that is won."""
    state = begin(sample)
    for _, seat, move in walk(sample):
        state.play(seat, move)
    assert (state.over, state.turn()) == (True, ())
    for each in seats(sample):
        assert state.legal(each) == []
        with pytest.raises(IllegalMove):
            state.play(each, move)
