"""A bare server of sockets that echo nothing: what is sent is what the tests publish."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from websockets.asyncio.client import ClientConnection, connect

from server.channels.hub import Hub
from server.channels.outbox import Outbox
from server.channels.sockets import Sockets
from server.log.model import UserId


class Channels:
    """A running server, its hub, and the outbox of each socket that has connected, in order."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.sockets = Sockets()
        self.opened: asyncio.Queue[Outbox] = asyncio.Queue()
        self.writers: dict[Outbox, asyncio.Task[None]] = {}
        self.stall_s = 30.0
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(compress=False, writer_limit=0)
        await ws.prepare(request)
        assert request.transport is not None
        user = request.query.get("user")
        outbox = Outbox(
            ws,
            request.protocol,
            request.transport,
            None if user is None else UserId(user),
            request.query.get("session"),
            stall_s=self.stall_s,
        )
        writer = self.writers[outbox] = asyncio.create_task(outbox.write())
        self.sockets.add(outbox)
        self.opened.put_nowait(outbox)
        try:
            async for _ in ws:
                pass
        finally:
            self.hub.leave(outbox)
            writer.cancel()
            self.sockets.remove(outbox)
        return ws

    @asynccontextmanager
    async def client(self, query: str = "") -> AsyncIterator[tuple[ClientConnection, Outbox]]:
        async with connect(
            f"{self.url}?{query}", compression=None, ping_interval=None, close_timeout=0.1
        ) as client:
            yield client, await self.opened.get()


@asynccontextmanager
async def running_channels() -> AsyncIterator[Channels]:
    channels = Channels()
    app = web.Application()
    app.router.add_get("/", channels.handle)
    async with TestServer(app) as server:
        channels.url = f"ws://{server.host}:{server.port}/"
        yield channels


@pytest.fixture
async def channels() -> AsyncIterator[Channels]:
    async with running_channels() as channels:
        yield channels
