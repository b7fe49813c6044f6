"""Games of all fates, played through rooms as people play them: for tests of what is drawn from logs.

`python -m tests.commands.generated NUMBER` has so many played to their ends on a database of its own, and
proves that a rebuild makes of their logs, from empty tables, the very rows that were there.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Table, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from server.channels.hub import Hub
from server.clock import closes_at
from server.commands.rebuild import Rebuilt, rebuild_all
from server.daily.closing import Closing
from server.daily.days import ONE_DAY, Days
from server.daily.par import par
from server.daily.ratings import LAG, Ratings
from server.daily.schema import ratings
from server.embedded import Embedded
from server.errors import Refused
from server.games.deals import Deal, DealCode, day_deal, numbered_deal
from server.games.game import Seat
from server.games.winnable import winnable
from server.log.database import connect, migrate
from server.log.errors import AlreadyTried
from server.log.log import Log
from server.log.model import GameId, UserId
from server.log.schema import day_counts, games, results
from server.rooms.position import Answer, Command, HouseMove, Join, Move, Position, Resign, Undo
from server.rooms.rooms import Rooms
from tests.conftest import UNSAFE, Clock
from tests.log.transfers import enter_board, move_seats

PROJECTIONS = (results, day_counts, ratings)
AT_ONCE = 30
DAYS = 3
TABLES = 0.05
"""How many of the games are tables of Hearts."""

Rows = dict[str, list[tuple[Any, ...]]]


async def names(users: Collection[UserId]) -> Mapping[UserId, str]:
    return {user: user for user in users}


class Club:
    """Players who play, give up, take back, forget their games, register and sign in, day after day.

    Some of them sit at tables of Hearts.
    """

    def __init__(self, engine: AsyncEngine, log: Log, clock: Clock, chance: random.Random) -> None:
        self._engine = engine
        self._log = log
        self._clock = clock
        self._chance = chance
        self._rooms = Rooms(log, Hub(), clock, names)
        self._closing = Closing(engine, Days(engine, clock), self._rooms.expire)
        self._ratings = Ratings(engine, clock)
        self._lines: dict[Deal, tuple[str, ...]] = {}

    async def play(self, number: int) -> None:
        """Plays so many games over some days, ranked ones and others; the days are closed."""
        for _ in range(DAYS):
            today = self._clock().date()
            todays = number // DAYS
            deal = day_deal(today.isoformat(), "sesame", winnable)
            users = [UserId(f"{today}-{player}") for player in range(todays)]
            for first in range(0, todays, AT_ONCE):
                await asyncio.gather(
                    *(
                        self._game(user, today, deal, self._another())
                        for user in users[first : first + AT_ONCE]
                    )
                )
            await self._settle(users, today)
            self._clock.now = closes_at(today)
            await self._closing.close_due()
            self._clock.now += LAG
            await self._ratings.catch_up()

    def _another(self) -> random.Random:
        """Chance for one game, so that what happens in it does not hang on how fast the others go."""
        return random.Random(self._chance.getrandbits(64))

    async def _settle(self, users: list[UserId], today: date) -> None:
        """Some guests register, others sign in to accounts that have tries of the same day or none."""
        guests = [user for user in users if self._is_guest(user)]
        for guest in guests[::3]:
            await enter_board(self._engine, guest, today)
        accounts = [user for user in users if not self._is_guest(user)]
        for guest, account in zip(guests[1::3], accounts, strict=False):
            await self._rooms.forget(await move_seats(self._engine, guest, account))
            await enter_board(self._engine, account, today)
        yesterday = today - ONE_DAY
        for guest in guests[2::3]:
            await self._rooms.forget(await move_seats(self._engine, guest, UserId(f"{yesterday}-0")))

    def _is_guest(self, user: UserId) -> bool:
        return int(user.rpartition("-")[2]) % 3 == 1

    async def _game(self, user: UserId, today: date, todays: Deal, chance: random.Random) -> None:
        if chance.random() < TABLES:
            await self._table(user, UserId(f"{today}-{chance.randrange(10)}"), chance)
            return
        ranked = chance.random() < 0.7
        deal = todays if ranked else numbered_deal(DealCode("HH1-N-AAAAAAS"))
        listed = ranked and not self._is_guest(user)
        try:
            view = await self._rooms.deal(
                user, deal.long, day=today if ranked else None, ranked=ranked, listed=listed
            )
        except AlreadyTried:
            return
        await self._play(user, dict(view), chance.choice(["win", "resign", "leave", "look"]), deal, chance)

    async def _play(
        self, user: UserId, view: dict[str, Any], fate: str, deal: Deal, chance: random.Random
    ) -> None:
        line = self._line(deal)
        if fate != "win":
            line = line[: chance.randrange(12)] if fate != "look" else ()
        for move in line:
            self._clock.advance(milliseconds=chance.randrange(500))
            view = await self._do(view, Move(user, view["revision"], move))
            if chance.random() < 0.05 and view["status"] != "won":
                view = await self._do(view, Undo(user, view["revision"]))
                view = await self._do(view, Move(user, view["revision"], move))
        if fate == "resign":
            await self._do(view, Resign(user, view["revision"]))

    async def _table(self, user: UserId, other: UserId, chance: random.Random) -> None:
        """A hand of Hearts for two people and a bot, in which either may give up; not all come to its end."""
        options = {"players": 3, "target": 1, "moon": "add"}
        view = await self._rooms.open_table(user, options, bots=1, public=chance.random() < 0.8)
        if other == user or chance.random() < 0.1:
            return
        now = await self._rooms.submit(GameId(view["id"]), Join(other, other))
        while not now.over and chance.random() < 0.998:
            seat = chance.choice(now.turn)
            now = await self._rooms.submit(now.row.id, _command(now, seat, chance))
            asks = now.seats[seat].user
            if asks is not None and chance.random() < 0.05 and not now.over:
                now = await self._take_back(now, asks, user if asks == other else other)

    async def _take_back(self, now: Position, asks: UserId, answers: UserId) -> Position:
        try:
            asked = await self._rooms.submit(now.row.id, Undo(asks, now.row.revision))
            if asked.row.takeback is None:
                return asked
            return await self._rooms.submit(now.row.id, Answer(answers, asked.row.revision, True))
        except Refused:  # The move has shown cards.
            return now

    async def _do(self, view: dict[str, Any], command: Command) -> dict[str, Any]:
        return dict(await self._rooms.do(GameId(view["id"]), command))

    def _line(self, deal: Deal) -> tuple[str, ...]:
        if deal not in self._lines:
            found = par(deal.cards)
            assert found is not None
            self._lines[deal] = found.line
        return self._lines[deal]


def _command(now: Position, seat: Seat, chance: random.Random) -> Command:
    """What whoever has a seat on turn does: as a rule he plays some card that he may."""
    user, revision = now.seats[seat].user, now.row.revision
    hand, legal = now.state.view(seat)["hand"], now.state.legal(seat)
    move = f"pass {' '.join(chance.sample(hand, 3))}" if legal == ["pass"] else chance.choice(legal)
    if user is None or now.seats[seat].resigned:
        return HouseMove(seat, revision, move)
    return Resign(user, revision) if chance.random() < 0.01 else Move(user, revision, move)


async def projections(engine: AsyncEngine) -> Rows:
    """Every row of every projection."""

    async def rows(table: Table) -> list[tuple[Any, ...]]:
        async with engine.connect() as connection:
            found = await connection.execute(select(table).order_by(*table.primary_key.columns))
            return [tuple(row) for row in found]

    return {table.name: await rows(table) for table in PROJECTIONS}


async def rebuild(engine: AsyncEngine, clock: Clock) -> Rebuilt:
    return await rebuild_all(engine, clock, lambda _: None)


async def ended(engine: AsyncEngine) -> int:
    """How many games have ended."""
    async with engine.connect() as connection:
        query = select(func.count()).where(games.c.finished_at.is_not(None))
        return (await connection.execute(query)).scalar_one()


async def _main(number: int) -> None:
    with tempfile.TemporaryDirectory(prefix="heartline-") as folder:
        embedded = Embedded(Path(folder), options=UNSAFE)
        await embedded.start()
        await migrate(embedded.url)
        engine, clock = connect(embedded.url), Clock()
        try:
            started = time.perf_counter()
            async with Log(engine) as log:
                club = Club(engine, log, clock, random.Random(1))
                # Some games are left for ever: others are played in their place.
                while (missing := number - await ended(engine)) > 0:
                    await club.play(max(missing, DAYS))
            before, played = await projections(engine), time.perf_counter()
            async with engine.begin() as connection:
                for table in PROJECTIONS:
                    await connection.execute(table.delete())
            found = await rebuild(engine, clock)
            equal, rebuilt = await projections(engine) == before, time.perf_counter()
        finally:
            await engine.dispose()
            await embedded.stop()
    print(f"played {found.games:,} games to their ends in {played - started:.0f} s")
    print(f"rebuilt in {rebuilt - played:.0f} s; rows:", {name: len(rows) for name, rows in before.items()})
    if found.broken or not equal:
        sys.exit("the rebuilt rows differ from those that were there")
    print("every row is equal")


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1])))
