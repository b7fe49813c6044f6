"""Users and their device sessions."""

from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.model import Caller
from server.clock import Clock


class Accounts:
    """The users of this card room."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    async def who(self, token: str) -> Caller | None:  # noqa: ARG002
        """The caller whose session this token is."""
        return None
