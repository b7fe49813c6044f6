"""Who calls, and what an account is, as values."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NewType

import msgspec

from server.log.model import GameId, UserId

SessionId = NewType("SessionId", str)
"""Names one device session of one user. Public to that user, unlike the session's token."""

Locale = Literal["en", "th", "vi"]
Theme = Literal["auto", "light", "dark"]


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
    evicted: Sequence[SessionId] = ()
    """The sessions that this one has ended, since there were too many."""


class Left(msgspec.Struct, frozen=True):
    """What a guest left behind who signed in to an account: games now the account's, sessions now closed."""

    games: list[GameId]
    sessions: list[SessionId]


NOTHING = Left([], [])


class Session(msgspec.Struct, frozen=True):
    """One signed-in device of a user."""

    id: SessionId
    device: str
    """The device in a few words, as its browser named it."""
    created_at: datetime
    seen_at: datetime


class Preferences(msgspec.Struct, frozen=True):
    """The settings that follow an account to every device."""

    move_errors: bool = False
    """Whether a second tap of another rank says so."""
    placement_helper: bool = True
    """Whether cards that have a mate are outlined."""
    letter_keys: bool = True
    """Whether single letters play: D draws, U takes back."""
    theme: Theme = "auto"


class Profile(msgspec.Struct, frozen=True):
    """What an account remembers for its owner."""

    settings: Preferences
    locale: Locale | None
    """The language chosen; None: the browser's own."""
    created_at: datetime
