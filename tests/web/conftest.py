"""A whole node under test: the application on a port of its own, a fresh database, a clock to move."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer

from server.settings import Settings
from server.web.app import make_app
from tests.conftest import Clock
from tests.web.calls import Api

StartNode = Callable[..., Coroutine[None, None, Api]]


@pytest.fixture
async def start_node(database_url: str, clock: Clock) -> AsyncIterator[StartNode]:
    """Starts a node with these settings. Its client keeps no cookies unless a test sends them."""
    async with AsyncExitStack() as stack:

        async def start(**settings: Any) -> Api:
            given: dict[str, Any] = {"database_url": database_url, "rate_limits": False, **settings}
            server = TestServer(make_app(Settings(**given), clock))
            return await stack.enter_async_context(TestClient(server, cookie_jar=DummyCookieJar()))

        yield start


@pytest.fixture
async def api(start_node: StartNode) -> Api:
    """A node without limits."""
    return await start_node()
