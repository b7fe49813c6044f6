"""What runs in a process that bots think in. It imports little else than the bots, to start quickly."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from server.bots import choose
from server.games.game import View

_FOR_THE_SERVER: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that come to all processes of a terminal or a container. The server still wants its moves."""


class Process(SpawnProcess):
    """A process that has nothing in it but what it is given.

    Python would run the program of the server once more in it, for what may be defined there: a process would
    take four times the memory, and as long as the server to start.
    """

    def start(self) -> None:
        """Starts it. Signals for the server do not end it before `begin` has it ignore them."""
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        # Else it would be started within, and would let the signals through again.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _FOR_THE_SERVER)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            sys.modules["__main__"] = program


class Context(SpawnContext):
    """Starts such processes. They inherit neither the event loop nor its sockets."""

    Process = Process


class Fault(NamedTuple):
    """A bot has not come to a move: the kind of error and where it came up, without its text.

    The text may name cards.
    """

    kind: str
    where: str


class TooSlow(Exception):  # noqa: N818 — the bot's fault, told as such
    """The time for one move is up."""


def begin(life: Connection) -> None:
    """Prepares the process: it ends when the other end of `life` is closed, and at no other sign.

    The system closes that end when the server dies, however it dies.
    """
    for each in _FOR_THE_SERVER:
        signal.signal(each, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FOR_THE_SERVER)
    signal.signal(signal.SIGALRM, _stop)
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def think(level: str, views: Sequence[View], seed: int, within_s: float) -> str | Fault:
    """The move of a bot, as `server.bots.choose` does it, within so many seconds."""
    signal.setitimer(signal.ITIMER_REAL, within_s)
    try:
        return choose(level, views, seed)
    except Exception as error:
        return fault_of(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def fault_of(error: BaseException) -> Fault:
    """What may be told of an error."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames]
    return Fault(type(error).__name__, " > ".join(where))


def _stop(_signal: int, _frame: object) -> None:
    raise TooSlow


def _end_with(life: Connection) -> None:
    life.poll(None)
    os._exit(0)
