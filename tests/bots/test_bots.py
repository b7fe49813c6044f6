"""The bots as the room uses them: legal at every table, and nothing but views goes in."""

import ast
import inspect
import json
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest

import server.bots
from server.bots import Level, choose, sharp
from server.games import GAMES
from tests.bots.tables import Watched
from tests.games.hearts_tables import TABLES, setup

HEARTS = GAMES["hearts"]


def thoughtless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the sharp bot think less, where only its being legal is at stake."""
    monkeypatch.setattr(sharp, "BUDGET", 200)


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['variant']}-{table['players']}")
def test_every_level_plays_every_table(
    level: str, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughtless(monkeypatch)
    options = HEARTS.options({**table, "target": 30})
    game = Watched(setup(bytes(32), **options), options)
    rng = random.Random(1)
    while not game.state.over and game.state.hand_number <= 2:
        seat = rng.choice(game.state.turn())
        game.play(seat, choose(level, game.views[seat], rng.getrandbits(32)))


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize(
    ("target", "totals", "move"),
    [
        (100, (0, 0, 0, 0), "moon add"),
        (100, (10, 80, 20, 30), "moon add"),  # seat 0 wins by it
        (100, (50, 80, 20, 30), "moon subtract"),  # seat 2 would win
    ],
)
def test_a_moon_ends_the_game_only_for_who_wins_by_it(
    level: str, target: int, totals: tuple[int, ...], move: str
) -> None:
    options = HEARTS.options({"target": target})
    state = setup(bytes(32), **options)
    state.status, state.on_turn, state.totals = "moon", state.table.alone[0], totals
    view = Watched(state, options).views[0]
    if level == "easy":
        assert choose(level, view, 1) in ("moon add", "moon subtract")
    else:
        assert choose(level, view, 1) == move


def game_at(ply: int, seed: bytes = bytes(32), **given: Any) -> Watched:
    options = HEARTS.options(given)
    game = Watched(setup(seed, **options), options)
    for _ in range(ply):
        seat = game.state.turn()[0]
        game.play(seat, choose("steady", game.views[seat], 1))
    return game


@pytest.mark.parametrize("level", get_args(Level))
def test_a_bot_gets_nothing_but_views_and_dice(level: str) -> None:
    """Views that went through JSON into another process give the same move."""
    assert list(inspect.signature(choose).parameters) == ["level", "views", "seed"]
    game = game_at(30)
    (seat,) = game.state.turn()
    views = json.loads(json.dumps(game.views[seat]))
    with ProcessPoolExecutor(1) as pool:
        there = pool.submit(choose, level, views, 7).result()
    assert there == choose(level, game.views[seat], 7)
    assert views == game.views[seat]


def test_bots_know_of_no_whole_game() -> None:
    """They never import the state of a game, a clock, or anything that could reach one."""
    allowed = {
        "server.bots", "server.games.game", "server.games.hearts.cards", "server.games.hearts.options",
        "server.games.hearts.scoring", "collections", "dataclasses", "functools", "itertools", "math",
        "random", "typing",
    }  # fmt: skip
    for path in Path(server.bots.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            for name in names:
                assert name in allowed or name.split(".")[0] in allowed or name.startswith("server.bots."), (
                    f"{path.name} imports {name}"
                )


def test_a_view_that_is_missing_is_noticed() -> None:
    game = game_at(30)
    (seat,) = game.state.turn()
    with pytest.raises(ValueError, match="tricks"):
        choose("steady", game.views[seat][-1:], 1)
