"""Tables of Hearts for tests of rooms: people who sit down, and legal play by whoever is on turn."""

import random
from typing import Any

from server.log.model import GameId, UserId
from server.rooms.position import Answer, Fill, HouseMove, Join, Leave, Move
from server.rooms.room import Copy
from tests.rooms.conftest import ANN, BEN, Node

CARL = UserId("carl")
DORA = UserId("dora")
PEOPLE = (ANN, BEN, CARL, DORA, *(UserId(f"user-{number}") for number in range(4, 10)))

View = dict[str, Any]


async def open_table(
    node: Node, people: int = 1, *, bots: int = 0, level: str = "steady", public: bool = False, **options: Any
) -> GameId:
    """A table with so many people on it, Ann first."""
    view = await node.rooms.open_table(ANN, options, bots=bots, level=level, public=public)
    game = GameId(view["id"])
    for user in PEOPLE[1:people]:
        await join(node, game, user)
    return game


async def join(node: Node, game: GameId, user: UserId, seat: int | None = None) -> View:
    return await node.do(game, Join(user, user.title(), seat))


async def leave(node: Node, game: GameId, user: UserId) -> View:
    return await node.do(game, Leave(user))


async def fill(node: Node, game: GameId, user: UserId = ANN, seat: int | None = None) -> View:
    return await node.do(game, Fill(user, seat, "easy"))


async def answer(node: Node, game: GameId, user: UserId, accept: bool) -> View:
    return await node.do(game, Answer(user, None, accept))


async def now(node: Node, game: GameId) -> Copy:
    """The node's own copy."""
    await node.view(game, None)
    copy = node.rooms._rooms[game].now
    assert copy is not None
    return copy


def move_of(game: Copy, seat: int, chance: random.Random) -> str:
    """Any legal move of a seat on turn."""
    state = game.position.state
    legal = state.legal(game.position.seats[seat].seat)
    if legal == ["pass"]:
        return "pass " + " ".join(chance.sample(state.view(game.position.seats[seat].seat)["hand"], 3))
    return chance.choice(legal)


async def play_on(node: Node, game: GameId, chance: random.Random) -> View:
    """One move of somebody on turn: by the person who has the seat, else by the house."""
    copy = await now(node, game)
    row, seat = copy.position.row, chance.choice(copy.position.turn)
    move, holder = move_of(copy, seat, chance), copy.position.seats[seat]
    if holder.user is None or holder.resigned:
        return await node.do(game, HouseMove(seat, row.revision, move))
    return await node.do(game, Move(holder.user, row.revision, move))


async def play_out(node: Node, game: GameId, chance: random.Random, *, until: str = "finished") -> View:
    """Plays until the game has this status."""
    view = await node.view(game)
    while view["status"] not in (until, "finished"):
        view = await play_on(node, game, chance)
        node.clock.advance(seconds=1)
    return view
