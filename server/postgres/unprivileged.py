"""PostgreSQL refuses to run as root. Who it runs as then, and that user's way to its files."""

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

import structlog

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.postgres")

USER = "heartline"
"""The system user that is made when root starts the first server."""


class NoUser(Exception):  # noqa: N818 — told to the user as it stands
    """There is no user that PostgreSQL could run as, or no way for it; a sentence that says what to do."""


@dataclass(frozen=True)
class Account:
    """A user of the machine."""

    name: str
    uid: int
    gid: int


def account_for(folder: Path) -> Account | None:
    """The user that PostgreSQL on this data folder runs as, or None: as ourselves, who are not root.

    A folder that another user has made stays that user's.

    Raises:
        NoUser: none exists, and none could be made.
    """
    if os.geteuid() != 0:
        return None
    owner = folder.stat().st_uid if folder.exists() else 0
    try:
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(USER)
    except KeyError:
        if owner:
            raise NoUser(f"{folder} belongs to user {owner}, who is not known on this machine.") from None
        entry = _make_user()
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _make_user() -> pwd.struct_passwd:
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent",
               "--shell", "/usr/sbin/nologin"]  # fmt: skip
    try:
        subprocess.run([*command, USER], check=True, capture_output=True, text=True)  # noqa: S603
    except FileNotFoundError:
        raise NoUser("PostgreSQL cannot run as root, and useradd is missing (package passwd).") from None
    except subprocess.CalledProcessError as error:
        why = error.stderr.strip().splitlines()[-1:] or ["useradd failed"]
        raise NoUser(f"PostgreSQL cannot run as root, and no user could be made for it: {why[0]}") from None
    _logger.warning("made a system user, since PostgreSQL does not run as root", user=USER)
    return pwd.getpwnam(USER)


def open_way(path: Path, account: Account) -> None:
    """Lets `account` pass through the folders above `path` (pass, not list), and says which it opened.

    Raises:
        NoUser: a folder could not be opened.
    """
    folders = reversed(path.resolve().parents)
    closed = [each for each in folders if not _may(each.stat(), account, stat.S_IXOTH)]
    for folder in closed:
        _add(folder, stat.S_IXOTH)
    if closed:
        told = [str(folder) for folder in closed]
        _logger.warning("opened folders, for PostgreSQL's user to pass through", folders=told)


def open_tree(tree: Path, account: Account) -> None:
    """Lets `account` read a tree of programs that a strict umask has closed; says so when it was.

    Raises:
        NoUser: it could not be opened.
    """
    opened = False
    for path in (tree, *tree.rglob("*")):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            continue
        runs = stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_IXUSR
        for bit in (stat.S_IROTH, stat.S_IXOTH) if runs else (stat.S_IROTH,):
            if not _may(status, account, bit):
                _add(path, bit)
                opened = True
    if opened:
        _logger.warning("opened PostgreSQL's programs for its user to read", folder=str(tree))


def give(path: Path, mode: int, account: Account | None) -> None:
    """Makes a file or folder the account's own."""
    path.chmod(mode)
    if account is not None:
        shutil.chown(path, account.uid, account.gid)


def _may(status: os.stat_result, account: Account, bit: int) -> bool:
    """Whether the account has a right, given as the bit that others have it by."""
    if status.st_uid == account.uid:
        return bool(status.st_mode & bit << 6)
    if status.st_gid == account.gid:
        return bool(status.st_mode & bit << 3)
    return bool(status.st_mode & bit)


def _add(path: Path, bit: int) -> None:
    try:
        path.chmod(stat.S_IMODE(path.stat().st_mode) | bit)
    except OSError as error:
        raise NoUser(
            f"PostgreSQL's user cannot get through {path}, and it could not be opened: {error.strerror}. "
            "Choose a data folder elsewhere (HEARTLINE_DATA_DIR)."
        ) from None
