"""Games as they are created, read whole, and listed."""

from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from server.games.game import Seat
from server.log.errors import AlreadyTried, Unwritable
from server.log.log import PAGE, Log
from server.log.model import Bot, GameId, Logged, LoggedMove, Ply, Revision, Takeback, UserId
from server.log.read import Cursor
from tests.log.games import BEGIN, SECOND, move, new_game, resign, touch

DAY = date(2026, 11, 29)
ANN = UserId("ann")


async def create(log: Log, *games: Logged) -> None:
    for game in games:
        await log.create(game)


async def end(log: Log, game: Logged) -> None:
    await log.commit(resign(game))


async def ids(log: Log, **query: object) -> list[GameId]:
    """The games of all pages of a list, in its order."""
    found: list[GameId] = []
    behind: Cursor | None = None
    while True:
        page, behind = await log.list_games(behind=behind, **query)  # type: ignore[arg-type]
        found.extend(each.game.id for each in page)
        if behind is None:
            return found
        assert len(page) == PAGE


async def test_a_game_is_read_as_it_was_created(log: Log) -> None:
    made = new_game(
        "ann",
        Bot("Ada", "sharp"),
        None,
        game="hearts",
        options={"players": 3, "moon": "add"},
        seed="00" * 32,
        day=DAY,
        ranked=True,
        listed=True,
        public=True,
        status="moon",
        totals=(1, -2, 3),
        revision=Revision(5),
        undone=2,
        clock_ms=2**40,
        action_at=BEGIN,
        started_at=BEGIN + timedelta(milliseconds=1),
        finished_at=BEGIN + timedelta(milliseconds=999),
        takeback=Takeback(Seat(0), (Seat(1), Seat(2))),
        next=GameId("another"),
    )

    await log.create(made)

    assert await log.read(made.game.id) == made


async def test_a_branch_begins_with_moves(log: Log) -> None:
    moves = tuple(
        LoggedMove(Seat(0), word, BEGIN + ply * SECOND, Ply(ply), 0, ply * 1000)
        for ply, word in enumerate(["draw", "24-w", "recycle"], 1)
    )
    made = new_game(ply=Ply(3), peak=Ply(3))
    made = replace(made, moves=moves)

    await log.create(made)

    assert await log.read(made.game.id) == made
    change = move(made.game)
    await log.commit(change)
    assert await log.read(made.game.id) == replace(made, game=change.after, moves=(*moves, change.append))


async def test_a_long_log_is_read_in_its_order(log: Log) -> None:
    moves = tuple(LoggedMove(Seat(0), f"move-{ply}", BEGIN, Ply(ply), 0, 0) for ply in range(1, 5001))
    made = replace(new_game(ply=Ply(5000), peak=Ply(5000)), moves=moves)

    await log.create(made)

    assert await log.read(made.game.id) == made


async def test_one_round_trip_reads_a_game(log: Log, sent: list[str]) -> None:
    made = new_game("ann", None)
    await log.create(made)
    sent.clear()

    assert await log.read(made.game.id) == made

    assert len(sent) == 1


async def test_an_unknown_game_is_none(log: Log) -> None:
    assert await log.read(GameId("unknown")) is None


async def test_creating_it_again_changes_nothing(log: Log) -> None:
    made = new_game()
    await log.create(made)
    change = move(made.game)
    await log.commit(change)
    played = await log.read(made.game.id)

    await log.create(made)

    assert await log.read(made.game.id) == played
    assert played != made


async def test_a_day_has_one_ranked_try_a_player(log: Log) -> None:
    first, second = (new_game(day=DAY, ranked=True) for _ in range(2))
    await log.create(first)

    with pytest.raises(AlreadyTried):
        await log.create(second)

    assert await log.read(second.game.id) is None
    others = (
        new_game(day=DAY),
        new_game(day=DAY + timedelta(days=1), ranked=True),
        new_game("bob", day=DAY, ranked=True),
    )
    await create(log, *others)
    await log.create(first)


async def test_a_game_that_cannot_be_is_not_created(log: Log) -> None:
    made = new_game(ply=Ply(3), peak=Ply(2))

    with pytest.raises(Unwritable, match="ck_games_log"):
        await log.create(made)

    assert await log.read(made.game.id) is None


async def test_own_games_come_newest_first_in_pages(log: Log) -> None:
    # Two games each moment: the ids decide.
    games = [new_game(created_at=BEGIN + number // 2 * SECOND) for number in range(2 * PAGE + 5)]
    await create(log, *games, new_game("bob"))
    for game in games[::3]:
        await end(log, game)
    newest_first = [game.game.id for game in reversed(games)]

    assert await ids(log, user=ANN) == newest_first
    assert await ids(log, user=ANN, finished=True) == [game.game.id for game in reversed(games[::3])]
    assert await ids(log, user=ANN, finished=False) == [
        game for game in newest_first if game not in {each.game.id for each in games[::3]}
    ]


async def test_a_page_that_is_just_full_is_the_last(log: Log) -> None:
    await create(log, *(new_game() for _ in range(PAGE)))

    page, behind = await log.list_games(user=ANN)

    assert len(page) == PAGE
    assert behind is None


async def test_own_games_are_those_with_a_seat(log: Log) -> None:
    hearts = new_game("bob", "ann", game="hearts")
    solitaire = new_game()
    left = new_game("ann", "bob", game="hearts")
    await create(log, hearts, solitaire, left, new_game("bob"))
    await log.commit(replace(touch(left.game), seats=(replace(left.seats[0], user=None), left.seats[1])))

    assert set(await ids(log, user=ANN)) == {hearts.game.id, solitaire.game.id}
    assert await ids(log, user=ANN, game="hearts") == [hearts.game.id]


async def test_a_list_tells_game_and_seats(log: Log) -> None:
    made = new_game("bob", "ann", Bot("Ada", "easy"), None, game="hearts", options={"players": 4})
    await log.create(made)

    ((listed,), _) = await log.list_games(user=ANN)

    assert listed.game == made.game
    assert listed.seats == made.seats


async def test_public_games_are_for_all(log: Log) -> None:
    tables = [new_game("ann", None, public=True, game="hearts") for _ in range(4)]
    waiting, playing, over, closed = tables
    await create(log, *tables, new_game("ann", None, game="hearts"))
    for table in (playing, over):
        change = touch(table.game, started_at=BEGIN)
        await log.commit(change)
    await log.commit(resign(replace(over, game=change.after)))
    await end(log, closed)

    assert await ids(log) == [table.game.id for table in reversed(tables)]
    assert await ids(log, finished=False) == [playing.game.id, waiting.game.id]
    assert await ids(log, finished=True) == [closed.game.id, over.game.id]
    assert await ids(log, waiting=True) == [waiting.game.id]
    assert await ids(log, waiting=True, game="heart-to-heart") == []


async def test_games_in_which_nothing_is_done_are_found_the_oldest_first(log: Log) -> None:
    young = new_game(game="hearts", created_at=BEGIN)
    begun = new_game(game="hearts", created_at=BEGIN - 9 * SECOND, started_at=BEGIN)
    played = new_game(
        game="hearts", created_at=BEGIN - 9 * SECOND, started_at=BEGIN - 8 * SECOND, action_at=BEGIN
    )
    over = new_game(game="hearts", created_at=BEGIN - 9 * SECOND, finished_at=BEGIN - 8 * SECOND)
    other = new_game(created_at=BEGIN - 9 * SECOND)
    idle = [
        new_game(game="hearts", created_at=BEGIN - age * SECOND, revision=Revision(age)) for age in (3, 2, 1)
    ]
    await create(log, young, begun, played, over, other, *reversed(idle))

    found = await log.idle("hearts", BEGIN, 10)

    assert found == [(each.game.id, each.game.revision) for each in idle]
    assert await log.idle("hearts", BEGIN, 2) == found[:2]


async def test_it_is_told_how_far_many_games_are(log: Log) -> None:
    some = [new_game(), new_game(revision=Revision(7)), new_game()]
    await create(log, *some)
    await log.commit(move(some[0].game))

    found = await log.revisions([some[0].game.id, some[1].game.id, GameId("unknown")])

    assert found == {some[0].game.id: 1, some[1].game.id: 7}
