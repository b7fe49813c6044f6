"""The command line: what each command prints, and that a user's mistake is one line and a status."""

import asyncio
import json
import logging
import os
import stat
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts.accounts import Accounts
from server.channels.hub import Hub
from server.cli import COMMANDS, main
from server.clock import system_clock
from server.commands import backup
from server.log.database import connect
from server.log.log import Log
from server.log.model import GameId, UserId
from server.postgres.programs import program
from server.rooms.position import Join
from server.rooms.rooms import Rooms
from server.rooms.views import HeartsView, HeartToHeartView
from tests.conftest import Postgres
from tests.log.games import move, new_game
from tests.rooms.conftest import names

T = TypeVar("T")

GOLDEN = Path(__file__).parent / "golden"
WON = GOLDEN / "heart-to-heart" / "won.json"
HEARTS = GOLDEN / "hearts" / "moon-add.json"
DOCUMENTED = "T793Q38787K45QQTAJJ58QA3423T292KJ4AKK29876J69456T65A"

PASSWORD = "correct horse"


class Said(NamedTuple):
    status: int
    out: str
    err: str


Heartline = Callable[..., Said]


@pytest.fixture
def heartline(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Heartline]:
    """Runs the command as the shell does, in this process."""

    def run(*arguments: object) -> Said:
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main([str(each) for each in arguments])
        status = exit_.value.code
        assert isinstance(status, int)
        return Said(status, *capfd.readouterr())

    yield run
    structlog.reset_defaults()
    logging.getLogger().handlers.clear()


@pytest.fixture
def on_database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The commands work on the database of the test."""
    monkeypatch.setenv("HEARTLINE_DATABASE_URL", database_url)
    return database_url


def on(url: str, work: Callable[[AsyncEngine], Awaitable[T]]) -> T:
    async def run() -> T:
        engine = connect(url)
        try:
            return await work(engine)
        finally:
            await engine.dispose()

    return asyncio.run(run())


def execute(url: str, statement: str, **values: Any) -> None:
    async def work(engine: AsyncEngine) -> None:
        async with engine.begin() as connection:
            await connection.execute(text(statement), values)

    on(url, work)


def query(url: str, statement: str) -> list[Any]:
    async def work(engine: AsyncEngine) -> list[Any]:
        async with engine.connect() as connection:
            return list((await connection.scalars(text(statement))).all())

    return on(url, work)


def with_accounts(url: str, work: Callable[[Accounts], Awaitable[T]]) -> T:
    async def run(engine: AsyncEngine) -> T:
        accounts = Accounts(engine, system_clock)
        try:
            return await work(accounts)
        finally:
            accounts.close()

    return on(url, run)


def refused(said: Said) -> str:
    """The one line that a user's mistake is answered with."""
    assert said.status == 1
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


# Wrong usage, and help


def test_help_names_every_command(heartline: Heartline) -> None:
    said = heartline("--help")
    assert said.status == 0
    for command in COMMANDS:
        assert f"\n  {command.name} " in said.out


@pytest.mark.parametrize("command", [str(command.name) for command in COMMANDS])
def test_every_command_has_help(heartline: Heartline, command: str) -> None:
    said = heartline(command, "--help")
    assert said.status == 0
    assert f"Usage: heartline {command}" in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["shuffle"],
        ["serve", "--port", "http"],
        ["serve", "--database-url", "mysql://host/db"],
        ["serve", "--database-url", "postgresql://localhost:abc/x"],
        ["serve", "--database-url", "postgresql://h/x?foo=bar"],
        ["serve", "--data-dir", ""],
        ["bench", "rules", "--seconds", "nan"],
        ["deal"],
        ["verify"],
        ["verify", "--all", WON],
        ["verify", "no-such-file.json"],
        ["replay", WON, "--ply", "-1"],
        ["backup", ""],
        ["user", "Mali"],
        ["user", "Mali", "--delete", "--link-code"],
        ["prune"],
        ["prune", "--guests-idle-days", "0"],
        ["prune", "--guests-idle-days", "999999999999"],
    ],
)
def test_wrong_usage_exits_with_2(heartline: Heartline, arguments: Sequence[object]) -> None:
    said = heartline(*arguments)
    assert said.status == 2
    assert said.out == ""
    assert "Usage: heartline" in said.err


def test_a_bad_setting_is_named(heartline: Heartline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTLINE_PORT", "http")
    assert refused(heartline("serve")) == "HEARTLINE_PORT must be a whole number from 0 to 65535."


# Deals


@pytest.mark.parametrize("code", ["HH1-N-AAAAAAM", " hh1-n-aaaaaam "])
def test_deal_prints_the_cards_of_a_numbered_deal(heartline: Heartline, code: str) -> None:
    assert heartline("deal", code) == Said(0, f"{DOCUMENTED}\n", "")


def test_deal_says_what_is_wrong_with_a_code(heartline: Heartline) -> None:
    assert "HH1-" in refused(heartline("deal", "HH2-N-AAAAAAM"))


@pytest.mark.parametrize("days", [0, 1])
def test_deal_refuses_a_day_that_is_not_over(heartline: Heartline, days: int) -> None:
    day = datetime.now(UTC).date() + timedelta(days=days)
    assert refused(heartline("deal", f"HH1-D-{day:%Y%m%d}")) == (
        f"The deal of {day} is shown once that day is over."
    )


def test_deal_prints_the_same_cards_of_a_day_for_ever(heartline: Heartline, on_database: str) -> None:
    first = heartline("deal", "HH1-D-20261101")
    assert first.status == 0
    assert sorted(first.out.strip()) == sorted(4 * "A23456789TJQK")
    assert heartline("deal", "HH1-D-20261101") == first


# Records


def test_replay_shows_the_deal_and_the_end(heartline: Heartline) -> None:
    deal = json.loads(heartline("replay", WON, "--ply", 0).out)
    assert deal["heart"] == [f"{rank}H" for rank in DOCUMENTED[:25]]
    assert (deal["ply"], deal["last"], deal["legal"]) == (0, None, [])
    end = json.loads(heartline("replay", WON).out)
    assert (end["status"], end["score"], end["turn"]) == ("won", 250, [])


def test_replay_shows_a_seat_its_own_moves(heartline: Heartline) -> None:
    shown = json.loads(heartline("replay", WON, "--ply", 1, "--seat", 0).out)
    assert shown["you"] == 0
    assert "draw" in shown["legal"]


def test_replay_of_hearts_shows_a_seat_its_hand(heartline: Heartline) -> None:
    record = json.loads(HEARTS.read_text())
    seat = record["moves"][0]["seat"]
    before = json.loads(heartline("replay", HEARTS, "--ply", 0, "--seat", seat).out)
    after = json.loads(heartline("replay", HEARTS, "--ply", 1, "--seat", seat).out)
    passed = record["moves"][0]["move"].split()[1:]
    assert sorted(before["hand"]) == sorted(after["hand"] + passed)
    assert json.loads(heartline("replay", HEARTS, "--ply", 0).out)["hand"] is None


def test_replay_prints_whole_views_of_the_contract(heartline: Heartline) -> None:
    solitaire = json.loads(heartline("replay", WON, "--ply", 40).out)
    assert set(solitaire) == HeartToHeartView.__required_keys__
    assert (solitaire["status"], solitaire["moves"], solitaire["undoable"]) == ("playing", 40, 40)
    table = json.loads(heartline("replay", HEARTS, "--ply", 30, "--seat", 2).out)
    assert set(table) == HeartsView.__required_keys__ | {"hands"}
    assert (table["you"], table["hand"]) == (2, table["hands"][2])
    assert set(json.loads(heartline("replay", HEARTS).out)) >= {"seed", "winners"}


@pytest.mark.parametrize(
    ("arguments", "why"), [(["--ply", "90"], "The game has 89 moves."), (["--seat", "1"], "1 seats, from 0")]
)
def test_replay_beyond_the_game(heartline: Heartline, arguments: list[str], why: str) -> None:
    assert why in refused(heartline("replay", WON, *arguments))


def test_replay_of_what_is_no_record(heartline: Heartline, tmp_path: Path) -> None:
    file = tmp_path / "hello.json"
    file.write_text("hello")
    assert "This is no record of a game" in refused(heartline("replay", file))


def test_verify_finds_golden_records_right(heartline: Heartline) -> None:
    said = heartline("verify", WON, HEARTS)
    assert said == Said(0, f"{WON}: right\n{HEARTS}: right\n", "")


def test_verify_names_the_first_wrong_move(heartline: Heartline, tmp_path: Path) -> None:
    record = json.loads(WON.read_text())
    record["moves"][4]["move"] = "recycle"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(record))
    said = heartline("verify", WON, wrong)
    assert (said.status, said.out) == (1, f"{WON}: right\n")
    assert said.err.startswith(f"{wrong}: move 5: ")


def test_verify_all_replays_what_is_stored(heartline: Heartline, on_database: str) -> None:
    async def store(engine: AsyncEngine) -> None:
        async with Log(engine) as log:
            for _ in range(3):
                await log.create(new_game())

    on(on_database, store)
    assert heartline("verify", "--all") == Said(0, "3 games, 0 wrong.\n", "")
    execute(
        on_database,
        "INSERT INTO moves (game_id, seq, seat, move, at, peak, undone, clock_ms)"
        " SELECT min(id), 1, 0, 'recycle', now(), 1, 0, 0 FROM games",
    )
    said = heartline("verify", "--all")
    assert (said.status, said.out) == (1, "3 games, 1 wrong.\n")
    assert ": move 1: Seat 0 may not play 'recycle'" in said.err


# Users


@pytest.fixture
def mali(on_database: str) -> UserId:
    """An account."""
    signed_in = with_accounts(on_database, lambda accounts: accounts.register("Mali", PASSWORD, "a test"))
    return signed_in.caller.user


def test_user_prints_a_code_that_signs_in(heartline: Heartline, on_database: str, mali: UserId) -> None:
    said = heartline("user", "mali", "--link-code")
    assert said.status == 0
    signed_in, _ = with_accounts(
        on_database, lambda accounts: accounts.redeem(said.out.strip(), "another device")
    )
    assert signed_in.caller.user == mali


def test_user_renames(heartline: Heartline, on_database: str, mali: UserId) -> None:
    assert heartline("user", "Mali", "--rename", "มะลิ").status == 0
    assert with_accounts(on_database, lambda accounts: accounts.find("มะลิ")) == mali


def test_user_renames_to_no_name_of_another(heartline: Heartline, on_database: str, mali: UserId) -> None:
    with_accounts(on_database, lambda accounts: accounts.register("Tuấn", PASSWORD, "a test"))
    assert "name" in refused(heartline("user", "Mali", "--rename", "tuấn"))
    assert "name" in refused(heartline("user", "Mali", "--rename", "!"))


def test_user_deletes(heartline: Heartline, on_database: str, mali: UserId) -> None:
    assert heartline("user", "Mali", "--delete").status == 0
    assert refused(heartline("user", "Mali", "--delete")) == "There is no account Mali."


def test_a_deleted_user_holds_no_table_up(heartline: Heartline, on_database: str, mali: UserId) -> None:
    async def sit_down(engine: AsyncEngine) -> None:
        async with Log(engine) as log:
            rooms = Rooms(log, Hub(), system_clock, names)
            for bots in (2, 1):
                game = GameId((await rooms.open_table(UserId("another"), {}, bots=bots))["id"])
                await rooms.submit(game, Join(mali, "Mali"))

    on(on_database, sit_down)
    assert heartline("user", "Mali", "--delete").status == 0
    seats = "SELECT bot_name IS NOT NULL FROM seats WHERE user_id = '{}' ORDER BY game_id"
    # At the table that has begun a bot plays for her; at the one that waits the seat is free again.
    assert query(on_database, seats.format(mali)) == [True]
    assert query(on_database, "SELECT count(*) FROM games WHERE finished_at IS NULL") == [2]


def test_prune_removes_guests_who_left_nothing(heartline: Heartline, on_database: str, mali: UserId) -> None:
    guests = [
        with_accounts(on_database, lambda accounts: accounts.new_guest("a test")).caller.user
        for _ in range(5)
    ]
    idle, seen, finished, new, closed = guests

    async def store(engine: AsyncEngine) -> None:
        async with Log(engine) as log:
            for user in (idle, idle, seen, new):
                logged = new_game(user)
                await log.create(logged)
                await log.commit(move(logged.game))
            await log.create(new_game(finished, status="resigned", finished_at=system_clock()))
            rooms = Rooms(log, Hub(), system_clock, names)
            table = GameId((await rooms.open_table(mali, {}))["id"])
            await rooms.submit(table, Join(idle, "Guest"))
            await log.create(new_game(closed, status="closed", game="hearts", finished_at=system_clock()))

    on(on_database, store)
    execute(on_database, "UPDATE users SET created_at = now() - interval '91 days' WHERE id <> :id", id=new)
    execute(
        on_database,
        "UPDATE device_sessions SET seen_at = now() - interval '91 days' WHERE user_id <> :id",
        id=seen,
    )
    removed = "Guests removed: {}, and games that they had not finished: {}.\n"
    assert heartline("prune", "--guests-idle-days", 92).out == removed.format(0, 0)
    assert heartline("prune", "--guests-idle-days", 90).out == removed.format(2, 2)
    assert set(query(on_database, "SELECT id FROM users")) == {seen, finished, new, mali}
    # Games and their moves stay together; a table, which others sit at, stays.
    left = query(on_database, "SELECT id FROM games WHERE game = 'heart-to-heart' AND ply > 0")
    assert len(left) == 2
    assert sorted(query(on_database, "SELECT game_id FROM moves")) == sorted(left)
    assert len(query(on_database, "SELECT id FROM games WHERE game = 'hearts'")) == 2
    # There nobody waits for him any more.
    assert idle not in query(on_database, "SELECT user_id FROM seats WHERE user_id IS NOT NULL")


# The database as a whole


def test_a_backup_brings_everything_back(
    heartline: Heartline, on_database: str, mali: UserId, tmp_path: Path
) -> None:
    file = tmp_path / "heartline.backup"
    assert heartline("backup", file).status == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]

    execute(on_database, "UPDATE users SET name = 'Somebody'")
    execute(on_database, "CREATE TABLE newer (than text)")
    assert heartline("restore", file) == Said(0, f"Restored {file}.\n", "")
    assert query(on_database, "SELECT name FROM users") == ["Mali"]
    assert query(on_database, "SELECT tablename::text FROM pg_tables WHERE tablename = 'newer'") == []
    # What was restored can be backed up and restored in its turn.
    assert heartline("backup", file).status == 0
    assert heartline("restore", file).status == 0


def test_a_backup_stays_where_a_link_leads(heartline: Heartline, on_database: str, tmp_path: Path) -> None:
    kept, link = tmp_path / "kept", tmp_path / "link"
    kept.write_bytes(b"the one before")
    link.symlink_to(kept)
    assert heartline("backup", link).status == 0
    assert link.is_symlink()
    assert kept.read_bytes().startswith(b"PGDMP")


def test_what_is_no_file_is_not_replaced_by_a_backup(
    heartline: Heartline, on_database: str, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = heartline("backup", pipe)
    assert said.status == 2
    assert "it is no file" in said.err
    assert pipe.is_fifo()


def test_a_damaged_backup_changes_nothing(
    heartline: Heartline, on_database: str, mali: UserId, tmp_path: Path
) -> None:
    file = tmp_path / "heartline.backup"
    heartline("backup", file)
    whole = file.read_bytes()
    # The table of contents comes first, and the rows last.
    file.write_bytes(whole[:-300] + bytes(300))
    assert "nothing has changed" in refused(heartline("restore", file))
    file.write_bytes(b"hello")
    assert "is no backup" in refused(heartline("restore", file))
    assert query(on_database, "SELECT name FROM users") == ["Mali"]


def test_a_program_that_complains_at_length_does_not_hold_a_restore_up(
    heartline: Heartline, on_database: str, mali: UserId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "heartline.backup"
    heartline("backup", file)
    execute(on_database, "UPDATE users SET name = 'Somebody'")
    talkative = tmp_path / "pg_restore"
    talkative.write_text(
        f'#!/bin/sh\nyes complaint | head -c 1000000 >&2\nexec {program("pg_restore")} "$@"\n'
    )
    talkative.chmod(0o755)
    monkeypatch.setattr(backup, "program", lambda name: talkative if name == "pg_restore" else program(name))

    asyncio.run(asyncio.wait_for(backup._replace(on_database, file, 1), 30))

    assert query(on_database, "SELECT name FROM users") == ["Mali"]


def test_restore_keeps_away_from_a_database_in_use(
    heartline: Heartline, on_database: str, tmp_path: Path
) -> None:
    file = tmp_path / "heartline.backup"
    heartline("backup", file)

    async def while_in_use(engine: AsyncEngine) -> Said:
        async with engine.connect():
            return await asyncio.to_thread(heartline, "restore", file)

    assert "stop its servers first" in refused(on(on_database, while_in_use))


@pytest.mark.parametrize("where", ["/proc/heartline.backup", "/dev/null/heartline.backup"])
def test_a_backup_that_cannot_be_written(heartline: Heartline, on_database: str, where: str) -> None:
    assert f"{where} cannot be written: " in refused(heartline("backup", where))


@pytest.fixture
def empty(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database that has never been migrated."""
    postgres.execute("CREATE DATABASE never_migrated")
    url = postgres.url("never_migrated")
    monkeypatch.setenv("HEARTLINE_DATABASE_URL", url)
    yield url
    postgres.drop("never_migrated")


def test_another_schema_is_refused_until_it_is_migrated(heartline: Heartline, empty: str) -> None:
    for command in (["serve", "--port", "0"], ["verify", "--all"], ["user", "Mali", "--delete"]):
        assert "run `heartline migrate`" in refused(heartline(*command))
    assert heartline("migrate").status == 0
    assert heartline("verify", "--all").status == 0


def test_a_newer_schema_is_refused(heartline: Heartline, on_database: str) -> None:
    execute(on_database, "UPDATE alembic_version SET version_num = '9999'")
    assert "this server needs" in refused(heartline("serve", "--port", "0"))
    assert "upgrade Heartline" in refused(heartline("migrate"))


@pytest.mark.parametrize(
    "arguments",
    [["serve", "--port", "0"], ["migrate"], ["verify", "--all"], ["backup", "/tmp/never-written"]],
)
def test_a_database_that_is_down(
    heartline: Heartline, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("HEARTLINE_DATABASE_URL", "postgresql://mali:hush@127.0.0.1:1/cards")
    line = refused(heartline(*arguments))
    assert line.startswith("The database postgresql://mali:***@127.0.0.1:1/cards cannot be used: ")


@pytest.mark.parametrize(
    ("url", "variables"),
    [
        ("postgresql://localhost/cards", {"PGPORT": "http"}),
        ("postgresql://localhost:1/cards", {"PGSSLMODE": "maybe"}),
        (f"postgresql://{'a' * 64}/cards", {}),
    ],
)
def test_a_database_that_cannot_be_asked(
    heartline: Heartline, monkeypatch: pytest.MonkeyPatch, url: str, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert "cannot be used: " in refused(heartline("migrate", "--database-url", url))


def test_a_host_that_cannot_be(heartline: Heartline, on_database: str) -> None:
    line = refused(heartline("serve", "--port", "0", "--host", "a" * 64))
    assert line.startswith(f"Cannot listen on {'a' * 64}")


def test_a_database_that_does_not_exist(heartline: Heartline, postgres: Postgres, monkeypatch: Any) -> None:
    monkeypatch.setenv("HEARTLINE_DATABASE_URL", postgres.url("no_such_database"))
    assert "does not exist" in refused(heartline("serve", "--port", "0"))
