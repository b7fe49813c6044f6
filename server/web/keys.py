"""What an application carries, by typed key."""

from typing import Any

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.channels.hub import Hub
from server.channels.sockets import Sockets
from server.clock import Clock
from server.daily.daily import Daily
from server.log.log import Log
from server.rooms.house import House
from server.rooms.lobby import Lobby
from server.rooms.rooms import Rooms
from server.settings import Settings
from server.web.limits import Limits

SETTINGS = web.AppKey("settings", Settings)
CLOCK: web.AppKey[Clock] = web.AppKey("clock")
ENGINE = web.AppKey("engine", AsyncEngine)
LOG = web.AppKey("log", Log)
ACCOUNTS = web.AppKey("accounts", Accounts)
HUB = web.AppKey("hub", Hub)
ROOMS = web.AppKey("rooms", Rooms)
HOUSE = web.AppKey("house", House)
LOBBY = web.AppKey("lobby", Lobby)
DAILY = web.AppKey("daily", Daily)
SOCKETS = web.AppKey("sockets", Sockets)
LIMITS = web.AppKey("limits", Limits)
OPENAPI: web.AppKey[dict[str, Any]] = web.AppKey("openapi")
