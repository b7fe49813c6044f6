"""The figures of a node: what became of commands, and how the log and the other nodes can be reached."""

import asyncio
import re
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.web.metrics import Metrics
from tests.log.conftest import proxy as proxy
from tests.log.proxy import Proxy
from tests.nats import running_nats
from tests.web.calls import Api, call, new_guest, refused
from tests.web.conftest import StartNode
from tests.web.test_socket import begin, socket


async def figures(api: Api) -> dict[str, float]:
    """What `/metrics` says, by name and labels."""
    async with api.get("/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return {
        name: float(value) for name, _, value in (each.rpartition(" ") for each in lines if each[0] != "#")
    }


def commands(command: str, outcome: str) -> str:
    return f'heartline_command_seconds_count{{command="{command}",outcome="{outcome}"}}'


async def test_commands_are_counted_by_what_became_of_them(api: Api) -> None:
    ann, bob = await new_guest(api), await new_guest(api)
    game = await begin(api, ann)
    moves = f"/api/games/{game}/moves"
    async with socket(api, ann) as device:
        assert (await device.ask(type="move", game=game, move="draw", revision=0))["revision"] == 1
    assert (await call(api, "POST", moves, {"move": "draw", "revision": 1}, ann))[0] == 200
    assert (await refused(api, "POST", moves, {"move": "draw", "revision": 1}, ann))[0] == 409
    assert (await refused(api, "POST", moves, {"move": "nonsense", "revision": 2}, ann))[0] == 422
    assert (await refused(api, "POST", moves, {"move": "draw", "revision": 2}, bob))[0] == 403
    said = await figures(api)
    assert said[commands("move", "ok")] == 2
    for refusal in ("stale_revision", "illegal_move", "not_your_game"):
        assert said[commands("move", refusal)] == 1
    assert 0 < said['heartline_command_seconds_sum{command="move",outcome="ok"}'] < 5
    assert said["heartline_commit_failures_total"] == 0


async def test_what_an_alert_looks_at_is_there_before_it_happens(api: Api) -> None:
    said = await figures(api)
    for command in ("move", "undo", "answer", "resign"):
        for outcome in ("ok", "failed", "unavailable"):
            assert said[commands(command, outcome)] == 0


async def test_a_database_that_is_away_can_be_seen(
    start_node: StartNode, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = await start_node(database_url=proxy.url)
    ann = await new_guest(api)
    game = await begin(api, ann)
    monkeypatch.setattr("server.log.commit.PATIENCE", 0.2)
    async with socket(api, ann) as device:
        proxy.go_down()
        answer = await device.ask(type="move", game=game, move="draw", revision=0)
        assert answer["code"] == "unavailable"
        said = await figures(api)
    assert said[commands("move", "unavailable")] == 1
    assert said['heartline_command_seconds_sum{command="move",outcome="unavailable"}'] >= 0.2
    assert said["heartline_commit_failures_total"] >= 1
    assert said["heartline_commit_seconds_count"] == 0


async def test_a_command_that_fails_is_told_from_one_that_is_refused(api: Api, engine: AsyncEngine) -> None:
    ann = await new_guest(api)
    game = await begin(api, ann)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE games ADD CONSTRAINT odd CHECK (revision = 0)"))
    body = {"move": "draw", "revision": 0}
    assert await refused(api, "POST", f"/api/games/{game}/moves", body, ann) == (500, "internal")
    said = await figures(api)
    assert said[commands("move", "failed")] == 1
    assert said["heartline_commit_failures_total"] == 1


def test_the_figures_of_the_handbook_are_all_there_are() -> None:
    metrics = Metrics()
    metrics.watch_nats(lambda: True)
    text = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    told = {re.sub("_(bucket|count|sum|total)$", "", each) for each in re.findall("heartline_[a-z_]+", text)}
    assert told == {each.name for each in metrics.registry.collect() if each.name.startswith("heartline_")}


async def test_nodes_say_whether_they_reach_the_others(start_node: StartNode) -> None:
    alone = await start_node()
    assert "heartline_nats_connected" not in await figures(alone)
    async with running_nats() as nats:
        api = await start_node(nats_url=nats.url)
        async with asyncio.timeout(20):
            while (await figures(api))["heartline_nats_connected"] != 1:
                pass
            await nats.stop()
            while (await figures(api))["heartline_nats_connected"] != 0:
                pass
