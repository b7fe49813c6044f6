"""Hidden cards on their way out: what a seat cannot know makes no difference to any byte that it is sent."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from server.games import GAMES
from server.games.game import Seat
from server.games.hearts.cards import CARDS
from server.games.hearts.state import Hearts
from server.log.model import Bot, GameId, GameRow, LoggedMove, Ply, SeatRow, Takeback, UserId
from server.rooms.position import Event, Position
from server.rooms.views import encode, players, push, summary, view_for
from tests.games.hearts_tables import choice, setup, tables
from tests.games.test_hearts_hidden import disguised

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
DECK = list(CARDS)


def position_of(state: Hearts, options: dict[str, Any], last: LoggedMove | None) -> Position:
    players = state.table.players
    row = GameRow(
        id=GameId("some-table"),
        game="hearts",
        options=GAMES["hearts"].options(options),
        seed=state.seed.hex(),
        created_at=AT,
        creator=UserId("user-0"),
        status=state.status,
        totals=state.totals,
        started_at=AT,
        finished_at=AT if state.over else None,
        takeback=Takeback(Seat(0), (Seat(1), Seat(2))),
    )
    seats = tuple(SeatRow(Seat(seat), UserId(f"user-{seat}")) for seat in range(players))
    return Position(row, seats, state, last, state.over, AT)


def sent(position: Position, seat: Seat | None, events: list[Event | None]) -> list[bytes]:
    """All that the devices of a seat can be sent of a position."""
    user = None if seat is None else UserId(f"user-{seat}")
    seated = players(
        position.seats, {each.user: "Somebody" for each in position.seats if each.user}, lambda _: True
    )
    return [
        *(push("games/some-table", position, user, seated, event) for event in events),
        encode(view_for(position, user, seated)),
        encode(summary(position.row, seated)),
    ]


def other_pass(move: LoggedMove, seat: Seat | None, rng: random.Random) -> LoggedMove:
    """The move as it might have been as well, for all that `seat` knows."""
    if move.seat == seat or not move.move.startswith("pass "):
        return move
    return replace(move, move=f"pass {' '.join(rng.sample(DECK, 3))}")


def played(state: Hearts, rng: random.Random) -> Iterator[LoggedMove]:
    number = 0
    while not state.over:
        seat, move = choice(state, rng)
        number += 1
        yield LoggedMove(seat, state.play(seat, move), AT, Ply(number), 0, 0)


@settings(max_examples=30, deadline=None)
@given(tables(), st.binary(min_size=32, max_size=32), st.integers(0, 2**32).map(random.Random))
def test_pushes_of_what_a_seat_cannot_tell_apart_are_the_same_bytes(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    for last in played(state, rng):
        if state.over or rng.random() > 0.1:
            continue
        for seat in (None, *state.table.seats):
            other = other_pass(last, seat, rng)
            shown = [
                sent(position_of(each, options, move), seat, events(move))
                for each, move in ((state, last), (disguised(state, seat, rng), other))
            ]
            assert shown[0] == shown[1]
        seat = rng.choice(state.table.seats)
        other = other_pass(last, None, rng)
        shown = [
            sent(resigned(position_of(each, options, move), seat), seat, events(move))
            for each, move in ((state, last), (disguised(state, None, rng), other))
        ]
        assert shown[0] == shown[1]


def resigned(position: Position, seat: Seat) -> Position:
    """The same after a seat was left to a bot, whose cards its person does not see."""
    seats = [
        replace(each, bot=Bot("Ada", "steady"), resigned=True) if each.seat == seat else each
        for each in position.seats
    ]
    return replace(position, seats=tuple(seats))


def events(move: LoggedMove) -> list[Event | None]:
    made = [Event(kind, move.seat, move.move) for kind in ("move", "undo")]
    return [None, *made, Event("takeback", move.seat), Event("presence", Seat(0))]


@settings(max_examples=10, deadline=None)
@given(tables(), st.binary(min_size=32, max_size=32), st.integers(0, 2**32).map(random.Random))
def test_before_the_start_nobody_sees_what_will_be_dealt(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    for seat in (None, *state.table.seats):
        shown = []
        for each in (state, disguised(state, None, rng)):
            now = position_of(each, options, None)
            row = replace(now.row, status="waiting", started_at=None, takeback=None)
            shown.append(sent(replace(now, row=row), seat, [None, Event("seats", Seat(1))]))
        assert shown[0] == shown[1]
        assert not [card for card in DECK if b'"%s"' % card.encode() in b"".join(shown[0])]


@settings(max_examples=10, deadline=None)
@given(tables(), st.binary(min_size=32, max_size=32), st.integers(0, 2**32).map(random.Random))
def test_the_seed_is_in_nothing_that_is_sent_before_the_end(
    options: dict[str, Any], seed: bytes, rng: random.Random
) -> None:
    state = setup(seed, **options)
    for last in played(state, rng):
        if rng.random() < 0.1 or state.over:
            texts = sent(position_of(state, options, last), Seat(0), events(last))
            assert all((seed.hex().encode() in text) == state.over for text in texts[:-1])
