"""The record of a game, `heartline/1`: its log written out, so that anybody can check it without the server.

Records come from strangers too. What has the right shape is a `Record`; whether it is right, `verify` says.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from server.games import GAMES, BadDealCode, BadOptions, IllegalMove
from server.games.deals import read_deal
from server.games.game import Seat, State
from server.log.model import LoggedMove, Ply

LONGEST_PAUSE_MS: Final = 60_000
"""The most that a game's clock counts between two actions."""

FORMAT: Final = "heartline/1"

_MS: Final = timedelta(milliseconds=1)

Time = Annotated[str, Meta(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{1,6})?Z$")]
"""A moment such as `2026-11-29T12:00:00.000Z`."""

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes."""

Natural = Annotated[int, Meta(ge=0, le=2**53)]


class RecordedMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move and when it was made."""

    seat: Natural
    move: Annotated[str, Meta(max_length=40)]
    at: Time


class SolitaireResult(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game of Heart to Heart stands."""

    status: Literal["playing", "stuck", "won", "resigned"]
    score: Natural
    moves: Natural
    """The length of the log: moves taken back are not in it."""
    undone: Natural
    clock_ms: Natural


class TableResult(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game of Hearts ended. A table that was closed has no winners."""

    status: Literal["finished", "closed"]
    totals: list[int]
    scores: list[list[int]]
    winners: list[Natural] | None


class _Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game"):
    format: Literal["heartline/1"]
    options: dict[str, str | int]
    players: Annotated[list[Annotated[str, Meta(max_length=100)] | None], Meta(max_length=10)]
    """What they were called when the record was made, by seat; null for a seat that nobody had."""
    moves: list[RecordedMove]
    created_at: Time
    finished_at: Time | None
    digest: Hex | UnsetType = UNSET
    """Of all the rest, against accidents (`digest`). A record may be without."""


class HeartToHeartRecord(_Record, frozen=True, kw_only=True, tag="heart-to-heart"):
    """A game of Heart to Heart."""

    deal: str
    """The deal code; the long form for the deal of a day."""
    result: SolitaireResult


class HeartsRecord(_Record, frozen=True, kw_only=True, tag="hearts"):
    """A game of Hearts."""

    seed: Hex
    commitment: Hex
    """SHA-256 of the 32 bytes of the seed, published before the first move."""
    result: TableResult


Record = HeartToHeartRecord | HeartsRecord


class Problem(Struct, frozen=True):
    """What is wrong with a record."""

    move: int | None
    """The number of the move at fault, from 1; None if it is none."""
    detail: str


class BadRecord(ValueError):  # noqa: N818 — like the other refusals of what a player brings
    """A record that is wrong."""

    def __init__(self, detail: str, move: int | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(move, detail)


def read(text: bytes) -> Record:
    """A record from JSON, in the right shape but not yet verified.

    Raises:
        BadRecord: it is no record. The message names the field at fault.
    """
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise BadRecord("This is no record of a game: it is nested too deeply.") from None
    except UnicodeError:
        raise BadRecord("This is no record of a game: its text is not UTF-8.") from None
    except msgspec.DecodeError as error:
        place = re.search(r"\$\.moves\[(\d+)\]", str(error))
        move = int(place[1]) + 1 if place else None
        raise BadRecord(f"This is no record of a game: {error}.", move) from None


def verify(record: Record) -> Problem | None:
    """Plays a record through and returns the first thing that is wrong with it, if any is."""
    try:
        state, last = start(record), None
        for move in play(record, state):
            last = move
        check_end(record, state, last)
    except BadRecord as bad:
        return bad.problem
    return None


def start(record: Record) -> State:
    """The position before the first move of a record.

    Raises:
        BadRecord: its options, deal, seed, commitment, players or times of beginning and end are wrong.
    """
    game = GAMES[str(record.__struct_config__.tag)]
    seed = _deal(record) if isinstance(record, HeartToHeartRecord) else _seed(record)
    try:
        options = game.options(record.options)
        state = game.setup(options, seed)
    except (BadOptions, BadDealCode) as error:
        raise BadRecord(str(error)) from None
    if len(record.players) != game.seats(options):
        raise BadRecord(
            f"There are {len(record.players)} players; the table has {game.seats(options)} seats."
        )
    created_at = _moment(record.created_at)
    if record.finished_at is not None and _moment(record.finished_at) < created_at:
        raise BadRecord("The game ended before it was created.")
    return state


def play(record: Record, state: State) -> Iterator[LoggedMove]:
    """Plays the moves on `state`, which is at the start of the record, and yields each once it is made.

    The counters of a move take it that nothing was taken back before it: what was is not in a record.

    Raises:
        BadRecord: a move is illegal, not in its one spelling, or made before what came before it.
    """
    before, clock_ms = None, 0
    moves = (
        Made(Seat(each.seat), each.move, _moment(each.at, number))
        for number, each in enumerate(record.moves, 1)
    )
    for ply, made in enumerate(replay(state, moves, _moment(record.created_at)), 1):
        if before is not None:
            clock_ms += counted_ms(before, made.at)
        before = made.at
        yield LoggedMove(made.seat, made.move, made.at, Ply(ply), 0, clock_ms)


class Made(NamedTuple):
    """A move, who made it and when."""

    seat: Seat
    move: str
    at: datetime


def replay(state: State, moves: Iterable[Made], begin: datetime) -> Iterator[Made]:
    """Plays moves on `state` that nobody has checked, and yields each once it is made.

    Raises:
        BadRecord: a move is illegal, not in its one spelling, or made before what came before it: the move
            before, or the beginning of the game.
    """
    before = begin
    for number, made in enumerate(moves, 1):
        try:
            spelling = state.play(made.seat, made.move)
        except IllegalMove as illegal:
            detail = f"Seat {made.seat} may not play {made.move!r}: {illegal.detail}"
            raise BadRecord(detail, number) from None
        if spelling != made.move:
            raise BadRecord(f"{made.move!r} must be spelled {spelling!r}.", number)
        if made.at < before:
            raise BadRecord("By its time it would be made before what came before it.", number)
        before = made.at
        yield made


def check_end(record: Record, state: State, last: LoggedMove | None) -> None:
    """Checks what a record says of the end of the game, `state` being the position after its last move.

    Raises:
        BadRecord: its result, its time of end, or its digest is wrong.
    """
    _check_result(record, state)
    if isinstance(record, HeartToHeartRecord):
        _check_clock(record, last)
    if (record.finished_at is None) is (record.result.status not in ("playing", "stuck")):
        raise BadRecord(f"A {record.result.status} game has a finished_at if it is over, and only then.")
    if last is not None and record.finished_at is not None and _moment(record.finished_at) < last.at:
        raise BadRecord("The game ended before its last move.")
    if record.digest is not UNSET and record.digest != digest(record):
        raise BadRecord("The digest is that of another record: something in this one has been changed.")


def digest(record: Record) -> str:
    """SHA-256, in hex, of the record without its digest, as JSON with sorted keys and without blanks."""
    fields = msgspec.to_builtins(record)
    fields.pop("digest", None)
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()


def counted_ms(before: datetime, at: datetime) -> int:
    """What the clock counts from one action to the next."""
    return min((at - before) // _MS, LONGEST_PAUSE_MS)


_decoder: Final = msgspec.json.Decoder(Record)


def _deal(record: HeartToHeartRecord) -> str:
    try:
        deal = read_deal(record.deal)
    except BadDealCode as error:
        raise BadRecord(str(error)) from None
    if record.deal not in (deal.code, deal.long):
        raise BadRecord(f"The deal must be spelled {deal.code}.")
    return record.deal


def _seed(record: HeartsRecord) -> bytes:
    seed = bytes.fromhex(record.seed)
    if hashlib.sha256(seed).hexdigest() != record.commitment:
        raise BadRecord("The commitment is not the SHA-256 of the seed: the deals were not fixed beforehand.")
    return seed


def _check_result(record: Record, state: State) -> None:
    told, made = msgspec.to_builtins(record.result), state.result()
    if not state.over and told["status"] in ("resigned", "closed"):
        made["status"] = told["status"]
    for figure, value in made.items():
        if told[figure] != value:
            raise BadRecord(f"The result is wrong in {figure}: the moves make it {value}.")


def _check_clock(record: HeartToHeartRecord, last: LoggedMove | None) -> None:
    """The clock is the sum of the pauses between the moves, and more only if some were taken back in them."""
    clock_ms, undone = record.result.clock_ms, record.result.undone
    least = 0 if last is None else last.clock_ms
    # One pause before each move and each undo but the first.
    most = (len(record.moves) + 2 * undone - 1) * LONGEST_PAUSE_MS if undone else least
    if not least <= clock_ms <= most:
        raise BadRecord(f"The result is wrong in clock_ms: the times of the moves make it {least}.")


def _moment(time: str, move: int | None = None) -> datetime:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        raise BadRecord(f"There is no time {time}.", move) from None
