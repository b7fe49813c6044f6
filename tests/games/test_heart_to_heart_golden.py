"""Heart to Heart as it has always been: what tests/golden/heart-to-heart keeps must come out for ever."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.games import GAMES
from server.games.deals import read_deal
from server.games.game import State
from server.games.heart_to_heart import HeartToHeart, HeartToHeartState
from server.log.record import read, verify
from tests.games.walks import PLAYER

GOLDEN = Path(__file__).parent.parent / "golden" / "heart-to-heart"

RECORDS = ["resigned", "stuck", "won"]

COUNTS: list[dict[str, Any]] = json.loads((GOLDEN / "counts.json").read_text())


def legal_sequences(state: HeartToHeartState, depth: int) -> int:
    """How many sequences of `depth` legal moves there are; a game that is over ends a sequence early."""
    if depth == 0:
        return 1
    moves = state.legal(PLAYER)
    if depth == 1:
        return len(moves)
    return sum(legal_sequences(_after(state, move), depth - 1) for move in moves)


def _after(state: HeartToHeartState, move: str) -> HeartToHeartState:
    twin = state.copy()
    twin.play(PLAYER, move)
    return twin


def describe(ply: int, move: str, state: State) -> str:
    """A position in one line: the view of it, and the legal moves in their order."""
    view = state.view(PLAYER)
    top = view["waste"]["top"] or "-"
    return (
        f"{ply:3} {move:8} {view['status']:8} score {view['score']:3}  stock {view['stock']:2}  "
        f"waste {view['waste']['count']:2} {top:2}  heart {heart(view['heart'])}  "
        f"free {' '.join(map(str, view['free']))}  legal {' '.join(state.legal(PLAYER))}"
    ).rstrip()


def heart(cards: list[str | None]) -> str:
    rows, start = [], 0
    for size in (4, 6, 5, 4, 3, 2, 1):
        rows.append("".join(card[0] if card else "." for card in cards[start : start + size]))
        start += size
    return "/".join(rows)


def described(name: str) -> Iterator[str]:
    """A golden record, replayed line by line."""
    record = json.loads((GOLDEN / f"{name}.json").read_text())
    state = GAMES["heart-to-heart"].setup(record["options"], record["deal"])
    yield describe(0, "", state)
    for ply, move in enumerate(record["moves"], 1):
        state.play(move["seat"], move["move"])
        yield describe(ply, move["move"], state)


def test_the_documented_deal() -> None:
    text = (GOLDEN / "deal.txt").read_text().split()
    assert read_deal(text[0]).long == f"{text[0]}:{text[1]}"


@pytest.mark.parametrize("entry", COUNTS, ids=lambda entry: f"{entry['deal'][:14]}+{len(entry['after'])}")
def test_numbers_of_legal_sequences(entry: dict[str, Any]) -> None:
    state = HeartToHeart().setup({}, entry["deal"])
    for move, times in entry["after"]:
        for _ in range(times):
            state.play(PLAYER, move)
    for depth, expected in enumerate(entry["sequences"], 1):
        found = {move: legal_sequences(_after(state, move), depth - 1) for move in state.legal(PLAYER)}
        assert found == expected, (
            f"depth {depth}: {sum(found.values())} sequences, not {sum(expected.values())}"
        )


@pytest.mark.parametrize("name", RECORDS)
def test_a_golden_game_is_replayed_to_the_letter(name: str) -> None:
    assert list(described(name)) == (GOLDEN / f"{name}.replay").read_text().splitlines()


@pytest.mark.parametrize("name", RECORDS)
def test_a_golden_record_verifies(name: str) -> None:
    record = read((GOLDEN / f"{name}.json").read_bytes())
    assert verify(record) is None
    assert record.result.status == name


def test_every_golden_record_is_replayed() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.replay")) == RECORDS
