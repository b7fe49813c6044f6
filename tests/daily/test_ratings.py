"""Ratings: one pass in the order in which the games ended, whoever makes it, and however often."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily import ratings as module
from server.daily.ratings import LAG, WHOLE, Ratings
from server.daily.schema import ratings
from server.games.game import Seat
from server.log.database import connect
from server.log.log import Log
from server.log.model import Change, GameId, GameRow, Logged, ResultRow, Revision, SeatRow, UserId
from tests.conftest import Clock
from tests.log.proxy import Proxy
from tests.log.transfers import move_seats

START = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
Table = Sequence[tuple[str, int]]
"""Who sat there, and on which rank he ended."""

_numbers = count(1)


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


async def hand_over(engine: AsyncEngine, ids: Sequence[GameId]) -> None:
    async with engine.begin() as connection:
        await module.moved(connection, ids)


async def play(log: Log, table: Table, minute: int, *, public: bool = True, game: str = "hearts") -> GameId:
    """A table that ended so many minutes after the start."""
    at = START + timedelta(minutes=minute)
    row = GameRow(
        id=GameId(f"game-{next(_numbers):06}"),
        game=game,
        options={},
        seed="00" * 32,
        public=public,
        created_at=START,
        creator=UserId(table[0][0]),
        status="playing",
        started_at=START,
    )
    seats = tuple(SeatRow(Seat(number), UserId(user)) for number, (user, _) in enumerate(table))
    await log.create(Logged(row, seats, ()))
    results = tuple(
        ResultRow(
            seat=Seat(number),
            user=UserId(user),
            game=game,
            status="finished",
            won=rank == 1,
            score=-10 * rank,
            moves=0,
            clock_ms=0,
            day=None,
            rank=rank,
            finished_at=at,
        )
        for number, (user, rank) in enumerate(table)
    )
    after = replace(row, revision=Revision(1), status="finished", finished_at=at)
    await log.commit(Change(expected=Revision(0), after=after, results=results))
    return row.id


async def rated(engine: AsyncEngine) -> dict[str, tuple[float, float, int]]:
    async with engine.connect() as connection:
        rows = await connection.execute(select(ratings))
        return {row.user_id: (row.mu, row.sigma, row.games) for row in rows}


def expected(tables: Sequence[Table]) -> dict[str, tuple[float, float, int]]:
    """The ratings after these tables in this order, by openskill itself."""
    model = PlackettLuce()
    players = {user: (model.rating(), 0) for table in tables for user, _ in table}
    for table in tables:
        after = model.rate([[players[user][0]] for user, _ in table], ranks=[rank for _, rank in table])
        for (user, _), [rating] in zip(table, after, strict=True):
            players[user] = rating, players[user][1] + 1
    return {user: (rating.mu, rating.sigma, games) for user, (rating, games) in players.items()}


async def test_the_better_rank_gains(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    table = [("ann", 1), ("ben", 2), ("cat", 2), ("dan", 4)]
    await play(log, table, 0)

    await Ratings(engine, clock).catch_up()

    told = await rated(engine)
    assert told == expected([table])
    assert told["ann"][0] > told["ben"][0] == told["cat"][0] > told["dan"][0]


async def test_only_public_hearts_tables_with_two_people_count(
    engine: AsyncEngine, log: Log, clock: Clock
) -> None:
    await play(log, [("ann", 1), ("ben", 2)], 0, public=False)
    await play(log, [("ann", 1)], 0)
    await play(log, [("ann", 1), ("ben", 2)], 0, game="heart-to-heart")

    await Ratings(engine, clock).catch_up()

    assert await rated(engine) == {}


async def test_games_count_in_the_order_in_which_they_ended(
    engine: AsyncEngine, log: Log, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 7)
    chance = random.Random(3)
    users = [f"user-{number}" for number in range(8)]
    tables = [
        [(user, chance.randint(1, 4)) for user in chance.sample(users, chance.randint(2, 5))]
        for _ in range(40)
    ]
    order = sorted(range(40), key=lambda _: chance.random())
    played: dict[int, GameId] = {}
    for minute in order[:25]:
        # Two by two they end in the same moment: then their ids decide.
        played[minute] = await play(log, tables[minute], minute // 2)
    for minute in order[25:]:
        played[minute] = await play(log, tables[minute], minute // 2)

    await asyncio.gather(*(Ratings(engine, clock).catch_up() for _ in range(3)))

    in_order = sorted(range(40), key=lambda minute: (minute // 2, played[minute]))
    assert await rated(engine) == expected([tables[minute] for minute in in_order])


async def test_several_passes_are_as_one(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    tables = [[("ann", 1 + minute % 3), ("ben", 2), ("cat", 3)] for minute in range(10)]
    node = Ratings(engine, clock)
    for minute, table in enumerate(tables):
        await play(log, table, minute)
        clock.now = START + timedelta(minutes=minute) + LAG
        for _ in range(2):
            await node.catch_up()
        # What has ended only just now waits: another node may still write a game that ended before it.
        assert await rated(engine) == (expected(tables[:minute]) if minute else {})

    clock.advance(milliseconds=1)
    await node.catch_up()
    assert await rated(engine) == expected(tables)


async def test_games_that_change_hands_are_rated_anew(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    await play(log, [("guest", 1), ("ben", 2)], 0)
    await play(log, [("ann", 2), ("ben", 1)], 1)
    node = Ratings(engine, clock)
    await node.catch_up()

    await hand_over(engine, await move_seats(engine, UserId("guest"), UserId("ann")))
    clock.now += WHOLE
    await node.catch_up()

    assert await rated(engine) == expected([[("ann", 1), ("ben", 2)], [("ann", 2), ("ben", 1)]])


async def test_a_game_of_two_who_are_one_counts_no_more(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    await play(log, [("guest", 1), ("ann", 2)], 0)
    node = Ratings(engine, clock)
    await node.catch_up()

    await hand_over(engine, await move_seats(engine, UserId("guest"), UserId("ann")))
    clock.now += WHOLE
    await node.catch_up()

    assert await rated(engine) == {}


async def test_all_is_rated_anew_once_an_hour_at_most(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    await play(log, [("guest", 1), ("ben", 2)], 0)
    node = Ratings(engine, clock)
    began = clock.now = START + LAG + timedelta(seconds=1)
    await node.catch_up()
    await hand_over(engine, await move_seats(engine, UserId("guest"), UserId("ann")))

    await play(log, [("cat", 1), ("dan", 2)], 1)
    clock.now = began + WHOLE - timedelta(milliseconds=1)
    await node.catch_up()
    assert await rated(engine) == expected([[("guest", 1), ("ben", 2)], [("cat", 1), ("dan", 2)]])

    clock.now = began + WHOLE
    await node.catch_up()
    assert await rated(engine) == expected([[("ann", 1), ("ben", 2)], [("cat", 1), ("dan", 2)]])


async def test_other_games_change_hands_and_nothing_is_rated_anew(
    engine: AsyncEngine, log: Log, clock: Clock
) -> None:
    await play(log, [("ann", 1), ("ben", 2)], 0)
    alone = await play(log, [("guest", 1)], 1)
    node = Ratings(engine, clock)
    await node.catch_up()
    before = await rated(engine)

    await hand_over(engine, [alone])
    await hand_over(engine, [])

    assert await rated(engine) == before


async def test_games_that_change_hands_during_a_pass_are_rated_anew(
    engine: AsyncEngine, log: Log, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(log, [("guest", 1), ("ben", 2)], 0)
    node, rate = Ratings(engine, clock), module._rate

    async def rate_and_move(*given: Any) -> None:
        await rate(*given)
        monkeypatch.setattr(module, "_rate", rate)
        await hand_over(engine, await move_seats(engine, UserId("guest"), UserId("ann")))

    monkeypatch.setattr(module, "_rate", rate_and_move)
    await node.catch_up()

    clock.now += WHOLE
    await node.catch_up()
    assert await rated(engine) == expected([[("ann", 1), ("ben", 2)]])


async def test_a_pass_does_not_wait_for_ever_for_a_silent_database(
    database_url: str, engine: AsyncEngine, log: Log, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENCE_S", 0.3)
    await play(log, [("ann", 1), ("ben", 2)], 0)
    async with Proxy.to(database_url) as proxy:
        behind = connect(proxy.url)
        async with behind.connect():
            pass
        proxy.fall_silent()
        async with asyncio.timeout(5):
            with pytest.raises(TimeoutError):
                await Ratings(behind, clock).catch_up()
        proxy.speak()
        monkeypatch.undo()
        await Ratings(behind, clock).catch_up()
        await behind.dispose()
    assert await rated(engine) == expected([[("ann", 1), ("ben", 2)]])


async def test_all_can_be_rated_again(engine: AsyncEngine, log: Log, clock: Clock) -> None:
    tables = [[("ann", 1), ("ben", 2)], [("ben", 1), ("cat", 1)]]
    for minute, table in enumerate(tables):
        await play(log, table, minute)
    node = Ratings(engine, clock)
    await node.catch_up()
    async with engine.begin() as connection:
        await connection.execute(update(ratings).values(mu=0))

    await node.again()

    assert await rated(engine) == expected(tables)
