"""Passwords: how long, and how they are kept. The hashing runs beside the event loop."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from server.errors import Code, Refused

T = TypeVar("T")

SHORTEST, LONGEST = 8, 128

_MOST_TYPED = 1000
"""Characters before composition, which takes too long for endless rows of marks."""

_THREADS = 2
_MOST_WAITING = 64
"""Hashes that may wait for a thread; beyond that, a flood is turned away at once."""


class Passwords:
    """argon2id, in a small pool of threads of its own (19 MiB and about 20 ms each: OWASP's figures)."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="passwords")
        self._waiting = 0
        self._nobodys = self._hasher.hash("nobody's password")

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    async def hash(self, password: str) -> str:
        """What is kept of a new password.

        Raises:
            Refused: `weak_password`, it is too short or too long; `slow_down`.
        """
        normal = _normal(password)
        # Counted as it is read: a ligature is one character, though it stands for several.
        if normal is None or not SHORTEST <= len(unicodedata.normalize("NFC", password)) <= LONGEST:
            raise Refused(Code.WEAK_PASSWORD, f"A password has {SHORTEST} to {LONGEST} characters.")
        return await self._beside(lambda: self._hasher.hash(normal))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether `kept` came of this password. Without one the answer is no, and takes as long.

        Raises:
            Refused: `slow_down`.
        """
        normal = _normal(password)
        matched = await self._beside(lambda: self._verify(kept or self._nobodys, normal or ""))
        return matched and kept is not None

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except VerifyMismatchError:
            return False

    async def _beside(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MOST_WAITING:
            raise Refused(Code.SLOW_DOWN, "Too many sign-ins at once. Try again in 1 s.", retry_after=1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1


def _normal(password: str) -> str | None:
    """Keyboards spell the same character in several ways; all are the same password. None: endless."""
    return unicodedata.normalize("NFKC", password) if len(password) <= _MOST_TYPED else None
