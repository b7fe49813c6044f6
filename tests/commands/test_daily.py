"""`heartline daily` and `rebuild` at the command line: what they print, and what they leave behind."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from server.cli import main
from server.clock import system_clock
from server.games.game import Seat
from server.log.database import connect
from server.log.log import Log
from server.log.model import GameId, GameRow, Logged, LoggedMove, Ply, SeatRow, UserId


def run(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    return exit_.value.code


def rows(database_url: str, query: str) -> list[Any]:
    async def fetch() -> list[Any]:
        connection = await asyncpg.connect(database_url)
        try:
            return await connection.fetch(query)
        finally:
            await connection.close()

    return asyncio.run(fetch())


async def write(database_url: str, game: GameId, move: str) -> None:
    """Writes a game that was resigned after one move."""
    at = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
    row = GameRow(
        id=game,
        game="heart-to-heart",
        options={},
        seed="HH1-N-AAAAAAM",
        created_at=at,
        creator=UserId("ann"),
        status="resigned",
        ply=Ply(1),
        peak=Ply(1),
        finished_at=at,
    )
    engine = connect(database_url)
    async with Log(engine) as log:
        seats = (SeatRow(Seat(0), UserId("ann")),)
        await log.create(Logged(row, seats, (LoggedMove(Seat(0), move, at, Ply(1), 0, 0),)))
    await engine.dispose()


def test_daily_prepares_days_and_prints_their_dates_alone(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    today = system_clock().date()

    assert run("daily", "--days", "3", "--database-url", database_url) == 0

    printed = capsys.readouterr()
    days = [today + timedelta(days=ahead) for ahead in range(3)]
    assert printed.out.split() == [str(day) for day in days]
    assert printed.err == ""
    prepared = rows(database_url, "SELECT day, par FROM days ORDER BY day")
    assert [row["day"] for row in prepared] == days
    assert all(row["par"] > 0 for row in prepared)


def test_daily_takes_the_secret_of_the_environment(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTLINE_SECRET", "sesame")

    assert run("daily", "--days", "1", "--database-url", database_url) == 0

    assert rows(database_url, "SELECT * FROM server_secret") == []


@pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "100000"])
def test_daily_refuses_other_numbers(days: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("daily", "--days", days) == 2
    assert "--days" in capsys.readouterr().err


def test_rebuild_says_what_it_did(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rebuild", "--database-url", database_url) == 0
    assert capsys.readouterr().out == "Replayed 0 games; mended 0 results.\n"


def test_rebuild_names_a_log_that_does_not_replay(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(write(database_url, GameId("broken-game"), "recycle"))

    assert run("rebuild", "--database-url", database_url) == 1

    assert "broken-game" in capsys.readouterr().err
