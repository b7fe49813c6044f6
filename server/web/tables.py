"""The calls about tables of Hearts: taking a seat, leaving it, bots, and another game."""

from typing import Annotated

import msgspec
from aiohttp import web

from server.accounts.model import Caller
from server.bots import Level
from server.log.model import GameId
from server.rooms.position import Fill, Join, Leave
from server.rooms.views import View
from server.web.endpoint import Routes, answer
from server.web.keys import ROOMS

Place = Annotated[int, msgspec.Meta(ge=0)]

routes = Routes()


class JoinBody(msgspec.Struct, forbid_unknown_fields=True):
    """Which seat to take: the lowest that is free, if none is named."""

    seat: Place | None = None


class BotsBody(msgspec.Struct, forbid_unknown_fields=True):
    """Which seat to put a bot on: all that are free, if none is named."""

    seat: Place | None = None
    level: Level = "steady"


@routes.post("/api/games/{game}/seats", {200: View})
async def join(request: web.Request, caller: Caller, game: GameId, body: JoinBody) -> web.Response:
    """Takes a seat at a table that has not begun."""
    return answer(await request.app[ROOMS].do(game, Join(caller.user, caller.name, body.seat)))


@routes.delete("/api/games/{game}/seats/me", {200: View})
async def leave(request: web.Request, caller: Caller, game: GameId) -> web.Response:
    """Gives the caller's seat back before the start."""
    return answer(await request.app[ROOMS].do(game, Leave(caller.user)))


@routes.post("/api/games/{game}/bots", {200: View})
async def fill(request: web.Request, caller: Caller, game: GameId, body: BotsBody) -> web.Response:
    """Puts bots on free seats of the caller's table."""
    return answer(await request.app[ROOMS].do(game, Fill(caller.user, body.seat, body.level)))


@routes.post("/api/games/{game}/again", {201: View, 200: View})
async def again(request: web.Request, caller: Caller, game: GameId) -> web.Response:
    """Opens another table for those who played at one that is over, or gives the one that is open."""
    view, is_new = await request.app[ROOMS].again(caller.user, caller.name, game)
    return answer(view, 201 if is_new else 200)
