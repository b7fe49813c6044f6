"""What players complain about in the bots of other card rooms must not happen here."""

import random
from typing import Any

import pytest

from server.bots import choose
from server.games import GAMES
from server.games.game import View
from server.games.hearts.cards import CARDS
from tests.bots.tables import Watched
from tests.games.hearts_tables import arranged, setup

BOTS = pytest.mark.parametrize(("level", "seed"), [("steady", 1), ("sharp", 1), ("sharp", 2)])


def late(*hands: str, moon: bool = False, **given: Any) -> Watched:
    """A table of four late in a hand, with seat 0 to lead.

    The cards that are not in `hands` have been played, four of a suit to each trick. Seat 0 has won them
    all, but for the first one with hearts unless it is about to shoot the moon.
    """
    holding = [hand.split() for hand in hands]
    held = {card for hand in holding for card in hand}
    tricks = []
    for suit in "CDSH":
        gone = [card for card in CARDS if card[1] == suit and card not in held]
        tricks += [gone[first : first + 4][::-1] for first in range(0, len(gone), 4)]
    if not moon:
        trick = next(trick for trick in tricks if trick[0][1] == "H")
        trick[0], trick[1] = trick[1], trick[0]
    dealt = [" ".join([*hand, *[trick[seat] for trick in tricks]]) for seat, hand in enumerate(holding)]
    state = arranged(dealt, **given)
    state.direction, state.broken = "none", True
    game = Watched(state, GAMES["hearts"].options(given))
    for trick in tricks:
        for _ in trick:
            (seat,) = state.turn()
            play(game, trick[seat])
    return game


def play(game: Watched, *cards: str) -> Watched:
    for card in cards:
        (seat,) = game.state.turn()
        game.play(seat, f"play {card}")
    return game


def card(level: str, game: Watched, seed: int) -> str:
    """What the bot plays that is on turn."""
    (seat,) = game.state.turn()
    move = choose(level, game.views[seat], seed)
    assert move in game.state.legal(seat)
    return move.removeprefix("play ")


@BOTS
def test_the_queen_is_not_taken_by_the_last_player_who_can_duck(level: str, seed: int) -> None:
    game = late("TS 2D 3H 5D", "9S 6D 7H TC", "QS TD JH QH", "KS 2S AD KH")
    assert card(level, play(game, "TS", "9S", "QS"), seed) == "2S"


def holder_of_the_queen(rng: random.Random) -> Watched:
    """Seat 0 holds the queen of spades with one or two other spades, and leads to the second trick."""
    hand = ["AC", "QS", *rng.sample(["2S", "5S", "9S", "TS", "KS"], rng.randrange(1, 3)), "2D", "4D", "3C"]
    rest = [card for card in CARDS if card not in (*hand, "2C", "4C", "5C")]
    hand += rng.sample([card for card in rest if card[1] != "S"], 13 - len(hand))
    rest = [card for card in rest if card not in hand]
    rng.shuffle(rest)
    hands = [hand, ["2C", *rest[:12]], ["4C", *rest[12:24]], ["5C", *rest[24:]]]
    state = arranged([" ".join(cards) for cards in hands], leader=1, first=True)
    state.direction = "none"
    return play(Watched(state, GAMES["hearts"].options({})), "2C", "4C", "5C", "AC")


@BOTS
def test_no_spade_is_led_without_protection(level: str, seed: int) -> None:
    for number in range(20 if level == "steady" else 2):
        assert card(level, holder_of_the_queen(random.Random(f"{seed}/{number}")), seed)[1] != "S"


@BOTS
def test_a_king_of_spades_without_protection_is_not_led(level: str, seed: int) -> None:
    game = late("KS 2D 3D 2H", "QS 5D 9H TH", "AS 6S 7D AH", "3S KD QH KC")
    assert card(level, game, seed) != "KS"


@BOTS
def test_an_obvious_moon_is_stopped(level: str, seed: int) -> None:
    """Seat 0 has every point so far; one heart can be taken from it now."""
    game = late("KD AH KH QH", "3H 4H 9S TS", "5D 6D JS 8S", "AD 2D 7S KC", moon=True)
    assert game.state.view(None)["points"] == [21, 0, 0, 0]
    assert card(level, play(game, "KD", "3H", "5D"), seed) == "AD"


@BOTS
def test_no_points_are_thrown_to_an_obvious_moon(level: str, seed: int) -> None:
    game = late("QH KD AD 4S", "3H 5D 6D TS", "5H 7D 8S JS", "KH 2H KC 2S", moon=True)
    assert card(level, play(game, "AD", "5D", "7D"), seed)[1] != "H"


@BOTS
def test_low_hearts_are_kept_in_the_pass(level: str, seed: int) -> None:
    options = GAMES["hearts"].options({})
    for number in range(100 if level == "steady" else 1):
        views = Watched(setup(bytes([number] * 32)), options).views[seed]
        low = {card for card in views[-1]["hand"] if card in ("2H", "3H", "4H", "5H")}
        assert not low or low - set(passed(level, views, seed))


def passed(level: str, views: list[View], seed: int) -> list[str]:
    return choose(level, views, seed).split()[1:]


@BOTS
def test_a_bare_queen_of_spades_is_passed(level: str, seed: int) -> None:
    state = arranged([
        "3C 9C TC 2D 5D 8D 9D QS 4S 2H 3H 6H 9H", "2C 4C 5C 6C 3D 4D 6D 7D 2S 3S 5S 4H 5H",
        "7C 8C JC QC TD JD QD 6S 7S 8S 7H 8H TH", "KC AC KD AD 9S TS JS KS AS JH QH KH AH",
    ])  # fmt: skip
    state.status, state.on_turn = "passing", state.table.seats
    assert "QS" in passed(level, Watched(state, GAMES["hearts"].options({})).views[0], seed)


@BOTS
def test_the_jack_of_diamonds_is_taken_when_it_is_free(level: str, seed: int) -> None:
    game = late("TD 3H 4S 5S", "JD 7H TC 8S", "5D JH 9H QS", "QD 2D 2S KH", variant="omnibus")
    assert card(level, play(game, "TD", "JD", "5D"), seed) == "QD"


@BOTS
def test_a_high_card_of_a_dead_suit_is_thrown_away(level: str, seed: int) -> None:
    """Nobody else has a club: whoever keeps the king must lead it in the end, and is thrown points on it."""
    game = late("5S KS 9D 9H", "6S QS TD TH", "7S AD JH QH", "KC 2D 3D 2H")
    assert card(level, play(game, "5S", "6S", "7S"), seed) == "KC"


@BOTS
def test_a_high_card_of_a_dead_suit_is_not_led_while_a_low_one_can_be(level: str, seed: int) -> None:
    game = late("KC 2D 3D 2H", "5S KS 9D 9H", "6S QS TD TH", "7S AD JH QH")
    assert card(level, game, seed) != "KC"
