"""A table of Hearts from the first seat to the last trick."""

import hashlib
import random
from typing import Any

import msgspec
import pytest

from server.log.record import verify
from server.rooms.views import HeartsView
from tests.rooms.conftest import ANN, BEN, Node
from tests.rooms.hearts import fill, join, open_table, play_out

OPTIONS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 4, "moon": "add"},
    {"players": 5, "variant": "omnibus"},
    {"players": 7},
    {"players": 6, "variant": "cancellation"},
    {"players": 10, "variant": "cancellation"},
]


async def test_a_new_table_is_whole(node: Node) -> None:
    view: dict[str, Any] = {**await node.rooms.open_table(ANN, {"players": 5, "turn_seconds": 0})}
    msgspec.convert(view, HeartsView)
    assert view.keys() == HeartsView.__required_keys__
    expected = {
        "game": "hearts",
        "revision": 0,
        "ply": 0,
        "status": "waiting",
        "options": {
            "players": 5,
            "target": 100,
            "moon": "choice",
            "variant": "standard",
            "turn_seconds": 0,
        },
        "you": 0,
        "turn": [],
        "legal": [],
        "last": None,
        "created_at": "2026-11-29T12:00:00.000Z",
        "started_at": None,
        "finished_at": None,
        "next": None,
        "hand": [],
        "counts": [0] * 5,
        "passed": [False] * 5,
        "trick": [],
        "totals": [0] * 5,
        "scores": [],
        "winners": None,
        "takeback": None,
        "turn_ends_at": None,
    }
    assert {name: view[name] for name in expected} == expected
    assert [each["seat"] for each in view["players"]] == [0, 1, 2, 3, 4]
    assert [each["user"] for each in view["players"]] == [{"id": ANN, "name": "Ann"}, *[None] * 4]
    assert len(view["commitment"]) == 64


@pytest.mark.parametrize("options", OPTIONS, ids=str)
async def test_whole_games(node: Node, options: dict[str, Any]) -> None:
    game = await open_table(node, options["players"], target=10, **options)
    view = await node.view(game)
    assert view["status"] == ("playing" if options.get("variant") == "cancellation" else "passing")
    assert view["started_at"] is not None
    view = await play_out(node, game, random.Random(1))
    assert view["status"] == "finished"
    assert max(view["totals"]) >= 10
    assert hashlib.sha256(bytes.fromhex(view["seed"])).hexdigest() == view["commitment"]
    assert verify(await node.rooms.record(None, game)) is None


async def test_it_starts_by_itself_when_all_seats_are_taken(node: Node) -> None:
    game = await open_table(node, 3)
    node.clock.advance(seconds=9)
    view = await join(node, game, BEN.__class__("zoe"))
    assert (view["status"], view["started_at"], view["revision"]) == (
        "passing",
        "2026-11-29T12:00:09.000Z",
        3,
    )
    assert (view["turn"], view["legal"], len(view["hand"])) == ([0, 1, 2, 3], ["pass"], 13)


async def test_bots_fill_the_table(node: Node) -> None:
    view = await node.view(await open_table(node, bots=3, level="sharp"))
    assert view["status"] == "passing"
    assert {each["bot"]["level"] for each in view["players"][1:]} == {"sharp"}
    assert len({each["bot"]["name"] for each in view["players"][1:]}) == 3
    waiting = await open_table(node, 2)
    assert (await fill(node, waiting, seat=3))["status"] == "waiting"
    view = await fill(node, waiting)
    assert (view["status"], view["revision"]) == ("passing", 3)
