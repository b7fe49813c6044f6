"""Who calls, and what an account is, as values."""

from datetime import datetime
from typing import NewType

import msgspec

from server.log.model import UserId

SessionId = NewType("SessionId", str)
"""Names one device session of one user. Public to that user, unlike the session's token."""


class Caller(msgspec.Struct, frozen=True):
    """The user behind a request, and the device session it came with."""

    user: UserId
    name: str
    guest: bool
    session: SessionId


class SignedIn(msgspec.Struct, frozen=True):
    """A fresh device session. The token is told once and kept nowhere."""

    caller: Caller
    token: str


class Session(msgspec.Struct, frozen=True):
    """One signed-in device of a user."""

    id: SessionId
    device: str
    """The device in a few words, as its browser named it."""
    created_at: datetime
    seen_at: datetime
