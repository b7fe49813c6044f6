"""The one write path: what a command changes, who is refused, and what many at once do to each other."""

import asyncio
import random
from collections.abc import Awaitable
from datetime import date

import asyncpg
import pytest
from msgspec.structs import replace
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.errors import Refused
from server.games.game import Seat
from server.log.errors import Stale, Unwritable
from server.log.log import Log
from server.log.model import Bot, GameId, GameRow, Logged, Ply, Revision, SeatRow, Takeback, UserId
from server.log.schema import day_counts, results, seats
from tests.log.games import BEGIN, move, new_game, resign, touch, undo


async def begin(log: Log, *users: str | Bot | None, **fields: object) -> GameRow:
    logged = new_game(*users, **fields)
    await log.create(logged)
    return logged.game


async def play(log: Log, row: GameRow, *words: str) -> GameRow:
    for word in words:
        change = move(row, word)
        await log.commit(change)
        row = change.after
    return row


async def read(log: Log, game: GameId) -> Logged:
    logged = await log.read(game)
    assert logged is not None
    assert logged.game.ply == len(logged.moves)
    return logged


async def outcomes(*commits: Awaitable[None]) -> list[type[BaseException] | None]:
    ends = await asyncio.gather(*commits, return_exceptions=True)
    return [None if end is None else type(end) for end in ends]


async def test_a_move_is_written_with_its_game(log: Log) -> None:
    row = await begin(log)
    change = move(row, "24-25", status="stuck", totals=(20,))

    await log.commit(change)

    logged = await read(log, row.id)
    assert logged.game == change.after
    assert logged.moves == (change.append,)


async def test_every_field_that_changes_is_written(log: Log) -> None:
    row = await begin(log)
    change = touch(
        row,
        creator=UserId("bob"),
        status="moon",
        totals=(3, -4, 5),
        clock_ms=7,
        action_at=BEGIN,
        started_at=BEGIN,
        finished_at=BEGIN,
        takeback=Takeback(Seat(1), (Seat(0), Seat(2))),
        next=GameId("another-game"),
        passing_since=(Revision(1), Revision(0)),
    )

    await log.commit(change)

    assert (await read(log, row.id)).game == change.after


async def test_an_undo_takes_the_last_move_off(log: Log) -> None:
    row = await play(log, await begin(log), "draw", "21-24", "recycle")

    await log.commit(undo(row))
    row = undo(row).after
    await log.commit(undo(row))

    logged = await read(log, row.id)
    assert [each.move for each in logged.moves] == ["draw"]
    assert (logged.game.ply, logged.game.peak, logged.game.undone) == (1, 3, 2)


async def test_undo_ends_at_the_first_move(log: Log) -> None:
    row = await play(log, await begin(log), "draw")
    await log.commit(undo(row))
    row = undo(row).after

    with pytest.raises(Unwritable, match="ck_games_log"):
        await log.commit(undo(row))

    assert (await read(log, row.id)).game == row


async def test_a_move_may_follow_an_undo(log: Log) -> None:
    row = await play(log, await begin(log), "draw", "21-24")
    await log.commit(undo(row))

    row = await play(log, undo(row).after, "recycle")

    assert [each.move for each in (await read(log, row.id)).moves] == ["draw", "recycle"]
    assert (row.ply, row.peak, row.undone) == (2, 2, 1)


async def test_of_two_writers_at_one_revision_one_is_told(engine: AsyncEngine, log: Log) -> None:
    row = await begin(log)
    async with Log(engine) as other:
        for number in range(20):
            mine, his = move(row, f"mine-{number}"), move(row, f"his-{number}")
            ends = await outcomes(log.commit(mine), other.commit(his))

            assert sorted(ends, key=str) == [Stale, None]
            row = mine.after if ends[0] is None else his.after

    assert (await read(log, row.id)).game == row


async def test_of_two_commands_to_one_node_one_is_told(log: Log) -> None:
    row = await begin(log)

    ends = await outcomes(*(log.commit(move(row, word)) for word in ("first", "second", "third")))

    assert ends == [None, Stale, Stale]
    assert [each.move for each in (await read(log, row.id)).moves] == ["first"]


async def test_commands_to_one_game_go_out_in_their_order(log: Log) -> None:
    row = await begin(log)
    first = move(row, "first")
    second = move(first.after, "second")

    assert await outcomes(log.commit(first), log.commit(second)) == [None, None]
    assert [each.move for each in (await read(log, row.id)).moves] == ["first", "second"]


async def test_a_game_that_is_not_there_is_stale(log: Log) -> None:
    row = await begin(log)
    strange = new_game().game

    assert await outcomes(log.commit(move(strange)), log.commit(move(row))) == [Stale, None]


async def commits_of(engine: AsyncEngine, rows: list[GameRow]) -> int:
    """How many transactions have written the present rows of these games."""
    query = text("SELECT count(DISTINCT CAST(xmin AS text)) FROM games WHERE id = ANY(:ids)")
    async with engine.connect() as connection:
        found = await connection.execute(query, {"ids": [row.id for row in rows]})
        return int(found.scalar_one())


async def test_who_waits_at_the_same_moment_goes_out_together(log: Log, engine: AsyncEngine) -> None:
    rows = [await begin(log) for _ in range(100)]

    await asyncio.gather(*(log.commit(move(row, f"move-{row.id}")) for row in rows))

    assert await commits_of(engine, rows) == 1
    for row in rows:
        assert (await read(log, row.id)).moves[-1].move == f"move-{row.id}"


async def test_a_batch_has_its_limit(log: Log, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.log.commit.BATCH", 4)
    rows = [await begin(log) for _ in range(9)]

    assert await outcomes(*(log.commit(move(row)) for row in rows)) == [None] * 9
    assert await commits_of(engine, rows) == 3


async def test_a_command_that_fails_takes_no_neighbour_down(log: Log) -> None:
    rows = [await begin(log) for _ in range(20)]
    changes = [move(row) for row in rows]
    changes[3] = move(rows[3], "a\0b")
    changes[7] = move(rows[7], "\ud800")
    changes[11] = touch(rows[11], clock_ms=-1)
    changes[12] = move(rows[12], clock_ms=2**63)
    changes[19] = undo(rows[19])

    ends = await outcomes(*map(log.commit, changes))

    failed = {number: end for number, end in enumerate(ends) if end is not None}
    assert failed == {3: Unwritable, 7: UnicodeEncodeError, 11: Unwritable, 12: Unwritable, 19: Unwritable}
    for number, change in enumerate(changes):
        assert (await read(log, change.after.id)).game == (rows[number] if number in failed else change.after)


async def test_a_refused_value_is_not_told(log: Log) -> None:
    row = await begin(log, seed="the cards")

    with pytest.raises(Unwritable) as caught:
        await log.commit(touch(row, status="the status", clock_ms=-1))

    assert str(caught.value) == f"game {row.id}: ck_games_clock"
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_a_change_must_not_contradict_itself(log: Log) -> None:
    row = await begin(log)
    good = move(row)
    assert good.append is not None
    for bad in (
        replace(good, expected=row.revision + 1),
        replace(good, truncate=True),
        replace(good, append=replace(good.append, clock_ms=1)),
        replace(good, append=replace(good.append, at=BEGIN)),
        replace(good, after=replace(good.after, ply=Ply(0))),
        replace(
            good, after=replace(good.after, ply=Ply(2), peak=Ply(2)), append=replace(good.append, peak=Ply(2))
        ),
    ):
        with pytest.raises(ValueError, match=row.id):
            await log.commit(bad)

    assert (await read(log, row.id)).game == row


async def test_seats_change_with_the_game(log: Log) -> None:
    row = await begin(log, "ann", None, None)
    bot = Bot("Ada", "sharp")
    taken = (
        SeatRow(Seat(0), UserId("ann"), bot, resigned=True),
        SeatRow(Seat(1), UserId("bob")),
        SeatRow(Seat(2), None, bot),
    )

    await log.commit(replace(touch(row), seats=taken))
    assert (await read(log, row.id)).seats == taken

    left = (*taken[:1], SeatRow(Seat(1), None), *taken[2:])
    await log.commit(replace(touch(touch(row).after), seats=left))
    assert (await read(log, row.id)).seats == left


async def test_a_stale_command_changes_no_seat_and_leaves_no_result(engine: AsyncEngine, log: Log) -> None:
    logged = new_game("ann", None)
    await log.create(logged)
    await play(log, logged.game, "draw")
    seated = (SeatRow(Seat(0), UserId("bob")), SeatRow(Seat(1), UserId("cy")))

    assert await outcomes(log.commit(replace(resign(logged), seats=seated))) == [Stale]

    assert (await read(log, logged.game.id)).seats == logged.seats
    async with engine.connect() as connection:
        assert (await connection.execute(select(results))).all() == []


@pytest.mark.parametrize("reseated", [False, True])
async def test_the_end_is_written_with_results_and_counts(
    engine: AsyncEngine, log: Log, reseated: bool
) -> None:
    day = date(2026, 11, 29)
    logged = new_game(day=day, ranked=True, listed=True, totals=(40,))
    await log.create(logged)
    row = await play(log, logged.game, "draw")
    end = resign(replace(logged, game=row))
    neighbour = await begin(log)

    await asyncio.gather(
        log.commit(replace(end, seats=logged.seats if reseated else None)),
        log.commit(move(neighbour)),
    )

    assert (await read(log, row.id)).game == end.after
    assert (await read(log, neighbour.id)).game.ply == 1
    async with engine.connect() as connection:
        result = (await connection.execute(select(results))).one()
        assert (result.game_id, result.seat, result.user_id) == (row.id, 0, "ann")
        assert (result.score, result.lost, result.moves, result.clock_ms) == (40, 210, 1, 1000)
        assert (result.day, result.listed, result.finished_at) == (day, True, end.after.finished_at)
        counts = (await connection.execute(select(day_counts).order_by(day_counts.c.depth))).all()
        assert [tuple(count) for count in counts] == [
            (day, 1, 210, 0, 0, 1, 0),
            (day, 2, 210, 1, 0, 1, 0),
            (day, 3, 210, 1, 0, 1, 0),
        ]
        finished = select(seats.c.finished).order_by(seats.c.game_id)
        assert (await connection.execute(finished)).scalars().all() == [True, False]


async def test_a_cancelled_caller_does_not_stop_the_write(log: Log) -> None:
    rows = [await begin(log) for _ in range(3)]
    tasks = [asyncio.create_task(log.commit(move(row))) for row in rows]
    await asyncio.sleep(0)

    tasks[1].cancel()

    assert await outcomes(*tasks) == [None, asyncio.CancelledError, None]
    await log.close()
    for row in rows:
        assert (await read(log, row.id)).game.ply == 1


async def test_a_writer_that_dies_leaves_nobody_waiting(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [await begin(log) for _ in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr("server.log.commit.BATCH", 2)
        patch.setattr("server.log.commit.settle", lambda batch, unwritten: 1 / 0)
        async with asyncio.timeout(5):
            ends = await outcomes(*(log.commit(move(row)) for row in rows))
    assert ends == [ZeroDivisionError] * 3
    row = await begin(log)
    async with asyncio.timeout(5):
        await play(log, row, "draw")


async def test_close_writes_what_waits_and_takes_no_more(log: Log) -> None:
    rows = [await begin(log) for _ in range(5)]
    tasks = [asyncio.create_task(log.commit(move(row))) for row in rows]
    await asyncio.sleep(0)

    await log.close()

    assert all(task.done() for task in tasks)
    assert await outcomes(*tasks) == [None] * 5
    with pytest.raises(RuntimeError):
        await log.commit(move(rows[0]))


async def test_a_game_that_another_transaction_holds_keeps_no_other_waiting(
    log: Log, database_url: str
) -> None:
    rows = [await begin(log) for _ in range(3)]
    held = rows[1]
    rival = await asyncpg.connect(database_url)
    async with rival.transaction():
        await rival.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", held.id)
        commits = [asyncio.create_task(log.commit(move(row))) for row in rows]
        await asyncio.gather(commits[0], commits[2])
        await log.commit(move(move(rows[0]).after))
        assert not commits[1].done()
    await rival.close()

    await commits[1]
    assert [(await read(log, row.id)).game.ply for row in rows] == [2, 1, 1]


async def test_a_game_that_stays_held_is_told_so_in_the_end(log: Log, database_url: str) -> None:
    row = await begin(log)
    rival = await asyncpg.connect(database_url)
    async with rival.transaction():
        await rival.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", row.id)
        assert await outcomes(asyncio.create_task(log.commit(replace(move(row), within_s=0.1)))) == [Refused]
    await rival.close()
    assert (await read(log, row.id)).game.ply == 0


async def test_a_command_for_a_held_game_is_written_to_what_became_of_it(log: Log, database_url: str) -> None:
    rows = [await begin(log) for _ in range(2)]
    rival = await asyncpg.connect(database_url)
    async with rival.transaction():
        for row in rows:
            await rival.execute("UPDATE games SET revision = 1, ply = 1, peak = 1 WHERE id = $1", row.id)
            await rival.execute("INSERT INTO moves VALUES ($1, 1, 0, 'draw', now(), 1, 0, 0)", row.id)
        late = asyncio.create_task(log.commit(move(rows[0])))
        guess = asyncio.create_task(log.commit(undo(move(rows[1]).after)))
        await log.commit(move(await begin(log)))
    await rival.close()

    assert await outcomes(late, guess) == [Stale, None]
    assert [(await read(log, row.id)).game.ply for row in rows] == [1, 0]


async def test_of_two_nodes_with_the_same_games_one_wins_each(engine: AsyncEngine, log: Log) -> None:
    rows = [await begin(log) for _ in range(30)]
    shuffle = random.Random(1).shuffle
    async with Log(engine) as other:
        for number in range(10):
            commands = [
                (node, move(row, f"{name}-{number}"))
                for name, node in (("mine", log), ("his", other))
                for row in rows
            ]
            shuffle(commands)
            ends = await outcomes(*(node.commit(change) for node, change in commands))

            won = [change.after for (_, change), end in zip(commands, ends, strict=True) if end is None]
            assert sorted(row.id for row in won) == sorted(row.id for row in rows)
            assert set(ends) == {None, Stale}
            rows = won

    for row in rows:
        assert (await read(log, row.id)).game == row


async def test_moves_touch_no_index_of_games(engine: AsyncEngine, log: Log) -> None:
    rows = [await begin(log, public=True) for _ in range(20)]
    for _ in range(20):
        changes = [move(row) for row in rows]
        await asyncio.gather(*map(log.commit, changes))
        rows = [change.after for change in changes]

    query = text("SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'games'")
    await log.close()
    async with engine.connect() as connection, asyncio.timeout(10):
        updates = 0
        while updates < 400:  # the process that wrote tells its counts when it goes
            updates, without_index = (await connection.execute(query)).one()
            await connection.rollback()
    assert without_index > 390
