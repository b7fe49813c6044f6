"""How often one session, address or name may ask: kept in memory, for a bounded number of them."""

import math
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.clock import Clock
from server.errors import Code, Refused

COMMANDS_PER_SECOND = 200
COMMANDS_AT_ONCE = 400
ATTEMPTS = 30
"""In a minute: new guests and accounts of an address, failed sign-ins of an address; of a session QR codes,
exports, and public tables, which all who look at the lobby are shown."""
FAILURES_OF_NAME = 100
"""In a minute: failed sign-ins for a name, from anywhere. More, since others can use up this one."""
CHECKS = 60
"""In a minute: records of an address that are checked."""
MINUTE = 60.0
REMEMBERED = 50_000
"""Keys kept of each kind; beyond that, the one heard of longest ago starts afresh."""


def _slow_down(seconds: float) -> Refused:
    wait = max(1, math.ceil(seconds))
    return Refused(Code.SLOW_DOWN, f"Too many requests. Try again in {wait} s.", retry_after=wait)


class Buckets:
    """One token bucket a key: `burst` at once, refilled at `rate` a second."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> None:
        """Takes a token of `key`.

        Raises:
            Refused: `slow_down`, none is left.
        """
        tokens, since = self._buckets.get(key, (float(self._burst), now))
        tokens = min(self._burst, tokens + max(0.0, now - since) * self._rate)
        if tokens < 1:
            raise _slow_down((1 - tokens) / self._rate)
        self._buckets[key] = (tokens - 1, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)


class Windows:
    """At most `most` events a key in any `seconds`."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._events: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, key: str, now: float) -> None:
        """Counts an event of `key`.

        Raises:
            Refused: `slow_down`, it has had its share.
        """
        self.check(key, now)
        self.count(key, now)

    def check(self, key: str, now: float) -> None:
        """Counts nothing.

        Raises:
            Refused: `slow_down`, `key` has had its share.
        """
        events = self._events.get(key)
        if events and len(events) == self._most and (wait := events[0] + self._seconds - now) > 0:
            raise _slow_down(min(wait, self._seconds))

    def count(self, key: str, now: float) -> None:
        """Counts an event of `key`, whether or not it has had its share."""
        self._events.setdefault(key, deque(maxlen=self._most)).append(now)
        self._events.move_to_end(key)
        if len(self._events) > REMEMBERED:
            self._events.popitem(last=False)

    def give_back(self, key: str) -> None:
        """Forgets the last event of `key`: it was not of the kind that is limited."""
        if events := self._events.get(key):
            events.pop()


class Limits:
    """The limits of one node. All of them stand open when `enabled` is false."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self._enabled = enabled
        self._commands = Buckets(COMMANDS_PER_SECOND, COMMANDS_AT_ONCE)
        self._newcomers = Windows(ATTEMPTS, MINUTE)
        self._failures = Windows(ATTEMPTS, MINUTE)
        self._failures_of_name = Windows(FAILURES_OF_NAME, MINUTE)
        self._wrong_passwords = Windows(ATTEMPTS, MINUTE)
        self._drawings = Windows(ATTEMPTS, MINUTE)
        self._exports = Windows(ATTEMPTS, MINUTE)
        self._tables = Windows(ATTEMPTS, MINUTE)
        self._checks = Windows(CHECKS, MINUTE)

    def command(self, session: str) -> None:
        """Counts a command of a device session.

        Raises:
            Refused: `slow_down`.
        """
        self._take(self._commands, session)

    def drawing(self, session: str) -> None:
        """Counts a picture drawn for a device session.

        Raises:
            Refused: `slow_down`.
        """
        self._take(self._drawings, session)

    def export(self, session: str) -> None:
        """Counts a document of all that is kept about its user, made for a device session.

        Raises:
            Refused: `slow_down`.
        """
        self._take(self._exports, session)

    def public_table(self, session: str) -> None:
        """Counts a table that a device session opens to all.

        Raises:
            Refused: `slow_down`.
        """
        self._take(self._tables, session)

    def check(self, address: str) -> None:
        """Counts a record that an address wants checked.

        Raises:
            Refused: `slow_down`.
        """
        self._take(self._checks, address)

    @contextmanager
    def newcomer(self, address: str) -> Iterator[None]:
        """Counts the guest or account that the block makes, if it makes one.

        Raises:
            Refused: `slow_down`, before the block runs.
        """
        with self._at_once(self._newcomers, address, lambda refused: refused is None):
            yield

    @contextmanager
    def link_code(self, address: str) -> Iterator[None]:
        """Counts a link code that an address gets wrong.

        Raises:
            Refused: `slow_down`, before the block runs.
        """
        with self._at_once(self._failures, address, _is_wrong):
            yield

    @contextmanager
    def sign_in(self, address: str, name: str) -> Iterator[None]:
        """Counts a failed sign-in by password from an address, and for a name whether or not it exists.

        Many may pass together: their passwords wait for each other.

        Raises:
            Refused: `slow_down`, before the block runs.
        """
        with self._only_failures([(self._failures, address), (self._failures_of_name, name)]):
            yield

    @contextmanager
    def own_password(self, user: str) -> Iterator[None]:
        """Counts a wrong old password of a user who is signed in.

        Raises:
            Refused: `slow_down`, before the block runs.
        """
        with self._only_failures([(self._wrong_passwords, user)]):
            yield

    def _take(self, limit: Buckets | Windows, key: str) -> None:
        if self._enabled:
            limit.take(key, self._clock().timestamp())

    @contextmanager
    def _only_failures(self, counted: list[tuple[Windows, str]]) -> Iterator[None]:
        if not self._enabled:
            yield
            return
        now = self._clock().timestamp()
        for windows, key in counted:
            windows.check(key, now)
        try:
            yield
        except Refused as refused:
            if _is_wrong(refused):
                for windows, key in counted:
                    windows.count(key, now)
            raise

    @contextmanager
    def _at_once(
        self, windows: Windows, key: str, counts: Callable[[Refused | None], bool]
    ) -> Iterator[None]:
        """Counts the block before it runs, so that not all of many pass together.

        It is given back unless the way in which it ends counts.
        """
        if not self._enabled:
            yield
            return
        windows.take(key, self._clock().timestamp())
        try:
            yield
        except Refused as refused:
            if not counts(refused):
                windows.give_back(key)
            raise
        if not counts(None):
            windows.give_back(key)


def _is_wrong(refused: Refused | None) -> bool:
    return refused is not None and refused.code is Code.BAD_CREDENTIALS
