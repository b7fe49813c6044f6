"""`heartline bench`: speed, measured on the machine that it names."""

import asyncio
import os
from collections.abc import Callable
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from server.bench import daily, hearts, machine, rules, sockets, tables, undo, visit
from server.bench.duel import Duel, Score, duel
from server.commands.common import progress

SOCKETS: Final = (1, 20, 100, 300)

DUELS: Final = (Duel("sharp", "steady", {}), Duel("steady", "easy", {}))

SECONDS: Final = click.IntRange(1, 3600)

WITHIN: Final = 0.4
"""How narrow the confidence intervals of points per hand are to be."""

A_FEW_DEALS: Final = 20
"""What bots are measured by together with everything else."""


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure this machine. Without a word after it: everything, but bots by a few deals."""
    if context.invoked_subcommand is None:
        context.invoke(measure_rules)
        context.invoke(measure_sockets)
        context.invoke(measure_visit)
        context.invoke(measure_hearts)
        context.invoke(measure_bots, most=A_FEW_DEALS, workers=None)
        context.invoke(measure_daily)


def _seconds(default: int, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option("--seconds", type=SECONDS, default=default, show_default=True, help=text)


@bench.command("rules")
@_seconds(5, "How long to replay.")
def measure_rules(seconds: int) -> None:
    """Moves of Heart to Heart replayed a second, and the time of an undo in a long game."""
    _say_machine()
    click.echo(f"Heart to Heart, whole games replayed: {rules.replayed_per_second(seconds):,.0f} moves/s")
    taken = asyncio.run(undo.measure())
    click.echo(
        f"Undo at {undo.PLIES:,} moves, over WebSocket, committed: p50 {taken.p50_ms:.1f} ms, "
        f"p99 {taken.p99_ms:.1f} ms; its replay of the log alone: {taken.replay_ms:.1f} ms"
    )


@bench.command("sockets")
@_seconds(10, "How long each number of sockets plays.")
def measure_sockets(seconds: int) -> None:
    """Durable moves a second over WebSocket, beside the same stack and statement with no game in it."""
    _say_machine()
    click.echo("PostgreSQL, the load and one server process share the cores.")
    played = asyncio.run(sockets.measure(sockets.SERVER, SOCKETS, seconds))
    bare = asyncio.run(sockets.measure(sockets.BARE, SOCKETS, seconds))
    table = _table(
        "sockets", "moves/s", "p50 ms", "p99 ms", "bare moves/s", "bare p50 ms", "bare p99 ms", "ratio"
    )
    for ours, limit in zip(played, bare, strict=True):
        table.add_row(
            str(ours.sockets),
            f"{ours.per_second:,.0f}",
            f"{ours.p50_ms:.1f}",
            f"{ours.p99_ms:.1f}",
            f"{limit.per_second:,.0f}",
            f"{limit.p50_ms:.1f}",
            f"{limit.p99_ms:.1f}",
            f"{ours.per_second / limit.per_second:.2f}",
        )
    Console().print(table)


@bench.command("visit")
def measure_visit() -> None:
    """A first visit in Chromium: from the address to a game that can be played."""
    _say_machine()
    try:
        found = asyncio.run(visit.measure())
    except visit.NoChromium as missing:
        click.echo(missing, err=True)
        return
    click.echo(
        f"First visit, nothing cached, the median of {visit.VISITS}: a game can be begun after "
        f"{found.ready_ms:.0f} ms, and begun at once, its board can be played after {found.board_ms:.0f} ms"
    )


@bench.command("hearts")
@_seconds(5, "How long each figure is measured.")
def measure_hearts(seconds: int) -> None:
    """Hands of Hearts a second beside OpenSpiel's, games of bots, and tables on a real server."""
    _say_machine()
    try:
        hands = hearts.hands_per_second(seconds)
    except hearts.NoSpiel as missing:
        click.echo(missing, err=True)
    else:
        click.echo(f"Hearts, single hands of random cards: {hands.ours:,.0f} a second")
        click.echo(
            f"The same by OpenSpiel: {hands.documented:,.0f} a second by the loop of its documentation "
            f"(ratio {hands.ours / hands.documented:.2f}), {hands.quickest:,.0f} by its quickest (ratio "
            f"{hands.ours / hands.quickest:.2f})"
        )
    for level in ("easy", "steady"):
        games = hearts.bots_per_second(level, seconds)
        click.echo(f"Whole games of 4 {level} bots on one core, without thinking time: {games:.1f} a second")
    found = asyncio.run(_tables(seconds))
    click.echo(
        f"{tables.TABLES} tables of {tables.SEATS} sockets: {found.played.per_second:,.0f} durable moves/s, "
        f"p50 {found.played.p50_ms:.1f} ms, p99 {found.played.p99_ms:.1f} ms"
    )
    click.echo(
        f"Memory of the server: {found.table_kib:.0f} KiB a live table, "
        f"{found.spectator_kib:.0f} KiB a spectator"
    )


async def _tables(seconds: int) -> tables.Tables:
    async with sockets.database() as database_url, sockets.serving(sockets.SERVER, database_url) as url:
        return await sockets.load("server.bench.tables", tables.Tables, url, seconds)


@bench.command("bots")
@click.option(
    "--most", type=click.IntRange(1), default=1000, show_default=True, help="Deals that are played at most."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that play; without it, one a core.")
def measure_bots(most: int, workers: int | None) -> None:
    """Points per hand of one bot among three of the level below, on duplicate deals with seats rotated.

    Until the 95 % confidence interval is narrow enough.
    """
    _say_machine()
    click.echo("Four players; each deal is played with the bot on every seat; 6.5 points are even.")
    table = _table("one", "among three", "points a hand", "95 %", "the others", "deals", "hands", "ms a move")
    for pair in DUELS:
        score = _duel(pair, most, workers or os.cpu_count() or 1)
        table.add_row(
            pair.hero,
            pair.villain,
            f"{score.hero:.2f}",
            f"± {score.interval:.2f}",
            f"{score.villains:.2f}",
            f"{score.deals:,}",
            f"{score.hands:,}",
            f"{score.ms_a_move:.1f}",
        )
    Console().print(table)


def _duel(pair: Duel, most: int, workers: int) -> Score:
    with progress() as bar:
        task = bar.add_task(f"{pair.hero} among {pair.villain}", total=most)
        for score in duel(pair, most=most, within=WITHIN, workers=workers):
            told = f"{pair.hero} among {pair.villain}: {score.hero:.2f} ± {score.interval:.2f}"
            bar.update(task, completed=score.deals, description=told)
    return score


@bench.command("daily")
def measure_daily() -> None:
    """The board of a day with a million results, over HTTP, one request at a time."""
    _say_machine()
    before = f"{daily.EARLIER_RESULTS:,} of each of {daily.EARLIER_DAYS:,} days before"
    click.echo(f"{daily.RESULTS:,} results of today and {before}: filling in takes minutes.")
    for taken in asyncio.run(daily.measure()):
        click.echo(f"{taken.what}: p50 {taken.p50_ms:.1f} ms, p99 {taken.p99_ms:.1f} ms")


def _table(*headings: str) -> Table:
    table = Table(*headings)
    for column in table.columns:
        column.justify = "right"
    return table


def _say_machine() -> None:
    click.echo(machine.describe())
