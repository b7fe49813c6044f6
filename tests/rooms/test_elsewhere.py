"""What another process does at a table shows on a node that has it live: nobody waits for who is gone."""

from collections.abc import Collection, Mapping

from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.log.log import Log
from server.log.model import UserId
from server.rooms.elsewhere import Elsewhere
from server.rooms.rooms import Rooms
from tests.rooms.conftest import ANN, BEN, Node, names
from tests.rooms.test_house import ANNS, BENS, Driven, play, two_people
from tests.rooms.test_house import minds as minds
from tests.rooms.test_house import node as node


async def depart(engine: AsyncEngine, node: Node, user: UserId) -> None:
    """Does as `heartline user NAME --delete`: a process of its own, of which nobody hears."""
    async with Log(engine) as log:
        await Rooms(log, Hub(), node.clock, names).depart(user)


async def test_nobody_waits_for_who_has_been_deleted_elsewhere(engine: AsyncEngine, node: Driven) -> None:
    game = await two_people(node, turn_seconds=0)
    async with node.watching(game, ANN) as ann:
        await play(node, game, ANN)
        before = await node.quiet(game)
        assert before.turn == (BENS,)
        await depart(engine, node, BEN)

        await Elsewhere(node.log, node.rooms.live, names).look()

        push = await ann.until(before.row.revision + 1)
        assert push["view"]["players"][BENS]["resigned"]
        after = await node.quiet(game)
        assert after.turn == (ANNS,)


async def test_a_new_name_shows_where_a_game_is_watched(node: Driven) -> None:
    game, solitaire = await two_people(node, turn_seconds=0), await node.deal()
    anns = "Ann"

    async def called(users: Collection[UserId]) -> Mapping[UserId, str]:
        return {**await names(users), ANN: anns}

    elsewhere = Elsewhere(node.log, node.rooms.live, called)
    async with node.watching(game) as watcher, node.watching(solitaire, ANN) as own:
        await elsewhere.look()
        anns = "Anna"
        await elsewhere.look()

        push = await watcher.push()
        assert push["event"] is None
        assert [each["user"] and each["user"]["name"] for each in push["view"]["players"]] == [
            "Anna", None, None, "Ben",
        ]  # fmt: skip
        assert (await own.push())["view"]["players"][0]["user"]["name"] == "Anna"
