"""Runs a command in front of the terminal, in a process group of its own: Ctrl-C is then for it alone.

`python -m server.commands.front COMMAND…`: for make, which would take a Ctrl-C for a failure of the command.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

TERMINAL: Final = 0
"""Standard input, if it is one."""


def run(command: list[str]) -> int:
    """The exit status of the command. It takes the place of this process if that is not in front itself."""
    if not os.isatty(TERMINAL) or os.tcgetpgrp(TERMINAL) != os.getpgrp():
        os.execv(command[0], command)  # noqa: S606 — what make has been told to run
    with subprocess.Popen(command, process_group=0) as process:  # noqa: S603 — as above
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        os.tcsetpgrp(TERMINAL, process.pid)
        status = process.wait()
    # The terminal stops whoever speaks to it from behind.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with suppress(OSError):  # It may be gone.
        os.tcsetpgrp(TERMINAL, os.getpgrp())
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
