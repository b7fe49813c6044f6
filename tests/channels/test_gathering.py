"""What is written to a gathering transport, over a real pair of sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvloop

from server.channels.gathering import Gathering


@pytest.fixture
async def ends() -> AsyncIterator[tuple[Gathering, asyncio.Transport, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with theirs:
        transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=ours)
        yield Gathering(transport), transport, theirs
        transport.close()


async def test_nothing_leaves_before_the_flush_and_then_everything_at_once(
    ends: tuple[Gathering, asyncio.Transport, socket.socket],
) -> None:
    gathering, _, theirs = ends
    gathering.write(b"push ")
    gathering.write(b"answer")
    with pytest.raises(BlockingIOError):
        theirs.recv(64)
    gathering.flush()
    assert theirs.recv(64) == b"push answer"


async def test_what_has_been_flushed_is_not_sent_again(
    ends: tuple[Gathering, asyncio.Transport, socket.socket],
) -> None:
    gathering, _, theirs = ends
    for word in (b"one", b"two"):
        gathering.write(word)
        gathering.flush()
        assert theirs.recv(64) == word


async def test_it_closes_with_its_transport(
    ends: tuple[Gathering, asyncio.Transport, socket.socket],
) -> None:
    gathering, transport, _ = ends
    assert not gathering.is_closing()
    transport.close()
    assert gathering.is_closing()


def test_what_is_kept_for_a_reader_who_has_gone_is_dropped() -> None:
    async def flush_too_late() -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=ours)
            gathering = Gathering(transport)
            gathering.write(b"push")
            transport.abort()
            await asyncio.sleep(0)
            gathering.flush()

    # The loop of a running server: asyncio's own says nothing.
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(flush_too_late())
