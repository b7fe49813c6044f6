"""What commands share: settings from flags, a database, a progress bar."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.embedded import Attached, attached
from server.log.database import check_schema, connect, migrate
from server.settings import Settings, parse


def setting(name: str, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A flag for one of the settings, such as `--database-url` for `database_url`."""

    def checked(_context: click.Context, _parameter: click.Parameter, value: str | None) -> object:
        try:
            return None if value is None else parse(name, value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return click.option(f"--{name.replace('_', '-')}", callback=checked, metavar=name.upper(), help=text)


def database_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that say which database a command works on."""
    command = setting("data_dir", "The folder of the embedded PostgreSQL.")(command)
    return setting("database_url", "A PostgreSQL of your own, e.g. postgresql://user@host/name.")(command)


@asynccontextmanager
async def database(settings: Settings) -> AsyncIterator[Attached]:
    """The database that the settings name: their own, or that of the embedded PostgreSQL.

    Raises:
        EmbeddedError: the embedded one cannot be had.
    """
    if settings.database_url is None:
        async with attached(settings.data_dir) as found:
            yield found
    else:
        yield Attached(settings.database_url, alone=False)


@asynccontextmanager
async def engine(settings: Settings) -> AsyncIterator[AsyncEngine]:
    """An engine for that database, at this release's schema.

    It is brought to it where no server can be at work on it, which might be of another release.

    Raises:
        EmbeddedError: the embedded one cannot be had.
        ClickException: the own one does not answer.
        SchemaMismatch: the database is at another schema.
    """
    async with database(settings) as (url, alone):
        if alone:
            await migrate(url)
        found = connect(url)
        try:
            with clear_database_errors(url):
                await check_schema(found)
            yield found
        finally:
            await found.dispose()


@contextmanager
def clear_database_errors(url: str) -> Iterator[None]:
    """Turns the ways in which a connection can fail into one line that names the database."""
    try:
        yield
    # ValueError: of a host's name, or of one of PostgreSQL's own variables, such as PGPORT.
    except (OSError, DBAPIError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        where = make_url(url).set(query={}).render_as_string(hide_password=True)
        why = error.orig if isinstance(error, DBAPIError) else error
        raise click.ClickException(f"The database {where} cannot be used: {first_line(why)}") from None


def first_line(error: object) -> str:
    """What an error says, without the details that some add on further lines."""
    return str(error).partition("\n")[0]


def progress() -> Progress:
    """A progress bar on stderr, if that is a terminal."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
