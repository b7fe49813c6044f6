"""What a bot is asked, and all that it is told: its seat's views of the present hand, and dice."""

import hashlib
from typing import NamedTuple

from server.games.game import Seat, View
from server.games.hearts.state import Hearts
from server.log.model import GameId
from server.rooms.position import Position
from server.rooms.replay import past
from server.rooms.room import Copy
from server.rooms.table import rules
from server.rooms.views import view


class Decision(NamedTuple):
    """What is to be decided, the same on every node: a seat's move at one place of a game's log.

    A pass depends on nothing that others do meanwhile: for it `ply` and `undone` are 0.
    """

    game: GameId
    seat: Seat
    level: str
    hand: int
    ply: int
    undone: int


class Question(NamedTuple):
    """All that a bot is given, as `server.bots.choose` takes it."""

    level: str
    views: list[View]
    seed: int


def decision(now: Position, seat: Seat, level: str) -> Decision:
    """The decision that a seat on turn has to make, by a bot of this level."""
    row, state = now.row, rules(now)
    if state.status == "passing":
        return Decision(row.id, seat, level, state.hand_number, 0, 0)
    return Decision(row.id, seat, level, state.hand_number, row.ply, row.undone)


def question(game: Copy, about: Decision) -> Question:
    """What is to be decided, as the seat sees it.

    The views are made from the log: a node that has just read it knows as much as one that was always there.
    """
    now = game.position
    first = now.row.ply - _moves_of_hand(rules(now))
    # Who has passed already matters for no pass.
    last = first if rules(now).status == "passing" else now.row.ply
    own: list[View] = [
        dict(view(each, about.seat, []))
        for each in past(now, game.timeline, first, last)
        if each.row.ply == last or _moves_next(game, each, about.seat)
    ]
    return Question(about.level, own, _dice(now.row.seed, about))


def _moves_next(game: Copy, then: Position, seat: Seat) -> bool:
    move = game.timeline.move(then.row.ply + 1)
    return move is not None and move.seat == seat


def _moves_of_hand(state: Hearts) -> int:
    """How many moves the present hand has had: passes, and cards played."""
    passed = sum(sent != () for sent in state.sent)
    if state.status == "passing":
        return passed
    return passed + state.table.players * state.table.hand_size - sum(state.counts)


def _dice(seed: str, about: Decision) -> int:
    """What nobody can foresee who does not know the deal, and every node has alike."""
    text = f"{about.hand}/{about.ply}/{about.seat}"
    digest = hashlib.blake2b(text.encode(), key=bytes.fromhex(seed), digest_size=8, person=b"heartline bot")
    return int.from_bytes(digest.digest())
