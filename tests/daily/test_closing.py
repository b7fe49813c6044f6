"""The end of a day: what is unfinished ends then, whenever a server comes to it, and however many do."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import closes_at, rfc3339
from server.daily.closing import Closing
from server.daily.days import Days
from server.errors import Code, Refused
from server.games.deals import day_deal
from server.games.winnable import winnable
from server.log.log import Log
from server.log.model import GameId, UserId
from server.log.schema import day_counts, results
from server.rooms.position import Move, Undo
from tests.channels.conftest import Channels
from tests.channels.conftest import channels as channels
from tests.conftest import Clock
from tests.rooms.conftest import ANN, Node

TODAY = date(2026, 11, 29)
MIDNIGHT = closes_at(TODAY)
DEAL = day_deal("2026-11-29", "sesame", winnable).long


class Club(Node):
    """A node and its closing."""

    def __init__(self, engine: AsyncEngine, log: Log, channels: Channels, clock: Clock) -> None:
        super().__init__(log, channels, clock)
        self.closing = Closing(engine, Days(engine, clock, "sesame"), self.rooms.expire)

    async def begin(self, user: UserId = ANN, *, listed: bool = True) -> GameId:
        return await self.deal(user, DEAL, day=TODAY, ranked=True, listed=listed)


@pytest.fixture
async def club(engine: AsyncEngine, channels: Channels, clock: Clock) -> AsyncIterator[Club]:
    async with Log(engine) as log:
        yield Club(engine, log, channels, clock)


async def rows_of_results(engine: AsyncEngine) -> list[tuple[str, str, bool, int, int, bool]]:
    columns = results.c
    query = select(
        columns.game_id, columns.status, columns.won, columns.score, columns.moves, columns.listed
    ).order_by(columns.user_id)
    async with engine.connect() as connection:
        return [tuple(row) for row in await connection.execute(query)]


async def test_nothing_ends_before_midnight(club: Club, clock: Clock) -> None:
    game = await club.begin()
    clock.now = MIDNIGHT
    clock.advance(milliseconds=-1)

    assert await club.closing.close_due() == 0
    clock.advance(minutes=-1)
    assert (await club.move(game, "draw"))["status"] == "playing"


async def test_an_unfinished_try_ends_as_it_stands(club: Club, engine: AsyncEngine, clock: Clock) -> None:
    game = await club.begin()
    for move in ("draw", "draw"):
        await club.move(game, move)
    await club.undo(game)
    clock.now = MIDNIGHT
    clock.advance(hours=9)

    assert await club.closing.close_due() == 1

    view = await club.view(game)
    assert (view["status"], view["finished_at"], view["legal"]) == ("resigned", rfc3339(MIDNIGHT), [])
    assert (view["ply"], view["undone"], view["revision"]) == (1, 1, 4)
    assert await rows_of_results(engine) == [(game, "resigned", False, 0, 2, True)]
    assert await club.closing.close_due() == 0


async def test_a_try_without_a_move_does_not_enter(club: Club, engine: AsyncEngine, clock: Clock) -> None:
    game = await club.begin()
    clock.now = MIDNIGHT

    assert await club.closing.close_due() == 1

    assert (await club.view(game))["status"] == "resigned"
    assert await rows_of_results(engine) == []
    async with engine.connect() as connection:
        assert (await connection.execute(select(day_counts))).all() == []


async def test_a_try_all_taken_back_has_been_moved_in(club: Club, engine: AsyncEngine, clock: Clock) -> None:
    game = await club.begin()
    await club.move(game, "draw")
    await club.undo(game)
    clock.now = MIDNIGHT

    await club.closing.close_due()

    assert await rows_of_results(engine) == [(game, "resigned", False, 0, 1, True)]


async def test_a_guests_try_ends_unlisted(club: Club, engine: AsyncEngine, clock: Clock) -> None:
    game = await club.begin(listed=False)
    await club.move(game, "draw")
    clock.now = MIDNIGHT

    await club.closing.close_due()

    assert await rows_of_results(engine) == [(game, "resigned", False, 0, 1, False)]


async def test_other_games_go_on(club: Club, clock: Clock) -> None:
    numbered = await club.deal()
    practice = await club.deal(ANN, DEAL, day=TODAY)
    clock.now = MIDNIGHT

    assert await club.closing.close_due() == 0
    for game in (numbered, practice):
        assert (await club.move(game, "draw"))["status"] == "playing"


@pytest.mark.parametrize("closed", [False, True], ids=["not yet closed", "closed"])
async def test_a_command_after_midnight_is_too_late(club: Club, clock: Clock, closed: bool) -> None:
    game = await club.begin()
    await club.move(game, "draw")
    clock.now = MIDNIGHT
    if closed:
        await club.closing.close_due()

    for command in (Move(ANN, 1, "draw"), Undo(ANN, 1), Move(ANN, 2, "draw")):
        with pytest.raises(Refused) as refused:
            await club.do(game, command)
        assert refused.value.code is Code.GAME_OVER


async def test_who_watches_sees_the_end(club: Club, clock: Clock) -> None:
    game = await club.begin()
    async with club.watching(game, ANN) as watcher:
        clock.now = MIDNIGHT
        await club.closing.close_due()

        push = await watcher.push()
        assert push["view"]["status"] == "resigned"
        assert push["event"] == {"kind": "resign", "seat": 0, "move": None}


async def test_several_nodes_close_a_day_once(engine: AsyncEngine, channels: Channels, clock: Clock) -> None:
    async with Log(engine) as one, Log(engine) as other:
        nodes = [Club(engine, log, channels, clock) for log in (one, other)]
        users = [UserId(f"user-{number:02}") for number in range(12)]
        tries = [await nodes[number % 2].begin(user) for number, user in enumerate(users)]
        for number, game in enumerate(tries):
            await nodes[number % 2].move(game, "draw", users[number])
        clock.now = MIDNIGHT

        await asyncio.gather(*(node.closing.close_due() for node in nodes))

        assert {await nodes[0].revision(game) for game in tries} == {2}
    assert await rows_of_results(engine) == [(game, "resigned", False, 0, 1, True) for game in tries]
    async with engine.connect() as connection:
        [count] = await connection.execute(select(day_counts).where(day_counts.c.depth == 1))
    assert tuple(count) == (TODAY, 1, 250, 0, 0, 12, 0)


@pytest.mark.parametrize(
    ("reason", "raised"),
    [
        (Refused(Code.UNAVAILABLE, "The database does not answer. Try again in a moment."), Refused),
        (RuntimeError("a mistake of ours"), ExceptionGroup),
    ],
)
async def test_one_that_cannot_be_ended_holds_up_no_other(
    club: Club, engine: AsyncEngine, clock: Clock, reason: Exception, raised: type[Exception]
) -> None:
    games = [await club.begin(UserId(f"user-{number}")) for number in range(3)]
    clock.now = MIDNIGHT

    async def expire(game: GameId) -> None:
        if game == games[1]:
            raise reason
        await club.rooms.expire(game)

    with pytest.raises(raised):
        await Closing(engine, Days(engine, clock), expire).close_due()

    assert await club.closing.close_due() == 1
