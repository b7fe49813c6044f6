"""One live game: commands go in one after the other; what they did is pushed once it is in the log."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial

import structlog

from server.channels.hub import Hub
from server.channels.nats import Nodes
from server.clock import Clock
from server.errors import Code, Refused
from server.games.game import Seat
from server.log.errors import Stale
from server.log.log import Log
from server.log.model import GameId, Names, UserId
from server.rooms import table
from server.rooms.news import News, channel_of
from server.rooms.position import Command, Event, Join, Position, Step, expired_at
from server.rooms.replay import replayed_gently
from server.rooms.steps import step
from server.rooms.timeline import Timeline
from server.rooms.views import PlayerView, View, encode, players, push, view_for

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.rooms")


class Copy:
    """A node's copy of a game: where it stands, and how it came there."""

    __slots__ = ("position", "timeline")

    def __init__(self, position: Position, timeline: Timeline) -> None:
        self.position = position
        self.timeline = timeline

    def take(self, step: Step) -> None:
        """Makes true what a step has written."""
        change = step.change
        if change.append is not None:
            self.timeline.append(change.append, step.after.state)
        elif change.truncate:
            self.timeline.truncate()
        self.position = step.after


class _Waiting:
    """A command that waits for its turn, or for the log."""

    __slots__ = ("command", "done", "has_looked")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.done: asyncio.Future[Position] = asyncio.get_running_loop().create_future()
        self.has_looked = False
        """Whether the log has been read for its sake."""


class Room:
    """Where a game is played on this node. It reads the game when it is first asked for it.

    Its copy says what is in the log: only what has been committed goes into it, and it is dropped when that
    is in doubt.
    """

    def __init__(
        self,
        game: GameId,
        log: Log,
        hub: Hub,
        clock: Clock,
        names: Names,
        nodes: Nodes | None,
        notice: "Notice",
    ) -> None:
        self.id = game
        self.channel = channel_of(game)
        self.called: Mapping[UserId, str] = {}
        """What its players are called, and those who have left."""
        self.missed: set[UserId] = set()
        """Players who have let their time run out, and have not asked for the game since."""
        self.is_looked_after = False
        """Whether the house has something to do in its game, now or later."""
        self._log = log
        self._hub = hub
        self._clock = clock
        self._names = names
        self._nodes = nodes
        self._notice = notice
        self._copy: Copy | None = None
        self._shown: Position | None = None
        """Where the game stands as far as the watchers know."""
        self._told = News()
        """What another node has said of the game last."""
        self._waiting: deque[_Waiting] = deque()
        self._readers: asyncio.Future[None] | None = None
        """Done when the log has been read the next time; None if nobody has asked for that."""
        self._is_retired = False
        self._under_way: asyncio.Future[None] | None = None
        """What the next command waits for: a change on its way into the log, or a reading of it."""

    @property
    def empty(self) -> bool:
        """Whether it has no copy of its game."""
        return self._copy is None

    @property
    def watched(self) -> bool:
        """Whether anybody watches its game here."""
        return self._hub.watched(self.channel)

    @property
    def busy(self) -> bool:
        """Whether it is at work, watched, or looked after: then it must not be dropped."""
        return self._under_way is not None or self.watched or self.is_looked_after

    @property
    def now(self) -> Copy | None:
        """The copy of its game, if it has one."""
        return self._copy

    async def game(self) -> Copy:
        """The game as it is in the log.

        Raises:
            Refused: `not_found`, `unavailable`.
        """
        if self._is_retired:
            raise _retired()
        # The copy of a node that is not alone may be behind.
        if self._nodes is not None:
            await asyncio.shield(self.refresh())
        while self._copy is None:
            await asyncio.shield(self.refresh())
        return self._copy

    def submit(self, command: Command) -> asyncio.Future[Position]:
        """Queues a command. It is carried out even if nobody waits for the position that it leads to.

        Raises (in the future):
            Refused: `not_found`, `not_your_game`, `stale_revision`, `game_over`, `not_your_turn`,
                `illegal_move`, `unavailable`. Nothing has changed.
        """
        waiting = _Waiting(command)
        if self._is_retired:
            waiting.done.set_exception(_retired())
            return waiting.done
        self._waiting.append(waiting)
        if self._under_way is None:
            self._go_on()
        return waiting.done

    def refresh(self) -> asyncio.Future[None]:
        """Has the log read, and its watchers shown what is new; done when that has happened.

        Raises (in the future):
            Refused: `not_found`, `unavailable`.
        """
        readers = self._readers
        if readers is None:
            readers = self._readers = asyncio.get_running_loop().create_future()
            if self._under_way is None:
                self._go_on()
        return readers

    def retire(self) -> None:
        """Gives its copy up for ever: the game may get another room, of which this one would not hear."""
        self._is_retired = True
        self._copy = None

    def hear(self, news: News) -> None:
        """Takes note of what another node says of the game."""
        self._told = news
        if self._copy is None or news.revision is None or news.revision > self._copy.position.row.revision:
            self.refresh()

    def catch_up(self, revision: int) -> None:
        """Reads the log again if another process has brought the game to a revision beyond the copy's."""
        # A change that is on its way from here has its own end.
        if self._under_way is None and self._copy and revision > self._copy.position.row.revision:
            self.refresh()

    def rename(self, called: Mapping[UserId, str]) -> None:
        """Takes note of what users are called by now, and shows the watchers what is new of the players."""
        if self._copy is None:
            return
        seats = self._copy.position.seats
        users = {each.user for each in seats if each.user is not None}
        news = {user: name for user, name in called.items() if user in users}
        if any(self.called.get(user) != name for user, name in news.items()):
            self.called = {**self.called, **news}
            self._push(self._copy.position, None)

    def hear_from(self, user: UserId) -> None:
        """Takes note that somebody asks for the game: he is there, with a socket or without."""
        if user in self.missed:
            self.missed.discard(user)
            self._notice(self)

    def came_or_went(self, user: UserId) -> None:
        """Shows the others at a table that one of its players is there, or is no more."""
        if self._copy is None:
            return
        position = self._copy.position
        seat = position.seat_of(user)
        if seat is not None and position.row.game == table.NAME:
            self._push(position, Event("presence", seat), but=user)
            self._notice(self)

    async def rest(self) -> None:
        """Returns when all that was submitted is done."""
        while self._under_way is not None:
            await asyncio.wait([self._under_way])

    async def ask_names(self) -> None:
        """Learns anew what the players are called, if it has a copy of its game.

        Raises:
            Refused: `unavailable`.
        """
        if self._copy is not None:
            seats = self._copy.position.seats
            self.rename(await self._names([each.user for each in seats if each.user is not None]))

    def view(self, position: Position, user: UserId | None, *, revealed: bool = False) -> View:
        """A position of this game as a user (None: nobody we know) sees it."""
        return view_for(position, user, self._seated(position), revealed=revealed)

    def push_for(self, position: Position, user: UserId | None) -> bytes:
        """What tells the devices of a user where the game stands."""
        return push(self.channel, position, user, self._seated(position), None)

    # Commands cost no task each: futures carry them from one step to the next.

    def _go_on(self) -> None:
        """Takes up what waits, until something has to be waited for."""
        self._under_way = None
        while self._waiting or self._readers is not None:
            if self._readers is not None or self._copy is None:
                self._read()
                return
            waiting = self._waiting.popleft()
            if self._may_be_behind(self._copy, waiting):
                waiting.has_looked = True
                self._waiting.appendleft(waiting)
                self._read()
                return
            try:
                step = self._step(self._copy, waiting.command)
                self._under_way = self._log.submit(step.change)
            except Exception as problem:
                self._refuse(waiting, problem)
            else:
                self._under_way.add_done_callback(partial(self._written, self._copy, step, waiting))
                return

    def _may_be_behind(self, game: Copy, waiting: _Waiting) -> bool:
        """Whether a command comes from who has seen more of the game than this node has."""
        revision = waiting.command.revision
        if self._nodes is None or waiting.has_looked or revision is None:
            return False
        return revision > game.position.row.revision

    def _written(self, game: Copy, step: Step, waiting: _Waiting, written: asyncio.Future[None]) -> None:
        try:
            written.result()
            game.take(step)
            if isinstance(waiting.command, Join):
                self.called = {**self.called, waiting.command.user: waiting.command.name}
            self._push(step.after, step.event)
            self._notice(self)
        except Stale:
            # Somebody else was first: look at what he did, and then at the command once more.
            self._copy = None
            self._waiting.appendleft(waiting)
        except Exception as problem:
            self._copy = None  # Whether the change is in the log, only a read tells.
            if isinstance(problem, Refused) and expired_at(step.after.row, self._clock()) is not None:
                self._waiting.appendleft(waiting)  # To be told that its day has ended meanwhile.
            else:
                self._refuse(waiting, problem)
        else:
            if not waiting.done.done():
                waiting.done.set_result(step.after)
            if self._nodes is not None:
                self._nodes.tell(self.channel, encode(News(step.after.row.revision, step.event)))
        self._go_on()

    def _read(self) -> None:
        readers, self._readers = self._readers, None
        self._under_way = asyncio.ensure_future(self._catch_up())
        self._under_way.add_done_callback(partial(self._caught_up, readers))

    async def _catch_up(self) -> None:
        """Reads the log, and shows the watchers what is new."""
        if self._copy is not None and await self._is_in_the_log(self._copy.position):
            return
        logged = await self._log.read(self.id)
        if logged is None:
            self._copy = None
            raise Refused(Code.NOT_FOUND, "There is no such game. Check its address.")
        called = await self._names([each.user for each in logged.seats if each.user is not None])
        shown = self._shown
        is_new = (
            shown is None
            or shown.row != logged.game
            or shown.seats != logged.seats
            or any(self.called.get(user) != name for user, name in called.items())
        )
        self.called = {**self.called, **called}  # A position from before is still to be shown.
        self._copy = Copy(*await replayed_gently(logged))
        if is_new:
            is_told = self._told.revision == logged.game.revision
            self._push(self._copy.position, self._told.event if is_told else None)
            self._notice(self)

    async def _is_in_the_log(self, now: Position) -> bool:
        """Whether the log still has the game as it is here. Then the names alone may be new.

        A look at the revision costs nothing beside reading a long log.
        """
        if self._told.revision is not None and self._told.revision > now.row.revision:
            return False
        if (await self._log.revisions([self.id])).get(self.id) != now.row.revision:
            return False
        await self.ask_names()
        return True

    def _caught_up(self, readers: asyncio.Future[None] | None, read: asyncio.Future[None]) -> None:
        problem = read.exception()
        if problem is not None:
            self._copy = None  # It was to be read again for a reason.
            if not isinstance(problem, Refused):
                _logger.error("game not read", game=self.id, exc_info=problem)
            for waiting in self._waiting:
                self._refuse(waiting, problem)
            self._waiting.clear()
        if readers is not None and not readers.done():
            if problem is None:
                readers.set_result(None)
            else:
                readers.set_exception(problem)
                readers.exception()  # Nobody need be there to hear it.
        self._go_on()

    def _refuse(self, waiting: _Waiting, problem: BaseException) -> None:
        if not isinstance(problem, Refused):
            _logger.error("command failed", game=self.id, exc_info=problem)
        if not waiting.done.done():
            waiting.done.set_exception(problem)

    def _step(self, game: Copy, command: Command) -> Step:
        try:
            return step(game.position, game.timeline, command, self._clock())
        except Refused as refused:
            if refused.code is Code.STALE_REVISION:
                refused.view = dict(self.view(game.position, command.user))
            raise

    def _push(self, position: Position, happened: Event | None, *, but: UserId | None = None) -> None:
        """Shows the watchers where the game stands; all but one, if he sees that in another way."""
        self._shown = position
        if self._nodes is not None and position.row.game == table.NAME:
            players = (each.user for each in position.seats if each.user is not None)
            here = frozenset(user for user in players if self._hub.here(self.channel, user))
            self._nodes.show(self.channel, here)
        if not self.watched:
            return
        seated = self._seated(position)
        payloads: dict[Seat | None, bytes] = {}

        def payload_for(user: UserId | None) -> bytes:
            seat = position.seat_of(user)
            payload = payloads.get(seat)
            if payload is None:
                payload = payloads[seat] = push(self.channel, position, user, seated, happened)
            return payload

        self._hub.publish(self.channel, payload_for, but=but)

    def _seated(self, position: Position) -> list[PlayerView]:
        return players(position.seats, self.called, lambda user: self._hub.connected(self.channel, user))


def _retired() -> Refused:
    return Refused(Code.STALE_REVISION, "The game has changed meanwhile: look at it as it is now.")


Notice = Callable[[Room], None]
"""Is told of a room whenever its game has changed, or one of the players has come or gone."""

Observe = Callable[[Command], Callable[[asyncio.Future[Position]], None]]
"""Is told of each command that comes; what it answers is told what has become of that command."""
