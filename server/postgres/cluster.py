"""PostgreSQL's data folder: making it, whose it is, and whether a PostgreSQL is at work in it."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from server.postgres import sockets
from server.postgres.programs import MAJOR, EmbeddedError, isolated, program, program_trees, reason
from server.postgres.unprivileged import account_for, give, open_tree, open_way

CONFIGURATION = """\
# Written anew at every start: a small card room that never loses a move.
# Settings of your own go below the line in postgresql.conf that includes this file, or through ALTER SYSTEM.

listen_addresses = ''
max_connections = 50

fsync = on
synchronous_commit = on
full_page_writes = on
wal_compression = on
max_wal_size = 512MB
checkpoint_timeout = 15min

shared_buffers = 64MB
random_page_cost = 1.1
jit = off
io_method = sync
max_logical_replication_workers = 0
idle_in_transaction_session_timeout = 1min

timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = on
log_directory = 'log'
log_filename = 'postgresql-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
log_line_prefix = '%m [%p] '
# Statements, parameters and rows stay out of the log: they hold cards, and hashes of passwords.
log_statement = none
log_min_error_statement = panic
log_error_verbosity = terse
"""


class Cluster:
    """What PostgreSQL keeps in a data folder: `postgres/`, and a file that tells of its socket."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "postgres"
        self._socket_file = data_dir / "socket"
        self._log_name = self.folder / "current_logfiles"
        self._logged: dict[Path, int] = {}
        self.account = account_for(self.folder)
        """Whom PostgreSQL runs as; None: as ourselves."""

    def prepare(self) -> None:
        """Makes what is missing: the way for PostgreSQL's user, and the data.

        Raises:
            EmbeddedError, NoUser, OSError: it cannot be made, or is another user's or version's.
        """
        if self.account is not None:
            for path in (*program_trees(), self.folder):
                open_way(path, self.account)
            for tree in program_trees():
                open_tree(tree, self.account)
        if self.folder.exists():
            self._check()
        else:
            self._initialise()
        # Made anew, and PostgreSQL's own: whoever wrote the last one, and under whatever umask.
        configuration = self.folder / "heartline.conf"
        configuration.unlink(missing_ok=True)
        configuration.write_text(CONFIGURATION)
        give(configuration, 0o600, self.account)

    def _check(self) -> None:
        owner = self.folder.stat().st_uid
        if owner != (self.account.uid if self.account else os.geteuid()):
            raise EmbeddedError(f"{self.folder} belongs to the user with id {owner}: run as that user.")
        major = (self.folder / "PG_VERSION").read_text().strip()
        if major != MAJOR:
            raise EmbeddedError(
                f"{self.folder} was made by PostgreSQL {major}, and this is {MAJOR}: "
                "back up with the release that made it, and restore with this one."
            )

    def _initialise(self) -> None:
        # Beside its place, so that half a folder never stands in it.
        new = self.folder.with_name("postgres.new")
        if new.exists():
            shutil.rmtree(new)
        new.mkdir()
        give(new, 0o700, self.account)
        made = subprocess.run(  # noqa: S603
            [
                program("initdb"), f"--pgdata={new}", f"--username={sockets.ROLE}",
                "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8",
                "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            ],
            capture_output=True,
            **isolated(self.account),
        )  # fmt: skip
        if made.returncode:
            raise EmbeddedError(f"PostgreSQL's data could not be made: {reason(made.stderr)}")
        with (new / "postgresql.conf").open("a") as file:
            file.write("\ninclude_if_exists = 'heartline.conf'\n")
        new.rename(self.folder)

    def pid_in_file(self) -> int | None:
        """The process that PostgreSQL's pid file names. It may be long dead, or be another program by now."""
        with suppress(OSError, ValueError, IndexError):
            return int((self.folder / "postmaster.pid").read_text().splitlines()[0])
        return None

    def postmaster(self) -> int | None:
        """The process of a PostgreSQL that really is at work here, if there is one."""
        pid = self.pid_in_file()
        if pid is None:
            return None
        if sys.platform != "linux":
            return pid if sockets.listens(self.socket_dir()) else None
        # This finds one, too, whose socket somebody has removed.
        with suppress(OSError):
            return pid if Path(f"/proc/{pid}/cwd").samefile(self.folder) else None
        return None

    def forget_log(self) -> None:
        """Before a start: what was logged until now is no reason why it fails."""
        self._log_name.unlink(missing_ok=True)
        self._logged = {path: path.stat().st_size for path in (self.folder / "log").glob("*")}

    def log(self) -> bytes:
        """What PostgreSQL has logged since `forget_log`, if it came as far as having a log."""
        with suppress(OSError, IndexError):
            path = self.folder / self._log_name.read_text().split()[1]
            with path.open("rb") as file:
                file.seek(self._logged.get(path, 0))
                return file.read()
        return b""

    def make_socket_dir(self) -> Path:
        """A new folder to listen in, which commands find through the data folder."""
        socket_dir = sockets.make_socket_dir()
        if self.account is not None:
            open_way(socket_dir, self.account)
        give(socket_dir, 0o700, self.account)
        self._socket_file.write_text(str(socket_dir))
        return socket_dir

    def socket_dir(self) -> Path | None:
        """The folder that PostgreSQL listens in, or a killed one did."""
        with suppress(OSError):
            socket_dir = Path(self._socket_file.read_text())
            # Under /tmp anybody can make a folder of that name once ours is gone.
            if socket_dir.stat().st_uid == self.folder.stat().st_uid:
                return socket_dir
        return None

    def remove_socket_dir(self) -> None:
        """Removes that folder, with what a killed PostgreSQL has left in it."""
        if (socket_dir := self.socket_dir()) is not None:
            sockets.remove_socket_dir(socket_dir)
        self._socket_file.unlink(missing_ok=True)
