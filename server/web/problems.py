"""Errors as RFC 9457 problems: the refusals of ours, aiohttp's own, and the faults that nobody expected."""

from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from msgspec import UNSET, UnsetType
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.errors import Code, Refused
from server.log.database import is_away, unavailable

_log: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.web")


class Problem(msgspec.Struct, kw_only=True):
    """The body of every error, as `application/problem+json`."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    """A sentence that says what to do."""
    code: str
    """Stable: what a client looks at."""
    reason: str | UnsetType = UNSET
    """Why a move is illegal, or a name cannot be had."""
    view: dict[str, Any] | UnsetType = UNSET
    """The game as it stands now, when the command came too late."""


_SENTENCES = {
    400: (Code.BAD_REQUEST.value, "Open this address as a WebSocket, version 13."),
    404: (Code.NOT_FOUND.value, "There is nothing at this address. Check its spelling."),
    405: ("method_not_allowed", "This address does not take that method. See the Allow header."),
    413: (Code.TOO_LARGE.value, "The body is too large. Send less."),
}
"""For the answers that aiohttp gives by itself: code and detail by status."""


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    reason: str | None = None,
    view: dict[str, Any] | None = None,
) -> web.Response:
    """An error as an answer."""
    body = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        reason=UNSET if reason is None else reason,
        view=UNSET if view is None else view,
    )
    return web.Response(
        status=status, body=msgspec.json.encode(body), content_type="application/problem+json"
    )


def refusal(refused: Refused) -> web.Response:
    """A refusal as an answer."""
    code = refused.code
    answer = problem(code.status, code.value, refused.detail, reason=refused.reason, view=refused.view)
    if code.status == HTTPStatus.UNAUTHORIZED:
        answer.headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
    if refused.retry_after is not None:
        answer.headers[hdrs.RETRY_AFTER] = str(refused.retry_after)
    return answer


def _from_aiohttp(error: web.HTTPException) -> web.Response:
    code, detail = _SENTENCES.get(error.status, (Code.BAD_REQUEST.value, f"{error.reason}."))
    answer = problem(error.status, code, detail)
    for name in (hdrs.ALLOW, hdrs.UPGRADE, hdrs.SEC_WEBSOCKET_VERSION):
        if name in error.headers:
            answer.headers[name] = error.headers[name]
    return answer


@web.middleware
async def problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers every exception with a problem. What nobody expected is logged, and its details stay here."""
    try:
        return await handler(request)
    except Refused as refused:
        return refusal(refused)
    except web.HTTPException as error:
        return _from_aiohttp(error)
    except Exception as error:
        if is_away(error) or isinstance(error, PoolTimeout):
            _log.warning("database away", error=repr(error))
            return refusal(unavailable())
        resource = request.match_info.route.resource
        route = resource.canonical if resource is not None else None
        _log.exception("request failed", method=request.method, route=route)
        return problem(500, "internal", "The server made a mistake. Try again; it has been logged.")
