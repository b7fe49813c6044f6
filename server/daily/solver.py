"""Par in a process of its own, so that no search holds up the event loop.

`python -m server.daily.solver` reads the long form of one deal and prints its `Solution` as JSON.
"""

import asyncio
import resource
import sys

import msgspec

from server.daily.par import Par, par
from server.games.deals import Deal, read_deal

MOST_MEMORY = 2 << 30
"""Bytes. Nearly every deal takes a thousandth of it; the one that would take more has no par."""


async def solve(deal: Deal) -> Par | None:
    """The par of a winnable deal; None if the search did not come to its end.

    Cancelled, it ends the process.
    """
    # The cards go through a pipe: arguments can be seen by every user of the machine.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output, _ = await process.communicate(deal.long.encode())
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    return msgspec.json.decode(output, type=Par | None) if process.returncode == 0 else None


def main() -> None:
    """Solves the deal on standard input."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    solved = par(read_deal(sys.stdin.read()).cards)
    sys.stdout.write(msgspec.json.encode(solved).decode())


if __name__ == "__main__":
    main()
