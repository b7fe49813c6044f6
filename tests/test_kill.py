"""The server is killed in the midst of many games of people and bots: all go on where they were."""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from typing import Any

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.log import Log
from server.log.model import GameId, Logged
from server.rooms.replay import replayed
from server.rooms.table import rules
from tests.test_operate import Player, Server

TABLES: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 4, "variant": "omnibus"},
    {"players": 5, "moon": "add"},
    {"players": 7},
    {"players": 8, "variant": "cancellation"},
]
EACH = 10
"""Tables of each kind."""

KILLS = 5

Json = dict[str, Any]


class Crowd:
    """What all people together have been shown."""

    def __init__(self) -> None:
        self._pushes = 0
        self._goal = 0
        self._reached = asyncio.Event()

    def push(self) -> None:
        self._pushes += 1
        if self._pushes >= self._goal:
            self._reached.set()

    async def wait(self, more: int) -> None:
        """Returns after so many more pushes."""
        self._goal = self._pushes + more
        self._reached.clear()
        async with asyncio.timeout(60):
            await self._reached.wait()


class Person(Player):
    """Somebody who plays the first legal move at many tables at once."""

    def __init__(self, http: aiohttp.ClientSession, url: str, crowd: Crowd) -> None:
        super().__init__(http, url)
        self._crowd = crowd
        self.tables: set[str] = set()
        """Those that are not over."""
        self.answered: dict[tuple[str, int], str] = {}
        """The moves that the server has said yes to, by game and revision."""
        self._seen: Counter[str] = Counter()
        """The highest revision of each game that has been pushed."""

    async def sit_down(self, options: Json) -> None:
        """Opens a table with bots."""
        bots = options["players"] - 1
        view = await self.post("/api/games", 201, game="hearts", options={"target": 1, **options}, bots=bots)
        self.tables.add(view["id"])

    async def play(self, url: str) -> None:
        """Plays at all tables until they are over, or the server is gone."""
        self._url = url
        sent: dict[str, tuple[str, str]] = {}
        decided: set[tuple[str, int, int]] = set()
        async with self.socket() as socket:
            for table in self.tables:
                await socket.send_json({"type": "subscribe", "channel": f"games/{table}"})
            while self.tables:
                frame = await socket.receive()
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    return
                message = json.loads(frame.data)
                if message["type"] == "error":
                    # What was on its way when the server died has come to the log after all.
                    assert message["code"] in ("stale_revision", "not_your_turn"), message
                elif message["type"] == "game":
                    view = message["view"]
                    turn = self._look(view)
                    if view["legal"] and turn not in decided:
                        decided.add(turn)
                        await self._move(socket, view, sent)
                elif message.get("ref") in sent:
                    game, move = sent.pop(message["ref"])
                    self.answered[game, message["revision"]] = move

    def _look(self, view: Json) -> tuple[str, int, int]:
        """Takes note of a game, and names the decision that is due."""
        game, revision = view["id"], view["revision"]
        assert revision >= self._seen[game], "what was shown is gone"
        self._seen[game] = revision
        self._crowd.push()
        if view["status"] == "finished":
            self.tables.discard(game)
        return game, view["hand_number"], 0 if view["status"] == "passing" else view["ply"]

    async def _move(self, socket: Any, view: Json, sent: dict[str, tuple[str, str]]) -> None:
        game, revision, move = view["id"], view["revision"], view["legal"][0]
        if move == "pass":
            move = " ".join(["pass", *view["hand"][:3]])
        ref = f"{game}/{revision}"
        sent[ref] = game, move
        await socket.send_json({"type": "move", "game": game, "move": move, "revision": revision, "ref": ref})


async def test_a_killed_server_costs_nobody_anything(database_url: str, engine: AsyncEngine) -> None:
    chance, crowd = random.Random(3), Crowd()
    settings = {"HEARTLINE_BOT_PACE_MS": "0", "HEARTLINE_RATE_LIMITS": "off"}
    server = Server("--database-url", database_url, **settings)
    await server.start()
    async with aiohttp.ClientSession() as http:
        people = [Person(http, server.url, crowd) for _ in range(EACH)]
        for person in people:
            await person.arrive()
            for options in TABLES:
                await person.sit_down(options)
        tables = [table for person in people for table in person.tables]
        for _ in range(KILLS):
            playing = [asyncio.create_task(person.play(server.url)) for person in people]
            await crowd.wait(chance.randrange(200, 400))
            server.signal(signal.SIGKILL)
            await server.ended()
            await asyncio.gather(*playing)
            await server.start()
        async with asyncio.timeout(60):
            await asyncio.gather(*(person.play(server.url) for person in people))
    await server.stop()
    moves = {}
    async with Log(engine) as log:
        for table in tables:
            logged = await log.read(GameId(table))
            assert logged is not None
            check(logged)
            moves[table] = [(move.seat, move.move) for move in logged.moves]
    # Nothing but moves has changed these games, so a move's revision is its number.
    for person in people:
        for (table, revision), move in person.answered.items():
            assert moves[table][revision - 1] == (0, move)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_bots_in_the_midst_of_a_thought(database_url: str, how: signal.Signals) -> None:
    server = Server("--database-url", database_url, HEARTLINE_BOT_PACE_MS="0")
    await server.start()
    async with aiohttp.ClientSession() as http:
        player = Player(http, server.url)
        await player.arrive()
        for _ in range(3):
            view = await player.post("/api/games", 201, game="hearts", bots=3, level="sharp")
        async with player.socket() as socket:
            await socket.send_json({"type": "subscribe", "channel": f"games/{view['id']}"})
            while (await socket.receive_json()).get("view", {}).get("ply") != 1:
                pass
            # It comes to all processes, as from a terminal.
            os.killpg(server.process.pid, how)
            async with asyncio.timeout(30):
                assert await server.ended() == (0, "")


def check(logged: Logged) -> None:
    """No seat is stuck, and none has moved twice."""
    position, _ = replayed(logged)  # Nothing out of turn, nothing against the rules.
    assert logged.game.status == "finished"
    players = rules(position).table.players
    cards = [move.seat for move in logged.moves if move.move.startswith("play ")]
    tricks = [cards[first : first + players] for first in range(0, len(cards), players)]
    assert all(sorted(trick) == [*range(players)] for trick in tricks)
    passes = [move.seat for move in logged.moves if move.move.startswith("pass ")]
    assert sorted(passes) in ([], [*range(players)])
