"""Who gets what: each user his own, nobody waits for anybody."""

import asyncio

import pytest
from websockets.exceptions import ConnectionClosed

from server.log.model import UserId
from tests.channels.conftest import Channels
from tests.channels.test_outbox import clog

ANN = UserId("ann")


async def test_each_user_gets_his_own_encoded_once(channels: Channels) -> None:
    asked: list[UserId | None] = []

    def payload_for(user: UserId | None) -> bytes:
        asked.append(user)
        return f"for {user}".encode()

    async with (
        channels.client("user=ann") as (phone, phone_box),
        channels.client("user=ann") as (laptop, laptop_box),
        channels.client() as (guest, guest_box),
        channels.client("user=ben") as (_, other_box),
    ):
        for box in (phone_box, laptop_box, guest_box):
            channels.hub.subscribe("games/a", box)
        channels.hub.subscribe("games/b", other_box)
        channels.hub.publish("games/a", payload_for)
        assert await phone.recv() == await laptop.recv() == "for ann"
        assert await guest.recv() == "for None"
        assert sorted(map(str, asked)) == ["None", "ann"]


async def test_watching_ends(channels: Channels) -> None:
    hub = channels.hub
    async with channels.client("user=ann") as (client, box), channels.client("user=ann") as (_, second):
        hub.subscribe("games/a", box)
        hub.subscribe("games/a", box)
        hub.subscribe("games/a", second)
        hub.subscribe("games/b", box)
        assert set(hub.subscriptions(box)) == {"games/a", "games/b"}
        assert hub.connected("games/a", ANN)
        box.push("games/a", b"state")
        hub.unsubscribe("games/a", box)
        hub.unsubscribe("games/a", box)
        assert hub.connected("games/a", ANN)
        hub.unsubscribe("games/a", second)
        assert not hub.connected("games/a", ANN)
        assert not hub.watched("games/a")
        hub.publish("games/a", lambda _: b"nobody")
        hub.publish("games/b", lambda _: b"b")
        assert await client.recv() == "b"
        hub.leave(box)
        assert not hub.watched("games/b")
        assert not hub.subscriptions(box)


async def test_it_is_told_when_somebody_comes_and_goes(channels: Channels) -> None:
    hub = channels.hub
    told: list[tuple[str, UserId, bool]] = []
    hub.on_presence = lambda channel, user: told.append((channel, user, hub.connected(channel, user)))
    async with (
        channels.client("user=ann") as (phone, phone_box),
        channels.client("user=ann") as (_, laptop_box),
        channels.client() as (guest, guest_box),
    ):
        for box in (guest_box, phone_box, laptop_box):
            hub.subscribe("games/a", box)
        hub.publish("games/a", lambda _: b"Ann is here", but=ANN)
        assert await guest.recv() == "Ann is here"
        hub.publish("games/a", lambda _: b"next")
        assert await phone.recv() == "next"
        for box in (phone_box, guest_box, laptop_box):
            hub.leave(box)
        assert told == [("games/a", ANN, True), ("games/a", ANN, False)]


async def test_a_client_that_never_reads_is_dropped_and_the_others_miss_nothing(channels: Channels) -> None:
    channels.stall_s = 0.3
    async with channels.client() as (reader, reader_box), channels.client() as (deaf, deaf_box):
        for box in (reader_box, deaf_box):
            channels.hub.subscribe("games/a", box)
        await clog(deaf, deaf_box)
        number = 0
        while not deaf_box.closing:
            channels.hub.publish("games/a", lambda _, number=number: b"%d" % number)  # type: ignore[misc]
            assert int(await reader.recv()) == number
            assert len(deaf_box._queue) <= 3
            number += 1
        assert number > 10
        assert not channels.hub.connected("games/a", ANN)


async def test_the_sockets_of_a_session_are_closed(channels: Channels) -> None:
    async with (
        channels.client("session=one") as (phone, _),
        channels.client("session=one") as (tablet, _),
        channels.client("session=two") as (laptop, box),
    ):
        channels.sockets.close_session("one")
        channels.sockets.close_session("unknown")
        for client in (phone, tablet):
            with pytest.raises(ConnectionClosed):
                await client.recv()
            assert client.close_code == 4401
        box.answer(b"still here")
        assert await laptop.recv() == "still here"


async def test_all_sockets_close_when_the_server_stops(channels: Channels) -> None:
    async with channels.client("session=one") as (first, box), channels.client() as (second, _):
        box.answer(b"answered")
        async with asyncio.timeout(5):
            await channels.sockets.close_all()
        assert await first.recv() == "answered"
        for client in (first, second):
            with pytest.raises(ConnectionClosed):
                await client.recv()
            assert client.close_code == 1001


async def test_a_socket_that_comes_while_the_server_stops_is_closed_as_well(channels: Channels) -> None:
    await channels.sockets.close_all()
    async with channels.client() as (late, _), asyncio.timeout(5):
        with pytest.raises(ConnectionClosed):
            await late.recv()
        assert late.close_code == 1001
