"""What is told of a day, as values that are the JSON answers."""

from datetime import date

import msgspec

from server.log.model import GameId, UserId


class Player(msgspec.Struct, frozen=True):
    """A user as others see him."""

    id: UserId
    name: str


class Entry(msgspec.Struct, frozen=True):
    """One place on the board of a day."""

    rank: int
    """From 1. Equal in score, moves and time is equal in rank, and the next rank counts them all: 1 1 3."""
    user: Player
    score: int
    moves: int
    """Moves made, those taken back included."""
    clock_ms: int
    won: bool
    game: GameId


class Turnout(msgspec.Struct, frozen=True):
    """How many play the deal of a day. Guests count."""

    players: int
    """Those who have begun; once the day is closed, without those who never moved."""
    finished: int
    """Those whose try has ended."""


class State(msgspec.Struct, frozen=True):
    """How a day stands."""

    turnout: Turnout
    top: list[Entry]


class Board(msgspec.Struct, frozen=True):
    """A page of the board of a day, with the caller's own place."""

    date: date
    entries: list[Entry]
    me: Entry | None
    around: list[Entry]
    """The caller's entry among its neighbours; empty when he is not on the board."""
    next: str | None
    """The cursor of the next page."""


class Bar(msgspec.Struct, frozen=True):
    """How many have won a day's deal with so many moves."""

    moves: int
    players: int
