"""Codes that sign one more device in: short enough to type, good once and for ten minutes."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from server.accounts.schema import link_codes
from server.log.model import UserId

LIFETIME = timedelta(minutes=10)

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter in it looks like another, or like a digit."""
_LENGTH = 8
_SLIPS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


async def issue(connection: AsyncConnection, user: UserId, now: datetime) -> tuple[str, datetime]:
    """A new code of a user, such as `7KQ2-M3XD`, and when it ends. The user's code before it ends now."""
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    values = {"code_hash": _hash(letters), "expires_at": now + LIFETIME}
    await connection.execute(
        insert(link_codes)
        .values(user_id=user, **values)
        .on_conflict_do_update(index_elements=[link_codes.c.user_id], set_=values)
    )
    return f"{letters[:4]}-{letters[4:]}", now + LIFETIME


async def whose(connection: AsyncConnection, code: str, now: datetime) -> UserId | None:
    """Whose code this is; None for one that is wrong, used or too old."""
    return await connection.scalar(select(link_codes.c.user_id).where(_good(code, now)))


async def use_up(connection: AsyncConnection, code: str, now: datetime) -> bool:
    """Takes a code that is good still, so that nobody else can."""
    return (await connection.execute(delete(link_codes).where(_good(code, now)))).rowcount > 0


def _good(code: str, now: datetime) -> ColumnElement[bool]:
    letters = code.upper().translate(_SLIPS)
    return (link_codes.c.code_hash == _hash(letters)) & (link_codes.c.expires_at > now)


def _hash(letters: str) -> bytes:
    return hashlib.sha256(letters.encode()).digest()
