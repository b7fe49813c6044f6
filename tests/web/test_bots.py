"""One person and bots play whole games over a socket: nobody is ever stuck."""

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.web.calls import Api, Json, call, new_guest
from tests.web.conftest import StartNode


@pytest.fixture
async def api(start_node: StartNode) -> Api:
    """A node whose bots move at once."""
    return await start_node(bot_pace_ms=0)


def choice(view: Json) -> str:
    """The first legal move."""
    first: str = view["legal"][0]
    return " ".join(["pass", *view["hand"][:3]]) if first == "pass" else first


async def play_out(socket: Any, game: str) -> Json:
    """Plays the first legal move whenever there is one, until the game is over. Its last view."""
    await socket.send_json({"type": "subscribe", "channel": f"games/{game}", "ref": "s"})
    moved: set[tuple[int, int]] = set()
    async with asyncio.timeout(60):
        while True:
            message = await socket.receive_json()
            assert message["type"] != "error", message
            if message["type"] != "game":
                continue
            view: Json = message["view"]
            if view["status"] == "finished":
                return view
            # A push may not know yet of a move that is on its way, and several pass at once.
            turn = (view["hand_number"], 0 if view["status"] == "passing" else view["ply"])
            if view["legal"] and turn not in moved:
                moved.add(turn)
                move = {"type": "move", "game": game, "move": choice(view), "revision": view["revision"]}
                await socket.send_json({**move, "ref": "m"})


@pytest.mark.parametrize(
    ("options", "level"),
    [
        ({"players": 3}, "steady"),
        ({"players": 5, "moon": "add"}, "easy"),
        ({"players": 7, "variant": "omnibus"}, "steady"),
        ({"players": 8, "variant": "cancellation"}, "steady"),
        ({"players": 4, "target": 1}, "sharp"),
    ],
)
async def test_a_person_plays_a_whole_game_with_bots(api: Api, options: Json, level: str) -> None:
    ann = await new_guest(api)
    body = {
        "game": "hearts",
        "options": {"target": 10, **options},
        "bots": options["players"] - 1,
        "level": level,
    }
    status, view = await call(api, "POST", "/api/games", body, ann)
    assert status == 201
    with capture_logs() as logs:
        async with api.ws_connect("/ws", headers=ann.headers) as socket:
            view = await play_out(socket, view["id"])
    # On a busy machine the best bots may run out of time.
    assert {each["kind"] for each in logs if each["event"] == "bot failed"} <= {"TooSlow"}
    assert max(view["totals"]) >= view["options"]["target"]

    _, record = await call(api, "GET", f"/api/games/{view['id']}/record", who=ann)
    assert len(record["moves"]) == view["ply"]
    status, checked = await call(api, "POST", "/api/records", record, ann)
    assert (status, checked["ok"]) == (200, True)


async def test_how_bots_think_can_be_measured(api: Api) -> None:
    ann = await new_guest(api)
    body = {"game": "hearts", "options": {"players": 3, "target": 1}, "bots": 2, "level": "easy"}
    _, view = await call(api, "POST", "/api/games", body, ann)
    async with api.ws_connect("/ws", headers=ann.headers) as socket:
        await play_out(socket, view["id"])
    async with api.get("/metrics") as answer:
        figures = await answer.text()
    assert "heartline_bot_thoughts 0.0" in figures
    [line] = [each for each in figures.splitlines() if each.startswith("heartline_bot_seconds_count")]
    assert line.startswith('heartline_bot_seconds_count{level="easy"} ')
    assert float(line.split()[1]) >= 30
