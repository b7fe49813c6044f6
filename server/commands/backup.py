"""`heartline backup` and `restore`: the database as one file, by PostgreSQL's own programs."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

import click
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.commands import common
from server.commands.common import database_settings, progress
from server.embedded import Embedded
from server.log.database import connect
from server.postgres.programs import program, reason
from server.settings import Settings, connection_arguments

T = TypeVar("T")

PIPED = Path("-")
"""Names standard input or output."""

CHUNK = 1 << 18
"""Bytes that are restored at a time."""

PREPARE = b"SET lock_timeout = '10s';\nBEGIN;\nDROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"
FINISH = b"SELECT FROM public.alembic_version;\nCOMMIT;\n"
"""Comes to its end only if what has been restored is a database of ours."""

VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "database": "PGDATABASE",
    "ssl": "PGSSLMODE",
    "passfile": "PGPASSFILE",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}
"""How PostgreSQL's programs are told what the driver is told."""


def _replaceable(_context: click.Context, _parameter: click.Parameter, file: Path) -> Path:
    """The file itself, where a link leads to it; nothing but a file is ever replaced by one."""
    if file == PIPED:
        return file
    real = Path(os.path.realpath(file))
    if real.exists() and not real.is_file():
        raise click.BadParameter(
            "it is no file. To write through it, send the backup there: heartline backup -"
        )
    return real


@click.command()
@click.argument(
    "file",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    callback=_replaceable,
)
@database_settings
def backup(file: Path, **flags: Any) -> None:
    """Write the whole database to FILE, whether the server runs or not.

    If FILE is -, it goes to standard output, and is whole only if the command ends with 0.
    """
    settings = Settings.from_environment(**flags)
    asyncio.run(_backup_to_output(settings) if file == PIPED else _backup(settings, file))


async def _backup_to_output(settings: Settings) -> None:
    if sys.stdout.isatty():
        raise click.ClickException("A backup is nothing to read: send it to a file or a program.")
    async with common.engine(settings) as engine:
        await _dump(engine)


async def _backup(settings: Settings, file: Path) -> None:
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        # It holds hashes of passwords, and the secret of the days.
        part.touch(mode=0o600)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    try:
        async with common.engine(settings) as engine:
            await _dump(engine, f"--file={part}")
        size = part.stat().st_size
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    click.echo(f"Wrote {file}, {size:,} bytes.")


async def _dump(engine: AsyncEngine, *where: str) -> None:
    """Has `pg_dump` write to where an option says; without one, to standard output."""
    async with engine.connect() as connection:
        tables = await connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    options = ("--format=custom", "--no-owner", "--no-privileges", "--verbose")
    dump = await asyncio.create_subprocess_exec(
        program("pg_dump"), *options, *where, env=_environment(engine.url), stdin=DEVNULL, stderr=PIPE
    )
    said = b""
    with progress() as bar:
        task = bar.add_task("backing up tables", total=tables)
        while line := await _piped(dump.stderr).readline():
            said = line
            if b"dumping contents of table" in line:
                bar.advance(task)
    if await dump.wait():
        raise click.ClickException(f"The backup failed: {reason(said)}")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@database_settings
def restore(file: Path, **flags: Any) -> None:
    """Put the backup FILE in the place of all that is in the database. No server may run on it.

    If FILE is -, it comes from standard input. If it fails, nothing has changed.
    """
    asyncio.run(_restore(Settings.from_environment(**flags), file))


async def _restore(settings: Settings, file: Path) -> None:
    if file == PIPED and sys.stdin.isatty():
        raise click.ClickException("Give the backup on standard input: heartline restore - < FILE.")
    tables = None if file == PIPED else await _tables_in(file)
    async with _unused_database(settings) as url:
        await _replace(url, file, tables)
    click.echo("Restored the backup." if file == PIPED else f"Restored {file}.")


async def _tables_in(file: Path) -> int:
    """How many tables a backup holds. Makes sure that it is one, before anything is thrown away."""
    listing = await asyncio.create_subprocess_exec(
        program("pg_restore"), "--list", file, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    contents, errors = await listing.communicate()
    if listing.returncode:
        raise click.ClickException(f"{file} is no backup: {reason(errors)}")
    if b" TABLE DATA public alembic_version " not in contents:
        raise click.ClickException(f"{file} is a backup of something else.")
    return contents.count(b" TABLE DATA public ")


@asynccontextmanager
async def _unused_database(settings: Settings) -> AsyncIterator[str]:
    """The URL of the database, once no server is on it."""
    if settings.database_url is not None:
        await _check_unused(settings.database_url)
        yield settings.database_url
        return
    # Started as a server starts it: then no other can.
    embedded = Embedded(settings.data_dir)
    await embedded.start()
    try:
        yield embedded.url
    finally:
        await embedded.stop()


async def _check_unused(url: str) -> None:
    engine = connect(url)
    others = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    try:
        with common.clear_database_errors(url):
            async with engine.connect() as connection:
                count = await connection.scalar(others)
    finally:
        await engine.dispose()
    if count:
        raise click.ClickException(f"The database is in use ({count} connections): stop its servers first.")


async def _replace(url: str, file: Path, tables: int | None) -> None:
    """Has `pg_restore` write the statements, and `psql` carry them out in one transaction."""
    # Files, since a full pipe that nobody reads would hold a program up.
    with TemporaryFile() as complaints, TemporaryFile() as errors:
        source = await asyncio.create_subprocess_exec(
            program("pg_restore"), "--no-owner", "--no-privileges", "--file=-",
            *([] if file == PIPED else [file]), stdout=PIPE, stderr=complaints,
        )  # fmt: skip
        target = await asyncio.create_subprocess_exec(
            program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1",
            stdin=PIPE, stdout=DEVNULL, stderr=errors,
            env=_environment(make_url(url)) | {"PGOPTIONS": "--client-min-messages=warning"},
        )  # fmt: skip
        # psql has gone when it has found an error, which it has told then.
        with suppress(BrokenPipeError, ConnectionResetError):
            await _copy(source, target, tables)
            if await source.wait():
                target.kill()
                await target.wait()
                raise click.ClickException(
                    f"The backup is damaged, and nothing has changed: {_said(complaints)}"
                )
        await target.communicate(FINISH)
        if target.returncode:
            if source.returncode is None:
                source.kill()
            await source.communicate()
            raise click.ClickException(f"The restoring failed, and nothing has changed: {_said(errors)}")


async def _copy(source: Process, target: Process, tables: int | None) -> None:
    """Sends all that `pg_restore` writes to `psql`, but for the end of the transaction."""
    statements, into = _piped(source.stdout), _piped(target.stdin)
    into.write(PREPARE)
    with progress() as bar:
        task = bar.add_task("restoring tables", total=tables)
        while chunk := await statements.read(CHUNK):
            into.write(chunk)
            await into.drain()
            bar.advance(task, chunk.count(b"\nCOPY public."))


def _said(file: IO[bytes]) -> str:
    file.seek(0)
    return reason(file.read())


def _piped(stream: T | None) -> T:
    if stream is None:
        raise RuntimeError("the process was started without this pipe")
    return stream


def _environment(url: URL) -> dict[str, str]:
    """Names a database to PostgreSQL's programs: not by arguments, which all users of a machine can read."""
    named = dict(os.environ)
    for key, value in connection_arguments(url).items():
        named[VARIABLES[key]] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return named
