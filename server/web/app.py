"""The application: what it is made of, in the order in which it opens and closes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

from aiohttp import web

from server.accounts.accounts import Accounts
from server.channels.hub import Hub
from server.channels.nats import Nodes
from server.channels.sockets import Sockets
from server.clock import Clock, system_clock
from server.daily.daily import Daily
from server.log.database import connect
from server.log.log import Log
from server.rooms.deserted import Deserted
from server.rooms.elsewhere import Elsewhere
from server.rooms.house import House
from server.rooms.lobby import Lobby
from server.rooms.minds import Minds
from server.rooms.rooms import Rooms
from server.settings import Settings
from server.web import (
    accounts,
    daily,
    games,
    health,
    metrics,
    players,
    qr,
    records,
    signed_out,
    socket,
    tables,
)
from server.web.caller import COOKIES, Cookies, own_origin
from server.web.endpoint import MAX_BODY, Endpoint
from server.web.headers import add_headers
from server.web.keys import (
    ACCOUNTS,
    CLOCK,
    DAILY,
    ENGINE,
    HOUSE,
    HUB,
    LIMITS,
    LOBBY,
    LOG,
    OPENAPI,
    ROOMS,
    SETTINGS,
    SOCKETS,
)
from server.web.limits import Limits
from server.web.metrics import METRICS, Metrics
from server.web.openapi import document
from server.web.pages import add_pages, lost_page
from server.web.problems import problems
from server.web.records import CHECKER, Checker

TABLES = (
    health.routes,
    metrics.routes,
    accounts.routes,
    games.routes,
    records.routes,
    tables.routes,
    daily.routes,
    players.routes,
    qr.routes,
    socket.routes,
)
"""The routes of the API, by module."""


def make_app(settings: Settings, clock: Clock = system_clock) -> web.Application:
    """The web application of a node. It opens nothing before it starts.

    `settings.database_url` names the database, already at this server's schema.
    """
    app = web.Application(
        middlewares=[metrics.timed, problems, lost_page, own_origin],
        client_max_size=MAX_BODY,
        # What is wrong with a body is said where bodies are read.
        handler_args={"auto_decompress": False},
    )
    app[SETTINGS] = settings
    app[CLOCK] = clock
    app[HUB] = Hub()
    app[SOCKETS] = Sockets()
    app[METRICS] = Metrics()
    app[COOKIES] = Cookies(clock)
    app[LIMITS] = Limits(clock, enabled=settings.rate_limits)
    app[OPENAPI] = document(endpoints())
    for table in TABLES:
        table.add_to(app)
    add_pages(app)
    app.on_response_prepare.append(add_headers)
    app.cleanup_ctx.extend((_database, _log, _accounts, _records, _rooms, _daily))
    app.on_shutdown.append(_finish)
    return app


def endpoints() -> list[Endpoint]:
    """All routes of the API."""
    return [each for table in TABLES for each in table.endpoints]


async def _database(app: web.Application) -> AsyncIterator[None]:
    url = app[SETTINGS].database_url
    if url is None:
        raise RuntimeError("an application needs its database")
    app[ENGINE] = connect(url)
    yield
    await app[ENGINE].dispose()


async def _log(app: web.Application) -> AsyncIterator[None]:
    async with Log(app[ENGINE], app[METRICS].on_commit) as log:
        app[LOG] = log
        yield


async def _accounts(app: web.Application) -> AsyncIterator[None]:
    app[ACCOUNTS] = Accounts(app[ENGINE], app[CLOCK])
    watching = asyncio.create_task(signed_out.watch(app[ACCOUNTS].sessions, app[SOCKETS]))
    yield
    watching.cancel()
    await asyncio.wait([watching])
    app[ACCOUNTS].close()


async def _records(app: web.Application) -> AsyncIterator[None]:
    app[CHECKER] = Checker()
    yield
    app[CHECKER].close()


async def _rooms(app: web.Application) -> AsyncIterator[None]:
    url = app[SETTINGS].nats_url
    nodes = None if url is None else Nodes(url, app[HUB])
    minds = _minds(app[METRICS])
    pace = timedelta(milliseconds=app[SETTINGS].bot_pace_ms)
    house = app[HOUSE] = House(app[HUB], app[CLOCK], minds, pace, alone=nodes is None)
    app[ROOMS] = Rooms(
        app[LOG], app[HUB], app[CLOCK], app[ACCOUNTS].names, nodes,
        notice=house.notice, observe=app[METRICS].on_command,
    )  # fmt: skip
    app[LOBBY] = Lobby(app[LOG], app[HUB], app[CLOCK], app[ACCOUNTS].names)
    deserted = Deserted(app[LOG], app[HUB], app[CLOCK], app[ROOMS].submit)
    elsewhere = Elsewhere(app[LOG], app[ROOMS].live, app[ACCOUNTS].names)
    if nodes is not None:
        nodes.start(app[ROOMS].hear)
        app[METRICS].watch_nats(lambda: nodes.connected)
    running = [asyncio.create_task(each.run()) for each in (app[LOBBY], deserted, elsewhere)]
    yield
    for each in running:
        each.cancel()
    await asyncio.wait(running)
    await minds.close()
    if nodes is not None:
        await nodes.close()


def _minds(metrics: Metrics) -> Minds:
    minds = Minds(lambda level, seconds: metrics.thinking.labels(level).observe(seconds))
    metrics.thoughts.set_function(lambda: minds.under_way)
    return minds


async def _daily(app: web.Application) -> AsyncIterator[None]:
    app[DAILY] = Daily(
        app[ENGINE], app[CLOCK], app[SETTINGS].secret, app[HUB], app[ACCOUNTS].names, app[ROOMS].expire
    )
    running = asyncio.create_task(app[DAILY].run())
    yield
    running.cancel()
    await asyncio.wait([running])


async def _finish(app: web.Application) -> None:
    """Lets the commands that are under way come to their end and be answered. Then the sockets close."""
    await app[HOUSE].close()
    await app[ROOMS].close()
    await app[SOCKETS].close_all()
