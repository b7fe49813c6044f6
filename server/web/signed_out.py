"""Closes the sockets of sessions that have ended elsewhere: on another node, or by the command line."""

from functools import partial
from typing import Final

import structlog

from server.accounts.sessions import Sessions
from server.channels.sockets import Sockets
from server.rounds import rounds

LOOK_S: Final = 0.5
"""From one look at the sessions of open sockets to the next."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.web")


async def watch(sessions: Sessions, sockets: Sockets) -> None:
    """Looks again and again whether the sessions of this node's sockets are still there."""
    await rounds(partial(look, sessions, sockets), LOOK_S, _logger, "sessions not looked at")


async def look(sessions: Sessions, sockets: Sockets) -> None:
    """Closes the sockets whose session is no more."""
    if open_sessions := sockets.sessions():
        for session in await sessions.ended(open_sessions):
            sockets.close_session(session)
