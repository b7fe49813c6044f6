"""What the house does at tables of Hearts without being asked: it moves for bots and for who is away."""

import asyncio
from collections.abc import Coroutine, Iterator
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import structlog

from server.channels.hub import Hub
from server.clock import Clock
from server.errors import Code, Refused
from server.games.game import Seat
from server.log.bots import STAND_IN
from server.log.model import GameId, LoggedMove, UserId
from server.rooms.minds import Minds
from server.rooms.position import Answer, HouseMove, Position
from server.rooms.questions import Decision, decision, question
from server.rooms.room import Copy, Room
from server.rooms.table import NAME, people, turn_ends_at
from server.rooms.thinker import fault_of

AGAIN_S: Final = 1.0
"""After this time the house tries again what it could not do."""

RETURN: Final = timedelta(seconds=10)
"""A game that has just been taken up gives its people this long to come back to it."""

LEFT: Final = timedelta(minutes=10)
"""A game that all its people have left, and that nobody watches, goes on for so long. Then it stands."""

_OUTRUN: Final = (Code.STALE_REVISION, Code.GAME_OVER, Code.NOT_YOUR_TURN)
"""Answers that say that somebody else was first."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.house")


class _Debt(NamedTuple):
    """What the house owes a seat: a move, or an answer to a request that waits for one, from a moment on."""

    what: Decision | Answer
    earliest: datetime


class _Duty:
    """A debt that the house is about to pay."""

    __slots__ = ("is_submitted", "task", "what")

    def __init__(self, what: Decision | Answer) -> None:
        self.what = what
        self.is_submitted = False
        self.task: asyncio.Task[None] | None = None


class _Table:
    """What the house knows of a table beyond its log."""

    __slots__ = ("alarm", "away", "duties", "last", "left_at", "room", "since")

    def __init__(self, room: Room, since: datetime) -> None:
        self.room = room
        self.since = since
        """When this node took it up, or somebody came back to it after all had left."""
        self.last: LoggedMove | None = None
        """The last move when we looked."""
        self.away: set[Seat] = set()
        """People who have let their time run out, and have done nothing since."""
        self.left_at: datetime | None = None
        """When the last of them was found to be away, while nobody watches."""
        self.duties: dict[Seat, _Duty] = {}
        self.alarm: asyncio.TimerHandle | None = None
        """Rings when the time of those on turn is up."""

    def silence(self) -> None:
        """Stops the alarm."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


class House:
    """Moves for bots at a human pace, and for people whose time is up.

    It holds no truth: what it owes follows from the log, so that any node can take over from any other. Where
    two make the same move the log takes one of them.
    """

    def __init__(self, hub: Hub, clock: Clock, minds: Minds, pace: timedelta, *, alone: bool = True) -> None:
        """`pace` is the least time from the move before to a bot's.

        On a node that is not `alone` people may be connected to another, whose word may get lost: then
        everybody has his whole time at each turn.
        """
        self._hub = hub
        self._clock = clock
        self._minds = minds
        self._pace = pace
        self._alone = alone
        self._tables: dict[GameId, _Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def notice(self, room: Room) -> None:
        """Sees to what the house owes at a table, now that something has happened there. Never raises."""
        game = room.now
        if self._closed:
            return
        if game is None:
            # The database was away in the midst of something.
            if room.is_looked_after:
                self._spawn(self._read_again(room))
        elif game.position.row.game == NAME:
            try:
                self._look(room, game)
            except Exception:
                _logger.exception("table not looked after", game=room.id)

    async def close(self) -> None:
        """Gives up all that has not been handed to a room, and does nothing more."""
        self._closed = True
        for table in self._tables.values():
            table.silence()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _look(self, room: Room, game: Copy) -> None:
        # Read once: what is not due yet, and what is to be waited for, are told by the same moment.
        now, at = game.position, self._clock()
        table = self._tables.setdefault(room.id, _Table(room, at))
        room.is_looked_after = True
        self._greet(table, now, at)
        debts = dict(self._debts(table, now, at))
        for seat, duty in tuple(table.duties.items()):
            if seat not in debts or debts[seat].what != duty.what:
                del table.duties[seat]
                if duty.task is not None and not duty.is_submitted:
                    duty.task.cancel()
        for seat, debt in debts.items():
            if seat not in table.duties:
                self._take_on(table, seat, game, debt)
        self._set_alarm(table, now, at)
        is_awaited = bool(table.away) and self._hub.watched(room.channel)
        if now.over or not (table.duties or table.alarm or is_awaited):
            # A game that stands must not stay in memory for our sake.
            self._let_go(room)

    def _let_go(self, room: Room) -> None:
        self._tables.pop(room.id, None)
        room.is_looked_after = False

    def _greet(self, table: _Table, now: Position, at: datetime) -> None:
        """Takes note of who is back: connected again, asking for the game, or moving himself."""
        is_new, table.last = now.last != table.last, now.last
        for seat in tuple(table.away):
            duty = table.duties.get(seat)
            is_ours = duty is not None and duty.is_submitted
            has_moved = is_new and now.last is not None and now.last.seat == seat and not is_ours
            user = now.seats[seat].user
            if has_moved or user not in table.room.missed or self._is_connected(table, user):
                table.away.discard(seat)
        is_left = self._is_deserted(table, now) and not self._hub.attended(table.room.channel)
        if is_left and table.left_at is None:
            table.left_at = at
        elif not is_left and table.left_at is not None:
            table.left_at = None
            table.since = at

    def _is_deserted(self, table: _Table, now: Position) -> bool:
        return table.away.issuperset(people(now.seats))

    def _debts(self, table: _Table, now: Position, at: datetime) -> Iterator[tuple[Seat, _Debt]]:
        """What is owed to the seats on turn, and to who waits for an answer."""
        if now.since is None:
            return
        at_pace = now.since + self._pace
        ends_at = self._ends_at(table, now, at)
        is_up = ends_at is not None and at >= ends_at
        persons = people(now.seats)
        asked = now.row.takeback
        for seat in now.turn:
            bot = now.seats[seat].bot
            if seat in persons and is_up:
                yield seat, _Debt(decision(now, seat, STAND_IN), now.since)
            elif asked is not None:
                continue  # Bots wait.
            elif seat not in persons and bot is not None:
                yield seat, _Debt(decision(now, seat, bot.level), at_pace)
            elif seat in table.away and ends_at is not None and self._is_hurried(table, now):
                yield seat, _Debt(decision(now, seat, STAND_IN), at_pace)
        if asked is not None and is_up and not set(persons) & set(now.turn):
            # No move of a person can end the request.
            seat = asked.waiting_for[0]
            user = now.seats[seat].user
            if user is not None:
                yield seat, _Debt(Answer(user, now.row.revision, accept=False), now.since)

    def _ends_at(self, table: _Table, now: Position, at: datetime) -> datetime | None:
        """When the time of those on turn is up, if it ever is here."""
        ends_at = turn_ends_at(now)
        if ends_at is None or now.since is None:
            return None
        if table.left_at is not None and at >= table.left_at + LEFT:
            return None
        return max(ends_at, table.since + min(RETURN, ends_at - now.since))

    def _is_hurried(self, table: _Table, now: Position) -> bool:
        """Whether nobody who is there shall wait for who is away."""
        return self._alone and not self._is_deserted(table, now)

    def _is_connected(self, table: _Table, user: UserId | None) -> bool:
        return user is not None and self._hub.connected(table.room.channel, user)

    def _set_alarm(self, table: _Table, now: Position, at: datetime) -> None:
        table.silence()
        ends_at = self._ends_at(table, now, at)
        if ends_at is None or not (now.row.takeback or set(people(now.seats)) & set(now.turn)):
            return
        left_s = (ends_at - at).total_seconds()
        if left_s > 0:
            loop = asyncio.get_running_loop()
            table.alarm = loop.call_later(left_s, self.notice, table.room)

    def _take_on(self, table: _Table, seat: Seat, game: Copy, debt: _Debt) -> None:
        duty = table.duties[seat] = _Duty(debt.what)
        duty.task = self._spawn(self._pay(table, seat, duty, game, debt.earliest))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _pay(self, table: _Table, seat: Seat, duty: _Duty, game: Copy, earliest: datetime) -> None:
        try:
            await self._do(table, seat, duty, game, earliest)
        except Exception as problem:
            if not isinstance(problem, Refused):
                kind, where = fault_of(problem)
                _logger.error("seat not served", game=table.room.id, seat=seat, kind=kind, where=where)
            elif problem.code not in _OUTRUN:
                # Its detail may name a card.
                _logger.warning("put off", game=table.room.id, seat=seat, code=problem.code)
            if table.duties.get(seat) is duty:
                await asyncio.sleep(AGAIN_S)
        if table.duties.get(seat) is duty:
            del table.duties[seat]
        self.notice(table.room)

    async def _do(self, table: _Table, seat: Seat, duty: _Duty, game: Copy, earliest: datetime) -> None:
        command: HouseMove | Answer
        if isinstance(duty.what, Answer):
            command = duty.what
        else:
            revision = game.position.row.revision
            move = await self._minds.choose(duty.what, question(game, duty.what))
            left_s = (earliest - self._clock()).total_seconds()
            if left_s > 0:
                await asyncio.sleep(left_s)
            if table.room.now is not None:
                # It may have changed in a way that leaves the decision what it was.
                revision = table.room.now.position.row.revision
            command = HouseMove(seat, revision, move)
        duty.is_submitted = True
        after = await table.room.submit(command)
        user = after.seats[seat].user
        if user is not None and seat in people(after.seats):
            table.away.add(seat)
            table.room.missed.add(user)

    async def _read_again(self, room: Room) -> None:
        await asyncio.sleep(AGAIN_S)
        try:
            await room.game()
        except Refused as refused:
            _logger.warning("put off", game=room.id, code=refused.code)
            if refused.code is Code.NOT_FOUND:
                self._let_go(room)
        self.notice(room)
