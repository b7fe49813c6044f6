"""The live games of one node over a fresh database, with sockets that watch them."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from websockets.asyncio.client import ClientConnection

from server.log.log import Log
from server.log.model import GameId, UserId
from server.rooms.position import Command, Move, Resign, Undo
from server.rooms.rooms import Rooms
from tests.channels.conftest import Channels
from tests.channels.conftest import channels as channels
from tests.conftest import Clock

ANN = UserId("ann")
BEN = UserId("ben")

CODE = "HH1-N-AAAAAAS"
WIN = """
    draw 25-w 23-w draw 20-w draw draw 16-w draw draw draw 24-w 21-22 draw draw draw draw draw draw draw
    19-w draw draw draw 11-w draw draw draw draw draw draw draw draw draw 5-w 18-w 14-17 13-15 recycle
    draw draw draw 12-w draw draw 9-w 6-10 draw draw draw draw draw draw 1-w 7-8 2-4 3-w
""".split()  # noqa: SIM905 — a line of play reads better as one text
"""The shortest win of CODE."""


async def names(users: Collection[UserId]) -> Mapping[UserId, str]:
    return {user: user.title() for user in users}


class Node:
    """The rooms of a node, and short ways to play in them."""

    def __init__(self, log: Log, channels: Channels, clock: Clock, **options: Any) -> None:
        self.log = log
        self.channels = channels
        self.clock = clock
        self.rooms = Rooms(log, channels.hub, clock, names, **options)

    async def deal(self, user: UserId = ANN, code: str = CODE, **options: Any) -> GameId:
        return GameId((await self.rooms.deal(user, code, **options))["id"])

    async def do(self, game: GameId, command: Command) -> dict[str, Any]:
        return dict(await self.rooms.do(game, command))

    async def view(self, game: GameId, user: UserId | None = ANN, ply: int | None = None) -> dict[str, Any]:
        return dict(await self.rooms.view(user, game, ply))

    async def branch(self, game: GameId, ply: int, user: UserId = ANN) -> dict[str, Any]:
        return dict(await self.rooms.branch(user, game, ply))

    async def revision(self, game: GameId) -> int:
        logged = await self.log.read(game)
        assert logged is not None
        return logged.game.revision

    async def move(self, game: GameId, move: str, user: UserId = ANN) -> dict[str, Any]:
        return await self.do(game, Move(user, await self.revision(game), move))

    async def undo(self, game: GameId, user: UserId = ANN) -> dict[str, Any]:
        return await self.do(game, Undo(user, await self.revision(game)))

    async def resign(self, game: GameId, user: UserId = ANN) -> dict[str, Any]:
        return await self.do(game, Resign(user, await self.revision(game)))

    async def play(self, game: GameId, moves: list[str], *, pause_s: float = 1) -> dict[str, Any]:
        view: dict[str, Any] = {}
        revision = await self.revision(game)
        for move in moves:
            view = await self.do(game, Move(ANN, revision, move))
            revision = view["revision"]
            self.clock.advance(seconds=pause_s)
        return view

    @asynccontextmanager
    async def watching(self, game: GameId, user: UserId | None = None) -> AsyncIterator["Watcher"]:
        query = "" if user is None else f"user={user}"
        async with self.channels.client(query) as (client, outbox):
            outbox.begin(f"games/{game}", await self.rooms.watch(game, outbox))
            watcher = Watcher(client)
            assert (await watcher.push())["event"] is None
            yield watcher


class Watcher:
    """A socket that watches one game."""

    def __init__(self, client: ClientConnection) -> None:
        self._client = client

    async def push(self) -> dict[str, Any]:
        async with asyncio.timeout(10):
            push: dict[str, Any] = msgspec.json.decode(await self._client.recv())
        assert push["type"] == "game"
        return push

    async def until(self, revision: int) -> dict[str, Any]:
        while (push := await self.push())["view"]["revision"] < revision:
            pass
        return push


@pytest.fixture
async def node(engine: AsyncEngine, channels: Channels, clock: Clock) -> AsyncIterator[Node]:
    async with Log(engine) as log:
        yield Node(log, channels, clock)
