"""What a player can get wrong at a table, told in stable words."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a move is illegal, in the order in which the reasons are looked for."""

    NOT_A_MOVE = "not_a_move"
    """The text is no move of this game, or that seat has nothing to play now."""

    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    EMPTY_PLACE = "empty_place"
    COVERED = "covered"
    WASTE_EMPTY = "waste_empty"
    DIFFERENT_RANK = "different_rank"
    NO_UNDO_LEFT = "no_undo_left"

    NOT_IN_HAND = "not_in_hand"
    MUST_LEAD_LOWEST_CLUB = "must_lead_lowest_club"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    NO_POINTS_ON_FIRST_TRICK = "no_points_on_first_trick"
    HEARTS_NOT_BROKEN = "hearts_not_broken"


class IllegalMove(ValueError):  # noqa: N818 — the name outside callers know it by
    """A move that the rules forbid here. Nothing has changed."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class BadDealCode(ValueError):  # noqa: N818 — as above
    """A text that is no deal code, with a sentence that says what is wrong with it."""


class BadOptions(ValueError):  # noqa: N818 — as above
    """Options that a game does not have, with a sentence that names the one at fault."""
