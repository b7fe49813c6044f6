"""The messages of `/ws`, both ways, one type each."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from server.errors import Refused
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


def read(frame: bytes) -> Incoming:
    """The message in a frame.

    Raises:
        ValueError: it is none. The text says why not.
    """
    try:
        return _decode(frame)
    except _UNREADABLE as error:
        what = str(error) if isinstance(error, msgspec.DecodeError) else "it is no valid text of JSON"
        raise ValueError(what) from None


def ref_of(frame: bytes) -> Ref:
    """The `ref` of a frame that is no message, if it has one all the same."""
    try:
        return _decode_ref(frame).ref
    except _UNREADABLE:
        return None


def error(ref: Ref, refused: Refused) -> bytes:
    """The answer to a message that was refused."""
    return encode(
        Error(
            ref=ref,
            code=refused.code.value,
            detail=refused.detail,
            reason=UNSET if refused.reason is None else refused.reason,
            view=UNSET if refused.view is None else refused.view,
        )
    )
