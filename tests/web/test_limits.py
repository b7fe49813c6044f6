"""Limits, with a clock that tests move."""

import pytest

from server.errors import Code, Refused
from server.web import limits
from server.web.limits import Limits
from tests.conftest import Clock


@pytest.fixture
def limited(clock: Clock) -> Limits:
    return Limits(clock, enabled=True)


def failed_sign_in(limited: Limits, address: str, name: str) -> None:
    with pytest.raises(Refused) as refused, limited.sign_in(address, name):
        raise Refused(Code.BAD_CREDENTIALS, "Wrong.")
    assert refused.value.code is Code.BAD_CREDENTIALS


def refused_seconds(work: object) -> int:
    assert isinstance(work, Refused)
    assert work.code is Code.SLOW_DOWN
    assert work.retry_after is not None
    return work.retry_after


def test_commands_come_in_bursts_and_then_at_their_rate(limited: Limits, clock: Clock) -> None:
    for _ in range(400):
        limited.command("a")
    with pytest.raises(Refused) as refused:
        limited.command("a")
    assert refused_seconds(refused.value) == 1
    limited.command("b")
    clock.advance(seconds=0.5)
    for _ in range(100):
        limited.command("a")
    with pytest.raises(Refused):
        limited.command("a")
    clock.advance(hours=1)
    for _ in range(400):
        limited.command("a")
    with pytest.raises(Refused):
        limited.command("a")


def test_a_clock_that_is_put_back_gives_nothing_away_and_takes_nothing(limited: Limits, clock: Clock) -> None:
    for _ in range(400):
        limited.command("a")
    clock.advance(hours=-1)
    with pytest.raises(Refused):
        limited.command("a")


def test_thirty_newcomers_a_minute_of_one_address(limited: Limits, clock: Clock) -> None:
    for _ in range(30):
        with limited.newcomer("1.2.3.4"):
            pass
        clock.advance(seconds=1)
    with pytest.raises(Refused) as refused, limited.newcomer("1.2.3.4"):
        pytest.fail("should not be let in")
    assert refused_seconds(refused.value) == 30
    with limited.newcomer("1.2.3.5"):
        pass
    clock.advance(seconds=30)
    with limited.newcomer("1.2.3.4"):
        pass
    with pytest.raises(Refused), limited.newcomer("1.2.3.4"):
        pytest.fail("should not be let in")


def test_who_is_refused_has_not_come(limited: Limits) -> None:
    for _ in range(100):
        with pytest.raises(Refused) as refused, limited.newcomer("1.2.3.4"):
            raise Refused(Code.BAD_NAME, "Bad.")
        assert refused.value.code is Code.BAD_NAME


def test_only_failed_sign_ins_count(limited: Limits) -> None:
    for _ in range(100):
        with limited.sign_in("1.2.3.4", "ann"):
            pass
    for _ in range(30):
        failed_sign_in(limited, "1.2.3.4", "ann")
    with pytest.raises(Refused) as refused, limited.sign_in("1.2.3.4", "ann"):
        pytest.fail("should not be let in")
    assert refused_seconds(refused.value) == 60


def test_failed_sign_ins_count_by_name_from_everywhere(limited: Limits) -> None:
    for number in range(100):
        failed_sign_in(limited, f"1.2.3.{number}", "ann")
    with pytest.raises(Refused), limited.sign_in("5.6.7.8", "ann"):
        pytest.fail("should not be let in")
    with limited.sign_in("5.6.7.8", "bob"):
        pass


def test_many_newcomers_at_once_do_not_all_pass(limited: Limits) -> None:
    waiting = [limited.newcomer("1.2.3.4") for _ in range(31)]
    for each in waiting[:30]:
        each.__enter__()
    with pytest.raises(Refused):
        waiting[30].__enter__()


def test_of_many_link_codes_at_once_only_wrong_ones_count_but_not_all_pass(limited: Limits) -> None:
    for _ in range(100):
        with limited.link_code("1.2.3.4"):
            pass
        with pytest.raises(Refused), limited.link_code("1.2.3.4"):
            raise Refused(Code.UNAVAILABLE, "Away.")
    waiting = [limited.link_code("1.2.3.4") for _ in range(31)]
    for each in waiting[:30]:
        each.__enter__()
    with pytest.raises(Refused):
        waiting[30].__enter__()
    for each in waiting[:30]:
        each.__exit__(None, None, None)
    for _ in range(30):
        with pytest.raises(Refused), limited.link_code("1.2.3.4"):
            raise Refused(Code.BAD_CREDENTIALS, "Wrong.")
    with pytest.raises(Refused), limited.sign_in("1.2.3.4", "ann"):
        pytest.fail("should not be let in")


def test_many_right_sign_ins_at_once_all_pass(limited: Limits) -> None:
    waiting = [limited.sign_in("1.2.3.4", "ann") for _ in range(200)]
    for each in waiting:
        each.__enter__()
    for each in waiting:
        each.__exit__(None, None, None)


def test_a_refused_attempt_by_name_costs_the_address_nothing(limited: Limits) -> None:
    for number in range(100):
        failed_sign_in(limited, f"1.2.3.{number}", "ann")
    for _ in range(100):
        with pytest.raises(Refused), limited.sign_in("5.6.7.8", "ann"):
            pytest.fail("should not be let in")
    with limited.sign_in("5.6.7.8", "bob"):
        pass


def test_others_do_not_keep_an_owner_from_changing_his_password(limited: Limits) -> None:
    for number in range(100):
        failed_sign_in(limited, f"1.2.3.{number}", "ann")
    for _ in range(30):
        with pytest.raises(Refused) as refused, limited.own_password("ann"):
            raise Refused(Code.BAD_CREDENTIALS, "Wrong.")
        assert refused.value.code is Code.BAD_CREDENTIALS
    with pytest.raises(Refused), limited.own_password("ann"):
        pytest.fail("should not be let in")


def test_off_means_off(clock: Clock) -> None:
    limited = Limits(clock, enabled=False)
    for _ in range(1000):
        limited.command("a")
        with limited.newcomer("1.2.3.4"):
            pass
        failed_sign_in(limited, "1.2.3.4", "ann")


def test_memory_is_bounded(limited: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 10)
    for number in range(100):
        limited.command(f"{number}")
        with limited.newcomer(f"1.2.3.{number}"):
            pass
        failed_sign_in(limited, f"1.2.3.{number}", f"{number}")
    assert {len(each) for each in (limited._commands._buckets, limited._newcomers._events)} == {10}
    assert len(limited._failures._events) == 10
