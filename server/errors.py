"""The refusals that a client can meet: stable codes, each with its HTTP status."""

from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """The `code` of an error, in HTTP problems and WebSocket errors alike."""

    status: int

    def __new__(cls, value: str, status: int) -> "Code":
        """A member that is its text, and knows its HTTP status."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.status = status
        return member

    BAD_REQUEST = "bad_request", 400
    BAD_DEAL_CODE = "bad_deal_code", 400
    NOT_SIGNED_IN = "not_signed_in", 401
    BAD_CREDENTIALS = "bad_credentials", 401
    NOT_YOUR_GAME = "not_your_game", 403
    NOT_YOUR_TURN = "not_your_turn", 403
    NOT_YET = "not_yet", 403
    ORIGIN = "origin", 403
    NOT_FOUND = "not_found", 404
    STALE_REVISION = "stale_revision", 409
    NAME_TAKEN = "name_taken", 409
    SEAT_TAKEN = "seat_taken", 409
    GAME_OVER = "game_over", 409
    TOO_LARGE = "too_large", 413
    ILLEGAL_MOVE = "illegal_move", 422
    WEAK_PASSWORD = "weak_password", 422
    BAD_NAME = "bad_name", 422
    BAD_OPTIONS = "bad_options", 422
    SLOW_DOWN = "slow_down", 429
    UNAVAILABLE = "unavailable", 503


class Refused(Exception):  # noqa: N818 — a refusal is an answer, not a fault of ours
    """A request that is answered with an error. It has changed nothing.

    `detail` says in English what to do; `reason` and `view` go with the answer where they apply;
    `retry_after` is in whole seconds.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        reason: str | None = None,
        view: dict[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.reason = reason
        self.view = view
        self.retry_after = retry_after
