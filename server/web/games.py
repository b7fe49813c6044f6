"""The calls about games: begin one, look at it, play it, replay it, check a record."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import date, datetime
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import UNSET, UnsetType

from server.accounts.model import Caller
from server.bots import Level
from server.clock import rfc3339
from server.errors import Code, Refused
from server.games import BadDealCode
from server.games.deals import DealCode, day_of, parse
from server.log.model import GameId
from server.log.read import Cursor
from server.log.record import Record
from server.rooms.position import Answer, Move, Resign, Undo
from server.rooms.views import Summary, View
from server.web.endpoint import Routes, answer
from server.web.keys import DAILY, LIMITS, ROOMS

routes = Routes()


class NewHeartToHeart(msgspec.Struct, forbid_unknown_fields=True, tag_field="game", tag="heart-to-heart"):
    """A game of Heart to Heart to be dealt; on a random deal without a code."""

    deal: str | None = None

    def __post_init__(self) -> None:
        """Refuses what is no deal code, as every other fault of a body: before it is asked who calls."""
        if self.deal is not None:
            read_code(self.deal)


class HeartsOptions(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What differs from the usual at a table; the rules say what goes."""

    players: int | UnsetType = UNSET
    target: int | UnsetType = UNSET
    moon: str | UnsetType = UNSET
    variant: str | UnsetType = UNSET
    turn_seconds: int | UnsetType = UNSET


class NewHearts(msgspec.Struct, forbid_unknown_fields=True, tag_field="game", tag="hearts"):
    """A table of Hearts to be opened, with so many bots beside the caller."""

    options: HeartsOptions = HeartsOptions()
    bots: int = 0
    level: Level = "steady"
    public: bool = False
    """Whether the lobby lists it; else it is found by its address alone."""


class MoveBody(msgspec.Struct, forbid_unknown_fields=True):
    """A move, and the revision at which it was decided."""

    move: str
    revision: int


class AtRevision(msgspec.Struct, forbid_unknown_fields=True):
    """The revision at which a command was decided."""

    revision: int


class AnswerBody(msgspec.Struct, forbid_unknown_fields=True):
    """Whether one agrees to a take-back."""

    accept: bool
    revision: int | None = None


class BranchBody(msgspec.Struct, forbid_unknown_fields=True):
    """From where to go on."""

    ply: int


class ViewQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which moment of a game: now, or after so many moves."""

    ply: int | None = None


class PliesQuery(msgspec.Struct, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """Which moments of a game."""

    first: int = 0
    last: int | None = None


class GamesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which games: one's own or public ones."""

    mine: bool = False
    open: bool = False
    status: Literal["playing", "finished"] | None = None
    game: Literal["heart-to-heart", "hearts"] | None = None
    cursor: str | None = None


class Games(msgspec.Struct):
    """A page of games, and where the next page begins."""

    games: list[Summary]
    next: str | None


class Views(msgspec.Struct):
    """Views of one game, ply by ply."""

    views: list[View]


@routes.post("/api/games", {201: View})
async def new_game(request: web.Request, caller: Caller, body: NewHeartToHeart | NewHearts) -> web.Response:
    """Deals a new game of the caller, or opens a table."""
    rooms = request.app[ROOMS]
    if isinstance(body, NewHearts):
        if body.public:
            request.app[LIMITS].public_table(caller.session)
        view = await rooms.open_table(
            caller.user,
            msgspec.to_builtins(body.options),
            bots=body.bots,
            level=body.level,
            public=body.public,
        )
        return answer(view, 201)
    code = None if body.deal is None else read_code(body.deal)
    if code is None or (day := day_of(code)) is None:
        return answer(await rooms.deal(caller.user, code), 201)
    of = date.fromisoformat(day)
    days = request.app[DAILY].days
    practice = await days.deal(days.over(of))
    return answer(await rooms.deal(caller.user, practice.long, day=of), 201)


@routes.get("/api/games", {200: Games})
async def list_games(request: web.Request, caller: Caller | None, query: GamesQuery) -> web.Response:
    """Lists the caller's games or public tables, newest first."""
    behind = None if query.cursor is None else read_cursor(query.cursor)
    if query.mine and caller is None:
        raise Refused(Code.NOT_SIGNED_IN, "Sign in first to see your games.")
    user = caller.user if query.mine and caller else None
    page, next_page = await request.app[ROOMS].list_games(
        user,
        finished=None if query.status is None else query.status == "finished",
        waiting=query.open,
        game=query.game,
        behind=behind,
    )
    return answer(Games(page, None if next_page is None else write_cursor(next_page)))


@routes.get("/api/games/{game}", {200: View})
async def view(request: web.Request, caller: Caller | None, game: GameId, query: ViewQuery) -> web.Response:
    """Shows a game, now or as it was."""
    user = None if caller is None else caller.user
    return answer(await request.app[ROOMS].view(user, game, query.ply))


@routes.get("/api/games/{game}/plies", {200: Views})
async def plies(request: web.Request, caller: Caller | None, game: GameId, query: PliesQuery) -> web.Response:
    """Shows up to 200 moments of a game at once."""
    user = None if caller is None else caller.user
    return answer(Views(await request.app[ROOMS].plies(user, game, query.first, query.last)))


@routes.post("/api/games/{game}/moves", {200: View})
async def move(request: web.Request, caller: Caller, game: GameId, body: MoveBody) -> web.Response:
    """Plays a move."""
    return answer(await request.app[ROOMS].do(game, Move(caller.user, body.revision, body.move)))


@routes.post("/api/games/{game}/undo", {200: View})
async def undo(request: web.Request, caller: Caller, game: GameId, body: AtRevision) -> web.Response:
    """Takes the last move back."""
    return answer(await request.app[ROOMS].do(game, Undo(caller.user, body.revision)))


@routes.post("/api/games/{game}/undo/answer", {200: View})
async def answer_undo(request: web.Request, caller: Caller, game: GameId, body: AnswerBody) -> web.Response:
    """Answers another player who asks to take a move back."""
    return answer(await request.app[ROOMS].do(game, Answer(caller.user, body.revision, body.accept)))


@routes.post("/api/games/{game}/resign", {200: View})
async def resign(request: web.Request, caller: Caller, game: GameId, body: AtRevision) -> web.Response:
    """Gives a game up."""
    return answer(await request.app[ROOMS].do(game, Resign(caller.user, body.revision)))


@routes.get("/api/games/{game}/record", {200: Record})
async def record(request: web.Request, caller: Caller | None, game: GameId) -> web.Response:
    """Writes a game out, so that anybody can check it."""
    user = None if caller is None else caller.user
    return answer(await request.app[ROOMS].record(user, game))


@routes.post("/api/games/{game}/branch", {201: View})
async def branch(request: web.Request, caller: Caller, game: GameId, body: BranchBody) -> web.Response:
    """Goes on from a finished game, as a new game of the caller."""
    return answer(await request.app[ROOMS].branch(caller.user, game, body.ply), 201)


def read_code(text: str) -> DealCode:
    """The deal that a person means.

    Raises:
        Refused: `bad_deal_code`.
    """
    try:
        return parse(text)
    except BadDealCode as bad:
        raise Refused(Code.BAD_DEAL_CODE, str(bad)) from None


def write_cursor(behind: Cursor) -> str:
    """A place in a list as an opaque text."""
    moment, game = behind
    return urlsafe_b64encode(f"{rfc3339(moment)} {game}".encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The place in a list that `write_cursor` wrote.

    Raises:
        Refused: `bad_request`, it did not.
    """
    try:
        moment, game = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii").split(" ")
        behind = datetime.fromisoformat(moment), GameId(game)
        if write_cursor(behind) == text and "\0" not in game:
            return behind
    except (ValueError, OverflowError):
        pass
    raise Refused(Code.BAD_REQUEST, "The cursor is not one that a list has given.")
