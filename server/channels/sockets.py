"""All open sockets of this node, so that they can be closed from outside."""

import asyncio
from contextlib import suppress
from typing import Final

from aiohttp import WSCloseCode

from server.channels.outbox import CLOSE_S, Outbox

SIGNED_OUT: Final = 4401
"""Closes the sockets of a session that has been signed out."""

GONE_S: Final = 2 * CLOSE_S
"""How long the server waits for its sockets when it stops. Each is cut off well before."""


class Sockets:
    """The open sockets, by device session."""

    def __init__(self) -> None:
        self._by_session: dict[str | None, set[Outbox]] = {}
        self._all_gone = asyncio.Event()
        self._all_gone.set()
        self._stopping = False

    def add(self, outbox: Outbox) -> None:
        """Counts a socket as open. While the server stops it is closed at once."""
        self._by_session.setdefault(outbox.session, set()).add(outbox)
        self._all_gone.clear()
        if self._stopping:
            outbox.close(WSCloseCode.GOING_AWAY)

    def remove(self, outbox: Outbox) -> None:
        """Counts it as closed."""
        of_session = self._by_session[outbox.session]
        of_session.remove(outbox)
        if not of_session:
            del self._by_session[outbox.session]
        if not self._by_session:
            self._all_gone.set()

    def sessions(self) -> list[str]:
        """The sessions that have a socket here."""
        return [session for session in self._by_session if session is not None]

    def close_session(self, session: str) -> None:
        """Closes the sockets of a session that has been signed out."""
        for outbox in tuple(self._by_session.get(session, ())):
            outbox.close(SIGNED_OUT)

    async def close_all(self) -> None:
        """Closes every socket because the server stops, those still to come as well; waits for them to go."""
        self._stopping = True
        for of_session in tuple(self._by_session.values()):
            for outbox in tuple(of_session):
                outbox.close(WSCloseCode.GOING_AWAY)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_gone.wait(), GONE_S)
