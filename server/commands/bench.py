"""`heartline bench`: speed, measured on the machine that it names."""

import asyncio

import click
from rich.console import Console
from rich.table import Table

from server.bench import daily, machine, rules, sockets, undo

SOCKETS = (1, 20, 100, 300)

SECONDS = click.IntRange(1, 3600)


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure this machine. Without a word after it: rules and sockets."""
    if context.invoked_subcommand is None:
        context.invoke(measure_rules)
        context.invoke(measure_sockets)


@bench.command("rules")
@click.option("--seconds", type=SECONDS, default=5, show_default=True, help="How long to replay.")
def measure_rules(seconds: int) -> None:
    """Moves replayed a second, and the time of an undo in a long game."""
    _say_machine()
    click.echo(f"Heart to Heart, whole games replayed: {rules.replayed_per_second(seconds):,.0f} moves/s")
    taken = asyncio.run(undo.measure())
    click.echo(
        f"Undo at {undo.PLIES:,} moves, over WebSocket, committed: p50 {taken.p50_ms:.1f} ms, "
        f"p99 {taken.p99_ms:.1f} ms; its replay of the log alone: {taken.replay_ms:.1f} ms"
    )


@bench.command("sockets")
@click.option(
    "--seconds", type=SECONDS, default=10, show_default=True, help="How long each number of sockets plays."
)
def measure_sockets(seconds: int) -> None:
    """Durable moves a second over WebSocket, beside the same stack and statement with no game in it."""
    _say_machine()
    click.echo("PostgreSQL, the load and one server process share the cores.")
    played = asyncio.run(sockets.measure(sockets.SERVER, SOCKETS, seconds))
    bare = asyncio.run(sockets.measure(sockets.BARE, SOCKETS, seconds))
    table = Table(
        "sockets", "moves/s", "p50 ms", "p99 ms", "bare moves/s", "bare p50 ms", "bare p99 ms", "ratio"
    )
    for column in table.columns:
        column.justify = "right"
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


@bench.command("daily")
def measure_daily() -> None:
    """The board of a day with a million results, over HTTP, one request at a time."""
    _say_machine()
    before = f"{daily.EARLIER_RESULTS:,} of each of {daily.EARLIER_DAYS:,} days before"
    click.echo(f"{daily.RESULTS:,} results of today and {before}: filling in takes minutes.")
    for taken in asyncio.run(daily.measure()):
        click.echo(f"{taken.what}: p50 {taken.p50_ms:.1f} ms, p99 {taken.p99_ms:.1f} ms")


def _say_machine() -> None:
    click.echo(machine.describe())
