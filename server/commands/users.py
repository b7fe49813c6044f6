"""`heartline user`: what the house does for one account."""

import asyncio
from typing import Any

import click

from server.accounts.accounts import Accounts
from server.channels.hub import Hub
from server.clock import system_clock
from server.commands import common
from server.commands.common import database_settings
from server.log.log import Log
from server.log.model import UserId
from server.rooms.rooms import Rooms
from server.settings import Settings


@click.command()
@click.argument("name")
@click.option("--link-code", is_flag=True, help="Print a code that signs one device in, within 10 minutes.")
@click.option("--rename", metavar="NEW", help="Give the account another name.")
@click.option("--delete", is_flag=True, help="Delete the account. Its games stay, without the name.")
@database_settings
def user(name: str, link_code: bool, rename: str | None, delete: bool, **flags: Any) -> None:
    """Help the account NAME to a new device or name, or delete it."""
    if link_code + (rename is not None) + delete != 1:
        raise click.UsageError("Give one of --link-code, --rename NEW and --delete.")
    asyncio.run(_user(Settings.from_environment(**flags), name, link_code, rename))


async def _user(settings: Settings, name: str, link_code: bool, rename: str | None) -> None:
    async with common.engine(settings) as engine, Log(engine) as log:
        accounts = Accounts(engine, system_clock)
        try:
            found = await accounts.find(name)
            if found is None:
                raise click.ClickException(f"There is no account {name}.")
            if link_code:
                await _print_link_code(accounts, found)
            elif rename is not None:
                await accounts.rename(found, rename)
                click.echo(f"{name} is now {rename}.")
            else:
                # A server that has one of his tables sees from the log that he has left it.
                rooms = Rooms(log, Hub(), system_clock, accounts.names)
                await accounts.delete(found, rooms.depart)
                click.echo(f"Deleted {name}.")
        finally:
            accounts.close()


async def _print_link_code(accounts: Accounts, found: UserId) -> None:
    code, expires_at = await accounts.link_code(found)
    click.echo(code)
    click.echo(f"It signs one device in until {expires_at:%H:%M} UTC.", err=True)
