"""A log on the database of the test."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.log import Log
from tests.log.proxy import Proxy


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


@pytest.fixture
async def proxy(database_url: str) -> AsyncIterator[Proxy]:
    async with Proxy.to(database_url) as proxy:
        yield proxy


@pytest.fixture
def sent(engine: AsyncEngine) -> list[str]:
    """The statements that have gone out so far."""
    statements: list[str] = []

    @event.listens_for(engine.sync_engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        statements.append(statement)

    return statements
