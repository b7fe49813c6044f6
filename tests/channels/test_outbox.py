"""One socket's queue: order, replacement, bounds, and readers who stop reading."""

import asyncio

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

from server.channels.outbox import OWED, Outbox
from tests.channels.conftest import Channels

BIG = 256 * 1024
"""More than the kernel takes from us for a client that does not read, after a few frames."""


async def clog(client: ClientConnection, outbox: Outbox) -> int:
    """Stops the client's reading and sends until the socket takes no more; returns the number of frames."""
    client.transport.pause_reading()
    frames = 0
    while not queued(outbox):
        await outbox.within_bounds()
        outbox.answer(b"x" * BIG)
        frames += 1
        for _ in range(3):
            await asyncio.sleep(0)
    return frames


async def read_all(client: ClientConnection) -> None:
    while True:
        await client.recv()


def queued(outbox: Outbox) -> list[bytes]:
    return list(outbox._queue.values())


async def test_answers_and_pushes_arrive_in_order(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        await outbox.within_bounds()
        outbox.push("games/a", b"a1")
        outbox.answer(b"ok")
        outbox.push("games/b", b"b1")
        assert [await client.recv() for _ in range(3)] == ["a1", "ok", "b1"]


async def test_a_newer_push_takes_the_place_of_the_one_that_waits(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        outbox.push("games/a", b"a1")
        outbox.push("games/b", b"b1")
        outbox.answer(b"ok")
        outbox.push("games/a", b"a2")
        assert [await client.recv() for _ in range(3)] == ["a2", "b1", "ok"]


async def test_the_state_with_which_a_subscription_begins_is_not_replaced(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        outbox.begin("games/a", b"a0")
        outbox.push("games/a", b"a1")
        outbox.push("games/a", b"a2")
        assert [await client.recv() for _ in range(2)] == ["a0", "a2"]


async def test_what_is_forgotten_is_not_sent(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        outbox.begin("games/a", b"a0")
        outbox.push("games/a", b"a1")
        outbox.forget("games/a")
        outbox.forget("games/never")
        outbox.answer(b"ok")
        assert await client.recv() == "ok"


async def test_a_slow_reader_gets_the_newest_state_and_every_answer(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        sent = await clog(client, outbox)
        for number in range(1000):
            outbox.push("games/a", b"state %d" % number)
        assert len(queued(outbox)) <= 3
        client.transport.resume_reading()
        frames = [await client.recv() for _ in range(sent + 1)]
        assert frames[-1] == "state 999"
        assert [len(frame) for frame in frames[:-1]] == [BIG] * sent


async def test_commands_of_a_socket_that_is_owed_too_much_wait(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        for _ in range(OWED):
            await outbox.within_bounds()
        reading = asyncio.create_task(outbox.within_bounds())
        await asyncio.sleep(0)
        assert not reading.done()
        for number in range(OWED):
            outbox.answer(b"%d" % number)
        assert [int(await client.recv()) for _ in range(OWED)] == list(range(OWED))
        await reading


async def test_a_reader_who_takes_nothing_is_cut_off(channels: Channels) -> None:
    channels.stall_s = 0.2
    async with channels.client() as (client, outbox):
        await clog(client, outbox)
        async with asyncio.timeout(5):
            await asyncio.wait([channels.writers[outbox]])
        assert queued(outbox) == []
        client.transport.resume_reading()
        with pytest.raises(ConnectionClosedError):
            await read_all(client)


async def test_a_reader_who_takes_little_is_not_cut_off(channels: Channels) -> None:
    channels.stall_s = 0.4
    async with channels.client() as (client, outbox):
        for number in range(20):
            await outbox.within_bounds()
            outbox.answer(b"%d" % number + b"x" * BIG)
        for number in range(20):
            await asyncio.sleep(0.05)  # Slower than the limit in sum, but never idle for so long.
            assert str(await client.recv()).startswith(f"{number}x")
        assert not outbox.closing


async def test_an_idle_socket_stays_open(channels: Channels) -> None:
    channels.stall_s = 0.05
    async with channels.client() as (client, outbox):
        outbox.answer(b"ok")
        assert await client.recv() == "ok"
        await asyncio.sleep(0.2)
        outbox.answer(b"still here")
        assert await client.recv() == "still here"


async def test_what_waits_leaves_before_the_socket_closes(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        outbox.answer(b"ok")
        outbox.close(4401)
        outbox.answer(b"too late")
        assert await client.recv() == "ok"
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == 4401


async def test_closing_does_not_wait_for_a_reader_who_takes_nothing(channels: Channels) -> None:
    async with channels.client() as (client, outbox):
        await clog(client, outbox)
        outbox.close(4401)
        async with asyncio.timeout(5):
            await channels.sockets.close_all()


async def test_a_reader_who_hangs_up_leaves_nothing_behind(
    channels: Channels,
) -> None:
    async with channels.client() as (client, outbox):
        await clog(client, outbox)
        client.transport.abort()
        async with asyncio.timeout(5):
            await channels.sockets.close_all()
        assert outbox.closing
        assert queued(outbox) == []
