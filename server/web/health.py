"""How the node is, for those who watch over it."""

import asyncio
from typing import Any, Literal

import msgspec
import structlog
from aiohttp import web

from server.errors import Code, Refused
from server.log.database import check_schema
from server.web.endpoint import Routes, answer
from server.web.keys import ENGINE, OPENAPI

_log: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.web")

READY_S = 2.0
"""A database that takes longer to answer is as good as away."""

routes = Routes()


class Health(msgspec.Struct):
    """The node is well."""

    status: Literal["ok"] = "ok"


@routes.get("/healthz", {200: Health})
async def healthz(request: web.Request) -> web.Response:  # noqa: ARG001
    """Says that the process lives."""
    return answer(Health())


@routes.get("/readyz", {200: Health})
async def readyz(request: web.Request) -> web.Response:
    """Says that the database answers and has this server's schema; 503 `unavailable` otherwise."""
    try:
        async with asyncio.timeout(READY_S):
            await check_schema(request.app[ENGINE])
    except Exception as error:
        # Its first line: SQLAlchemy adds the statement.
        _log.warning("not ready", error=str(error).partition("\n")[0] or repr(error))
        raise Refused(Code.UNAVAILABLE, "The database is not ready. Try again soon.", retry_after=1) from None
    return answer(Health())


@routes.get("/api/openapi.json", {200: dict[str, Any]})
async def openapi(request: web.Request) -> web.Response:
    """Describes these calls."""
    return answer(request.app[OPENAPI])
