"""The board of a day with a million results: pages, ranks and neighbours, and what a new result takes."""

import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import aiohttp
import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.bench import sockets
from server.log.counts import count
from server.log.database import connect
from server.log.log import Log
from server.log.model import Change, GameId, UserId
from server.rooms.position import Resign
from server.rooms.replay import replayed
from server.rooms.steps import step

RESULTS: Final = 1_000_000
"""Of today."""

EARLIER_DAYS: Final = 1_000
EARLIER_RESULTS: Final = 1_000
"""Of each earlier day."""

PLAYERS: Final = 200
"""Who ask for their own places, all over the board."""

REQUESTS: Final = 1_000
WRITES: Final = 300

_FILL = text("""
WITH fate AS MATERIALIZED (
    SELECT CAST(day AS date) AS day, player,
        CASE WHEN random() < 0.7 THEN 0 ELSE 10 * ceil(25 * random()) END AS lost
    FROM generate_series(CAST(:first AS date), CAST(:last AS date), interval '1 day') AS day,
        generate_series(1, CAST(:players AS integer)) AS player
), played AS MATERIALIZED (
    SELECT *, CASE
        WHEN lost = 0 THEN 60 + floor(40 * (random() + random() + random()))
        ELSE ceil(200 * random() * random())
    END AS moves
    FROM fate
)
INSERT INTO results (
    game_id, seat, user_id, game, status, won, score, moves, clock_ms, day, listed, finished_at
)
SELECT 'bench-' || day || '-' || player, 0, 'player-' || player, 'heart-to-heart',
    CASE WHEN lost = 0 THEN 'won' ELSE 'resigned' END, lost = 0, 250 - lost,
    moves, moves * (1000 + 4000 * random()), day, true, day + random() * interval '1 day'
FROM played
""")

_NAME = text("""
INSERT INTO users (id, name, created_at)
SELECT 'player-' || player, 'Player ' || player, now()
FROM generate_series(1, CAST(:players AS integer)) AS player
""")

_GIVE = text("UPDATE results SET user_id = :user WHERE game_id = :game")

_GIVE_ALL_DAYS = text("UPDATE results SET user_id = :user WHERE game_id LIKE 'bench-%-1'")

_LIST_ALL = text("UPDATE games SET listed = true WHERE ranked")


class Taken(msgspec.Struct, frozen=True):
    """How long answers took, in milliseconds."""

    what: str
    p50_ms: float
    p99_ms: float


class _Somebody(msgspec.Struct):
    """A signed-in player."""

    user: str
    headers: dict[str, str]


async def measure() -> list[Taken]:
    """Fills a database and asks a real server, one request at a time."""
    async with sockets.database() as database_url:
        engine = connect(database_url)
        try:
            today = datetime.now(UTC).date()
            await _fill(engine, today)
            async with (
                sockets.serving(sockets.SERVER, database_url) as url,
                aiohttp.ClientSession(url) as http,
            ):
                return [*await _read(engine, http, today), *await _write(engine, http)]
        finally:
            await engine.dispose()


async def _fill(engine: AsyncEngine, today: date) -> None:
    async with engine.begin() as connection:
        # Results without games: the board does not look at games, and a million of them take long to write.
        await connection.execute(text("SET LOCAL session_replication_role = replica"))
        first, yesterday = today - timedelta(days=EARLIER_DAYS), today - timedelta(days=1)
        await connection.execute(_FILL, {"first": first, "last": yesterday, "players": EARLIER_RESULTS})
        await connection.execute(_FILL, {"first": today, "last": today, "players": RESULTS})
        await connection.execute(text(count("results")))
        await connection.execute(_NAME, {"players": RESULTS})
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("VACUUM ANALYZE"))
        # What the filling left to be written is not to be measured.
        await connection.execute(text("CHECKPOINT"))


async def _read(engine: AsyncEngine, http: aiohttp.ClientSession, today: date) -> list[Taken]:
    players = [await _guest(http) for _ in range(PLAYERS)]
    regular = await _signed_in(http, "/api/users", {"name": "Regular", "password": "correct horse"})
    chance = random.Random(1)  # noqa: S311 — the same places every time
    places = [f"bench-{today}-{number}" for number in chance.sample(range(2, RESULTS), PLAYERS)]
    async with engine.begin() as connection:
        for player, game in zip(players, places, strict=True):
            await connection.execute(_GIVE, {"user": player.user, "game": game})
        await connection.execute(_GIVE_ALL_DAYS, {"user": regular.user})
    board = f"/api/daily/{today}/leaderboard"
    return [
        await _timed("top page", REQUESTS, lambda _: _get(http, board)),
        await _timed(
            "top page, own rank, players around",
            REQUESTS,
            lambda number: _get(http, board, headers=players[number % PLAYERS].headers),
        ),
        await _timed(
            "a page further down",
            REQUESTS,
            lambda number: _get(http, board, params={"cursor": places[number % PLAYERS]}),
        ),
        await _timed("the day", REQUESTS, lambda _: _get(http, "/api/daily")),
        await _timed(
            f"profile of a player of {EARLIER_DAYS:,} days", 100, lambda _: _get(http, "/api/players/Regular")
        ),
    ]


async def _write(engine: AsyncEngine, http: aiohttp.ClientSession) -> list[Taken]:
    """Ends ranked tries: the last command of each, with its result."""
    tries = []
    for _ in range(2 * WRITES):
        player = await _guest(http)
        tries.append((player, await _post(http, "/api/daily/game", headers=player.headers)))
    async with engine.begin() as connection:
        await connection.execute(_LIST_ALL)

    async def resign(number: int) -> None:
        player, view = tries[number]
        body = {"revision": view["revision"]}
        await _post(http, f"/api/games/{view['id']}/resign", json=body, headers=player.headers)

    async with Log(engine) as log:
        ends = [await _end(log, player, view) for player, view in tries[WRITES:]]
        return [
            await _timed("a new result, written", WRITES, lambda number: log.commit(ends[number])),
            await _timed("a new result, over HTTP", WRITES, resign),
        ]


async def _end(log: Log, player: _Somebody, view: dict[str, Any]) -> Change:
    """What the last command of a try has to write."""
    logged = await log.read(GameId(view["id"]))
    if logged is None:
        raise RuntimeError(f"the server did not keep game {view['id']}")
    command = Resign(UserId(player.user), view["revision"])
    return step(*replayed(logged), command, datetime.now(UTC)).change


async def _timed(what: str, times: int, ask: Callable[[int], Awaitable[object]]) -> Taken:
    """Asks so often, after a tenth of it to warm up."""
    taken = []
    for number in range(times):
        start = time.perf_counter()
        await ask(number)
        taken.append((time.perf_counter() - start) * 1000)
    warm = sorted(taken[times // 10 :])
    return Taken(what, p50_ms=warm[len(warm) // 2], p99_ms=warm[len(warm) * 99 // 100])


async def _guest(http: aiohttp.ClientSession) -> _Somebody:
    return await _signed_in(http, "/api/guests", {})


async def _signed_in(http: aiohttp.ClientSession, path: str, body: dict[str, str]) -> _Somebody:
    answer = await _post(http, path, json=body)
    return _Somebody(answer["user"]["id"], {"Authorization": f"Bearer {answer['token']}"})


async def _get(http: aiohttp.ClientSession, path: str, **options: Any) -> Any:
    async with http.get(path, raise_for_status=True, **options) as answer:
        return msgspec.json.decode(await answer.read())


async def _post(http: aiohttp.ClientSession, path: str, **options: Any) -> Any:
    async with http.post(path, raise_for_status=True, **options) as answer:
        return msgspec.json.decode(await answer.read())
