"""The time of day, as a value that is handed in: tests move it, nothing sleeps for it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment, in UTC."""


def system_clock() -> datetime:
    """The machine's own clock, to whole milliseconds, as the log keeps times."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def rfc3339(moment: datetime) -> str:
    """A moment in UTC as answers spell it: `2026-11-29T12:00:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
