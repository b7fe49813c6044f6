"""`heartline verify --all`: whatever is changed in a stored game of either kind is told by game and move."""

import random
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from server.commands.stored import find, problem_of, told, verify_all
from server.log.database import connect
from server.log.log import Log
from server.log.model import UserId
from server.rooms.beginnings import hearts
from server.settings import Settings
from tests.commands.generated import Club
from tests.conftest import Clock, Postgres

SOLITAIRE = "game = 'heart-to-heart' AND status = 'won'"
UNFINISHED = "game = 'heart-to-heart' AND status = 'playing' AND ply > 3"
TABLE = "game = 'hearts' AND status = 'finished' AND (SELECT count(*) FROM results WHERE game_id = id) = 2"
WAITING = "status = 'waiting'"


@pytest.fixture(scope="module")
def club(postgres: Postgres) -> Iterator[str]:
    """The URL of a database with games of all fates."""
    name = postgres.create()
    url = postgres.url(name)

    async def play() -> None:
        engine = connect(url)
        async with Log(engine) as log:
            await Club(engine, log, Clock(), random.Random(1)).play(120)
            await log.create(hearts(UserId("ann"), {}, 0, "steady", Clock().now, public=True))
        await engine.dispose()

    postgres.run(play())
    yield url
    postgres.drop(name)


async def test_all_games_that_were_played_are_right(club: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await verify_all(Settings(database_url=club)) == 0
    assert capsys.readouterr().out.endswith(" games, 0 wrong.\n")


IN_LOG = "AND game_id = :game"
ROW = "WHERE id = :game"
OPTION = "UPDATE games SET options = options || jsonb_build_object"


@pytest.mark.parametrize(
    ("which", "damage", "says"),
    [
        (SOLITAIRE, f"UPDATE moves SET move = '1-2' WHERE seq = 3 {IN_LOG}", "move 3: Seat 0 may not"),
        (SOLITAIRE, f"UPDATE moves SET move = 'd' WHERE seq = 1 {IN_LOG}", "move 1: "),
        (TABLE, f"UPDATE moves SET seat = (seat + 1) % 3 WHERE seq = 9 {IN_LOG}", "move 9: "),
        (TABLE, f"UPDATE moves SET at = at - interval '9 days' WHERE seq = 5 {IN_LOG}", "move 5: By"),
        (UNFINISHED, f"UPDATE moves SET seq = 99, peak = 99, undone = 99 WHERE seq = 1 {IN_LOG}", "move "),
        (UNFINISHED, f"DELETE FROM moves WHERE seq = 1 {IN_LOG}", ""),
        (SOLITAIRE, f"UPDATE moves SET undone = undone + 999 WHERE seq = 2 {IN_LOG}", "move 3: There it"),
        (SOLITAIRE, f"UPDATE moves SET peak = 999, undone = 999 WHERE seq = 1 {IN_LOG}", "move 2: There it"),
        (SOLITAIRE, f"UPDATE moves SET clock_ms = 60000 WHERE seq = 2 {IN_LOG}", "its clock cannot be at"),
        (TABLE, f"UPDATE moves SET clock_ms = 1 WHERE seq = 2 {IN_LOG}", "move 2: There its clock"),
        (UNFINISHED, f"UPDATE games SET ply = ply - 1, undone = undone + 1 {ROW}", "Its ply is"),
        (TABLE, f"UPDATE games SET undone = undone + 1, peak = peak + 1 {ROW}", "result of seat 0 in moves"),
        (UNFINISHED, f"UPDATE games SET action_at = now() {ROW}", "Its last action was not"),
        (SOLITAIRE, f"UPDATE games SET clock_ms = 0 {ROW}", "its clock cannot be at 0 ms"),
        (UNFINISHED, f"UPDATE games SET status = 'stuck' {ROW}", "Its status is 'stuck'"),
        (WAITING, f"UPDATE games SET status = 'playing' {ROW}", "Its status is 'playing'"),
        (TABLE, f"UPDATE games SET status = 'resigned' {ROW}", "Its status is 'resigned'"),
        (TABLE, f"UPDATE games SET totals[2] = totals[2] + 1 {ROW}", "Its totals is"),
        (SOLITAIRE, f"UPDATE games SET finished_at = NULL {ROW}", "A won game has a finished_at"),
        (TABLE, f"UPDATE games SET finished_at = created_at - interval '1 s' {ROW}", "ended before"),
        (SOLITAIRE, f"UPDATE games SET seed = 'HH1-N-AAAAAAAA' {ROW}", ""),
        (TABLE, f"UPDATE games SET seed = translate(seed, '0123', '1230') {ROW}", "move "),
        (TABLE, f"{OPTION}('players', 4) {ROW}", "Its seats is [0, 1, 2]"),
        (TABLE, f"{OPTION}('jokers', 2) {ROW}", "jokers"),
        (TABLE, f"UPDATE games SET game = 'chess' {ROW}", "There is no game 'chess'."),
        (TABLE, "DELETE FROM seats WHERE game_id = :game", "It has no seats."),
        (TABLE, f"DELETE FROM results WHERE seat = 0 {IN_LOG}", "Its seats with a result is [2]"),
        (TABLE, f"UPDATE results SET rank = 7 WHERE seat = 0 {IN_LOG}", "Its result of seat 0 in rank is 7"),
        (SOLITAIRE, f"UPDATE results SET moves = 1 WHERE seat = 0 {IN_LOG}", "in moves is 1"),
    ],
)
async def test_what_has_been_changed_is_told(club: str, which: str, damage: str, says: str) -> None:
    engine = connect(club)
    try:
        async with engine.connect() as connection:
            game = await connection.scalar(text(f"SELECT id FROM games WHERE {which} ORDER BY id LIMIT 1"))
            assert (await connection.execute(text(damage), {"game": game})).rowcount > 0
            problem = problem_of(await find(connection, game))
            await connection.rollback()
    finally:
        await engine.dispose()
    assert problem is not None
    assert says in told(problem)
