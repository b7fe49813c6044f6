"""The board: its order, shared ranks, pages, one's own place, and the players around."""

import asyncio
import random
from collections.abc import AsyncIterator, Collection, Mapping
from datetime import date, timedelta
from itertools import groupby

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily.board import Boards
from server.daily.model import Bar, Entry, State, Turnout
from server.daily.ranking import NEIGHBOURS, PAGE, TOP
from server.errors import Code, Refused
from server.log.log import Log
from server.log.model import GameId, UserId
from tests.daily.tries import Ending, play

TODAY = date(2026, 11, 29)
YESTERDAY = date(2026, 11, 28)


async def names(users: Collection[UserId]) -> Mapping[UserId, str]:
    return {user: f"Name of {user}" for user in users}


@pytest.fixture
async def log(engine: AsyncEngine) -> AsyncIterator[Log]:
    async with Log(engine) as log:
        yield log


@pytest.fixture
def boards(engine: AsyncEngine) -> Boards:
    return Boards(engine, names)


async def fill(log: Log, day: date, endings: Collection[Ending]) -> list[tuple[UserId, int]]:
    """Has users end their tries so; the board as it must be: who, and his rank, from the rules themselves."""
    users = [UserId(f"user-{number}") for number in range(len(endings))]
    played = await asyncio.gather(
        *(play(log, user, day, how) for user, how in zip(users, endings, strict=True))
    )
    order = sorted(
        zip(users, endings, played, strict=True),
        key=lambda each: (-each[1].score, each[1].moves, each[1].clock_ms, each[1].after, each[2]),
    )
    board: list[tuple[UserId, int]] = []
    for _, equal in groupby(order, lambda each: (each[1].score, each[1].moves, each[1].clock_ms)):
        rank = len(board) + 1
        board += ((user, rank) for user, _, _ in equal)
    return board


def places(entries: list[Entry]) -> list[tuple[UserId, int]]:
    return [(entry.user.id, entry.rank) for entry in entries]


def crowd(number: int) -> list[Ending]:
    """Endings of which many are alike, in each of the figures."""
    chance = random.Random(7)
    return [
        Ending(
            score=chance.choice([250, 250, 0, 40]),
            moves=chance.choice([80, 81]),
            clock_ms=chance.choice([1000, 2000, 29_999, 30_000, 61_000]),
            after=timedelta(seconds=chance.randrange(5)),
        )
        for _ in range(number)
    ]


async def test_points_then_moves_then_time_then_who_was_first(log: Log, boards: Boards) -> None:
    hour = timedelta(hours=1)
    endings = [
        Ending(score=40, moves=10, clock_ms=1, after=hour),
        Ending(score=250, moves=90, clock_ms=5, after=hour),
        Ending(score=250, moves=90, clock_ms=4, after=hour * 2),
        Ending(score=250, moves=90, clock_ms=4, after=hour),
        Ending(score=250, moves=89, clock_ms=9, after=hour * 3),
        Ending(score=250, moves=90, clock_ms=6, after=hour),
    ]
    await fill(log, TODAY, endings)

    board = await boards.page(TODAY, None, None)

    assert places(board.entries) == [
        ("user-4", 1), ("user-3", 2), ("user-2", 2), ("user-1", 4), ("user-5", 5), ("user-0", 6),
    ]  # fmt: skip
    first = board.entries[0]
    assert (first.score, first.moves, first.clock_ms, first.won) == (250, 89, 9, True)
    assert first.user.name == "Name of user-4"
    assert not board.entries[-1].won
    assert (board.date, board.me, board.around, board.next) == (TODAY, None, [], None)


async def test_pages_together_are_the_whole_board(log: Log, boards: Boards) -> None:
    expected = await fill(log, TODAY, crowd(2 * PAGE + 7))
    await play(log, "other", YESTERDAY, Ending())

    seen: list[Entry] = []
    cursor: GameId | None = None
    while True:
        board = await boards.page(TODAY, None, cursor)
        seen += board.entries
        if board.next is None:
            break
        assert len(board.entries) == PAGE
        cursor = GameId(board.next)

    assert places(seen) == expected
    assert places((await boards.state(TODAY)).top) == expected[:TOP]


async def test_a_full_last_page_has_no_next(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, crowd(PAGE))

    assert (await boards.page(TODAY, None, None)).next is None


async def test_everybody_finds_himself_and_his_neighbours(log: Log, boards: Boards) -> None:
    expected = await fill(log, TODAY, crowd(40))

    for place, (user, rank) in enumerate(expected):
        board = await boards.page(TODAY, user, None)
        assert board.me is not None
        assert (board.me.user.id, board.me.rank) == (user, rank)
        assert places(board.around) == expected[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]


async def test_who_is_not_on_the_board_has_no_place(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, crowd(3))
    await play(log, "guest", TODAY, Ending(), listed=False)
    await play(log, "still-playing", TODAY)

    for user in ("guest", "still-playing", "nobody"):
        board = await boards.page(TODAY, UserId(user), None)
        assert (board.me, board.around, len(board.entries)) == (None, [], 3)


async def test_an_empty_board(boards: Boards) -> None:
    board = await boards.page(TODAY, UserId("user"), None)

    assert (board.entries, board.me, board.around, board.next) == ([], None, [], None)
    assert await boards.state(TODAY) == State(Turnout(players=0, finished=0), top=[])


async def test_a_cursor_of_another_board_is_refused(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, crowd(3))
    other = await play(log, "other", YESTERDAY, Ending())
    guest = await play(log, "guest", TODAY, Ending(), listed=False)

    for cursor in (other, guest, GameId("no-such-game")):
        for caller in (None, UserId("user-1")):
            with pytest.raises(Refused) as refused:
                await boards.page(TODAY, caller, cursor)
            assert refused.value.code is Code.BAD_REQUEST


async def test_behind_the_last_entry_there_is_nothing(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, crowd(3))
    last = (await boards.page(TODAY, None, None)).entries[-1].game

    for caller in (None, UserId("user-1")):
        board = await boards.page(TODAY, caller, last)
        assert (board.entries, board.next, len(board.around)) == ([], None, 0 if caller is None else 3)


async def test_guests_and_unfinished_tries_count_as_players(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, crowd(3))
    await play(log, "guest", TODAY, Ending(), listed=False)
    await play(log, "still-playing", TODAY)
    await play(log, "other", YESTERDAY, Ending())

    assert await boards.turnout(TODAY) == Turnout(players=5, finished=4)
    assert (await boards.state(TODAY)).turnout == Turnout(players=5, finished=4)


async def test_the_histogram_has_every_win(log: Log, boards: Boards) -> None:
    await fill(log, TODAY, [Ending(moves=90), Ending(moves=85), Ending(score=240, moves=80)])
    await play(log, "guest", TODAY, Ending(moves=90), listed=False)

    assert await boards.histogram(TODAY) == [Bar(moves=85, players=1), Bar(moves=90, players=2)]
    assert await boards.histogram(YESTERDAY) == []
