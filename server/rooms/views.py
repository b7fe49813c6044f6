"""What each watcher sees of a game. A view is built up from what its viewer may know, field by field."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, TypedDict, cast

import msgspec

from server.clock import rfc3339
from server.games import GAMES
from server.games.game import Options, Seat
from server.log.model import GameRow, SeatRow, UserId
from server.rooms import solitaire
from server.rooms.position import Event, Position

_rfc3339 = lru_cache(1024)(rfc3339)


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
    game: str
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


View = HeartToHeartView
"""The view of any game."""


class EventView(TypedDict):
    """What has just happened, as the viewer may see it. An undo's move is the one taken back."""

    kind: str
    seat: int
    move: str | None


class Summary(TypedDict):
    """A game in a list."""

    id: str
    game: str
    status: str
    revision: int
    ply: int
    options: Options
    players: list[PlayerView]
    score: int
    deal: str
    ranked: str | None
    created_at: str
    finished_at: str | None


class Push(msgspec.Struct, tag_field="type", tag="game"):
    """The newest state of a game, to one who watches it."""

    channel: str
    view: Any
    event: EventView | None


encode = msgspec.json.Encoder().encode


def summary(row: GameRow, seated: list[PlayerView]) -> Summary:
    """The game as lists show it, from its row alone."""
    return {
        "id": row.id,
        "game": row.game,
        "status": row.status,
        "revision": row.revision,
        "ply": row.ply,
        "options": row.options,
        "players": seated,
        "score": row.totals[0],
        "deal": row.seed.partition(":")[0],
        "ranked": solitaire.ranked(row),
        "created_at": _rfc3339(row.created_at),
        "finished_at": _moment(row.finished_at),
    }


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
        "turn": [] if position.over else list(state.turn()),
        "legal": [] if position.over or viewer is None else state.legal(viewer),
        "last": last(position, viewer),
        "created_at": _rfc3339(row.created_at),
        "started_at": _moment(row.started_at),
        "finished_at": _moment(row.finished_at),
        "next": row.next,
    }
    seen.update(state.view(viewer, revealed=revealed), status=row.status, **solitaire.own_part(position))
    return cast(View, seen)


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


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else _rfc3339(moment)
