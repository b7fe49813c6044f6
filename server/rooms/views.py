"""What each watcher sees of a game. A view is built up from what its viewer may know, field by field."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, cast

import msgspec

from server.clock import moment, rfc3339
from server.games import GAMES
from server.games.deals import bare
from server.games.game import Options, Seat
from server.games.hearts.options import Direction
from server.log.model import GameRow, SeatRow, UserId
from server.rooms import solitaire, table
from server.rooms.position import Event, Position
from server.rooms.tagged import tagged


class UserView(TypedDict):
    """A person."""

    id: str
    name: str


class BotView(TypedDict):
    """Who plays a seat for nobody, or for one who has resigned."""

    name: str
    level: str


class PlayerView(TypedDict):
    """A seat and who has it."""

    seat: int
    user: UserView | None
    bot: BotView | None
    connected: bool
    resigned: bool


class MoveView(TypedDict):
    """A move as the viewer may see it."""

    seat: int
    move: str


class WasteView(TypedDict):
    """The waste: only its top card is in play."""

    count: int
    top: str | None


class GameView(TypedDict):
    """The part of a view that all games have."""

    id: str
    revision: int
    ply: int
    status: str
    options: Options
    players: list[PlayerView]
    you: int | None
    turn: list[int]
    legal: list[str]
    last: MoveView | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    next: str | None


class HeartToHeartView(GameView):
    """A game of Heart to Heart."""

    game: Literal["heart-to-heart"]
    deal: str
    heart: list[str | None]
    free: list[int]
    stock: int
    waste: WasteView
    score: int
    moves: int
    undone: int
    undoable: int
    clock_ms: int
    clock_at: str | None
    ranked: str | None


class PlayedView(TypedDict):
    """A card on the table, and who played it."""

    seat: int
    card: str


class TrickView(TypedDict):
    """A complete trick."""

    cards: list[PlayedView]
    winner: int | None
    """Null if all its cards of the suit led cancelled out."""


class TakebackView(TypedDict):
    """An open request to take a move back."""

    seat: int
    waiting_for: list[int]


# `pass` is no name for Python.
_PassView = TypedDict("_PassView", {"pass": Direction})


class HeartsView(GameView, _PassView):
    """A table of Hearts. What is by seat is a list in the order of the seats."""

    game: Literal["hearts"]
    creator: int | None
    """The seat of who may put bots on free seats."""
    hand_number: int
    hand: list[str] | None
    """The viewer's cards, as he holds them; null for a spectator."""
    sent: list[str] | None
    received: list[str] | None
    counts: list[int]
    passed: list[bool]
    trick: list[PlayedView]
    held: list[str]
    last_trick: TrickView | None
    broken: bool
    points: list[int]
    totals: list[int]
    scores: list[list[int]]
    winners: list[int] | None
    takeback: TakebackView | None
    turn_ends_at: str | None
    commitment: str
    seed: NotRequired[str]
    """Once the game is over."""
    hands: NotRequired[list[list[str]]]
    """All hands: in the replay of a game that is over."""


if TYPE_CHECKING:
    View = HeartToHeartView | HeartsView
else:
    View = tagged(HeartToHeartView) | tagged(HeartsView)
"""The view of any game."""


class EventView(TypedDict):
    """What has just happened, as the viewer may see it. An undo's move is the one taken back."""

    kind: str
    seat: int
    move: str | None


class GameSummary(TypedDict):
    """The part of a summary that all games have."""

    id: str
    status: str
    revision: int
    ply: int
    options: Options
    players: list[PlayerView]
    created_at: str
    finished_at: str | None


class HeartToHeartSummary(GameSummary):
    """A game of Heart to Heart in a list."""

    game: Literal["heart-to-heart"]
    score: int
    deal: str
    ranked: str | None


class HeartsSummary(GameSummary):
    """A table of Hearts in a list."""

    game: Literal["hearts"]
    totals: list[int]
    deal: None
    ranked: None


if TYPE_CHECKING:
    Summary = HeartToHeartSummary | HeartsSummary
else:
    Summary = tagged(HeartToHeartSummary) | tagged(HeartsSummary)
"""A game in a list."""


class Push(msgspec.Struct, tag_field="type", tag="game"):
    """The newest state of a game, to one who watches it."""

    channel: str
    view: Any
    event: EventView | None


encode = msgspec.json.Encoder().encode


def summary(row: GameRow, seated: list[PlayerView]) -> Summary:
    """The game as lists show it, from its row alone."""
    seen: dict[str, Any] = {
        "id": row.id,
        "game": row.game,
        "status": row.status,
        "revision": row.revision,
        "ply": row.ply,
        "options": row.options,
        "players": seated,
        "created_at": rfc3339(row.created_at),
        "finished_at": moment(row.finished_at),
    }
    if row.game == table.NAME:
        seen |= {"totals": list(row.totals), "deal": None, "ranked": None}
    else:
        seen |= {"score": row.totals[0], "deal": bare(row.seed), "ranked": solitaire.ranked(row)}
    return cast(Summary, seen)


def players(
    seats: tuple[SeatRow, ...], names: Mapping[UserId, str], connected: Callable[[UserId], bool]
) -> list[PlayerView]:
    """The seats of a game. `names` has every user who sits on one."""
    return [
        {
            "seat": each.seat,
            "user": None if each.user is None else {"id": each.user, "name": names[each.user]},
            "bot": None if each.bot is None else {"name": each.bot.name, "level": each.bot.level},
            "connected": each.user is not None and connected(each.user),
            "resigned": each.resigned,
        }
        for each in seats
    ]


def view(
    position: Position, viewer: Seat | None, seated: list[PlayerView], *, revealed: bool = False
) -> View:
    """What the viewer (None: a spectator) sees of a position. `revealed` opens all that the rules hide."""
    row, state = position.row, position.state
    seen: dict[str, Any] = {
        "id": row.id,
        "game": row.game,
        "revision": row.revision,
        "ply": row.ply,
        "status": row.status,
        "options": row.options,
        "players": seated,
        "you": viewer,
        "turn": list(position.turn),
        "legal": state.legal(viewer) if viewer in position.turn else [],
        "last": last(position, viewer),
        "created_at": rfc3339(row.created_at),
        "started_at": moment(row.started_at),
        "finished_at": moment(row.finished_at),
        "next": row.next,
    }
    # What the first hand will be nobody sees before the start: one might change seats for it.
    eyes = None if row.started_at is None else viewer
    seen.update(state.view(eyes, revealed=revealed), status=row.status)
    seen.update(
        table.own_part(position, is_seated=viewer is not None)
        if row.game == table.NAME
        else solitaire.own_part(position)
    )
    return cast(View, seen)


def view_for(
    position: Position, user: UserId | None, seated: list[PlayerView], *, revealed: bool = False
) -> View:
    """What a person (None: nobody we know) sees."""
    seen = view(position, _eyes(position, user), seated, revealed=revealed)
    seen["you"] = position.seat_of(user)
    return seen


def push(
    channel: str, position: Position, user: UserId | None, seated: list[PlayerView], happened: Event | None
) -> bytes:
    """What tells the devices of a person where a game stands, and what has just happened in it."""
    told = None if happened is None else event(happened, position.row, _eyes(position, user))
    return encode(Push(channel, view_for(position, user, seated), told))


def _eyes(position: Position, user: UserId | None) -> Seat | None:
    """The seat whose cards a person sees.

    Who has resigned keeps his seat, but the cards are the bot's. Once the game is over they are everybody's.
    """
    seat = position.seat_of(user)
    is_bots = seat is not None and position.seats[seat].resigned and position.row.finished_at is None
    return None if is_bots else seat


def last(position: Position, viewer: Seat | None) -> MoveView | None:
    """The move that led to a position, as the viewer may see it."""
    move = position.last
    if move is None:
        return None
    return {"seat": move.seat, "move": _shown(position.row, move.seat, move.move, viewer)}


def event(happened: Event, row: GameRow, viewer: Seat | None) -> EventView:
    """What has happened, as the viewer may see it."""
    move = happened.move
    if move is not None:
        move = _shown(row, happened.seat, move, viewer)
    return {"kind": happened.kind, "seat": happened.seat, "move": move}


def _shown(row: GameRow, seat: Seat, move: str, viewer: Seat | None) -> str:
    if viewer == seat or row.finished_at is not None:
        return move
    return GAMES[row.game].public(move)
