"""`heartline deal`, `replay` and `verify`: what a deal holds, and whether games are what they say."""

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from server.clock import system_clock
from server.commands import common
from server.commands.common import database_settings
from server.commands.stored import told, verify_all
from server.daily.days import Days
from server.games import BadDealCode
from server.games.cards import RANKS
from server.games.deals import Cards, day_of, numbered_deal, parse
from server.games.game import Seat
from server.log.record import BadRecord, read
from server.log.record import verify as problem_of
from server.rooms.record import shown
from server.settings import Settings


@click.command()
@click.argument("code")
@database_settings
def deal(code: str, **flags: Any) -> None:
    """Print the 52 cards that CODE deals: the heart by position, the stock as it is drawn, the waste.

    The deal of a day is printed once that day is over.
    """
    try:
        parsed = parse(code)
    except BadDealCode as error:
        raise click.ClickException(str(error)) from None
    day = day_of(parsed)
    if day is None:
        cards = numbered_deal(parsed).cards
    else:
        cards = asyncio.run(_cards_of(Settings.from_environment(**flags), date.fromisoformat(day)))
    click.echo("".join(RANKS[rank] for rank in cards))


async def _cards_of(settings: Settings, day: date) -> Cards:
    # Refused before a database is opened for nothing.
    if day >= system_clock().date():
        raise click.ClickException(f"The deal of {day} is shown once that day is over.")
    async with common.engine(settings) as engine:
        return (await Days(engine, system_clock, settings.secret).deal(day)).cards


@click.command()
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ply", type=click.IntRange(0), help="After so many moves; without it, after all.")
@click.option("--seat", type=click.IntRange(0), help="As this seat sees it; without it, as a spectator.")
def replay(record: Path, ply: int | None, seat: int | None) -> None:
    """Print the view at one moment of the game in the file RECORD, as JSON."""
    try:
        seen = shown(read(_text(record)), ply, None if seat is None else Seat(seat))
    except BadRecord as bad:
        raise click.ClickException(f"{record}: {told(bad.problem)}") from None
    click.echo(msgspec.json.format(msgspec.json.encode(seen)))


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Check every game in the database.")
@database_settings
def verify(files: tuple[Path, ...], everything: bool, **flags: Any) -> None:
    """Play the record in each FILE through, and check moves, result, and the seed against its commitment.

    With --all it plays every stored game through, and checks all that stands beside its moves: counters,
    times, status, totals, seats, results.

    Exits with 1 if anything is wrong, and says what, by the number of the move.
    """
    if everything is bool(files):
        raise click.UsageError("Give files, or --all.")
    if everything:
        wrong = asyncio.run(verify_all(Settings.from_environment(**flags)))
    else:
        wrong = sum(not _is_right(file) for file in files)
    if wrong:
        click.get_current_context().exit(1)


def _is_right(file: Path) -> bool:
    try:
        problem = problem_of(read(_text(file)))
    except BadRecord as bad:
        problem = bad.problem
    if problem is None:
        click.echo(f"{file}: right")
    else:
        click.echo(f"{file}: {told(problem)}", err=True)
    return problem is None


def _text(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from None
