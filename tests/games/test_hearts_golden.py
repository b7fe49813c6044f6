"""Hearts as it has always been: what tests/golden/hearts keeps must come out for ever."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.games import GAMES
from server.games.game import Seat, State
from server.log.record import read, verify
from tests.games.hearts_tables import TABLES

GOLDEN = Path(__file__).parent.parent / "golden" / "hearts"

RECORDS = sorted(path.stem for path in GOLDEN.glob("*.json"))

REPLAYS = sorted(path.stem for path in GOLDEN.glob("*.replay"))
"""Those that are kept position by position too."""


def load(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text())
    return record


def describe(ply: int, seat: int | None, move: str, state: State) -> str:
    """A position in one line: what all see of it, whose turn it is, and the legal moves in their order."""
    view = state.view(None)
    trick = " ".join(card["card"] for card in view["trick"]) or "-"
    turn = ",".join(map(str, state.turn())) or "-"
    moves = state.legal(state.turn()[0]) if state.turn() else []
    legal = " ".join(move.removeprefix("play ") for move in moves)
    return (
        f"{ply:3} {'-' if seat is None else seat} {move:16} hand {view['hand_number']} {view['status']:8} "
        f"trick {trick}  held {len(view['held'])}  points {' '.join(map(str, view['points']))}  "
        f"broken {int(view['broken'])}  turn {turn}  legal {legal}"
    ).rstrip()


def described(name: str) -> Iterator[str]:
    """A golden record, replayed line by line."""
    record = load(name)
    state = GAMES["hearts"].setup(record["options"], record["seed"])
    for seat in range(len(record["players"])):
        yield f"seat {seat} holds {' '.join(state.view(Seat(seat))['hand'])}"
    yield describe(0, None, "", state)
    for ply, move in enumerate(record["moves"], 1):
        state.play(move["seat"], move["move"])
        yield describe(ply, move["seat"], move["move"], state)


@pytest.mark.parametrize("name", RECORDS)
def test_a_golden_record_verifies(name: str) -> None:
    assert verify(read((GOLDEN / f"{name}.json").read_bytes())) is None


@pytest.mark.parametrize("name", REPLAYS)
def test_a_golden_game_is_replayed_to_the_letter(name: str) -> None:
    assert list(described(name)) == (GOLDEN / f"{name}.replay").read_text().splitlines()


def test_every_table_and_every_way_to_score_a_moon_is_kept() -> None:
    records = [load(name) for name in RECORDS]
    kept = {(record["options"]["variant"], record["options"]["players"]) for record in records}
    assert kept == {(table["variant"], table["players"]) for table in TABLES}
    moves = {move["move"] for record in records for move in record["moves"]}
    assert {"moon add", "moon subtract"} <= moves
    silent = {
        record["options"]["moon"]
        for record in records
        for row in record["result"]["scores"]
        if sum(row) in (-26, 26 * (len(row) - 1))
    }
    assert {"add", "subtract"} <= silent
    assert REPLAYS
