"""Closes the sockets of sessions that have ended elsewhere: on another node, or by the command line."""

import asyncio
from typing import Final

import structlog

from server.accounts.sessions import Sessions
from server.channels.sockets import Sockets
from server.errors import Refused

LOOK_S: Final = 0.5
"""From one look at the sessions of open sockets to the next."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.web")


async def watch(sessions: Sessions, sockets: Sockets) -> None:
    """Looks again and again whether the sessions of this node's sockets are still there."""
    while True:
        await asyncio.sleep(LOOK_S)
        try:
            await look(sessions, sockets)
        except Refused as refused:
            _logger.warning("sessions not looked at", reason=refused.detail)
        except Exception:
            _logger.exception("sessions not looked at")


async def look(sessions: Sessions, sockets: Sockets) -> None:
    """Closes the sockets whose session is no more."""
    if open_sessions := sockets.sessions():
        for session in await sessions.ended(open_sessions):
            sockets.close_session(session)
