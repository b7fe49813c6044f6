"""Taking a move back at a table of Hearts: a seat asks, the other people agree or refuse."""

from datetime import datetime

from msgspec.structs import replace

from server.errors import Code, Refused
from server.games import Reason
from server.games.game import Seat
from server.log.model import Change, GameRow, Ply, Revision, SeatRow, Takeback
from server.rooms.position import Event, Position, Step
from server.rooms.table import people, rules
from server.rooms.timeline import Timeline


def ask(now: Position, timeline: Timeline, seat: Seat, at: datetime) -> Step:
    """Asks for the seat's last move back. Where no other person plays that is granted at once.

    Raises:
        Refused: `illegal_move`, it has no move that could be taken back; `not_your_turn`, it asks already.
    """
    if now.row.started_at is None or rules(now).may_take_back != seat:
        detail = "You can take your own last move back, until another player moves or cards are revealed."
        raise Refused(Code.ILLEGAL_MOVE, detail, reason=Reason.NO_UNDO_LEFT.value)
    if now.row.takeback is not None:
        raise Refused(Code.NOT_YOUR_TURN, "You have asked already: wait for the others to answer.")
    return _granted_or_open(
        now, timeline, Takeback(seat, people(now.seats)), seat, Event("takeback", seat), at
    )


def answer(now: Position, timeline: Timeline, seat: Seat, accept: bool, at: datetime) -> Step:
    """Agrees to the open request, or ends it.

    Raises:
        Refused: `not_your_turn`, nobody waits for this seat's answer.
    """
    asked = now.row.takeback
    if asked is None or seat not in asked.waiting_for:
        raise Refused(Code.NOT_YOUR_TURN, "Nobody asks you for a take-back: there is nothing to answer.")
    if not accept:
        return _open(now, now.seats, None, Event("refused", seat))
    return _granted_or_open(now, timeline, asked, seat, Event("agreed", seat), at)


def give_way(now: Position, timeline: Timeline, seat: Seat, seats: tuple[SeatRow, ...], at: datetime) -> Step:
    """Gives a seat to a bot, which agrees to what is asked, and asks for nothing itself.

    `seats` are all seats as they are then.
    """
    asked = now.row.takeback
    event = Event("resign", seat)
    if asked is None or asked.seat == seat:
        return _open(now, seats, None, event)
    left = _without(asked, seat)
    if left.waiting_for:
        return _open(now, seats, left, event)
    return _granted(now, timeline, seats, event, at)


def _granted_or_open(
    now: Position, timeline: Timeline, asked: Takeback, agrees: Seat, event: Event, at: datetime
) -> Step:
    left = _without(asked, agrees)
    if left.waiting_for:
        return _open(now, now.seats, left, event)
    last = timeline.move(now.row.ply)
    undone = Event("undo", asked.seat, None if last is None else last.move)
    return _granted(now, timeline, now.seats, undone, at)


def _without(asked: Takeback, seat: Seat) -> Takeback:
    return Takeback(asked.seat, tuple(each for each in asked.waiting_for if each != seat))


def _open(now: Position, seats: tuple[SeatRow, ...], asked: Takeback | None, event: Event) -> Step:
    row = replace(now.row, revision=Revision(now.row.revision + 1), takeback=asked)
    after = Position(row, seats, now.state, now.last, False, now.since)
    return Step(_change(now, row, seats), after, event)


def _granted(
    now: Position, timeline: Timeline, seats: tuple[SeatRow, ...], event: Event, at: datetime
) -> Step:
    ply, revision = Ply(now.row.ply - 1), Revision(now.row.revision + 1)
    state = timeline.state(ply)
    is_passing = state.status == "passing"
    passing_since = now.row.passing_since
    if is_passing:
        # Else the pass that is taken back would count again if its request is repeated.
        passer = rules(now).may_take_back
        passing_since = tuple(
            revision if seat == passer else since for seat, since in enumerate(passing_since)
        )
    row = replace(
        now.row,
        status=state.status,
        revision=revision,
        passing_since=passing_since,
        ply=ply,
        undone=now.row.undone + 1,
        action_at=at,
        takeback=None,
    )
    since = now.since if is_passing else at
    after = Position(row, seats, state, timeline.move(ply), False, since)
    return Step(_change(now, row, seats, truncate=True), after, event)


def _change(now: Position, row: GameRow, seats: tuple[SeatRow, ...], *, truncate: bool = False) -> Change:
    changed = None if seats is now.seats else seats
    return Change(expected=now.row.revision, after=row, truncate=truncate, seats=changed)
