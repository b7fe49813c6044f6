"""How games begin: dealt afresh, as a branch of another, or as the table after one."""

import secrets
from datetime import date, datetime
from typing import Any

from msgspec.structs import replace

from server.errors import Code, Refused
from server.games import GAMES, BadOptions
from server.games.deals import NUMBERS, DealCode, numbered_code
from server.games.game import Options, Seat, State
from server.games.heart_to_heart import HeartToHeart
from server.games.hearts.deal import SEED_BYTES
from server.log.bots import STAND_IN
from server.log.model import GameId, GameRow, Logged, LoggedMove, Ply, SeatRow, UserId
from server.rooms import seats, table
from server.rooms.position import Position, totals
from server.rooms.replay import start
from server.rooms.timeline import Timeline


def solitaire(
    user: UserId, seed: str, at: datetime, *, day: date | None, ranked: bool, listed: bool
) -> Logged:
    """A new game of Heart to Heart, and whether and how it counts for a day."""
    row = _row(user, HeartToHeart.name, {}, seed, at)
    row = replace(row, day=day, ranked=ranked, listed=listed)
    return _begun(Logged(row, (SeatRow(Seat(0), user),), ()), start(row))


def random_deal() -> DealCode:
    """A numbered deal at random; those that are stuck before the first move, one in ten, are passed over."""
    while True:
        code = numbered_code(secrets.randbelow(NUMBERS))
        if GAMES[HeartToHeart.name].setup({}, code).status == "playing":
            return code


def hearts(
    user: UserId, options: dict[str, Any], bots: int, level: str, at: datetime, *, public: bool
) -> Logged:
    """A new table of Hearts: the user on seat 0, bots on those after it. It begins if all seats are taken.

    Raises:
        Refused: `bad_options`.
    """
    try:
        checked = GAMES[table.NAME].options(options)
    except BadOptions as bad:
        raise Refused(Code.BAD_OPTIONS, str(bad)) from None
    places = GAMES[table.NAME].seats(checked)
    if not 0 <= bots < places:
        raise Refused(Code.BAD_OPTIONS, f"Beside yours the table has {places - 1} seats for bots.")
    row = replace(_row(user, table.NAME, checked, new_seed(), at), public=public)
    taken = _free_seats(places, {Seat(0): user})
    taken = seats.with_bots(row, taken, tuple(Seat(seat) for seat in range(1, bots + 1)), level)
    return _begun(Logged(row, taken, ()), start(row))


def branch(now: Position, timeline: Timeline, ply: int, user: UserId, at: datetime) -> Logged:
    """A new game of the user that goes on from one that is over, after its first `ply` moves.

    At a table he has the seat that he had, else seat 0, and bots have the others.
    """
    row = _row(user, now.row.game, now.row.options, now.row.seed, at)
    row = replace(row, day=now.row.day, branch_ply=Ply(ply))
    own = now.seat_of(user) or Seat(0)
    others = tuple(each.seat for each in now.seats if each.seat != own)
    taken = seats.with_bots(row, _free_seats(len(now.seats), {own: user}), others, STAND_IN)
    moves = enumerate(timeline.moves[:ply], 1)
    copied = tuple(LoggedMove(move.seat, move.move, at, Ply(number), 0, 0) for number, move in moves)
    return _begun(Logged(row, taken, copied), timeline.state(ply))


def next_table(now: Position, next_id: GameId, user: UserId, at: datetime) -> Logged:
    """The table after one that is over, opened by a user who sat there.

    He and the bots have the seats that they had.
    """
    row = _row(user, now.row.game, now.row.options, new_seed(), at)
    row = replace(row, id=next_id, public=now.row.public)
    taken = tuple(
        SeatRow(each.seat, user if each.user == user else None, each.bot if each.user is None else None)
        for each in now.seats
    )
    return _begun(Logged(row, taken, ()), start(row))


def new_id() -> GameId:
    """An id that no game has."""
    return GameId(secrets.token_urlsafe(9))


def new_seed() -> str:
    """What all hands of a table are dealt from."""
    return secrets.token_hex(SEED_BYTES)


def _row(user: UserId, game: str, options: Options, seed: str, at: datetime) -> GameRow:
    return GameRow(
        id=new_id(),
        game=game,
        options=options,
        seed=seed,
        created_at=at,
        creator=user,
        status=table.WAITING,
    )


def _free_seats(places: int, taken: dict[Seat, UserId]) -> tuple[SeatRow, ...]:
    return tuple(SeatRow(Seat(seat), taken.get(Seat(seat))) for seat in range(places))


def _begun(logged: Logged, state: State) -> Logged:
    """The game with its row as its moves make it; under way if all its seats are taken.

    `state` is the one after these moves.
    """
    ply = Ply(len(logged.moves))
    at = logged.game.created_at
    row = replace(
        logged.game, totals=totals(state), ply=ply, peak=ply, action_at=at if logged.moves else None
    )
    if seats.all_taken(logged.seats):
        row = seats.started(row, state.status, at)
    return replace(logged, game=row)
