"""The connection that commands are written over: what it borrows from the pool it gives back."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool

from server.log.wire import Wire


@pytest.mark.parametrize("steps", range(1, 6))
async def test_a_leave_that_is_cut_short_costs_the_pool_nothing(engine: AsyncEngine, steps: int) -> None:
    pool = engine.pool
    assert isinstance(pool, QueuePool)
    wire = Wire(engine)
    await wire.execute("SELECT 1", [], asyncio.get_running_loop().time() + 10)
    assert pool.checkedout() == 1

    closing = asyncio.create_task(wire.close())
    for _ in range(steps):
        await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait([closing])

    assert pool.checkedout() == 0
