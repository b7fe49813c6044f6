"""Par in a process of its own, so that no search holds up the event loop.

`python -m server.daily.solver` reads the long form of one deal and prints its `Solution` as JSON.
"""

import asyncio
import resource
import sys
import traceback
from types import TracebackType

import msgspec

from server.daily.par import Par, par
from server.games.deals import Deal, read_deal

MOST_MEMORY = 2 << 30
"""Bytes. Nearly every deal takes a thousandth of it; the one that would take more has no par."""


class SearchFailedError(RuntimeError):
    """The search has a mistake of ours, or was killed; the text says where, and names no card."""


async def solve(deal: Deal) -> Par | None:
    """The par of a deal; None if it cannot be won, or the search would need more memory than it may have.

    Cancelled, it ends the process.

    Raises:
        SearchFailedError: it did not come to its end.
    """
    # The cards go through a pipe: arguments can be seen by every user of the machine.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Ctrl-C is for the server, which ends this process itself.
        start_new_session=True,
    )
    try:
        output, said = await process.communicate(deal.long.encode())
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise SearchFailedError(f"exit status {process.returncode}: {said.decode()}")
    return msgspec.json.decode(output, type=Par | None)


def main() -> None:
    """Solves the deal on standard input."""
    sys.excepthook = _say_where
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    try:
        solved = par(read_deal(sys.stdin.read()).cards)
    except MemoryError:
        solved = None
    sys.stdout.write(msgspec.json.encode(solved).decode())


def _say_where(kind: type[BaseException], _: BaseException, trace: TracebackType | None) -> None:
    """Tells of an error without its own words, which may name cards."""
    sys.stderr.write("".join([*traceback.format_tb(trace), kind.__name__]))


if __name__ == "__main__":
    main()
