"""`heartline daily`: prepares the deals of the days to come."""

import asyncio
from datetime import timedelta
from typing import Any

import click

from server.clock import system_clock
from server.commands import common
from server.commands.common import database_settings, progress
from server.daily.days import Days
from server.settings import Settings


@click.command()
@click.option(
    "--days",
    "number",
    type=click.IntRange(1, 3660),
    default=2,
    show_default=True,
    metavar="N",
    help="How many days, from today on.",
)
@database_settings
def daily(number: int, **flags: Any) -> None:
    """Deal the days to come and find their pars, as a running server does for today and tomorrow."""
    asyncio.run(_daily(Settings.from_environment(**flags), number))


async def _daily(settings: Settings, number: int) -> None:
    async with common.engine(settings) as engine:
        days = Days(engine, system_clock, settings.secret)
        with progress() as bar:
            for ahead in bar.track(range(number), description="preparing days"):
                day = days.today() + timedelta(days=ahead)
                await days.solve(day)
                # The date and no more: the deal is nobody's to see before its day is over.
                click.echo(day)
