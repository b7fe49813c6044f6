"""A guest signs in to an account: what becomes of his seats, his tries and his results."""

import asyncio
from datetime import date, timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.games.game import Seat
from server.log.bots import NAMES, another
from server.log.errors import AlreadyTried, Stale
from server.log.log import Log
from server.log.model import Bot, GameId, Logged, SeatRow, Takeback, UserId
from server.log.schema import day_counts, results
from tests.log.games import move, new_game, resign
from tests.log.transfers import move_seats

DAY = date(2026, 11, 29)
GUEST, ANN = UserId("guest"), UserId("ann")


async def read(log: Log, game: GameId) -> Logged:
    logged = await log.read(game)
    assert logged is not None
    return logged


async def test_a_guests_games_become_the_accounts(engine: AsyncEngine, log: Log) -> None:
    own = new_game("guest")
    table = new_game("bob", "guest", None)
    strange = new_game("bob")
    for game in (own, table, strange):
        await log.create(game)
    change = move(own.game)
    await log.commit(change)

    assert set(await move_seats(engine, GUEST, ANN)) == {own.game.id, table.game.id}

    moved = await read(log, own.game.id)
    assert moved.game == replace(change.after, creator=ANN, revision=change.after.revision + 1)
    assert [seat.user for seat in moved.seats] == ["ann"]
    moved = await read(log, table.game.id)
    assert moved.game == replace(table.game, revision=1)
    assert [seat.user for seat in moved.seats] == ["bob", "ann", None]
    assert await read(log, strange.game.id) == strange
    assert [listed.game.id for listed in (await log.list_games(user=GUEST))[0]] == []


async def test_a_command_from_before_is_stale(engine: AsyncEngine, log: Log) -> None:
    own = new_game("guest")
    await log.create(own)
    await move_seats(engine, GUEST, ANN)

    with pytest.raises(Stale):
        await log.commit(move(own.game))


async def test_there_may_be_nothing_to_move(engine: AsyncEngine, log: Log) -> None:
    assert await move_seats(engine, GUEST, ANN) == []


async def test_results_go_along(log: Log, engine: AsyncEngine) -> None:
    own, table = new_game("guest"), new_game("bob", "guest")
    for game in (own, table):
        await log.create(game)
        await log.commit(resign(game))

    await move_seats(engine, GUEST, ANN)

    query = select(results.c.game_id, results.c.user_id).order_by(results.c.game_id, results.c.seat)
    async with engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    assert rows == [(own.game.id, "ann"), (table.game.id, "bob"), (table.game.id, "ann")]


async def test_a_bot_takes_the_seat_where_both_sit(log: Log, engine: AsyncEngine) -> None:
    running = new_game("guest", "ann", "bob", takeback=Takeback(Seat(2), (Seat(0),)))
    over = new_game("ann", "guest")
    for game in (running, over):
        await log.create(game)
    await log.commit(resign(over))

    await move_seats(engine, GUEST, ANN)

    moved = await read(log, running.game.id)
    stand_in = another(running.game.id, running.seats, "steady")
    assert [(seat.user, seat.bot) for seat in moved.seats] == [(None, stand_in), ("ann", None), ("bob", None)]
    assert moved.game.creator == ANN
    assert moved.game.takeback is None
    moved = await read(log, over.game.id)
    stand_in = another(over.game.id, over.seats, "steady")
    assert [(seat.user, seat.bot) for seat in moved.seats] == [("ann", None), (None, stand_in)]
    async with engine.connect() as connection:
        rows = (await connection.execute(select(results.c.seat, results.c.user_id))).all()
    assert rows == [(0, "ann")]


async def test_a_stand_in_is_told_from_the_other_bots(engine: AsyncEngine, log: Log) -> None:
    usual = another(GameId("game-of-bots"), (), "steady")
    game = new_game("guest", "ann", usual, id=GameId("game-of-bots"))
    left_to = Bot("Somchai", "easy")
    resigned = new_game("guest", "ann")
    resigned = replace(
        resigned, seats=(replace(resigned.seats[0], bot=left_to, resigned=True), resigned.seats[1])
    )
    for each in (game, resigned):
        await log.create(each)

    await move_seats(engine, GUEST, ANN)

    bots = [seat.bot for seat in (await read(log, game.game.id)).seats]
    assert bots[0] is not None
    assert bots[0].name in set(NAMES) - {usual.name}
    assert (await read(log, resigned.game.id)).seats[0] == SeatRow(Seat(0), None, left_to)


@pytest.mark.parametrize("finished", [False, True])
async def test_a_stand_in_has_resigned_only_where_that_is_history(
    engine: AsyncEngine, log: Log, finished: bool
) -> None:
    game = new_game("guest", "ann")
    left_to = Bot("Somchai", "easy")
    game = replace(game, seats=(replace(game.seats[0], bot=left_to, resigned=True), game.seats[1]))
    await log.create(game)
    if finished:
        await log.commit(resign(game))

    await move_seats(engine, GUEST, ANN)

    assert (await read(log, game.game.id)).seats[0] == SeatRow(Seat(0), None, left_to, resigned=finished)


async def test_a_resigned_seat_keeps_its_bot(engine: AsyncEngine, log: Log) -> None:
    game = new_game("bob", "guest")
    bot = Bot("Ada", "easy")
    game = replace(game, seats=(game.seats[0], replace(game.seats[1], bot=bot, resigned=True)))
    await log.create(game)

    await move_seats(engine, GUEST, ANN)

    assert (await read(log, game.game.id)).seats[1] == replace(game.seats[1], user=ANN)


@pytest.mark.parametrize("finished", [False, True])
async def test_of_two_tries_at_a_day_the_accounts_stays(
    log: Log, engine: AsyncEngine, finished: bool
) -> None:
    both, alone = DAY, DAY + timedelta(days=1)
    own = new_game("ann", day=both, ranked=True, listed=True)
    tries = [new_game("guest", day=day, ranked=True, listed=True) for day in (both, alone)]
    for game in (own, *tries):
        await log.create(game)
        if finished:
            await log.commit(resign(game))

    await move_seats(engine, GUEST, ANN)

    assert (await read(log, own.game.id)).game.ranked
    demoted, kept = [(await read(log, game.game.id)).game for game in tries]
    assert (demoted.ranked, demoted.listed, demoted.day, demoted.creator) == (False, False, both, ANN)
    assert (kept.ranked, kept.listed, kept.day, kept.creator) == (True, True, alone, ANN)
    async with engine.connect() as connection:
        rows = (await connection.execute(select(results.c.game_id, results.c.day, results.c.listed))).all()
        counts = (await connection.execute(select(day_counts.c.day, day_counts.c.listed))).all()
    assert set(rows) == (
        {(own.game.id, both, True), (demoted.id, None, False), (kept.id, alone, True)} if finished else set()
    )
    assert set(counts) == ({(both, 1), (alone, 1)} if finished else set())


async def test_an_account_may_begin_its_own_try_meanwhile(engine: AsyncEngine, log: Log) -> None:
    for number in range(20):
        guest, account = UserId(f"guest-{number}"), UserId(f"ann-{number}")
        his, own = (new_game(user, day=DAY, ranked=True) for user in (guest, account))
        await log.create(his)

        ends = await asyncio.gather(
            move_seats(engine, guest, account), log.create(own), return_exceptions=True
        )

        moved = (await read(log, his.game.id)).game
        assert moved.creator == account
        if isinstance(ends[1], AlreadyTried):
            assert moved.ranked
        else:
            assert ends[1] is None
            assert not moved.ranked


async def test_commands_go_on_meanwhile(log: Log, engine: AsyncEngine) -> None:
    """A move counts before the seats change hands or not at all, and nobody waits for ever."""
    games = [new_game("guest") for _ in range(30)]
    for game in games:
        await log.create(game)
    ends = await asyncio.gather(
        move_seats(engine, GUEST, ANN),
        *(log.commit(move(game.game)) for game in games),
        return_exceptions=True,
    )

    assert set(map(type, ends[1:])) <= {type(None), Stale}
    for game, end in zip(games, ends[1:], strict=True):
        logged = await read(log, game.game.id)
        assert logged.game.creator == ANN
        assert len(logged.moves) == logged.game.ply == (0 if end else 1)
        assert logged.game.revision == 1 + logged.game.ply
