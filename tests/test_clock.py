"""How moments are spelt."""

from datetime import UTC, datetime, timedelta, timezone

from server.clock import moment, rfc3339

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_a_moment_is_spelt_in_utc_to_the_millisecond() -> None:
    assert rfc3339(NOON) == "2026-11-29T12:00:00.000Z"
    assert rfc3339(NOON + timedelta(microseconds=1999)) == "2026-11-29T12:00:00.001Z"
    for hours in (-8, 7):
        assert rfc3339(NOON.astimezone(timezone(timedelta(hours=hours)))) == "2026-11-29T12:00:00.000Z"


def test_a_moment_that_has_not_come_is_null() -> None:
    assert moment(None) is None
    assert moment(NOON) == rfc3339(NOON)
