"""What a table of Hearts does with the moves of people and bots, and its own part of a view."""

from datetime import datetime, timedelta
from typing import Any, Final, cast

from msgspec.structs import replace

from server.clock import moment
from server.errors import Code, Refused
from server.games.game import Seat
from server.games.hearts import HeartsGame
from server.games.hearts.state import Hearts
from server.log.model import Change, GameRow, LoggedMove, Ply, ResultRow, Revision, SeatRow
from server.rooms.position import Event, HouseMove, Move, Position, Step, played
from server.rooms.results import results_of, winners
from server.rooms.timeline import Timeline

NAME: Final = HeartsGame.name

WAITING: Final = "waiting"
CLOSED: Final = "closed"


def rules(position: Position) -> Hearts:
    """The state of a table by the rules."""
    return cast(Hearts, position.state)


def people(seats: tuple[SeatRow, ...]) -> tuple[Seat, ...]:
    """The seats that a person plays."""
    return tuple(each.seat for each in seats if each.user is not None and not each.resigned)


def is_current(row: GameRow, seat: Seat, command: Move | HouseMove) -> bool:
    """Whether a move of a seat was decided on the game as it is.

    Several pass at once: a pass is current at any revision since its hand was dealt, or since the seat's own
    pass was taken back.
    """
    if row.started_at is None or command.move.split(" ", 1)[0] != "pass":
        return command.revision == row.revision
    return row.passing_since[seat] <= command.revision <= row.revision


def move(now: Position, seat: Seat, text: str, at: datetime) -> Step:
    """A move of a seat that is on turn. It ends an open request for a take-back.

    Raises:
        Refused: `illegal_move`.
    """
    state, spelling = played(rules(now), seat, text)
    row = now.row
    ply, revision = Ply(row.ply + 1), Revision(row.revision + 1)
    is_dealt = state.hand_number > rules(now).hand_number
    after = replace(
        row,
        status=state.status,
        totals=state.totals,
        revision=revision,
        passing_since=(revision,) * len(now.seats) if is_dealt else row.passing_since,
        ply=ply,
        peak=max(row.peak, ply),
        action_at=at,
        finished_at=at if state.over else None,
        takeback=None,
    )
    logged = LoggedMove(seat, spelling, at, after.peak, after.undone, after.clock_ms)
    results: tuple[ResultRow, ...] = results_of(after, now.seats, state)
    change = Change(expected=row.revision, after=after, append=logged, results=results)
    is_passing_on = state.status == "passing" and not is_dealt
    since = now.since if is_passing_on else at
    return Step(
        change, Position(after, now.seats, state, logged, state.over, since), Event("move", seat, spelling)
    )


def house_move(now: Position, command: HouseMove, at: datetime) -> Step:
    """A move that the house makes for a seat.

    Raises:
        Refused: `stale_revision`, also where a bot has to wait for a take-back; `game_over`; `not_your_turn`;
            `illegal_move`.
    """
    row = now.row
    bot_waits = row.takeback is not None and command.seat not in people(now.seats)
    if bot_waits or not is_current(row, command.seat, command):
        raise Refused(Code.STALE_REVISION, "The game has changed meanwhile.")
    if now.over:
        raise Refused(Code.GAME_OVER, "The game is over.")
    if command.seat not in now.turn:
        raise Refused(Code.NOT_YOUR_TURN, "This seat is not on turn.")
    return move(now, command.seat, command.move, at)


def turn_ends_at(position: Position) -> datetime | None:
    """When the time of the seats on turn is up, after which the house moves for them.

    None: they have all the time they like.
    """
    if position.since is None or not position.turn or len(people(position.seats)) < 2:
        return None
    seconds: int = position.row.options["turn_seconds"]
    return position.since + timedelta(seconds=seconds) if seconds else None


def since(row: GameRow, state: Hearts, timeline: Timeline) -> datetime | None:
    """`Position.since`, from a game's log."""
    if row.started_at is None or state.over:
        return None
    if state.status != "passing":
        return row.action_at or row.started_at
    passes = sum(sent != () for sent in state.sent)
    last = timeline.move(timeline.ply - passes)
    return row.started_at if last is None else last.at


def own_part(position: Position, *, is_seated: bool) -> dict[str, Any]:
    """The fields of the view that come from the log and not from the rules."""
    row = position.row
    seen: dict[str, Any] = {
        "creator": position.seat_of(row.creator),
        "takeback": row.takeback
        and {
            "seat": row.takeback.seat,
            "waiting_for": list(row.takeback.waiting_for),
        },
        "turn_ends_at": moment(turn_ends_at(position)),
    }
    if row.started_at is None:
        # Nothing has been dealt yet.
        seen |= {"hand": [] if is_seated else None, "counts": [0] * len(position.seats)}
    if position.over:
        seen["seed"] = row.seed
    if rules(position).over:
        seen["winners"] = winners(position.seats, row.totals)
    return seen
