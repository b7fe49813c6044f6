"""`heartline deal`, `replay` and `verify`: what a deal holds, and whether games are what they say."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import system_clock
from server.commands import common
from server.commands.common import database_settings, progress
from server.daily.days import Days
from server.games import GAMES, BadDealCode, IllegalMove
from server.games.cards import RANKS
from server.games.deals import Cards, day_of, numbered_deal, parse
from server.games.game import Seat, View
from server.log.log import Log
from server.log.model import GameId, Logged
from server.log.record import BadRecord, Problem, Record, play, read, start
from server.log.record import verify as problem_of
from server.log.schema import games
from server.rooms.replay import start as first_state
from server.settings import Settings

PAGE = 500
"""Ids of games that are read at a time."""

WITHOUT_THE_RULES = {"resigned", "closed"}
"""How a game can end although its rules would let it go on."""


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
        return (await Days(engine, system_clock, settings.secret).practice(day)).cards


@click.command()
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ply", type=click.IntRange(0), help="After so many moves; without it, after all.")
@click.option("--seat", type=click.IntRange(0), help="As this seat saw it; without it, as a spectator.")
def replay(record: Path, ply: int | None, seat: int | None) -> None:
    """Print the view at one moment of the game in the file RECORD, as JSON."""
    try:
        game = read(record.read_bytes())
        shown = _view(game, len(game.moves) if ply is None else ply, seat)
    except BadRecord as bad:
        raise click.ClickException(f"{record}: {_told(bad.problem)}") from None
    click.echo(msgspec.json.format(msgspec.json.encode(shown)))


def _view(record: Record, ply: int, seat: int | None) -> View:
    """The game's own part of a view, and what a record knows of the rest."""
    if ply > len(record.moves):
        raise BadRecord(f"The game has {len(record.moves)} moves.")
    if seat is not None and seat >= len(record.players):
        raise BadRecord(f"The table has {len(record.players)} seats, from 0.")
    state, last = start(record), None
    for move in islice(play(record, state), ply):
        last = move
    over = record.finished_at is not None
    at_end = over and ply == len(record.moves)
    viewer = None if seat is None else Seat(seat)
    game = str(record.__struct_config__.tag)
    return {
        "game": game,
        "ply": ply,
        "options": record.options,
        "players": [{"seat": number, "name": name} for number, name in enumerate(record.players)],
        "you": viewer,
        "turn": [] if at_end else state.turn(),
        "legal": [] if at_end or viewer is None else state.legal(viewer),
        "last": last and {
            "seat": last.seat,
            "move": last.move if over or viewer == last.seat else GAMES[game].public(last.move),
        },
        "created_at": record.created_at,
        "finished_at": record.finished_at,
        **state.view(viewer, revealed=over),
        **({"status": record.result.status} if at_end else {}),
    }  # fmt: skip


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Check every game in the database.")
@database_settings
def verify(files: tuple[Path, ...], everything: bool, **flags: Any) -> None:
    """Play the record in each FILE through, and check moves, result, and the seed against its commitment.

    Exits with 1 if anything is wrong, and says what, by the number of the move.
    """
    if everything is bool(files):
        raise click.UsageError("Give files, or --all.")
    if everything:
        wrong = asyncio.run(_verify_all(Settings.from_environment(**flags)))
    else:
        wrong = sum(not _is_right(file) for file in files)
    if wrong:
        click.get_current_context().exit(1)


def _is_right(file: Path) -> bool:
    try:
        problem = problem_of(read(file.read_bytes()))
    except BadRecord as bad:
        problem = bad.problem
    if problem is None:
        click.echo(f"{file}: right")
    else:
        click.echo(f"{file}: {_told(problem)}", err=True)
    return problem is None


async def _verify_all(settings: Settings) -> int:
    """Replays every game that is stored; how many are wrong."""
    wrong = checked = 0
    async with common.engine(settings) as engine, Log(engine) as log:
        async with engine.connect() as connection:
            total = await connection.scalar(select(func.count()).select_from(games))
        with progress() as bar:
            task = bar.add_task("replaying games", total=total)
            async for game in _ids(engine):
                # It may have been deleted since.
                if (logged := await log.read(game)) is None:
                    continue
                checked += 1
                bar.advance(task)
                if (problem := _stored_problem(logged)) is not None:
                    wrong += 1
                    click.echo(f"game {game}: {_told(problem)}", err=True)
    click.echo(f"{checked} games, {wrong} wrong.")
    return wrong


async def _ids(engine: AsyncEngine) -> AsyncIterator[GameId]:
    last = ""
    while True:
        async with engine.connect() as connection:
            query = select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(PAGE)
            page = (await connection.scalars(query)).all()
        for last in page:
            yield GameId(last)
        if len(page) < PAGE:
            return


def _stored_problem(logged: Logged) -> Problem | None:
    """Whether a game's row says what its moves make of it."""
    row, state = logged.game, first_state(logged.game)
    for number, move in enumerate(logged.moves, 1):
        try:
            spelling = state.play(move.seat, move.move)
        except IllegalMove as illegal:
            return Problem(number, f"Seat {move.seat} may not play {move.move!r}: {illegal.detail}")
        if spelling != move.move:
            return Problem(number, f"{move.move!r} must be spelled {spelling!r}.")
    result = state.result()
    made = {"ply": len(logged.moves), "totals": tuple(result.get("totals", (result.get("score"),)))}
    if row.status not in WITHOUT_THE_RULES:
        made["status"] = state.status
    return _difference(made, {figure: getattr(row, figure) for figure in made}.items())


def _difference(made: dict[str, Any], told: Iterable[tuple[str, Any]]) -> Problem | None:
    for figure, value in told:
        if made[figure] != value:
            return Problem(None, f"Its {figure} is {value!r}, but its moves make it {made[figure]!r}.")
    return None


def _told(problem: Problem) -> str:
    return problem.detail if problem.move is None else f"move {problem.move}: {problem.detail}"
