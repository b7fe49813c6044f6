"""OpenSpiel's Hearts as an outside judge: the same moves are legal, and the same points come of them."""

import random
from collections.abc import Callable
from typing import Any

import pyspiel
import pytest

from server.games.game import Seat
from server.games.hearts.cards import NAMES
from server.games.hearts.state import Hearts
from tests.games.hearts_tables import Move, choice, greedy, setup

HANDS = 1500

SPIEL_RULES = (
    "pass_cards=true,no_pts_on_first_trick=true,can_lead_any_club=false,avoid_all_tricks_bonus=false,"
    "must_break_hearts=true,qs_breaks_hearts=true,can_lead_hearts_instead_of_qs=false"
)
DIRECTIONS = {"none": 0, "left": 1, "across": 2, "right": 3}


def action(card: str) -> int:
    """OpenSpiel numbers the cards rank by rank, in each clubs, diamonds, hearts, spades."""
    return "23456789TJQKA".index(card[0]) * 4 + "CDHS".index(card[1])


def card(number: int) -> str:
    return "23456789TJQKA"[number // 4] + "CDHS"[number % 4]


class Judge:
    """The hand that `state` is in, at OpenSpiel's table."""

    def __init__(self, game: Any, state: Hearts) -> None:
        self.state = game.new_initial_state()
        self.state.apply_action(DIRECTIONS[state.view(None)["pass"]])
        hands = [state.view(seat)["hand"] for seat in state.table.seats]
        # It deals one card at a time.
        for row in zip(*hands, strict=True):
            for name in row:
                self.state.apply_action(action(name))
        self.passes: dict[int, list[str]] = {}

    def play(self, seat: Seat, move: str) -> None:
        kind, *names = move.split()
        if kind == "play":
            self.state.apply_action(action(names[0]))
            return
        self.passes[seat] = names
        if len(self.passes) == 4:
            # It has the seats pass in turn.
            for one in range(4):
                for name in self.passes[one]:
                    self.state.apply_action(action(name))

    def agrees(self, state: Hearts) -> None:
        """Whether the same seat is on turn, with the same moves and the same points."""
        if state.status != "playing":
            return
        (seat,) = state.turn()
        assert self.state.current_player() == seat
        theirs = {f"play {card(number)}" for number in self.state.legal_actions()}
        ours = state.legal(seat)
        assert len(ours) == len(set(ours))
        assert set(ours) == theirs

    def row(self) -> list[int]:
        """What the hand adds to the totals, a moon with 26 to the others."""
        assert self.state.is_terminal()
        return [26 - int(points) for points in self.state.returns()]


def follow(state: Hearts, game: Any, choose: Callable[[Hearts], Move]) -> list[int]:
    """Plays one hand here and there, and returns the row of scores that both come to."""
    judge, hands = Judge(game, state), len(state.scores)
    while len(state.scores) == hands:
        judge.agrees(state)
        seat, move = choose(state)
        judge.play(seat, state.play(seat, move))
    row = list(state.scores[-1])
    assert row == judge.row()
    return row


@pytest.mark.parametrize("variant", ["standard", "omnibus"])
def test_openspiel_agrees_on_thousands_of_hands(variant: str) -> None:
    game = pyspiel.load_game(f"hearts({SPIEL_RULES},jd_bonus={'true' if variant == 'omnibus' else 'false'})")
    rng = random.Random(variant)
    moons = played = 0
    directions = set()
    while played < HANDS:
        state = setup(rng.randbytes(32), players=4, variant=variant, moon="add", target=1000)
        while not state.over and played < HANDS:
            directions.add(state.direction)
            shooter = Seat(rng.randrange(4))
            daring = rng.random() < 0.3

            def choose(state: Hearts, shooter: Seat = shooter, daring: bool = daring) -> Move:
                return greedy(state, shooter, rng) if daring else choice(state, rng)

            row = follow(state, game, choose)
            played += 1
            moons += sum(row) > 26
    assert directions == set(DIRECTIONS)
    assert moons > 10


def test_the_judge_speaks_of_the_same_cards() -> None:
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)
    for name in NAMES:
        assert state.action_to_string(state.current_player(), action(name)) == name
        assert card(action(name)) == name
