"""Two servers, one database and NATS between them: for a client they are one."""

from tests.nats import running_nats
from tests.web.calls import call, register
from tests.web.conftest import StartNode
from tests.web.test_socket import begin, socket


async def test_two_servers_are_one_card_room(start_node: StartNode) -> None:
    async with running_nats() as nats:
        here, there = [await start_node(nats_url=nats.url) for _ in range(2)]
        ann = await register(here, "Ann")
        game = await begin(here, ann)
        async with socket(here, ann) as phone, socket(there, ann) as laptop, socket(there) as stranger:
            for client in (phone, laptop, stranger):
                assert (await client.watch(game))["revision"] == 0
            devices = {phone: laptop, laptop: phone}
            for revision, (device, other) in enumerate(2 * list(devices.items())):
                answer = await device.ask(type="move", game=game, move="draw", revision=revision)
                assert answer["revision"] == revision + 1
                for client in (other, stranger):
                    while (push := await client.push())["view"]["revision"] <= revision:
                        pass
                for node in (here, there):
                    _, view = await call(node, "GET", f"/api/games/{game}", who=ann)
                    assert view["ply"] == push["view"]["ply"] == revision + 1
            await call(here, "DELETE", "/api/sessions/current", who=ann)
            assert await phone.close_code() == await laptop.close_code() == 4401
