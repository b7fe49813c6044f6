"""What a seat has seen of the present hand, put together from its views."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from server.bots.deck import Bit, Bits, Deck, deck_of
from server.bots.round import NOBODY, Round
from server.games.game import Options, View
from server.games.hearts.cards import CARDS
from server.games.hearts.options import STEPS, Table, table


class Seen(NamedTuple):
    """A seat's knowledge of the hand in play."""

    table: Table
    seat: int
    round: Round
    """The position; of the hands only the own one is known."""
    counts: list[int]
    """How many cards each seat holds."""
    known: list[Bits]
    """Cards that are surely in a seat's hand: those that were passed to it and not played since."""


def table_of(view: View) -> Table:
    """The table that a view is of."""
    options: Options = view["options"]
    return table(options)


def deck_at(at: Table) -> Deck:
    """The deck that is played with at a table."""
    return deck_of(2 if at.cancelling else 1)


def passing_step(view: View) -> int:
    """How many seats on to the left cards are passed in this hand; 0 without passing."""
    return STEPS.get(view["pass"], 0)


def seen(views: Sequence[View]) -> Seen:
    """What the views of one seat, in order, tell of the hand in which it is to play a card.

    One view for each own turn of this hand is enough, the last being the present; more do no harm.

    Raises:
        ValueError: a trick is missing between two views.
    """
    view = views[-1]
    at = table_of(view)
    deck, seat = deck_at(at), view["you"]
    round = start(at)
    for trick in _tricks(views, at):
        round.leader = round.turn = trick[0]["seat"]
        for played in trick:
            round.play(_copy(deck, played["card"], round.gone))
    if not view["trick"]:
        # Who leads is on turn.
        round.leader = round.turn = seat
    round.hands[seat] = _held(deck, view["hand"], round.gone)
    known = [0] * at.players
    if view["sent"]:
        known[(seat + passing_step(view)) % at.players] = deck.bits(view["sent"]) & ~round.gone
    return Seen(at, seat, round, view["counts"], known)


def start(at: Table) -> Round:
    """The beginning of the play of a hand of which no card is known."""
    return _start(at).copy()


@lru_cache(maxsize=256)
def _start(at: Table) -> Round:
    deck, players = deck_at(at), at.players
    round = Round()
    round.deck = deck
    round.players = players
    round.cards = deck.bits([deck.names[card * deck.copies] for card in at.deck])
    round.lowest_club = NOBODY if at.lowest_club is None else at.lowest_club
    round.jack_counts = at.jack_counts
    round.hands = [0] * players
    round.gone = 0
    round.left = at.hand_size * players
    round.voids = [0] * players
    round.void_count = [0] * 4
    round.taken = [0] * players
    round.only = round.jack_seat = round.widow_seat = NOBODY
    round.widow = 0
    round.first = True
    round.broken = round.jack = False
    round.leader = round.turn = 0
    round.trick = []
    round.led = round.alone = 0
    round.best = round.best_seat = NOBODY
    round.stake = 0
    return round


def _tricks(views: Sequence[View], at: Table) -> list[list[dict[str, Any]]]:
    """The tricks of the hand, the one on the table last."""
    tricks: list[list[dict[str, Any]]] = []
    for view in views:
        if view["status"] == "passing":
            continue
        played = at.hand_size * at.players - sum(view["counts"])
        complete = (played - len(view["trick"])) // at.players
        if complete > len(tricks):
            tricks.append(view["last_trick"]["cards"])
        if complete != len(tricks):
            raise ValueError(f"The views show {len(tricks)} of {complete} tricks.")
    return [*tricks, views[-1]["trick"]] if views[-1]["trick"] else tricks


def _copy(deck: Deck, name: str, taken: Bits) -> Bit:
    """The card of this name; of two equal ones, one that is not `taken` yet."""
    card = CARDS[name] * deck.copies
    return card + 1 if taken >> card & 1 else card


def _held(deck: Deck, names: Sequence[str], gone: Bits) -> Bits:
    held = 0
    for name in names:
        held |= 1 << _copy(deck, name, gone | held)
    return held
