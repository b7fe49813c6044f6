"""`heartline backup -` and `restore -`: a backup that goes through a pipe, as it does out of a container."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from server.log.model import UserId
from server.postgres.programs import program
from tests.test_cli import execute, query
from tests.test_cli import mali as mali
from tests.test_cli import on_database as on_database

PROJECT = Path(__file__).parent.parent.parent


def heartline(*arguments: str, given: bytes = b"") -> tuple[int, bytes, str]:
    """Status, what went to standard output, and what was said beside it."""
    ended = subprocess.run(
        [sys.executable, "-m", "server", *arguments], cwd=PROJECT, input=given, capture_output=True
    )
    return ended.returncode, ended.stdout, ended.stderr.decode()


def test_a_backup_goes_through_a_pipe_and_back(on_database: str, mali: UserId) -> None:
    status, backup, said = heartline("backup", "-")
    assert (status, said) == (0, "")
    # Nothing is before it, nor behind its last, empty block.
    assert backup.endswith(bytes(5))
    listed = subprocess.run([program("pg_restore"), "--list"], input=backup, capture_output=True)
    assert (listed.returncode, listed.stderr) == (0, b"")

    execute(on_database, "UPDATE users SET name = 'Somebody'")
    assert heartline("restore", "-", given=backup) == (0, b"Restored the backup.\n", "")
    assert query(on_database, "SELECT name FROM users") == ["Mali"]


def test_what_comes_through_a_pipe_in_part_changes_nothing(on_database: str, mali: UserId) -> None:
    _, backup, _ = heartline("backup", "-")
    execute(on_database, "UPDATE users SET name = 'Somebody'")
    for part in (backup[:-300], b"hello"):
        status, out, said = heartline("restore", "-", given=part)
        assert (status, out, said.count("\n")) == (1, b"", 1)
        assert "nothing has changed" in said
    assert query(on_database, "SELECT name FROM users") == ["Somebody"]


def test_a_backup_of_something_else_changes_nothing(on_database: str, mali: UserId) -> None:
    execute(on_database, "ALTER TABLE alembic_version RENAME TO something_else")
    other = subprocess.run(
        [program("pg_dump"), "--format=custom", "--no-owner", on_database], capture_output=True, check=True
    ).stdout
    execute(on_database, "ALTER TABLE something_else RENAME TO alembic_version")
    status, _, said = heartline("restore", "-", given=other)
    assert status == 1
    assert "nothing has changed" in said
    assert query(on_database, "SELECT name FROM users") == ["Mali"]


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_terminal_is_no_place_for_a_backup(on_database: str, command: str) -> None:
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "server", command, "-"],
        cwd=PROJECT, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, timeout=60,
    )  # fmt: skip
    os.close(theirs)
    os.close(ours)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"Error: ")
    assert ended.stderr.count(b"\n") == 1
