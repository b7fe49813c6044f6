"""Any interleaving of commands from two nodes leaves the games that a simple model says."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from server.log.errors import Stale, Unwritable
from server.log.log import Log
from server.log.model import Change, GameRow
from tests.log.games import move, new_game, touch, undo

GAMES = 3


@dataclass
class Model:
    """A game as it should be: its row, and the words of its log."""

    row: GameRow
    words: list[str] = field(default_factory=list)
    past: list[GameRow] = field(default_factory=list)
    """Rows that stale commands take for the present one."""

    def take(self, change: Change) -> None:
        self.past.append(self.row)
        self.row = change.after
        if change.append is not None:
            self.words.append(change.append.move)
        if change.truncate:
            self.words.pop()


@dataclass(frozen=True)
class Command:
    """What is sent: over which of two logs, to which game, and how many revisions too late."""

    node: int
    game: int
    kind: str
    late: int

    def on(self, model: Model, word: str) -> Change:
        row = [*model.past, model.row][-1 - min(self.late, len(model.past))]
        match self.kind:
            case "move":
                return move(row, word)
            case "undo":
                return undo(row)
            case _:
                return touch(row, status=word)


commands = st.builds(
    Command,
    node=st.integers(0, 1),
    game=st.integers(0, GAMES - 1),
    kind=st.sampled_from(["move", "move", "undo", "touch"]),
    late=st.sampled_from([0, 0, 0, 1, 2]),
)
rounds = st.lists(st.lists(commands, min_size=1, max_size=8), min_size=1, max_size=12)


@pytest.fixture
async def nodes(engine: AsyncEngine) -> AsyncIterator[tuple[Log, Log]]:
    async with Log(engine) as first, Log(engine) as second:
        yield first, second


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=rounds)
async def test_two_nodes_are_one_log(nodes: tuple[Log, Log], rounds: list[list[Command]]) -> None:
    models = [Model(new_game().game) for _ in range(GAMES)]
    for model in models:
        await nodes[0].create(new_game(id=model.row.id))

    for number, batch in enumerate(rounds):
        sent = [command.on(models[command.game], f"{number}-{place}") for place, command in enumerate(batch)]
        ends = await asyncio.gather(
            *(nodes[command.node].commit(change) for command, change in zip(batch, sent, strict=True)),
            return_exceptions=True,
        )
        for game, model in enumerate(models):
            settle(model, [(change, end) for command, change, end in zip(batch, sent, ends, strict=True)
                           if command.game == game])  # fmt: skip

    for model in models:
        for node in nodes:
            logged = await node.read(model.row.id)
            assert logged is not None
            assert logged.game == model.row
            assert [each.move for each in logged.moves] == model.words


def settle(model: Model, ends: list[tuple[Change, BaseException | None]]) -> None:
    """Of the commands at the present revision one is taken, if one can be; all others are stale."""
    possible = {
        id(change) for change, _ in ends if change.expected == model.row.revision and change.after.ply >= 0
    }
    taken = [change for change, end in ends if end is None]
    assert len(taken) == min(1, len(possible))
    assert all(id(change) in possible for change in taken)
    for change, end in ends:
        if end is not None:
            assert isinstance(end, Stale | Unwritable)
            assert isinstance(end, Stale) or change.after.ply < 0
    for change in taken:
        model.take(change)
