"""Runs a command in front of the terminal, in a process group of its own: Ctrl-C is then for it alone.

`python -m server.commands.front COMMAND…`: for make, which would take a Ctrl-C for a failure of the command.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress


def run(command: list[str]) -> int:
    """The exit status of the command. Without a terminal the command takes the place of this process."""
    terminal = sys.stdin.fileno()
    if not os.isatty(terminal):
        os.execv(command[0], command)  # noqa: S606 — what make has been told to run
    with subprocess.Popen(command, process_group=0) as process:  # noqa: S603 — as above
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        os.tcsetpgrp(terminal, process.pid)
        status = process.wait()
    # The terminal stops whoever speaks to it from behind.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with suppress(OSError):  # It may be gone.
        os.tcsetpgrp(terminal, os.getpgrp())
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
