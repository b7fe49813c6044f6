"""`heartline migrate` and `prune`: the database as a whole."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from typing import Any

import click
from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.accounts.schema import device_sessions, users
from server.accounts.sessions import LASTS
from server.channels.hub import Hub
from server.clock import system_clock
from server.commands import common
from server.commands.common import database_settings, progress
from server.log.database import migrate as bring_to_schema
from server.log.log import Log
from server.log.model import UserId
from server.log.removal import remove_unfinished
from server.log.schema import games, seats
from server.rooms.rooms import Rooms
from server.settings import Settings

BATCH = 1000
"""Guests that go in one transaction."""


@click.command()
@database_settings
def migrate(**flags: Any) -> None:
    """Bring the database to the schema of this release."""
    asyncio.run(_migrate(Settings.from_environment(**flags)))


async def _migrate(settings: Settings) -> None:
    async with common.database(settings) as (url, _):
        with common.clear_database_errors(url):
            await bring_to_schema(url)
    click.echo("The database is at the schema of this release.")


@click.command()
@click.option(
    "--guests-idle-days",
    type=click.IntRange(1, 36_500),
    required=True,
    metavar="DAYS",
    help="How long unseen.",
)
@database_settings
def prune(guests_idle_days: int, **flags: Any) -> None:
    """Remove guests who have been away for so long and have never finished a game.

    Their unfinished games of Heart to Heart go with them. At tables they leave their seats, or a bot plays.
    Sessions that are over, unseen for 400 days, go as well.
    """
    asyncio.run(_prune(Settings.from_environment(**flags), timedelta(days=guests_idle_days)))


async def _prune(settings: Settings, idle: timedelta) -> None:
    now = system_clock()
    before = now - idle
    played = exists().where(
        seats.c.user_id == users.c.id,
        seats.c.finished,
        games.c.id == seats.c.game_id,
        games.c.status != "closed",
    )
    is_idle = (
        users.c.name_key.is_(None)
        & (users.c.created_at < before)
        & ~exists().where(device_sessions.c.user_id == users.c.id, device_sessions.c.seen_at >= before)
        & ~played
    )
    async with common.engine(settings) as engine, Log(engine) as log:
        with closing(Accounts(engine, system_clock)) as accounts:
            # A server that has one of their tables sees from the log that they have left it.
            rooms = Rooms(log, Hub(), system_clock, accounts.names)
            guests, unfinished = await _remove(engine, is_idle, rooms.depart)
        async with engine.begin() as connection:
            await connection.execute(delete(device_sessions).where(device_sessions.c.seen_at <= now - LASTS))
    click.echo(f"Guests removed: {guests}, and games that they had not finished: {unfinished}.")


async def _remove(
    engine: AsyncEngine, condition: ColumnElement[bool], depart: Callable[[UserId], Awaitable[None]]
) -> tuple[int, int]:
    """Removes users and their unfinished games; how many of each there were.

    `depart` takes one from his tables, where others would wait for him. It goes in small transactions, so
    that a running server never waits long.
    """
    some = select(users.c.id).where(condition).limit(BATCH).with_for_update()
    seated = select(seats.c.user_id).where(~seats.c.finished).distinct()
    guests = unfinished = 0
    with progress() as bar:
        async with engine.connect() as connection:
            total = await connection.scalar(select(func.count()).select_from(users).where(condition))
        task = bar.add_task("removing guests", total=total)
        while True:
            async with engine.begin() as connection:
                gone = (await connection.scalars(some)).all()
                unfinished += await remove_unfinished(connection, gone)
                for user in await connection.scalars(seated.where(seats.c.user_id.in_(gone))):
                    await depart(user)
                await connection.execute(delete(users).where(users.c.id.in_(gone)))
            if not gone:
                return guests, unfinished
            guests += len(gone)
            bar.advance(task, len(gone))
