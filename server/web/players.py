"""The call about players: what everybody may know of one."""

from aiohttp import web

from server.daily.model import Player
from server.daily.players import Profile
from server.errors import Code, Refused
from server.web.endpoint import Routes, answer
from server.web.keys import ACCOUNTS, DAILY

routes = Routes()


@routes.get("/api/players/{name}", {200: Profile})
async def player(request: web.Request, name: str) -> web.Response:
    """Shows what the games of a player come to."""
    accounts = request.app[ACCOUNTS]
    user = await accounts.find(name)
    if user is None:
        raise Refused(Code.NOT_FOUND, "There is no player of this name. Check its spelling.")
    names = await accounts.names([user])
    return answer(await request.app[DAILY].players.profile(Player(user, names[user])))
