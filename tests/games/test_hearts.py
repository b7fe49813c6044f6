"""Hearts, rule by rule, on hands in which each of them shows."""

import hashlib
import random
from typing import Any

import pytest

from server.games import GAMES, BadDealCode, BadOptions, IllegalMove, Reason
from server.games.game import Seat
from server.games.hearts.cards import CARDS, Card
from server.games.hearts.state import Hearts
from tests.games.hearts_tables import TABLES, arranged, choice_of, setup, walk

GAME = GAMES["hearts"]
DECK = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]


def reason(state: Hearts, seat: int, move: str) -> Reason:
    """Why a move is refused; nothing has changed."""
    before = [state.view(other) for other in state.table.seats]
    with pytest.raises(IllegalMove) as refused:
        state.play(Seat(seat), move)
    assert [state.view(other) for other in state.table.seats] == before
    return refused.value.reason


def play(state: Hearts, moves: str) -> Hearts:
    """Plays cards, each by whoever is on turn."""
    for card in moves.split():
        (seat,) = state.turn()
        state.play(seat, f"play {card}")
    return state


def cards(state: Hearts) -> list[str]:
    """The cards that the seat on turn may play."""
    (seat,) = state.turn()
    return [move.removeprefix("play ") for move in state.legal(seat)]


# Options.


def test_the_defaults() -> None:
    usual = {"players": 4, "target": 100, "moon": "choice", "variant": "standard", "turn_seconds": 60}
    assert GAME.options({}) == usual
    assert GAME.options({"variant": "cancellation"}) == usual | {"variant": "cancellation", "players": 6}
    assert GAME.options(usual) == usual
    assert GAME.seats(GAME.options({"players": 7})) == 7


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 8},
        {"players": 5, "variant": "cancellation"},
        {"players": 11, "variant": "cancellation"},
        {"players": 8, "variant": "omnibus"},
        {"players": True},
        {"players": 4.0},
        {"players": "4"},
        {"players": None},
        {"target": 0},
        {"target": 1001},
        {"turn_seconds": -1},
        {"turn_seconds": 601},
        {"moon": "both"},
        {"variant": ["standard"]},
    ],
)
def test_an_option_out_of_range_is_named(options: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match=next(iter(options))):
        GAME.options(options)
    with pytest.raises(BadOptions):
        GAME.setup(options, bytes(32))


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(BadOptions, match="'decks'"):
        GAME.options({"decks": 2})


# The deal.


def shuffled(deck: list[str], key: str) -> list[str]:
    """The shuffle of docs/rules.md, written down a second time."""
    deck, stream = deck.copy(), list(hashlib.shake_256(key.encode()).digest(4096))
    for i in range(len(deck) - 1, 0, -1):
        while stream[0] >= 256 - 256 % (i + 1):
            stream.pop(0)
        j = stream.pop(0) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


REMOVED = {3: "2D", 4: "", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}
SIZES = {3: 17, 4: 13, 5: 10, 6: 8, 7: 7}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['variant']}-{table['players']}")
def test_the_documented_deal(table: dict[str, Any]) -> None:
    seed, players = bytes(range(32)), table["players"]
    if table["variant"] == "cancellation":
        deck, size = DECK + DECK, 104 // players
    else:
        deck, size = [card for card in DECK if card not in REMOVED[players].split()], SIZES[players]
        assert len(deck) == size * players
    dealt = shuffled(deck, f"HEARTS/{seed.hex()}/1")
    state = setup(seed, **table)
    for seat in state.table.seats:
        hand = sorted(dealt[size * seat : size * (seat + 1)], key=DECK.index)
        assert state.view(seat)["hand"] == hand


def test_a_deal_is_the_same_for_ever() -> None:
    state = setup(bytes(32))
    assert [" ".join(state.view(seat)["hand"]) for seat in state.table.seats] == DEALT


DEALT = [
    "5C 7C 9C QC AC 7D 2S 8S QS KS TH JH QH",
    "2C 6C TC 3D JD QD KD AD JS AS 4H 8H KH",
    "3C 4C 2D 4D 5D 8D 9D 4S 9S 2H 5H 7H AH",
    "8C JC KC 6D TD 3S 5S 6S 7S TS 3H 6H 9H",
]


def test_the_second_hand_is_dealt_by_its_number() -> None:
    state = setup(bytes(32), moon="add")
    rng = random.Random(1)
    while state.view(None)["hand_number"] == 1:
        next(walk(state, rng))
    dealt = shuffled(DECK, f"HEARTS/{bytes(32).hex()}/2")
    assert state.view(Seat(3))["hand"] == sorted(dealt[39:], key=DECK.index)


def test_a_seed_is_32_bytes_or_their_hex_digits() -> None:
    seed = bytes(range(32))
    assert GAME.setup({}, seed).view(Seat(1)) == GAME.setup({}, seed.hex()).view(Seat(1))
    for wrong in (b"", bytes(31), bytes(33), seed.hex().upper(), seed.hex()[1:], seed.hex() + "\n", "HH1"):
        with pytest.raises(BadDealCode, match="32 bytes"):
            GAME.setup({}, wrong)


def test_the_seed_is_committed_to_and_told_when_the_game_is_over() -> None:
    seed = bytes(range(32))
    state = setup(seed, target=1, moon="add")
    commitment = hashlib.sha256(seed).hexdigest()
    assert state.view(None)["commitment"] == commitment
    for _ in walk(state, random.Random(1)):
        view = state.view(None)
        assert view["commitment"] == commitment
        assert ("seed" in view) is state.over
    assert state.view(None)["seed"] == seed.hex()


# Passing.


def hands_number(state: Hearts, number: int) -> Hearts:
    """Plays on to the beginning of a hand."""
    rng = random.Random(5)
    while state.view(None)["hand_number"] < number:
        next(walk(state, rng))
    return state


@pytest.mark.parametrize(
    ("players", "directions"),
    [
        (3, "left right left right left"),
        (4, "left right across none left"),
        (7, "left right left right left"),
    ],
)
def test_where_cards_are_passed(players: int, directions: str) -> None:
    state = setup(bytes(32), players=players, target=1000, moon="add")
    for number, direction in enumerate(directions.split(), 1):
        view = hands_number(state, number).view(None)
        assert view["pass"] == direction
        assert view["status"] == ("playing" if direction == "none" else "passing")


@pytest.mark.parametrize(("number", "giver"), [(1, 3), (2, 1), (3, 2)])
def test_passed_cards_arrive_when_all_have_passed(number: int, giver: int) -> None:
    state = hands_number(setup(bytes(32), target=1000, moon="add"), number)
    sent = {seat: state.view(seat)["hand"][4:7] for seat in state.table.seats}
    for seat in (2, 0, 3):
        state.play(Seat(seat), "pass " + " ".join(sent[Seat(seat)]))
    view = state.view(Seat(0))
    assert (view["status"], view["sent"], view["received"]) == ("passing", sent[Seat(0)], None)
    assert (view["passed"], view["counts"]) == ([True, False, True, True], [10, 13, 10, 10])
    assert len(view["hand"]) == 10
    assert not set(sent[Seat(0)]) & set(view["hand"])
    assert state.view(Seat(1))["sent"] is None
    assert (state.turn(), state.legal(Seat(1)), state.legal(Seat(0))) == ((1,), ["pass"], [])

    state.play(Seat(1), "pass " + " ".join(sent[Seat(1)]))
    view = state.view(Seat(0))
    assert (view["status"], view["sent"], view["received"]) == ("playing", sent[Seat(0)], sent[Seat(giver)])
    assert set(sent[Seat(giver)]) <= set(view["hand"])
    assert (len(view["hand"]), view["counts"]) == (13, [13] * 4)
    assert state.view(None)["sent"] is state.view(None)["received"] is None


def test_a_pass_is_logged_as_a_hand_is_sorted() -> None:
    state = setup(bytes(32))
    first, second, third = state.view(Seat(0))["hand"][2:5]
    assert state.play(Seat(0), f"pass {third} {first} {second}") == f"pass {first} {second} {third}"
    assert GAME.public("pass 2C QS AH") == "pass"
    assert GAME.public("play QS") == "play QS"


def test_what_is_no_pass() -> None:
    state = setup(bytes(32))
    hand = state.view(Seat(0))["hand"]
    other = state.view(Seat(1))["hand"]
    a, b, c, d = hand[:4]
    for move in (
        "pass", f"pass {a} {b}", f"pass {a} {b} {c} {d}", f"pass {a} {b} {b}", f"pass {a} {b} {c} ",
        f"pass  {a} {b} {c}", f"pass {a},{b},{c}", f"Pass {a} {b} {c}", f"pass {a} {b} {c.lower()}",
        f"pass {a} {b} 1C", f"play {a}", "moon add", "",
    ):  # fmt: skip
        assert reason(state, 0, move) == Reason.NOT_A_MOVE
    assert reason(state, 0, f"pass {a} {b} {other[0]}") == Reason.NOT_IN_HAND
    state.play(Seat(0), f"pass {a} {b} {c}")
    assert reason(state, 0, f"pass {a} {b} {d}") == Reason.NOT_A_MOVE


# Play.


@pytest.mark.parametrize(("players", "lowest"), [(3, "2C"), (4, "2C"), (5, "3C"), (6, "2C"), (7, "2C")])
def test_the_lowest_club_leads_after_passing(players: int, lowest: str) -> None:
    state = setup(bytes(32), players=players)
    holder = next(seat for seat in state.table.seats if lowest in state.view(seat)["hand"])
    for seat in state.table.seats:
        hand = state.view(seat)["hand"]
        passed = [lowest, *hand[-2:]] if seat == holder else hand[-3:]
        state.play(seat, "pass " + " ".join(passed))
    assert state.turn() == ((holder + 1) % players,)
    assert cards(state) == [lowest]


def test_the_lowest_club_must_be_led() -> None:
    state = arranged(["2C 3C AH", "4C 5C QS", "6C 7C 8D", "9C TC JD"], first=True)
    assert reason(state, 0, "play 3C") == Reason.MUST_LEAD_LOWEST_CLUB
    assert reason(state, 0, "play AH") == Reason.MUST_LEAD_LOWEST_CLUB
    assert reason(state, 0, "play 4C") == Reason.NOT_IN_HAND
    assert reason(state, 1, "play 4C") == Reason.NOT_A_MOVE
    for move in ("2C", "play", "play 2c", "play 2C ", " play 2C", "play  2C", "play 1C", "draw", "moon add"):
        assert reason(state, 0, move) == Reason.NOT_A_MOVE
    play(state, "2C")
    assert state.turn() == (1,)


def test_suit_is_followed() -> None:
    state = play(arranged(["2D 3C", "4D AS", "5C QH", "6D 7D"]), "2D")
    assert cards(state) == ["4D"]
    assert reason(state, 1, "play AS") == Reason.MUST_FOLLOW_SUIT
    assert reason(state, 1, "play 2D") == Reason.NOT_IN_HAND
    play(state, "4D")
    assert cards(state) == ["5C", "QH"]


def test_no_points_on_the_first_trick() -> None:
    state = play(arranged(["2C 3C", "QS AH 2D 3D", "QS 2H", "4C 5D"], first=True), "2C")
    assert cards(state) == ["2D", "3D"]
    assert reason(state, 1, "play AH") == Reason.NO_POINTS_ON_FIRST_TRICK
    assert reason(state, 1, "play QS") == Reason.NO_POINTS_ON_FIRST_TRICK
    play(state, "2D")
    assert cards(state) == ["QS", "2H"]
    play(state, "2H")
    assert state.view(None)["broken"]


def test_the_jack_of_diamonds_may_go_on_the_first_trick() -> None:
    state = play(arranged(["2C 3C", "JD AH", "4C 2H", "5C 5D"], first=True, variant="omnibus"), "2C")
    assert cards(state) == ["JD"]


def test_hearts_may_be_led_once_they_are_broken() -> None:
    state = arranged(["9D 2H 3C", "AH 4C 5C", "2D 6C 7C", "3D 8C 9C"])
    assert cards(state) == ["3C", "9D"]
    assert reason(state, 0, "play 2H") == Reason.HEARTS_NOT_BROKEN
    assert state.view(None)["broken"] is False
    play(state, "9D AH 2D 3D")
    assert state.view(None)["broken"] is True
    assert cards(state) == ["3C", "2H"]


def test_a_hand_of_hearts_alone_may_lead_one() -> None:
    state = arranged(["2H 3H", "2D 3D", "4D 5D", "6D 7D"])
    assert cards(state) == ["2H", "3H"]


def test_the_queen_of_spades_may_always_be_led_and_breaks_hearts() -> None:
    state = arranged(["QS 3H", "2D 3D", "4D 5D", "6D 7D"])
    assert cards(state) == ["QS"]
    assert reason(state, 0, "play 3H") == Reason.HEARTS_NOT_BROKEN
    assert play(state, "QS").view(None)["broken"]


def test_the_highest_card_of_the_suit_led_wins_and_leads() -> None:
    state = play(arranged(["9D 2C", "AS 3C", "TD 4C", "KS 5C"]), "9D AS TD KS")
    view = state.view(None)
    assert state.turn() == (2,)
    assert view["trick"] == []
    assert view["last_trick"] == {
        "cards": [
            {"seat": 0, "card": "9D"}, {"seat": 1, "card": "AS"},
            {"seat": 2, "card": "TD"}, {"seat": 3, "card": "KS"},
        ],
        "winner": 2,
    }  # fmt: skip
    play(state, "4C")
    view = state.view(None)
    assert view["trick"] == [{"seat": 2, "card": "4C"}]
    assert view["last_trick"]["winner"] == 2


# Scoring.


def test_hearts_and_the_queen_are_counted() -> None:
    state = play(arranged(["9D 2D", "2H 3C", "TD 3H", "QS 4H"]), "9D 2H TD QS")
    assert state.view(None)["points"] == [0, 0, 14, 0]
    play(state, "3H 4H 2D 3C")
    view = state.view(None)
    assert (view["scores"], view["totals"]) == ([[0, 0, 14, 2]], [0, 0, 14, 2])
    assert (view["hand_number"], view["points"]) == (2, [0] * 4)
    assert view["last_trick"]["winner"] == 3


def about_to_shoot(diamond: str = "JD", **options: Any) -> Hearts:
    """Seat 2 has 25 points and is about to take the last heart, and a diamond of seat 1."""
    state = arranged(["2D", diamond, "AD", "2H"], leader=2, **options)
    state.taken = [0, 0, 25, 0]
    return state


def test_the_shooter_chooses_what_the_moon_does() -> None:
    for move, row in (("moon add", [26, 26, 0, 26]), ("moon subtract", [0, 0, -26, 0])):
        state = play(about_to_shoot(), "AD 2H 2D JD")
        view = state.view(Seat(2))
        assert (view["status"], view["points"], view["scores"]) == ("moon", [0, 0, 26, 0], [])
        assert (state.turn(), state.legal(Seat(2))) == ((2,), ["moon add", "moon subtract"])
        assert state.legal(Seat(1)) == []
        assert reason(state, 1, "moon add") == Reason.NOT_A_MOVE
        for wrong in ("moon", "moon both", "play 2D", "pass", "moon add "):
            assert reason(state, 2, wrong) == Reason.NOT_A_MOVE
        assert state.play(Seat(2), move) == move
        assert state.view(None)["scores"] == [row]
        assert state.view(None)["status"] == "passing"


@pytest.mark.parametrize(("moon", "row"), [("add", [26, 26, 0, 26]), ("subtract", [0, 0, -26, 0])])
def test_the_other_two_settings_do_not_ask(moon: str, row: list[int]) -> None:
    assert play(about_to_shoot(moon=moon), "AD 2H 2D JD").view(None)["scores"] == [row]


def test_the_jack_counts_beside_the_moon() -> None:
    state = play(about_to_shoot(moon="add", variant="omnibus"), "AD 2H 2D JD")
    assert state.view(None)["scores"] == [[26, 26, -10, 26]]


def test_the_jack_is_not_needed_for_the_moon() -> None:
    state = about_to_shoot("3D", moon="subtract", variant="omnibus")
    state.jack = Seat(0)
    assert play(state, "AD 2H 2D 3D").view(None)["scores"] == [[-10, 0, -26, 0]]


def test_the_jack_shows_in_the_points_of_the_hand() -> None:
    state = play(arranged(["9D 2C", "JD 3C", "TD 4C", "2H 5C"], variant="omnibus"), "9D JD TD 2H")
    assert state.view(None)["points"] == [0, -9, 0, 0]


def test_the_game_ends_when_a_total_reaches_the_target() -> None:
    for target, over in ((26, True), (27, False)):
        state = play(about_to_shoot(moon="add", target=target), "AD 2H 2D JD")
        assert state.over is over
    state = play(about_to_shoot(moon="add", target=26), "AD 2H 2D JD")
    view = state.view(Seat(0))
    assert (view["status"], view["winners"], view["totals"]) == ("finished", [2], [26, 26, 0, 26])
    assert (view["hand"], view["sent"], view["counts"], state.turn()) == ([], None, [0] * 4, ())
    assert reason(state, 2, "play 2C") == Reason.NOT_A_MOVE
    assert state.result() == {
        "status": "finished", "totals": [26, 26, 0, 26], "scores": [[26, 26, 0, 26]], "winners": [2],
    }  # fmt: skip


def test_equal_lowest_totals_share_the_win() -> None:
    state = play(arranged(["9D", "2H", "TD", "QS"], target=14), "9D 2H TD QS")
    assert state.view(None)["winners"] == [0, 1, 3]


def test_subtracting_does_not_end_the_game() -> None:
    state = about_to_shoot(moon="subtract", target=50)
    state.totals = (49, 40, 10, 3)
    assert not play(state, "AD 2H 2D JD").over
    assert state.view(None)["totals"] == [49, 40, -16, 3]


# Cancellation.


def widow(names: str) -> tuple[Card, ...]:
    return tuple(CARDS[name] for name in names.split())


SIX = ["9D 2C", "9D 3C", "TD 4C", "TD 5C", "2H 6C", "8D 7C"]


def test_two_identical_cards_cancel_each_other() -> None:
    state = play(arranged(SIX, variant="cancellation"), "9D 9D TD TD 2H 8D")
    view = state.view(None)
    assert (view["last_trick"]["winner"], view["points"], state.turn()) == (5, [0] * 5 + [1], (5,))


def test_a_cancelled_trick_stays_on_the_table_and_its_leader_leads_again() -> None:
    hands = ["9D 2C AS", "9D 3C 2S", "TD 4C 3S", "TD 5C 4S", "2H 6C 5S", "3H 7C 6S"]
    state = play(arranged(hands, variant="cancellation", leader=0), "9D 9D TD TD 2H 3H")
    view = state.view(None)
    assert (view["last_trick"]["winner"], view["points"], state.turn()) == (None, [0] * 6, (0,))
    assert view["held"] == ["9D", "9D", "TD", "TD", "2H", "3H"]
    play(state, "2C 3C 4C 5C 6C 7C")
    view = state.view(None)
    assert (view["held"], view["points"], state.turn()) == ([], [0] * 5 + [2], (5,))


def test_the_leader_of_a_cancelled_last_trick_takes_all() -> None:
    hands = ["2C 9D", "2C 9D", "3C TD", "3C TD", "2H 2S", "3H 3S"]
    state = arranged(hands, variant="cancellation", leader=1)
    state.widow = widow("QS")
    play(state, "2C 3C 3C 2H 3H 2C")
    assert state.view(None)["held"] == ["2C", "3C", "3C", "2H", "3H", "2C"]
    play(state, "9D TD TD 2S 3S 9D")
    view = state.view(None)
    assert (view["last_trick"]["winner"], view["scores"]) == (1, [[0, 15, 0, 0, 0, 0]])


def test_the_widow_goes_to_the_winner_of_the_first_trick_won() -> None:
    hands = ["9D 2C 4S", "9D 2C AS", "TD 3C 5S", "TD 3C 6S", "2H AC 7S", "3H 7C 8S"]
    state = arranged(hands, variant="cancellation")
    state.widow = widow("QS 5H")
    play(state, "9D 9D TD TD 2H 3H 2C 2C 3C 3C AC 7C")
    assert state.view(None)["points"] == [0, 0, 0, 0, 2, 0]
    play(state, "7S 8S 4S AS 5S 6S")
    assert state.view(None)["scores"] == [[0, 0, 0, 0, 16, 0]]


@pytest.mark.parametrize(
    ("left_over", "row"), [("QS 5H", [52, 52, 52, 52, 0, 52]), ("2C 5H", [0, 0, 0, 0, 39, 0])]
)
def test_the_widow_belongs_to_the_moon_of_who_takes_it(left_over: str, row: list[int]) -> None:
    state = arranged(["2D", "3D", "4D", "5D", "AD", "6D"], variant="cancellation", moon="add", leader=4)
    state.taken = [0, 0, 0, 0, 38, 0]
    state.widow = widow(left_over)
    assert play(state, "AD 6D 2D 3D 4D 5D").view(None)["scores"] == [row]


def test_the_first_lead_of_two_decks_goes_round_the_table() -> None:
    state = setup(bytes(32), variant="cancellation", players=6, target=1000, moon="add")
    for number in range(1, 9):
        hands_number(state, number)
        assert state.turn() == ((number - 1) % 6,)
        assert state.view(None)["pass"] == "none"


def test_any_harmless_card_begins_a_hand_of_two_decks() -> None:
    hands = ["2H QS 2D KS", "QS 3C", "2H 2C", "QS AH", "3H 4C", "5C 6C"]
    state = arranged(hands, variant="cancellation", first=True)
    assert cards(state) == ["2D", "KS"]
    assert reason(state, 0, "play QS") == Reason.NO_POINTS_ON_FIRST_TRICK
    assert reason(state, 0, "play 2H") == Reason.NO_POINTS_ON_FIRST_TRICK
    play(state, "KS")
    assert cards(state) == ["QS"]  # following suit comes first
    play(state, "QS")
    assert cards(state) == ["2C"]
    play(state, "2C")
    assert cards(state) == ["QS"]


def test_a_first_trick_that_is_cancelled_is_still_the_first() -> None:
    hands = ["9D AS 2S", "9D 3C 2H", "TD 4C 5C", "TD 6C 7C", "JD 8C TC", "JD JC QC"]
    state = play(arranged(hands, variant="cancellation", first=True), "9D 9D TD TD JD JD AS")
    assert cards(state) == ["3C", "2H"]


def test_a_doubled_card_is_named_once_and_held_twice() -> None:
    hands = ["9D 9D 2H", "3D 3D 3D", "4D 5D 6D", "7D 8D TD", "2C 3C 4C", "5C 6C 7C"]
    state = arranged(hands, variant="cancellation")
    assert cards(state) == ["9D"]
    assert state.view(Seat(0))["hand"] == ["9D", "9D", "2H"]
    play(state, "9D")
    assert state.view(Seat(0))["hand"] == ["9D", "2H"]


# Take-back.


def test_who_may_take_back_the_last_move() -> None:
    state = setup(bytes(32), target=1)
    rng = random.Random(2)
    assert state.may_take_back is None
    for seat in (3, 1, 0):
        state.play(Seat(seat), choice_of(state, Seat(seat), rng))
        assert state.may_take_back == seat
    state.play(Seat(2), choice_of(state, Seat(2), rng))
    assert state.may_take_back is None  # the passed cards have been seen
    for seat, _ in walk(state, rng, 51):
        assert state.may_take_back == seat
    next(walk(state, rng))
    assert state.over
    assert state.may_take_back is None


def test_a_move_that_ends_a_hand_stands() -> None:
    state = play(about_to_shoot(), "AD 2H 2D")
    assert state.may_take_back == 0
    play(state, "JD")
    assert state.view(None)["status"] == "moon"
    assert state.may_take_back is None
    state.play(Seat(2), "moon add")
    assert state.may_take_back is None


def everything(state: Hearts) -> list[Any]:
    seats = state.table.seats
    return [[state.view(seat, revealed=True), state.legal(seat), state.turn()] for seat in seats]


@pytest.mark.parametrize("variant", ["standard", "cancellation"])
def test_a_copy_is_independent(variant: str) -> None:
    rng = random.Random(3)
    state = setup(bytes(32), target=30, variant=variant)
    while not state.over:
        copy, before = state.copy(), everything(state)
        for _ in walk(copy, rng, 5):
            assert everything(state) == before
        copy = state.copy()
        for _ in walk(state, rng, 2):
            assert everything(copy) == before
