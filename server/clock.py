"""The time of day, as a value that is handed in: tests move it, nothing sleeps for it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

Clock = Callable[[], datetime]
"""Gives the present moment, in UTC."""


def system_clock() -> datetime:
    """The machine's own clock, to whole milliseconds, as the log keeps times."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def opens_at(day: date) -> datetime:
    """When a day begins: at 00:00 UTC."""
    return datetime.combine(day, time(), UTC)


def closes_at(day: date) -> datetime:
    """When a day is over: at 24:00 UTC."""
    return opens_at(day) + timedelta(days=1)


# A view that is sent to many spells the same times for each of them.
@lru_cache(1024)
def rfc3339(moment: datetime) -> str:
    """A moment in UTC as answers spell it: `2026-11-29T12:00:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(at: datetime | None) -> str | None:
    """The same of a moment that may not have come yet."""
    return None if at is None else rfc3339(at)
