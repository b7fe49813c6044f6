"""`heartline serve`: one node, from its database to its open port, and back."""

import asyncio
import gc
import logging
import signal
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import click
import structlog
import uvloop
from aiohttp import web

from server.commands.common import clear_database_errors, database_settings, setting
from server.commands.logs import configure_logs
from server.embedded import Embedded
from server.log.database import check_schema, connect, migrate
from server.settings import Settings
from server.web.app import make_app

STOP_SECONDS = 8
"""How long requests that are under way may take when the server stops. A command takes 5 at most."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline")


@click.command()
@setting("host", "Address to listen on; 0.0.0.0 for all.")
@setting("port", "Port to listen on; 0 takes a free one.")
@setting("nats_url", "A NATS server that joins several nodes, e.g. nats://host:4222.")
@database_settings
def serve(**flags: Any) -> None:
    """Run the server, until Ctrl-C or SIGTERM."""
    configure_logs(sys.stdout, logging.INFO)
    settings = Settings.from_environment(**flags)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_stopped(settings))


async def _until_stopped(settings: Settings) -> None:
    """Serves until a signal comes. A second one kills."""
    loop = asyncio.get_running_loop()
    serving = asyncio.create_task(_serve(settings))

    def stop() -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)
        serving.cancel()

    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop)
    await asyncio.wait([serving])
    if not serving.cancelled():
        serving.result()


async def _serve(settings: Settings) -> None:
    """Opens the database, then the port; when cancelled, closes them in the opposite order."""
    async with AsyncExitStack() as opened:
        if settings.database_url is None:
            embedded = Embedded(settings.data_dir)
            await embedded.start()
            opened.push_async_callback(embedded.stop)
            await migrate(embedded.url)
            settings = replace(settings, database_url=embedded.url)
        else:
            await _check(settings.database_url)
        runner = web.AppRunner(make_app(settings), access_log=None, shutdown_timeout=STOP_SECONDS)
        opened.push_async_callback(runner.cleanup)
        await runner.setup()
        _keep_for_good()
        address = await _listen(runner, settings)
        if sys.stdout.isatty():
            click.echo(f"Heartline is ready at {address}")
        else:
            _logger.info("ready", url=address)
        opened.callback(_logger.info, "stopping")
        await asyncio.Event().wait()


def _keep_for_good() -> None:
    """Takes what is loaded by now out of the garbage collector's sight, and has it look less often.

    At its usual pace it takes a tenth of the time of a busy server, to find nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


async def _check(url: str) -> None:
    engine = connect(url)
    try:
        with clear_database_errors(url):
            await check_schema(engine)
    finally:
        await engine.dispose()


async def _listen(runner: web.AppRunner, settings: Settings) -> str:
    """Opens the port, and says at which address players find it."""
    host, port = settings.host, settings.port
    try:
        await web.TCPSite(runner, host, port).start()
    except UnicodeError:
        raise click.ClickException(f"Cannot listen on {host}: that is no name of a host.") from None
    except OSError as error:
        # asyncio words some of these at length, and in pieces.
        why = error.strerror.rpartition(": ")[2] if error.strerror else error
        raise click.ClickException(
            f"Cannot listen on {host}, port {port}: {why}. "
            "Choose another with --port, or PORT= for make play."
        ) from None
    port = runner.addresses[0][1]
    if settings.public_url is not None:
        return settings.public_url
    shown = "localhost" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host  # noqa: S104
    return f"http://{shown}:{port}"
