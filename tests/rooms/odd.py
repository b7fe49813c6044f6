"""A view for a bot, and one that does odd things to the process in which it is looked at."""

import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

from server.games.hearts.options import checked, table
from server.games.hearts.state import Hearts
from tests.bots.tables import view_of

OPTIONS = checked({})
STATE = Hearts(table(OPTIONS), bytes(32))
VIEW = view_of(STATE, 1, OPTIONS)


class Odd(dict[str, Any]):
    """A view that does something odd to the first process that a bot looks at it in."""

    def __init__(self, once: Path, what: str) -> None:
        super().__init__(VIEW)
        self._once = once
        self._what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return Odd, (self._once, self._what)

    def __getitem__(self, key: str) -> Any:
        if multiprocessing.parent_process() is not None and not self._once.exists():
            written = self._once.with_suffix(".new")
            written.write_text(str(os.getpid()))
            written.rename(self._once)
            if self._what == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            while self._what == "stall":
                time.sleep(0.01)
            raise ValueError("QS is where it should not be")
        return super().__getitem__(key)
