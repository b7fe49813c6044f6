"""The sample bot plays on a real server, and is as small as it says."""

import ast
import asyncio
import random
import re
import sys
from pathlib import Path

import pytest

from tests.web.calls import PASSWORD, Api, Json, call, new_guest, register
from tests.web.conftest import StartNode, start_node
from tests.web.test_bots import play_out

__all__ = ["start_node"]

PROJECT = Path(__file__).parent.parent
BOT = PROJECT / "samples" / "bot.py"


@pytest.fixture
async def api(start_node: StartNode) -> Api:
    """A node whose own bots move at once."""
    return await start_node(bot_pace_ms=0)


async def start(api: Api, *account: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", str(BOT), str(api.make_url("")).rstrip("/"), *account),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_it_plays_a_whole_game_as_a_guest_and_as_an_account(api: Api) -> None:
    ann = await new_guest(api)
    await register(api, "Robot")
    body = {"game": "hearts", "options": {"players": 4, "target": 20}, "bots": 1, "public": True}
    _, table = await call(api, "POST", "/api/games", body, ann)
    bots = [await start(api), await start(api, "Robot", PASSWORD)]

    async with api.ws_connect("/ws", headers=ann.headers) as socket:
        view = await play_out(socket, table["id"])

    for bot in bots:
        out, err = await bot.communicate()
        assert (bot.returncode, err) == (0, b"")
        first, last = out.decode().splitlines()
        assert first.endswith(f"/games/{table['id']}")
        assert last == f"The totals: {view['totals']}"
    assert "Robot" in {player["user"]["name"] for player in view["players"] if player["user"]}


def test_it_is_small_and_needs_nothing_but_websockets() -> None:
    text = BOT.read_text()
    assert len(text.splitlines()) < 80
    imported = {
        name
        for node in ast.walk(ast.parse(text))
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    others = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names
    assert others == {"websockets"}


def test_the_loop_in_the_docs_plays_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    [loop] = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / "bots.md").read_text(), re.DOTALL)

    def my_choice(views: list[Json]) -> str:
        view = views[-1]
        if view["legal"] == ["pass"]:
            return "pass " + " ".join(random.sample(view["hand"], 3))
        return str(random.choice(view["legal"]))

    exec(loop, {"my_choice": my_choice})
    totals = ast.literal_eval(capsys.readouterr().out)
    assert len(totals) == 4
    assert max(totals) >= 100
