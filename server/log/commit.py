"""Group commit: commands that wait at the same moment go out in one statement and one commit.

While one statement is under way the next commands gather, so throughput is not bound by one flush a move, and
a lone command waits for nobody.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from time import perf_counter

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log import statements
from server.log.database import PATIENCE, PAUSE, fault, is_away, unavailable
from server.log.errors import Stale, Unwritable
from server.log.model import Change, GameId
from server.log.wire import Wire

BATCH = 500
"""The most commands in one statement, so that its time stays within a few hundredths of a second."""

HELD_S = 0.01
"""Until games that another transaction holds are tried again, when nothing else is to be written."""

OnCommit = Callable[[int, float, bool], None]
"""Is told of each attempt to commit: how many commands were in it, its seconds, whether it succeeded."""


class Command:
    """A change that waits to be written."""

    __slots__ = ("change", "deadline", "done", "stamp")

    def __init__(self, change: Change, stamp: int, deadline: float, done: asyncio.Future[None]) -> None:
        self.change = change
        self.stamp = stamp
        self.deadline = deadline
        self.done = done

    def succeed(self) -> None:
        """Lets the caller go on, if it still waits."""
        if not self.done.done():
            self.done.set_result(None)

    def fail(self, error: Exception) -> None:
        """Raises at the caller's, if it still waits."""
        if not self.done.done():
            self.done.set_exception(error)


class Committer:
    """Writes changes, one statement at a time, on a connection that it keeps."""

    def __init__(self, engine: AsyncEngine, on_commit: OnCommit) -> None:
        self._wire = Wire(engine)
        self._on_commit = on_commit
        self._waiting: deque[Command] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self._stamps = random.Random(random.SystemRandom().getrandbits(128))  # noqa: S311 — marks, not secrets

    def submit(self, change: Change) -> asyncio.Future[None]:
        """Does what `Log.submit` says."""
        check(change)
        if self._closed:
            raise RuntimeError("the log is closed")
        loop = asyncio.get_running_loop()
        patience = PATIENCE if change.within_s is None else min(PATIENCE, change.within_s)
        command = Command(change, self._stamps.getrandbits(63), loop.time() + patience, loop.create_future())
        self._waiting.append(command)
        if self._writer is None:
            self._writer = loop.create_task(self._write_all())
        return command.done

    async def close(self) -> None:
        """Takes no more commands, writes those that wait, and gives the connection back."""
        self._closed = True
        if self._writer is not None:
            await self._writer
        await self._wire.close()

    async def _write_all(self) -> None:
        batch: list[Command] = []
        try:
            while self._waiting:
                batch = self._next_batch()
                await self._write(batch)
        except BaseException as error:
            # Nobody may wait for ever for a writer that is no more: the next command starts another.
            told = error if isinstance(error, Exception) else RuntimeError("the log has been stopped")
            for command in (*batch, *self._waiting):
                command.fail(told)
            self._waiting.clear()
            if told is not error:
                raise
        finally:
            self._writer = None

    def _next_batch(self) -> list[Command]:
        """The commands that have waited longest, no two of one game: a row is updated once in a statement."""
        batch: dict[GameId, Command] = {}
        later: list[Command] = []
        while self._waiting and len(batch) < BATCH:
            command = self._waiting.popleft()
            if batch.setdefault(command.change.after.id, command) is not command:
                later.append(command)
        self._waiting.extendleft(reversed(later))
        return list(batch.values())

    async def _write(self, batch: list[Command]) -> None:
        """Writes the batch, for as long as it takes or its commands have patience."""
        while batch := in_time(batch):
            try:
                unwritten = await self._send(batch)
            except Exception as error:
                if is_away(error):
                    await self._wire.drop()
                    await asyncio.sleep(PAUSE)
                    continue
                if len(batch) == 1:
                    return batch[0].fail(unwritable(batch[0].change, error))
                half = len(batch) // 2
                await self._write(batch[:half])
                batch = batch[half:]
            else:
                return await self._put_off(settle(batch, unwritten))
        return None

    async def _put_off(self, held: list[Command]) -> None:
        """Has commands wait behind all others: whoever holds their games may take his time."""
        if held and not self._waiting:
            await asyncio.sleep(HELD_S)
        self._waiting.extend(held)

    async def _send(self, batch: list[Command]) -> list[asyncpg.Record]:
        changes = [command.change for command in batch]
        statement, arguments = statements.build(changes, [command.stamp for command in batch])
        started, succeeded = perf_counter(), False
        try:
            unwritten = await self._wire.execute(statement, arguments, min(each.deadline for each in batch))
            succeeded = True
        finally:
            self._on_commit(len(batch), perf_counter() - started, succeeded)
        return unwritten


def check(change: Change) -> None:
    """Refuses a change that contradicts itself, by ValueError."""
    after, move = change.after, change.append
    if after.revision != change.expected + 1:
        raise ValueError(f"a change of game {after.id} raises its revision by one")
    if move is not None and (
        change.truncate
        or move.at != after.action_at
        or move.clock_ms != after.clock_ms
        or move.peak != after.peak
        or move.undone != after.undone
    ):
        raise ValueError(f"the move and the row of game {after.id} differ")


def unwritable(change: Change, error: Exception) -> Exception:
    """What the caller is told of an error: nothing that quotes values."""
    if isinstance(error, asyncpg.PostgresError):
        return Unwritable(f"game {change.after.id}: {fault(error)}")
    return error


def in_time(batch: list[Command]) -> list[Command]:
    """Those that can still wait; the others are told that they waited in vain."""
    now = asyncio.get_running_loop().time()
    patient = [command for command in batch if command.deadline > now]
    if len(patient) < len(batch):
        for command in batch:
            if command.deadline <= now:
                command.fail(unavailable())
    return patient


def settle(batch: list[Command], unwritten: list[asyncpg.Record]) -> list[Command]:
    """Answers the commands; `unwritten` tells how the statement found the games that it did not write.

    Those whose games another transaction holds are given back, to be tried again.
    """
    found = {row["place"]: row for row in unwritten}
    held = []
    for place, command in enumerate(batch, 1):
        row = found.get(place)
        expected = command.change.expected
        if row is None:
            command.succeed()
        elif row["held"]:
            held.append(command)
        elif row["revision"] == expected + 1 and row["stamp"] == command.stamp:
            # Written by an earlier send, whose answer was lost with the connection.
            command.succeed()
        elif row["revision"] == expected and row["ply"] != command.change.after.ply:
            command.fail(ValueError(f"the log of game {command.change.after.id} has another length"))
        else:
            command.fail(Stale(command.change.after.id))
    return held
