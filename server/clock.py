"""The time of day, as a value that is handed in: tests move it, nothing sleeps for it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment, in UTC."""


def system_clock() -> datetime:
    """The machine's own clock, to whole milliseconds, as the log keeps times."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
