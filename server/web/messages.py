"""The messages of `/ws`, both ways, one type each."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from server.log.model import GameId

Ref = str | None
"""What a client calls a message of its own. It comes back in the answer."""


class _Incoming(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    ref: Ref = None


class Subscribe(_Incoming, kw_only=True):
    """Watch a channel."""

    channel: str


class Unsubscribe(_Incoming, kw_only=True):
    """Watch it no more."""

    channel: str


class Move(_Incoming, kw_only=True):
    """Play a move."""

    game: GameId
    move: str
    revision: int


class Undo(_Incoming, kw_only=True):
    """Take the last move back, or ask the others for it."""

    game: GameId
    revision: int


class Resign(_Incoming, kw_only=True):
    """Give the game up."""

    game: GameId
    revision: int


class Answer(_Incoming, kw_only=True):
    """Agree to a take-back, or refuse it."""

    game: GameId
    accept: bool
    revision: int | None = None


class Ping(_Incoming, kw_only=True):
    """Is anybody there?"""


Incoming = Subscribe | Unsubscribe | Move | Undo | Resign | Answer | Ping


class Ok(msgspec.Struct, kw_only=True, tag_field="type", tag="ok"):
    """The message was carried out; a command is in the log."""

    ref: Ref
    revision: int | UnsetType = UNSET
    """To which a command has brought its game."""


class Pong(msgspec.Struct, kw_only=True, tag_field="type", tag="pong"):
    """The answer to a ping."""

    ref: Ref


class Error(msgspec.Struct, kw_only=True, tag_field="type", tag="error"):
    """The message was refused and has changed nothing."""

    ref: Ref
    code: str
    detail: str
    reason: str | UnsetType = UNSET
    view: dict[str, Any] | UnsetType = UNSET


class _AnyRef(msgspec.Struct):
    ref: Ref = None


encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Incoming).decode
_decode_ref = msgspec.json.Decoder(_AnyRef).decode

_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class NotUnderstood(ValueError):  # noqa: N818 — it says what is wrong with what a client sent
    """A frame that is no message. It may carry a `ref` all the same."""

    def __init__(self, detail: str, ref: Ref = None) -> None:
        super().__init__(detail)
        self.ref = ref


def read(frame: bytes) -> Incoming:
    """The message in a frame.

    Raises:
        NotUnderstood: it is none. The text says why not.
    """
    try:
        return _decode(frame)
    except _UNREADABLE as error:
        what = str(error) if isinstance(error, msgspec.DecodeError) else "It is no valid text of JSON"
        raise NotUnderstood(f"The message is not understood: {what[:300]}.", _ref_of(frame)) from None


def _ref_of(frame: bytes) -> Ref:
    try:
        return _decode_ref(frame).ref
    except _UNREADABLE:
        return None


def error(
    ref: Ref, code: str, detail: str, reason: str | None = None, view: dict[str, Any] | None = None
) -> bytes:
    """The answer to a message that was refused."""
    return encode(
        Error(
            ref=ref,
            code=code,
            detail=detail,
            reason=UNSET if reason is None else reason,
            view=UNSET if view is None else view,
        )
    )
