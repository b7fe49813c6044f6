"""The log: the one place that games are written to and read from."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log import read, statements
from server.log.commit import Committer, OnCommit
from server.log.database import fault, patient
from server.log.errors import AlreadyTried, Unwritable
from server.log.model import Change, GameId, Listed, Logged, Revision, UserId
from server.log.read import Cursor
from server.log.schema import games

PAGE = 20
"""Games in one page of a list."""

SECOND_TRY = "uq_games_ranked"
"""What a second ranked game of one player and day breaks."""


class Log:
    """Games in the database. Every method but `close` waits up to 5 s for a database that is away.

    Then it raises Refused (`unavailable`).
    """

    def __init__(self, engine: AsyncEngine, on_commit: OnCommit = lambda *_: None) -> None:
        self._engine = engine
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._committer = Committer(engine, on_commit)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Takes no more commands, and returns when those that wait are answered."""
        await self._committer.close()

    async def commit(self, change: Change) -> None:
        """Returns once the change is in the database, for good.

        A caller that is cancelled meanwhile does not stop the write.

        Raises:
            Stale: the game is at another revision, or there is none. Nothing has changed.
            Refused: `unavailable`. Whether a change that was under way is in the database only a read tells.
            ValueError: the change contradicts itself or the log. Nothing has changed.
            Unwritable: the database refuses a value. Nothing has changed.
        """
        await self.submit(change)

    def submit(self, change: Change) -> asyncio.Future[None]:
        """Begins to commit a change; the future ends as `commit` does.

        For who has many changes under way and wants no task for each.

        Raises:
            ValueError: the change contradicts itself.
        """
        return self._committer.submit(change)

    async def create(self, logged: Logged) -> None:
        """Writes a new game, its seats, and the moves that it begins with when it is a branch.

        Raises:
            AlreadyTried: it is ranked, and its creator has a ranked game of that day.
            Unwritable: the database refuses a value.
        """
        try:
            await self._create(logged)
        except DBAPIError as error:
            if fault(error) == SECOND_TRY:
                raise AlreadyTried(f"{logged.game.creator} on {logged.game.day}") from None
            raise Unwritable(f"game {logged.game.id}: {fault(error)}") from None

    @patient
    async def _create(self, logged: Logged) -> None:
        async with self._single.connect() as connection:
            await connection.execute(statements.CREATE, statements.creation(logged))

    @patient
    async def read(self, game: GameId) -> Logged | None:
        """The whole game as it is now, in one round trip; None when there is none of this id."""
        async with self._single.connect() as connection:
            return await read.read(connection, game)

    @patient
    async def list_games(
        self,
        *,
        user: UserId | None = None,
        finished: bool | None = None,
        waiting: bool = False,
        game: str | None = None,
        behind: Cursor | None = None,
    ) -> tuple[list[Listed], Cursor | None]:
        """A page of games, newest first, and where the next page begins (None: this is the last).

        With `user` those in which the user has a seat, else the public ones. `finished` and `game` narrow it
        down; `waiting` leaves those that have not started, nor been closed.
        """
        halves = [False] if waiting else [False, True] if finished is None else [finished]
        queries = [
            read.games_of(user, half, behind) if user else read.public_games(half, behind) for half in halves
        ]
        if waiting:
            queries = [query.where(games.c.started_at.is_(None)) for query in queries]
        if game is not None:
            queries = [query.where(games.c.game == game) for query in queries]
        async with self._single.connect() as connection:
            return await read.page(connection, queries, PAGE)

    @patient
    async def revisions(self, some: Sequence[GameId]) -> dict[GameId, Revision]:
        """The revision that each of these games has now."""
        async with self._single.connect() as connection:
            return await read.revisions(connection, some)

    @patient
    async def idle(self, game: str, before: datetime, limit: int) -> list[tuple[GameId, Revision]]:
        """Unfinished games of a kind in which nothing was done since `before`: at most `limit`, oldest first.

        Each with the revision that it has.
        """
        async with self._single.connect() as connection:
            return await read.idle(connection, game, before, limit)

    @patient
    async def lively_tables(self, since: datetime, some: Sequence[GameId], limit: int) -> list[Listed]:
        """Public tables: those that wait for players, then those that are played; the newest `limit` of each.

        Those in which something was done since a moment, or that are among `some`.
        """
        async with self._single.connect() as connection:
            return await read.lively(connection, since, some, limit)
