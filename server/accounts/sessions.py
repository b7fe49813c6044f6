"""Device sessions: one random token each, known to the device alone."""

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Insert, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.accounts.model import Caller, Session, SessionId
from server.accounts.schema import device_sessions
from server.clock import Clock
from server.log.database import patient, prompt
from server.log.direct import fetch
from server.log.model import UserId

MOST = 100
"""Devices that a user can be signed in on."""

LASTS = timedelta(days=400)
"""How long a session lasts in which nothing is done: as long as browsers keep a cookie at most."""

_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)
_FRESH = timedelta(seconds=1)
"""How long an answer of `who` counts: other nodes sign sessions out too."""
_SEEN_EVERY = timedelta(minutes=1)
_REMEMBERED = 20_000

_WHO = """
SELECT users.id, users.name, users.name_key IS NULL, device_sessions.id, seen_at
FROM device_sessions JOIN users ON users.id = user_id
WHERE token_hash = $1 AND seen_at > $2
"""

_OF = """
SELECT id, device, created_at, seen_at FROM device_sessions
WHERE user_id = $1 AND seen_at > $2 ORDER BY seen_at DESC, id
"""

_ENDED = """
SELECT id FROM unnest($1::text[]) AS given (id)
WHERE NOT EXISTS (SELECT FROM device_sessions WHERE id = given.id)
"""


class Sessions:
    """All device sessions, with the callers heard of last kept in memory."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._known: OrderedDict[str, tuple[Caller, datetime]] = OrderedDict()

    async def who(self, token: str) -> Caller | None:
        """The caller whose session this token is; None when it is nobody's.

        Raises:
            Refused: `unavailable`, after 5 s without a database.
        """
        now = self._clock()
        if (known := self._known.get(token)) is not None and known[1] > now:
            return known[0]
        caller = await self._look_up(token, now) if _TOKEN.fullmatch(token) else None
        if caller is None:
            self._known.pop(token, None)
            return None
        self._known[token] = (caller, now + _FRESH)
        self._known.move_to_end(token)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return caller

    async def open(
        self, connection: AsyncConnection, user: UserId, device: str
    ) -> tuple[SessionId, str, Sequence[SessionId]]:
        """A new session of a user, its token, and the sessions that end since there are too many.

        Those are the ones seen longest ago. Call `forget` with them after the commit.
        """
        session, token, statement = self.opening(user, device)
        await connection.execute(statement)
        columns = device_sessions.c
        newest = (
            select(columns.id)
            .where(columns.user_id == user)
            .order_by(columns.seen_at.desc(), columns.created_at.desc())
            .limit(MOST)
        )
        evicted = await connection.scalars(
            delete(device_sessions)
            .where(columns.user_id == user, columns.id.not_in(newest))
            .returning(columns.id)
        )
        return session, token, evicted.all()

    def opening(self, user: UserId, device: str) -> tuple[SessionId, str, Insert]:
        """A new session, its token, and the statement that opens it."""
        session, token, now = SessionId(secrets.token_urlsafe(9)), secrets.token_urlsafe(32), self._clock()
        statement = insert(device_sessions).values(
            id=session, user_id=user, token_hash=_hash(token), device=device, created_at=now, seen_at=now
        )
        return session, token, statement

    @prompt
    async def renew(self, session: SessionId) -> str:
        """A new token for a session; the one before is worth nothing any more."""
        token = secrets.token_urlsafe(32)
        statement = update(device_sessions).where(device_sessions.c.id == session)
        async with self._engine.begin() as connection:
            await connection.execute(statement.values(token_hash=_hash(token)))
        self.forget([session])
        return token

    @patient
    async def of(self, user: UserId) -> list[Session]:
        """The sessions of a user, that seen last first."""
        rows = await fetch(self._engine, _OF, user, self._clock() - LASTS)
        return [Session(*row) for row in rows]

    @prompt
    async def close(self, user: UserId, session: SessionId) -> bool:
        """Signs one device of a user out. False: the user has no such session."""
        columns = device_sessions.c
        statement = delete(device_sessions).where(columns.id == session, columns.user_id == user)
        async with self._engine.begin() as connection:
            closed = (await connection.execute(statement)).rowcount > 0
        self.forget([session])
        return closed

    async def close_all(
        self, connection: AsyncConnection, user: UserId, but: SessionId | None = None
    ) -> list[SessionId]:
        """Signs all devices of a user out, but for one. Call `forget` with the answer after the commit."""
        columns = device_sessions.c
        statement = delete(device_sessions).where(columns.user_id == user).returning(columns.id)
        if but is not None:
            statement = statement.where(columns.id != but)
        return list((await connection.execute(statement)).scalars())

    def forget(self, sessions: Collection[SessionId]) -> None:
        """Has the next call of these sessions looked up afresh."""
        for token in [token for token, (caller, _) in self._known.items() if caller.session in sessions]:
            del self._known[token]

    def forget_user(self, user: UserId) -> None:
        """Has the next call of every session of a user looked up afresh."""
        for token in [token for token, (caller, _) in self._known.items() if caller.user == user]:
            del self._known[token]

    @patient
    async def ended(self, sessions: Collection[str]) -> list[SessionId]:
        """Those of the sessions that are no more."""
        return [SessionId(row["id"]) for row in await fetch(self._engine, _ENDED, list(sessions))]

    @patient
    async def _look_up(self, token: str, now: datetime) -> Caller | None:
        rows = await fetch(self._engine, _WHO, _hash(token), now - LASTS)
        if not rows:
            return None
        user, name, guest, session, seen_at = rows[0]
        if now - seen_at >= _SEEN_EVERY:
            statement = update(device_sessions).where(device_sessions.c.id == session).values(seen_at=now)
            async with self._engine.begin() as connection:
                await connection.execute(statement)
        return Caller(user, name, guest, session)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
