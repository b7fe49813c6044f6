"""Heart to Heart, rule by rule, on deals in which each of them shows."""

import pytest

from server.games import BadDealCode, BadOptions, IllegalMove, Reason
from server.games.heart_to_heart import HeartToHeart, HeartToHeartState, undoable
from server.games.layout import COVERING, POSITIONS
from tests.games.naive import COVERED_BY
from tests.games.walks import PLAYER

DOCUMENTED = "HH1-N-AAAAAAM"


def deal(code: str = DOCUMENTED, moves: str = "") -> HeartToHeartState:
    """The position after some moves; `draw*9` stands for nine draws."""
    state = HeartToHeart().setup({}, code)
    for word in moves.split():
        move, _, times = word.partition("*")
        for _ in range(int(times or 1)):
            state.play(PLAYER, move)
    return state


def made_up(heart: str, waste: str) -> str:
    """The long form of a deal with these cards; the stock is what is left of the deck, aces first."""
    rest = "".join(rank * (4 - (heart + waste).count(rank)) for rank in "A23456789TJQK")
    return f"HH1-D-20261129:{heart}{rest}{waste}"


def test_each_place_is_covered_as_the_rules_list_it() -> None:
    assert {p: {q for q in POSITIONS if COVERING[p] >> q & 1} for p in POSITIONS} == COVERED_BY


def test_the_documented_deal_as_it_lies() -> None:
    state = deal()
    assert state.view(None) == {
        "status": "playing",
        "deal": "HH1-N-AAAAAAM",
        "heart": [f"{rank}H" for rank in "T793Q38787K45QQTAJJ58QA34"],
        "free": [25],
        "stock": 26,
        "waste": {"count": 1, "top": "AH"},
        "score": 0,
        "moves": 0,
    }
    assert state.legal(PLAYER) == ["draw"]
    assert state.turn() == (0,)


def test_the_documented_tenth_move() -> None:
    state = deal(moves="draw*9")
    view = state.view(PLAYER)
    assert (view["stock"], view["waste"]) == (17, {"count": 10, "top": "4H"})
    assert state.legal(PLAYER) == ["draw", "25-w"]
    state.play(PLAYER, "25-w")
    view = state.view(PLAYER)
    assert (view["heart"][24], view["free"], view["score"], view["moves"]) == (None, [23, 24], 10, 10)
    assert view["waste"] == {"count": 9, "top": "JH"}


def test_a_pair_of_the_heart_gives_20_and_leaves_the_waste_alone() -> None:
    state = deal(made_up("T793Q38787K45QQTAJJ58QAA4", "4"), "25-w")
    assert state.legal(PLAYER) == ["draw", "23-24"]
    state.play(PLAYER, "23-24")
    view = state.view(PLAYER)
    assert (view["score"], view["moves"], view["stock"]) == (30, 2, 26)
    assert view["waste"] == {"count": 0, "top": None}
    assert view["free"] == [20, 21, 22]


def test_a_recycled_waste_is_drawn_again_in_the_same_order() -> None:
    state = deal(moves="draw*26")
    assert state.legal(PLAYER) == ["recycle"]
    state.play(PLAYER, "recycle")
    view = state.view(PLAYER)
    assert (view["stock"], view["waste"]) == (27, {"count": 0, "top": None})
    drawn = []
    for _ in range(27):
        state.play(PLAYER, "draw")
        drawn.append(state.view(PLAYER)["waste"]["top"][0])
    assert "".join(drawn) == "A" + "23T292KJ4AKK29876J69456T65"
    state.play(PLAYER, "recycle")


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("", "recycle", Reason.STOCK_NOT_EMPTY),
        ("draw*26", "draw", Reason.STOCK_EMPTY),
        ("draw*9 25-w", "25-w", Reason.EMPTY_PLACE),
        ("draw*9 25-w", "1-25", Reason.EMPTY_PLACE),
        ("", "24-25", Reason.COVERED),
        ("", "1-2", Reason.COVERED),
        ("", "1-w", Reason.COVERED),
        ("draw*26 recycle", "1-w", Reason.COVERED),
        ("draw*26 recycle", "25-w", Reason.WASTE_EMPTY),
        ("", "25-w", Reason.DIFFERENT_RANK),
        ("draw*9 25-w", "23-24", Reason.DIFFERENT_RANK),
        ("draw*9 25-w", "24-w", Reason.DIFFERENT_RANK),
    ],
)
def test_the_first_reason_that_applies_is_given(moves: str, move: str, reason: Reason) -> None:
    state = deal(moves=moves)
    before = state.view(PLAYER)
    with pytest.raises(IllegalMove) as refusal:
        state.play(PLAYER, move)
    assert refusal.value.reason is reason
    assert refusal.value.detail.endswith(".")
    assert state.view(PLAYER) == before


@pytest.mark.parametrize(
    "move",
    [
        "", "Draw", "DRAW", " draw", "draw ", "draw\n", "ｄraw", "d", "pass", "resign", "undo", "draw*2",
        "25", "w", "-", "25-", "-w", "25-W", "025-w", "25 -w", "25- w", "25–w", "２５-w", "²-w",
        "25.0-w", "+25-w",
        "0-w", "26-w", "-1-w", "w-25", "w-w", "25-25", "25-24", "24-23", "0-25", "1-26", "23-024", "23-24-25",
        "1-2 ", "2_5-w", "25-w\x00", pytest.param("x" * 100_000, id="long"),
        None, 0, 25, 25.0, True, b"draw", ["draw"], ("draw",), {"move": "draw"}, {"draw"}, object(),
    ],
)  # fmt: skip
def test_a_move_has_one_spelling(move: object) -> None:
    state = deal(moves="draw*9")
    with pytest.raises(IllegalMove) as refusal:
        state.play(PLAYER, move)  # type: ignore[arg-type]
    assert refusal.value.reason is Reason.NOT_A_MOVE
    assert len(refusal.value.detail) < 200


@pytest.mark.parametrize("seat", [1, -1, 25, 0.5, None, "0", "", [], {}, b"\x00", object()])
def test_only_the_one_seat_may_move(seat: object) -> None:
    state = deal()
    assert state.legal(seat) == []  # type: ignore[arg-type]
    with pytest.raises(IllegalMove) as refusal:
        state.play(seat, "draw")  # type: ignore[arg-type]
    assert refusal.value.reason is Reason.NOT_A_MOVE
    assert state.view(None) == deal().view(None)


WIN = (
    "draw 25-w 23-w draw 20-w draw*2 16-w draw*3 24-w 21-22 draw*7 19-w draw*3 11-w draw*9 5-w 18-w 14-17 "
    "13-15 recycle draw*3 12-w draw*2 9-w 6-10 draw*6 1-w 7-8 2-4 3-w"
)


def test_a_won_game_has_250_points_and_takes_no_move() -> None:
    state = deal("HH1-N-AAAAAAS", WIN)
    assert (state.status, state.over, state.turn(), state.legal(PLAYER)) == ("won", True, (), [])
    assert state.result() == {"status": "won", "score": 250, "moves": 57}
    view = state.view(PLAYER)
    assert (view["heart"], view["free"], view["score"]) == ([None] * 25, [], 250)
    assert view["stock"] > 0
    for move in ("draw", "recycle", "1-2", "1-w", "nonsense"):
        with pytest.raises(IllegalMove) as refusal:
            state.play(PLAYER, move)
        assert refusal.value.reason is Reason.NOT_A_MOVE


def test_a_stuck_game_is_not_over() -> None:
    # All four 4s lie in the heart, the tip is one of them.
    state = deal(made_up("4793Q38787K45QQTAJJ58QA44", "A"))
    assert state.status == "stuck"
    assert not state.over
    assert state.turn() == (0,)
    assert state.legal(PLAYER) == ["draw"]
    state.play(PLAYER, "draw")
    assert state.view(PLAYER)["status"] == "stuck"
    assert state.result() == {"status": "stuck", "score": 0, "moves": 1}


@pytest.mark.parametrize("waste", [0, 1, 14, 26])
def test_a_mate_anywhere_in_stock_or_waste_is_hope(waste: int) -> None:
    state = deal(made_up("T793Q38787K45QQTAJJ58QA34", "A"), f"draw*{waste}" if waste else "")
    assert state.status == "playing"


def test_a_copy_is_independent() -> None:
    state = deal(moves="draw*9")
    twin = state.copy()
    twin.play(PLAYER, "25-w")
    assert state.view(PLAYER) == deal(moves="draw*9").view(PLAYER)
    state.play(PLAYER, "draw")
    assert twin.view(PLAYER) == deal(moves="draw*9 25-w").view(PLAYER)


def test_views_and_lists_belong_to_the_caller() -> None:
    state = deal(moves="draw*9")
    view = state.view(PLAYER)
    view["heart"].clear()
    view["free"].clear()
    view["waste"].clear()
    state.legal(PLAYER).clear()
    assert state.view(PLAYER) == deal(moves="draw*9").view(PLAYER)
    assert state.legal(PLAYER) == ["draw", "25-w"]


@pytest.mark.parametrize(
    ("ply", "peak", "allowed"),
    [
        (0, 0, 0),
        (1, 1, 1),
        (0, 1, 0),
        (100, 100, 100),
        (101, 101, 100),
        (1, 101, 0),
        (2, 101, 1),
        (5000, 5000, 100),
        (4900, 5000, 0),
        (4950, 5000, 50),
        (3000, 5000, 0),
    ],
)
def test_the_last_hundred_moves_can_be_undone(ply: int, peak: int, allowed: int) -> None:
    assert undoable(ply, peak) == allowed


def test_there_are_no_options() -> None:
    game = HeartToHeart()
    assert game.options({}) == {}
    assert game.seats({}) == 1
    for options in ({"players": 4}, {"": None}, {"x" * 10_000: 1}):
        with pytest.raises(BadOptions, match="no option") as refusal:
            game.setup(options, DOCUMENTED)
        assert len(str(refusal.value)) < 100


@pytest.mark.parametrize("seed", ["", "HH1-D-20261129", "HH1-N-AAAAAA", b"HH1-N-AAAAAAM", bytes(32), None])
def test_a_seed_is_a_deal_code(seed: str | bytes) -> None:
    with pytest.raises(BadDealCode):
        HeartToHeart().setup({}, seed)


def test_a_code_is_shown_in_its_one_spelling() -> None:
    assert deal(" hh1-n-aaaaaam").view(None)["deal"] == "HH1-N-AAAAAAM"
    assert deal(made_up("T793Q38787K45QQTAJJ58QA34", "A").lower()).view(None)["deal"] == "HH1-D-20261129"


def test_every_move_is_open() -> None:
    assert HeartToHeart().public("25-w") == "25-w"
