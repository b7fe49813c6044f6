"""The way of a database to this server's schema, and what is said of one that is not there."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

import server
from server.log.database import SchemaMismatch, check_schema, connect, migrate
from server.log.schema import metadata
from tests.conftest import Postgres

ROOT = Path(server.__file__).parents[1]


@pytest.fixture
def empty_url(postgres: Postgres) -> Iterator[str]:
    """A database without a table."""
    postgres.execute("CREATE DATABASE empty STRATEGY FILE_COPY")
    yield postgres.url("empty")
    postgres.drop("empty")


def differences(connection: Connection) -> list[object]:
    for path in ROOT.glob("server/*/schema.py"):
        import_module(f"server.{path.parent.name}.schema")
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


async def test_the_migrations_make_the_tables_of_the_code(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_difference_would_be_found(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        await connection.execute(text("ALTER TABLE moves ALTER at TYPE timestamptz(6)"))
        await connection.execute(text("DROP INDEX ix_seats_user"))
        assert len(await connection.run_sync(differences)) == 2


async def test_a_database_at_our_schema_is_ready(engine: AsyncEngine) -> None:
    await check_schema(engine)


async def test_an_empty_database_is_told_from_a_ready_one(empty_url: str) -> None:
    engine = connect(empty_url)
    with pytest.raises(
        SchemaMismatch, match=r"at schema none, this server needs \d{4}: run `heartline migrate`"
    ):
        await check_schema(engine)

    await migrate(empty_url)

    await check_schema(engine)
    await engine.dispose()


async def test_a_database_of_another_version_is_not_ready(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(SchemaMismatch, match="at schema 9999"):
        await check_schema(engine)


async def test_migrating_again_changes_nothing(database_url: str) -> None:
    await migrate(database_url)


async def test_many_may_migrate_at_once(empty_url: str) -> None:
    await asyncio.gather(*(migrate(empty_url) for _ in range(4)))

    engine = connect(empty_url)
    await check_schema(engine)
    await engine.dispose()


def alembic(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "alembic", *args]
    rest = {name: value for name, value in os.environ.items() if name != "HEARTLINE_DATABASE_URL"}
    return subprocess.run(command, cwd=ROOT, env=rest | environment, capture_output=True, text=True)


def test_alembic_works_by_hand(empty_url: str) -> None:
    assert alembic("upgrade", "head", HEARTLINE_DATABASE_URL=empty_url).returncode == 0
    assert "(head)" in alembic("current", HEARTLINE_DATABASE_URL=empty_url).stdout
    assert "HEARTLINE_DATABASE_URL=" in alembic("current").stderr


async def test_passes_at_a_table_stay_current_when_each_seat_gets_its_own_revision(empty_url: str) -> None:
    assert alembic("upgrade", "0005", HEARTLINE_DATABASE_URL=empty_url).returncode == 0
    engine = connect(empty_url)
    async with engine.begin() as connection:
        await connection.execute(
            text("""
            INSERT INTO games (
                id, game, options, seed, ranked, listed, public, created_at, started_at, status, totals,
                revision, ply, peak, undone, clock_ms, dealt, stamp
            )
            SELECT id, 'hearts', '{}', '', false, false, false, now(), started_at, '', '{0, 0, 0}',
                9, 0, 0, 0, 0, dealt, 0
            FROM (VALUES ('waiting', NULL, 0), ('passing', now(), 7)) AS table_ (id, started_at, dealt)
            """)
        )

    await migrate(empty_url)

    async with engine.connect() as connection:
        rows = await connection.execute(text("SELECT id, passing_since FROM games"))
        assert {row.id: row.passing_since for row in rows} == {"waiting": [], "passing": [7, 7, 7]}
    await engine.dispose()


async def test_results_of_branches_that_are_there_already_go(empty_url: str) -> None:
    assert alembic("upgrade", "0008", HEARTLINE_DATABASE_URL=empty_url).returncode == 0
    engine = connect(empty_url)
    async with engine.begin() as connection:
        for statement in (
            """
            INSERT INTO games (
                id, game, options, seed, ranked, listed, public, created_at, started_at, finished_at, status,
                totals, revision, ply, peak, undone, clock_ms, stamp
            )
            SELECT id, 'heart-to-heart', '{}', '', false, false, false, now(), now(), now(), 'won',
                '{250}', 3, 3, 3, 0, 0, 0
            FROM (VALUES ('branch'), ('game')) AS game (id)
            """,
            """
            INSERT INTO moves
            SELECT id, seq, 0, 'draw',
                created_at + CASE WHEN seq > older THEN interval '1 second' ELSE '0' END, seq, 0, 0
            FROM games, generate_series(1, 3) AS seq, (VALUES ('branch', 2), ('game', 0)) AS log (of, older)
            WHERE of = id
            """,
            """
            INSERT INTO results (
                game_id, seat, user_id, game, status, won, score, moves, clock_ms, listed, finished_at
            )
            SELECT id, 0, 'ann', game, status, true, 250, 3, 0, false, now() FROM games
            """,
        ):
            await connection.execute(text(statement))

    await migrate(empty_url)

    async with engine.connect() as connection:
        rows = await connection.execute(text("SELECT id, branch_ply FROM games"))
        assert {row.id: row.branch_ply for row in rows} == {"branch": 2, "game": 0}
        assert (await connection.scalars(text("SELECT game_id FROM results"))).all() == ["game"]
    await engine.dispose()
