"""The call that checks a record which anybody brings."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Final

import msgspec
from aiohttp import web

from server.errors import Code, Refused
from server.log.record import Record
from server.rooms.record import Checked, checked
from server.rooms.rooms import PAGE
from server.web.caller import address_of
from server.web.endpoint import Routes, answer
from server.web.games import PliesQuery
from server.web.keys import LIMITS

MAX_RECORD: Final = 1024 * 1024
"""Bytes of a record."""

MOST_WAITING: Final = 16
"""Records that may wait for their turn; beyond that, a flood is turned away at once."""

routes = Routes()


class Checker:
    """Checks records beside the event loop, one at a time: a long one takes seconds."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "records")
        self._waiting = 0

    def close(self) -> None:
        """Ends the thread; what still waits is not checked any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def check(self, text: bytes, first: int, last: int) -> bytes:
        """What is found, as JSON, with the views of the plies from `first` to `last`.

        Raises:
            Refused: `slow_down`.
        """
        if self._waiting >= MOST_WAITING:
            raise Refused(Code.SLOW_DOWN, "Too many records at once. Try again in 5 s.", retry_after=5)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, _check, text, first, last)
        finally:
            self._waiting -= 1


CHECKER = web.AppKey("checker", Checker)


@routes.post("/api/records", {200: Checked}, max_body=MAX_RECORD)
async def check_record(
    request: web.Request, query: PliesQuery, body: Annotated[bytes, Record]
) -> web.Response:
    """Checks a record and shows up to 200 moments of it. Nothing is stored."""
    request.app[LIMITS].check(address_of(request))
    first = max(query.first, 0)
    most = first + PAGE - 1
    last = most if query.last is None else min(query.last, most)
    return answer(await request.app[CHECKER].check(body, first, last))


def _check(text: bytes, first: int, last: int) -> bytes:
    return msgspec.json.encode(checked(text, first, last))
