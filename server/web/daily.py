"""The calls about the daily deal: how a day stands, one's own try, the board."""

import asyncio
from contextlib import suppress
from datetime import date
from typing import Annotated

import msgspec
from aiohttp import web

from server.accounts.model import Caller
from server.clock import closes_at, rfc3339
from server.daily.line import perfect_game
from server.daily.model import Bar, Board
from server.daily.players import Calendar
from server.errors import Code, Refused
from server.games.deals import day_code
from server.log.errors import AlreadyTried
from server.log.model import GameId, UserId
from server.log.record import HeartToHeartRecord
from server.rooms.views import Summary, View
from server.web.endpoint import Moment, Routes, answer
from server.web.keys import ACCOUNTS, DAILY, ROOMS

PAR_S = 5.0
"""How long an answer waits for a par that is not known yet."""

routes = Routes()


class Day(msgspec.Struct):
    """How a day stands, and what its caller may know of its deal."""

    date: date
    closes_at: Moment
    deal: str
    """The code, which nobody can deal by himself before the day is over."""
    players: int
    finished: int
    mine: Summary | None
    """The caller's ranked try."""
    par: int | None
    """The least number of moves that wins: once the caller has finished, or the day is over."""
    histogram: list[Bar] | None
    """With how many moves the deal was won: as `par`."""
    line: list[str] | None
    """The moves of one win in par: once the day is over."""


class BoardQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which page of a board: the first without a cursor."""

    cursor: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] | None = None


@routes.get("/api/daily", {200: Day})
async def today(request: web.Request, caller: Caller | None) -> web.Response:
    """Tells how today stands."""
    return await _day(request, caller, request.app[DAILY].days.today())


@routes.post("/api/daily/game", {201: View, 200: View})
async def begin_daily(request: web.Request, caller: Caller) -> web.Response:
    """Begins the caller's one ranked try of today, or gives it when he has begun it."""
    daily, rooms, user = request.app[DAILY], request.app[ROOMS], caller.user
    day = daily.days.today()
    if (begun := await daily.players.try_of(user, day)) is not None:
        return answer(await rooms.view(user, begun))
    deal = await daily.days.deal(day)
    if daily.days.today() != day:
        # The day has ended meanwhile: its try would begin after its end.
        return await begin_daily(request, caller)
    try:
        view = await rooms.deal(user, deal.long, day=day, ranked=True, listed=not caller.guest)
        if caller.guest:
            # Who registered meanwhile did so before there was a game to enter.
            await request.app[ACCOUNTS].enter_board(user)
    except AlreadyTried:
        # From another device, in the same moment.
        return await begin_daily(request, caller)
    return answer(view, 201)


@routes.get("/api/daily/{day}", {200: Day})
async def day(request: web.Request, caller: Caller | None, day: date) -> web.Response:
    """Tells how a day stands."""
    return await _day(request, caller, request.app[DAILY].days.begun(day))


@routes.get("/api/daily/{day}/leaderboard", {200: Board})
async def leaderboard(
    request: web.Request, caller: Caller | None, day: date, query: BoardQuery
) -> web.Response:
    """Shows a page of a day's board, the caller's place on it, and the players around."""
    daily = request.app[DAILY]
    cursor = None if query.cursor is None else GameId(query.cursor)
    return answer(await daily.boards.page(daily.days.begun(day), _user(caller), cursor))


@routes.get("/api/daily/{day}/line", {200: HeartToHeartRecord})
async def line(request: web.Request, day: date) -> web.Response:
    """Writes out a perfect game of a day that is over."""
    days = request.app[DAILY].days
    par = await days.par(days.over(days.begun(day)))
    if par is None:
        raise Refused(Code.NOT_FOUND, f"No perfect game of {day} is known. Look again later.")
    return answer(perfect_game(await days.deal(day), par.line, closes_at(day)))


@routes.get("/api/me/daily", {200: Calendar})
async def my_days(request: web.Request, caller: Caller) -> web.Response:
    """Lists the caller's ranked tries, day by day, and his streaks."""
    return answer(await request.app[DAILY].players.calendar(caller.user))


async def _day(request: web.Request, caller: Caller | None, of: date) -> web.Response:
    daily, rooms, user = request.app[DAILY], request.app[ROOMS], _user(caller)
    game = None if user is None else await daily.players.try_of(user, of)
    mine = None if game is None else await rooms.summary(user, game)
    over = daily.days.is_over(of)
    open_to_caller = over or (mine is not None and mine["finished_at"] is not None)
    par = await daily.days.par(of) if open_to_caller else None
    if open_to_caller and par is None and mine is not None:
        # The node has just come up and finds it out only now.
        with suppress(TimeoutError):
            par = await asyncio.wait_for(daily.days.solve(of), PAR_S)
    turnout = await daily.boards.turnout(of)
    return answer(
        Day(
            date=of,
            closes_at=rfc3339(closes_at(of)),
            deal=day_code(of.isoformat()),
            players=turnout.players,
            finished=turnout.finished,
            mine=mine,
            par=None if par is None else par.moves,
            histogram=await daily.boards.histogram(of) if open_to_caller else None,
            line=list(par.line) if par is not None and over else None,
        )
    )


def _user(caller: Caller | None) -> UserId | None:
    return None if caller is None else caller.user
