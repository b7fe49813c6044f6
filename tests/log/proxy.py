"""A stand-in for the database that loses answers, cuts connections, refuses them, falls silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self

from sqlalchemy import make_url

COMMANDS = b'"expected"'
"""What only a statement with commands has in it."""


class Proxy:
    """Hands on what a client and the database say to each other, until it is told not to."""

    def __init__(self, url: str) -> None:
        self._target = make_url(url)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._refuses = False
        self._speaks = asyncio.Event()
        self._speaks.set()
        self._to_lose = 0
        self.commands_sent = asyncio.Event()
        """Set when a statement with commands has been handed on."""
        self.refused = asyncio.Event()
        """Set when a new connection has been cut."""

    @classmethod
    @asynccontextmanager
    async def to(cls, url: str) -> AsyncIterator[Self]:
        """A proxy to the database of a URL, at work."""
        proxy = cls(url)
        proxy._server = await asyncio.start_server(proxy._hand_on, "127.0.0.1")
        async with proxy._server:
            yield proxy
            proxy.speak()
            proxy.go_down()

    @property
    def url(self) -> str:
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()
        return self._target.set(host=host, port=port, query={}).render_as_string(hide_password=False)

    def lose_answers(self, number: int) -> None:
        """Cuts the connection in place of the answer to each of the next statements with commands."""
        self._to_lose = number

    def cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    def go_down(self) -> None:
        """Cuts all connections, and each new one at once."""
        self._refuses = True
        self.cut()

    def come_up(self) -> None:
        self._refuses = False

    def fall_silent(self) -> None:
        """Hands nothing on, but keeps connections and takes new ones."""
        self._speaks.clear()

    def speak(self) -> None:
        self._speaks.set()

    async def _hand_on(self, client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        self._open.add(client_out)
        try:
            if self._refuses:
                self.refused.set()
            else:
                folder = self._target.query["host"]
                database_in, database_out = await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.5432")
                self._open.add(database_out)
                try:
                    await self._talk(client_in, client_out, database_in, database_out)
                finally:
                    self._open.discard(database_out)
                    database_out.transport.abort()
        finally:
            self._open.discard(client_out)
            client_out.transport.abort()

    async def _talk(
        self,
        client_in: asyncio.StreamReader,
        client_out: asyncio.StreamWriter,
        database_in: asyncio.StreamReader,
        database_out: asyncio.StreamWriter,
    ) -> None:
        answer_due = False

        async def forth() -> None:
            nonlocal answer_due
            while data := await client_in.read(1 << 20):
                await self._speaks.wait()
                answer_due = COMMANDS in data
                database_out.write(data)
                if answer_due:
                    self.commands_sent.set()

        async def back() -> None:
            while data := await database_in.read(1 << 20):
                await self._speaks.wait()
                if answer_due and self._to_lose:
                    self._to_lose -= 1
                    return
                client_out.write(data)

        directions = [asyncio.create_task(forth()), asyncio.create_task(back())]
        with suppress(ConnectionError):
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        for direction in directions:
            direction.cancel()
        await asyncio.gather(*directions, return_exceptions=True)
