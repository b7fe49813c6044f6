"""Work that a node does again and again."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from server.errors import Refused


async def rounds(
    work: Callable[[], Awaitable[object]],
    pause_s: float,
    logger: structlog.stdlib.BoundLogger,
    failure: str,
) -> None:
    """Does the work, pauses, and so on until it is cancelled.

    A round that fails is logged as `failure`, with the reason when it was refused, whole when the mistake is
    ours; the next round is another chance.
    """
    while True:
        try:
            await work()
        except Refused as refused:
            logger.warning(failure, reason=refused.detail)
        except Exception:
            logger.exception(failure)
        await asyncio.sleep(pause_s)
