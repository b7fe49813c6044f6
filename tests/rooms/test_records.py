"""Records of finished games as anybody may look at them: all hands open, at every move."""

import json
from pathlib import Path

import msgspec
import pytest

from server.rooms.record import checked
from server.rooms.views import HeartsView

GOLDEN = sorted((Path(__file__).parent.parent / "golden" / "hearts").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_records_are_right_and_can_be_looked_at(path: Path) -> None:
    raw = json.loads(path.read_text())
    moves = len(raw["moves"])
    found = checked(path.read_bytes(), max(0, moves - 199), moves)
    assert (found.ok, found.problem) == (True, None)
    views = [msgspec.convert(view, HeartsView) for view in found.views]
    assert [view["ply"] for view in views] == list(range(max(0, moves - 199), moves + 1))
    assert all(view["hand"] is None and len(view["hands"]) == len(raw["players"]) for view in views)
    assert [view["counts"] for view in views] == [[len(hand) for hand in view["hands"]] for view in views]
    end = views[-1]
    assert {name: end[name] for name in ("status", "totals", "scores", "winners")} == raw["result"]
    assert (end["seed"], end["turn"]) == (raw["seed"], [])
    assert all("seed" not in view for view in views[:-1])
    assert all(
        view["last"] == {name: raw["moves"][view["ply"] - 1][name] for name in ("seat", "move")}
        for view in views[1:]
    )


def test_the_moves_before_a_wrong_one_are_shown() -> None:
    raw = json.loads(GOLDEN[0].read_text())
    raw["moves"][9]["move"] = "play 2S?"
    found = checked(json.dumps(raw).encode(), 0, 199)
    assert found.problem is not None
    assert (found.ok, found.problem.move, len(found.views)) == (False, 10, 10)
