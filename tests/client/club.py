"""A node in this process whose clock tests move, and players who are quick by HTTP."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Any

from aiohttp import hdrs, web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser

from server.daily.closing import Closing
from server.settings import Settings
from server.web.app import make_app
from server.web.keys import DAILY, ENGINE, ROOMS
from tests.client.conftest import Device, Devices
from tests.conftest import Clock

DAY = date(2026, 11, 23)
"""Its deal can be won in few moves."""

PASSWORD = "three little hearts"


class Club:
    """The node, and the devices of those who come."""

    def __init__(self, app: web.Application, clock: Clock, devices: Devices) -> None:
        self.app = app
        self.clock = clock
        self.devices = devices

    async def line(self) -> Sequence[str]:
        """A perfect game of today."""
        par = await self.app[DAILY].days.solve(self.clock().date())
        assert par is not None
        return par.line

    async def turn_to(self, moment: datetime) -> None:
        """Moves the clock, and ends what is due by then, as the node does by itself every minute."""
        self.clock.now = moment
        await Closing(self.app[ENGINE], self.app[DAILY].days, self.app[ROOMS].expire).close_due()

    async def player(self, name: str, **options: Any) -> Device:
        """A device that is signed in to a new account."""
        device = await self.devices(**options)
        await device.post("/api/users", name=name, password=PASSWORD)
        return device


async def try_today(device: Device, moves: Sequence[str], *, resigned: bool = False) -> str:
    """The id of the device's ranked game of today, in which these moves are made."""
    view = await device.post("/api/daily/game")
    for move in moves:
        view = await device.post(f"/api/games/{view['id']}/moves", move=move, revision=view["revision"])
    if resigned:
        await device.post(f"/api/games/{view['id']}/resign", revision=view["revision"])
    return str(view["id"])


@asynccontextmanager
async def opened(database_url: str, browser: Browser, day: date = DAY) -> AsyncIterator[Club]:
    """A club at noon of a day."""
    clock = Clock(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    app = make_app(Settings(database_url=database_url, rate_limits=False, secret="sesame"), clock)

    async def tell_the_time(_: web.Request, response: web.StreamResponse) -> None:
        # Browsers set their clocks by it.
        response.headers[hdrs.DATE] = format_datetime(clock(), usegmt=True)

    app.on_response_prepare.append(tell_the_time)
    async with TestServer(app) as server:
        devices = Devices(browser, str(server.make_url("/")).rstrip("/"))
        yield Club(app, clock, devices)
        await devices.close()
