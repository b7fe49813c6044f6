"""The days' deals: settled once for all nodes, hidden by the secret, solved beside the event loop."""

import asyncio
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.clock import closes_at, opens_at
from server.daily.days import Days
from server.daily.schema import days, server_secret
from server.errors import Code, Refused
from server.games import GAMES
from server.games.deals import day_deal, read_deal
from server.games.game import Seat
from server.games.winnable import winnable
from tests.conftest import Clock

TODAY = date(2026, 11, 29)
TOMORROW = date(2026, 11, 30)
YESTERDAY = date(2026, 11, 28)


async def test_a_day_runs_from_midnight_to_midnight_utc() -> None:
    assert opens_at(TODAY) == datetime(2026, 11, 29, tzinfo=UTC)
    assert closes_at(TODAY) == datetime(2026, 11, 30, tzinfo=UTC)


async def test_the_deal_follows_from_the_given_secret(engine: AsyncEngine, clock: Clock) -> None:
    deal = await Days(engine, clock, "sesame").deal(TODAY)

    assert deal == day_deal("2026-11-29", "sesame", winnable)
    assert deal.code == "HH1-D-20261129"
    assert winnable(deal.cards)


async def test_the_database_makes_its_secret_once(engine: AsyncEngine, clock: Clock) -> None:
    nodes = [Days(engine, clock) for _ in range(4)]

    await asyncio.gather(*(node.deal(date(2026, 11, day)) for day, node in enumerate(nodes, 1)))

    async with engine.connect() as connection:
        secret = (await connection.execute(select(server_secret.c.secret))).scalar_one()
        for row in await connection.execute(select(days.c.day, days.c.deal)):
            assert read_deal(row.deal) == day_deal(row.day.isoformat(), secret, winnable)
    assert len(secret) >= 32


async def test_the_first_writer_of_a_day_wins(engine: AsyncEngine, clock: Clock) -> None:
    first, second = Days(engine, clock, "one"), Days(engine, clock, "two")

    both = await asyncio.gather(first.deal(TODAY), second.deal(TODAY))
    later = await Days(engine, clock, "three").deal(TODAY)

    assert both[0] == both[1] == later
    async with engine.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(days)) == 1


async def test_a_day_is_closed_until_it_is_over(engine: AsyncEngine, clock: Clock) -> None:
    node = Days(engine, clock)
    for day in (TODAY, TOMORROW, date(9999, 12, 31)):
        with pytest.raises(Refused) as refused:
            node.over(day)
        assert refused.value.code is Code.NOT_YET

    clock.now = closes_at(TODAY)
    assert node.over(TODAY) == TODAY


async def test_a_past_day_keeps_the_deal_that_it_was_dealt_late(engine: AsyncEngine, clock: Clock) -> None:
    day = date(1994, 2, 28)
    deal = await Days(engine, clock, "one").deal(day)
    assert deal.code == "HH1-D-19940228"
    later = Days(engine, clock, "two")
    assert await later.deal(day) == deal
    assert await later.unsolved() == day


async def test_a_day_to_come_is_not_found(engine: AsyncEngine, clock: Clock) -> None:
    node = Days(engine, clock)
    assert node.begun(TODAY) == TODAY
    for day in (TOMORROW, date(9999, 12, 31)):
        with pytest.raises(Refused) as refused:
            node.begun(day)
        assert refused.value.code is Code.NOT_FOUND


async def test_a_deal_of_the_first_day_of_all(engine: AsyncEngine, clock: Clock) -> None:
    assert (await Days(engine, clock).deal(date(1, 1, 1))).code == "HH1-D-00010101"


async def test_a_search_goes_on_for_others_when_who_asked_has_lost_patience(
    engine: AsyncEngine, clock: Clock
) -> None:
    node = Days(engine, clock)
    impatient, patient = (asyncio.create_task(node.solve(TODAY)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()

    assert await patient == await node.par(TODAY)
    assert impatient.cancelled()


async def test_closed_it_gives_up_what_it_searches(engine: AsyncEngine, clock: Clock) -> None:
    node = Days(engine, clock)
    search = asyncio.create_task(node.solve(TODAY))
    await asyncio.sleep(0)

    await node.close()

    with pytest.raises(asyncio.CancelledError):
        await search
    assert await node.par(TODAY) is None


async def test_par_is_solved_beside_the_loop_and_its_line_wins(engine: AsyncEngine, clock: Clock) -> None:
    node = Days(engine, clock, "sesame")
    assert await node.par(TODAY) is None

    par = await node.solve(TODAY)

    assert par is not None
    assert await node.par(TODAY) == par
    state = GAMES["heart-to-heart"].setup({}, (await node.deal(TODAY)).long)
    for move in par.line:
        state.play(Seat(0), move)
    assert state.status == "won"
    assert len(par.line) == par.moves


async def test_the_latest_day_without_par_is_in_arrears(engine: AsyncEngine, clock: Clock) -> None:
    node = Days(engine, clock, "sesame")
    assert await node.unsolved() is None
    for day in (YESTERDAY, TODAY):
        await node.deal(day)

    assert await node.unsolved() == TODAY
    await node.solve(TODAY)
    assert await node.unsolved() == YESTERDAY
