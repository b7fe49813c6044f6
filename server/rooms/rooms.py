"""All live games of this node, and all that can be asked of a game."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, cast

from server.channels.hub import Hub
from server.channels.nats import Nodes
from server.channels.outbox import Outbox
from server.clock import Clock
from server.errors import Code, Refused
from server.log.bots import STAND_IN
from server.log.log import Log
from server.log.model import GameId, Logged, Names, SeatRow, UserId
from server.log.read import Cursor
from server.log.record import Record
from server.rooms import beginnings, table
from server.rooms.news import News, channel_of, game_of, read_news
from server.rooms.position import Again, Command, Depart, Expire, Join, Position, is_closed
from server.rooms.record import record
from server.rooms.replay import gently, is_open_to, past
from server.rooms.room import Copy, Notice, Observe, Room
from server.rooms.views import HeartToHeartView, PlayerView, Summary, View, encode, players, summary

LIVE: Final = 10_000
"""Games that a node keeps in memory; more only while they are watched or looked after."""

PAGE: Final = 200
"""Views of the past in one answer."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


class Rooms:
    """The games of this node. Whoever asks is named by his user id; None is nobody we know."""

    def __init__(
        self,
        log: Log,
        hub: Hub,
        clock: Clock,
        names: Names,
        nodes: Nodes | None = None,
        *,
        notice: Notice = lambda _: None,
        observe: Observe = lambda _: lambda _: None,
        live: int = LIVE,
    ) -> None:
        self._log = log
        self._hub = hub
        self._clock = clock
        self._names = names
        self._nodes = nodes
        self._notice, self._observe = notice, observe
        self._live = live
        self._rooms: OrderedDict[GameId, Room] = OrderedDict()
        self._closed = False
        hub.on_presence = self._came_or_went

    async def deal(
        self,
        user: UserId,
        seed: str | None = None,
        *,
        day: date | None = None,
        ranked: bool = False,
        listed: bool = False,
    ) -> HeartToHeartView:
        """A new game of Heart to Heart; on a random numbered deal unless `seed` names one.

        `day` is the day whose deal it is, if it is one; then `seed` is in its long form. A ranked try that is
        `listed` counts for the board of the day.

        Raises:
            AlreadyTried: it would be a second ranked try of the user at that day.
            Refused: `unavailable`.
        """
        seed = beginnings.random_deal() if seed is None else seed
        begun = beginnings.solitaire(user, seed, self._clock(), day=day, ranked=ranked, listed=listed)
        return cast(HeartToHeartView, await self._create(user, begun))

    async def open_table(
        self,
        user: UserId,
        options: dict[str, Any],
        *,
        bots: int = 0,
        level: str = STAND_IN,
        public: bool = False,
    ) -> View:
        """A new table of Hearts with the user on seat 0 and so many bots beside him.

        Raises:
            Refused: `bad_options`, `unavailable`.
        """
        begun = beginnings.hearts(user, options, bots, level, self._clock(), public=public)
        return await self._create(user, begun)

    async def view(self, user: UserId | None, game: GameId, ply: int | None = None) -> View:
        """The game as the user sees it, now or as it was after its first `ply` moves.

        Raises:
            Refused: `not_found`, there is no such game or ply; `not_yet`; `unavailable`.
        """
        room, open_game = await self._open(user, game)
        if ply is None:
            return room.view(open_game.position, user)
        self._check_replay(user, open_game.position)
        self._check_ply(open_game.position, ply)
        return (await self._past(room, open_game, user, ply, ply))[0]

    async def plies(self, user: UserId | None, game: GameId, first: int, last: int | None) -> list[View]:
        """The views of the plies from `first` to `last`, both included, and at most PAGE of them.

        Raises:
            Refused: as `view`.
        """
        room, open_game = await self._open(user, game)
        now = open_game.position
        self._check_replay(user, now)
        self._check_ply(now, first)
        last = now.row.ply if last is None else last
        return await self._past(room, open_game, user, first, min(last, now.row.ply, first + PAGE - 1))

    async def again(self, user: UserId, name: str, game: GameId) -> tuple[View, bool]:
        """The table after one that is over, where the user has a seat if one is left for him.

        Also whether he is the first who asks for it: then he has opened it.

        Raises:
            Refused: `not_found`; `not_your_game`; `not_yet`, it is not over; `unavailable`.
        """
        next_id, is_first = beginnings.new_id(), True
        try:
            await self.submit(game, Again(user, next_id))
        except Refused as refused:
            if refused.code is not Code.STALE_REVISION:
                raise
            is_first = False
        _, open_game = await self._open(user, game)
        now = open_game.position
        next_id = now.row.next or next_id
        try:
            view = await self.view(user, next_id)
        except Refused as refused:
            if refused.code is not Code.NOT_FOUND:
                raise
            # New, or whoever was to open it did not come to that: all who ask open the same one.
            view = await self._create(user, beginnings.next_table(now, next_id, user, self._clock()))
        for seat in (now.seat_of(user), None):
            if view["you"] is None:
                with _tolerating(Code.SEAT_TAKEN, Code.GAME_OVER):
                    view = await self.do(next_id, Join(user, name, seat))
        return view, is_first

    async def depart(self, user: UserId) -> None:
        """Takes a user who is about to be no more from all tables that are not over.

        Raises:
            Refused: `unavailable`.
        """
        behind, is_last = None, False
        while not is_last:
            page, behind = await self._log.list_games(
                user=user, finished=False, game=table.NAME, behind=behind
            )
            for each in page:
                with _tolerating(Code.NOT_YOUR_GAME, Code.GAME_OVER):
                    await self.submit(each.game.id, Depart(user))
            is_last = behind is None

    def submit(self, game: GameId, command: Command) -> asyncio.Future[Position]:
        """Queues a command; see `Room.submit`.

        Raises:
            Refused: `not_found`; `unavailable`, the server stops.
        """
        return self._submit(self._room(game), command)

    async def do(self, game: GameId, command: Command) -> View:
        """Carries out a command. The user's view of the position that it led to.

        Raises:
            Refused: as `Room.submit`.
        """
        room = self._room(game)
        return room.view(await self._submit(room, command), command.user)

    async def expire(self, game: GameId) -> None:
        """Ends a ranked try whose day is over, unless it has ended.

        Raises:
            Refused: `not_found`, `unavailable`.
        """
        with _tolerating(Code.GAME_OVER):
            await self.submit(game, Expire())

    async def watch(self, game: GameId, outbox: Outbox) -> bytes:
        """Lets a socket watch a game. The push that begins it, not yet sent.

        Raises:
            Refused: `not_found`, `not_yet`, `unavailable`.
        """
        room, open_game = await self._open(outbox.user, game)
        self._hub.subscribe(room.channel, outbox)
        return room.push_for(open_game.position, outbox.user)

    async def record(self, user: UserId | None, game: GameId) -> Record:
        """The record of a game.

        Raises:
            Refused: `not_found`; `not_yet`, it is not finished, and a table or on the deal of a day;
                `unavailable`.
        """
        room, open_game = await self._open(user, game)
        now = open_game.position
        if not is_open_to(user, now) or (not now.over and now.row.day is not None):
            raise Refused(Code.NOT_YET, "The record can be had once the game is over.")
        # A long one takes a while.
        return await asyncio.to_thread(record, now, open_game.timeline.moves, room.called)

    async def branch(self, user: UserId, game: GameId, ply: int) -> View:
        """A new unranked game of the user that goes on from a finished one after its first `ply` moves.

        Raises:
            Refused: `not_found`; `not_yet`, it is not finished, or its day is not over; `game_over`, it ended
                with that move, or before it began; `unavailable`.
        """
        _, open_game = await self._open(user, game)
        now, timeline = open_game.position, open_game.timeline
        if not now.over or is_closed(now.row, self._clock()):
            raise Refused(Code.NOT_YET, "You can go on from this game once it is over, and so is its day.")
        if now.row.started_at is None:
            raise Refused(Code.GAME_OVER, "This table was closed before a game began: open one of your own.")
        self._check_ply(now, ply)
        if timeline.state(ply).over:
            raise Refused(Code.GAME_OVER, "The game ended with this move: go on from an earlier one.")
        return await self._create(user, beginnings.branch(now, timeline, ply, user, self._clock()))

    async def list_games(
        self,
        user: UserId | None,
        *,
        finished: bool | None = None,
        waiting: bool = False,
        game: str | None = None,
        behind: Cursor | None = None,
    ) -> tuple[list[Summary], Cursor | None]:
        """A page of a user's games (None: of public tables), newest first, and where the next one begins.

        Raises:
            Refused: `unavailable`.
        """
        page, cursor = await self._log.list_games(
            user=user, finished=finished, waiting=waiting, game=game, behind=behind
        )
        users = {seat.user for each in page for seat in each.seats if seat.user is not None}
        names = await self._names(users)
        return [summary(each.game, self._seated(each.game.id, each.seats, names)) for each in page], cursor

    async def summary(self, user: UserId | None, game: GameId) -> Summary:
        """The game as lists show it.

        Raises:
            Refused: `not_found`, `not_yet`, `unavailable`.
        """
        room, open_game = await self._open(user, game)
        now = open_game.position
        return summary(now.row, self._seated(game, now.seats, room.called))

    async def rename(self, user: UserId) -> None:
        """Shows what a player is called by now. Nodes that have it alone find it out a bit later."""
        live = ((room.id, room.now) for room in self.live())
        await self.forget([game for game, copy in live if copy and copy.position.seat_of(user) is not None])

    async def forget(self, games: Iterable[GameId]) -> None:
        """Reads these games again, on whatever node they are live: their seats have changed hands.

        Returns when this node has, or could not: then it tries again when it is next asked for the game.
        """
        read = []
        for game in games:
            if (room := self._rooms.get(game)) is not None:
                read.append(room.refresh())
            if self._nodes is not None:
                self._nodes.tell(channel_of(game), encode(News()))
        if read:
            await asyncio.wait(read)

    def hear(self, channel: str, message: bytes | None) -> None:
        """Takes what another node says of a game; None: something may have been missed."""
        room = self._rooms.get(game_of(channel))
        if room is not None:
            room.hear(News() if message is None else read_news(message))

    def live(self) -> Iterable[Room]:
        """The rooms of this node, as they are now."""
        return tuple(self._rooms.values())

    async def close(self) -> None:
        """Takes no more commands, and returns when those that were taken are done and answered."""
        self._closed = True
        for room in tuple(self._rooms.values()):
            await room.rest()
        # The rooms of one commit are done at once, but those who wait for them come one after the other.
        await asyncio.sleep(0)

    async def _create(self, user: UserId, begun: Logged) -> View:
        await self._log.create(begun)
        return await self.view(user, begun.game.id)

    async def _open(self, user: UserId | None, game: GameId) -> tuple[Room, Copy]:
        """A game that the user may look at, and its room."""
        room = self._room(game)
        if room.empty:
            try:
                open_game = await room.game()
            finally:
                self._settle(room)
        else:
            open_game = await room.game()
            if self._nodes is None:  # Else they have just been asked for.
                await room.ask_names()
        now = open_game.position
        if is_closed(now.row, self._clock()) and now.seat_of(user) is None:
            raise Refused(Code.NOT_YET, "This game is on the deal of a day: wait until the day is over.")
        if user is not None:
            room.hear_from(user)
        return room, open_game

    def _submit(self, room: Room, command: Command) -> asyncio.Future[Position]:
        if self._closed:
            raise Refused(Code.UNAVAILABLE, "The server is stopping. Try again in a moment.")
        observed = self._observe(command)
        done = room.submit(command)
        done.add_done_callback(observed)
        if room.empty:
            done.add_done_callback(lambda _: self._settle(room))
        return done

    def _room(self, game: GameId) -> Room:
        room = self._rooms.get(game)
        if room is not None:
            self._rooms.move_to_end(game)
            return room
        if not _ID.fullmatch(game):
            raise Refused(Code.NOT_FOUND, "There is no such game. Check its address.")
        room = self._rooms[game] = Room(
            game, self._log, self._hub, self._clock, self._names, self._nodes, self._notice
        )
        return room

    def _settle(self, room: Room) -> None:
        """Keeps a room that has found its game, in the place of the oldest that can be spared."""
        if room.empty:
            if not room.busy and self._rooms.get(room.id) is room:
                del self._rooms[room.id]
            return
        # Two looks for each room that comes in: so the number falls again after many were busy.
        for _ in range(2):
            if len(self._rooms) > self._live:
                game, oldest = self._rooms.popitem(last=False)
                if oldest.busy:
                    self._rooms[game] = oldest
                else:
                    oldest.retire()

    def _check_replay(self, user: UserId | None, now: Position) -> None:
        if not is_open_to(user, now):
            raise Refused(Code.NOT_YET, "This game can be replayed once it is over.")

    def _check_ply(self, now: Position, ply: int) -> None:
        if not 0 <= ply <= now.row.ply:
            raise Refused(Code.NOT_FOUND, f"This game has {now.row.ply} moves: ask for a ply from 0 to that.")

    async def _past(self, room: Room, game: Copy, user: UserId | None, first: int, last: int) -> list[View]:
        now = game.position
        plies = gently(past(now, game.timeline, first, last))
        return [room.view(each, user, revealed=now.over) async for each in plies]

    def _came_or_went(self, channel: str, user: UserId) -> None:
        room = self._rooms.get(game_of(channel))
        if room is not None:
            room.came_or_went(user)

    def _seated(
        self, game: GameId, seats: tuple[SeatRow, ...], names: Mapping[UserId, str]
    ) -> list[PlayerView]:
        channel = channel_of(game)
        return players(seats, names, lambda user: self._hub.connected(channel, user))


@contextmanager
def _tolerating(*codes: Code) -> Iterator[None]:
    """Lets a command come to nothing for one of these reasons."""
    try:
        yield
    except Refused as refused:
        if refused.code not in codes:
            raise
