"""The command `heartline`, also `python -m server`."""

import logging
import sys
from collections.abc import Sequence
from typing import NoReturn

import click
from alembic.util import CommandError

from server.commands.backup import backup, restore
from server.commands.bench import bench
from server.commands.common import first_line
from server.commands.daily import daily
from server.commands.data import migrate, prune
from server.commands.logs import configure_logs
from server.commands.rebuild import rebuild
from server.commands.records import deal, replay, verify
from server.commands.serve import serve
from server.commands.users import user
from server.embedded import EmbeddedError
from server.errors import Refused
from server.log.database import SchemaMismatch, is_away
from server.settings import BadSetting

COMMANDS = (
    serve, migrate, deal, replay, verify, daily, rebuild, user, backup, restore, prune, bench,
)  # fmt: skip


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, commands=COMMANDS)
def cli() -> None:
    """A card room: Heart to Heart and Hearts, every game a log of moves in PostgreSQL.

    Without --database-url a command uses the PostgreSQL that comes with the package, and starts it if it
    does not run. Every setting can also be given in the environment: HEARTLINE_DATABASE_URL,
    HEARTLINE_DATA_DIR, HEARTLINE_PORT, and so on.
    """
    # The server has another place for its log, and sets it itself.
    configure_logs(sys.stderr, logging.WARNING)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command that the arguments name, and exits.

    0: done. 1: it could not be done, and one line on stderr says why. 2: it was asked for wrongly.
    """
    try:
        cli.main(args=arguments, prog_name="heartline")
    except (BadSetting, EmbeddedError) as error:
        _fail(str(error))
    except Refused as refused:
        _fail(refused.detail)
    except SchemaMismatch as mismatch:
        _fail(f"{str(mismatch)[:1].upper()}{str(mismatch)[1:]}.")
    except CommandError:
        _fail("The database is at a schema that this release does not know: upgrade Heartline.")
    except Exception as error:
        if not is_away(error):
            raise
        _fail(f"The database does not answer any more: {first_line(error)}")
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    click.ClickException(message).show()
    sys.exit(1)
