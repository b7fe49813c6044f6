"""Records of games, right and tampered with."""

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.games import GAMES
from server.log.record import (
    BadRecord,
    Problem,
    digest,
    play,
    read,
    start,
    verify,
)

GOLDEN = Path(__file__).parent.parent / "golden"

Raw = dict[str, Any]


def golden(name: str, game: str = "heart-to-heart") -> Raw:
    raw: Raw = json.loads((GOLDEN / game / f"{name}.json").read_text())
    return raw


def written(raw: Raw) -> bytes:
    return json.dumps(raw, ensure_ascii=False).encode()


def sealed(raw: Raw) -> Raw:
    return {**raw, "digest": digest(read(written(raw)))}


def table(seed: bytes = bytes(range(32)), *, moves: int | None = None) -> Raw:
    """A game of Hearts of one hand, played at random; closed after so many moves."""
    game, chance = GAMES["hearts"], random.Random(seed)
    options = game.options({"target": 1})
    state = game.setup(options, seed)
    made: list[Raw] = []
    while not state.over and (moves is None or len(made) < moves):
        seat = state.turn()[0]
        legal = state.legal(seat)
        if legal == ["pass"]:
            legal = [f"pass {' '.join(three)}" for three in combinations(state.view(seat)["hand"], 3)]
        move = state.play(seat, chance.choice(legal))
        made.append({"seat": seat, "move": move, "at": f"2026-11-29T12:00:{len(made) % 60:02}.000Z"})
    return {
        "format": "heartline/1",
        "game": "hearts",
        "options": options,
        "seed": seed.hex(),
        "commitment": hashlib.sha256(seed).hexdigest(),
        "players": ["Mali", "Đào", "Bot", "Bot 2"],
        "moves": made,
        "result": {**state.result(), "status": "finished" if state.over else "closed"},
        "created_at": "2026-11-29T12:00:00.000Z",
        "finished_at": "2026-11-29T12:01:00.000Z",
    }


def found(raw: Raw) -> Problem | None:
    """What is wrong with a record, whether its shape or what it says."""
    try:
        return verify(read(written(raw)))
    except BadRecord as bad:
        return bad.problem


RIGHT = {
    "won": golden("won"),
    "stuck": golden("stuck"),
    "resigned": golden("resigned"),
    "finished": sealed(table()),
    "closed": table(moves=20),
    "closed before the start": {**table(moves=0), "players": ["Mali", None, None, None]},
}


@pytest.mark.parametrize("raw", RIGHT.values(), ids=RIGHT)
def test_a_right_record_verifies(raw: Raw) -> None:
    assert found(raw) is None


@pytest.mark.parametrize("raw", RIGHT.values(), ids=RIGHT)
def test_a_record_is_written_as_it_was_read(raw: Raw) -> None:
    assert json.loads(msgspec.json.encode(read(written(raw)))) == raw


def changed(text: bytes) -> Iterator[tuple[int, bytes]]:
    """The text with one byte changed: every place, by its neighbours in the alphabet, and by a blank."""
    for place, byte in enumerate(text):
        for other in {byte ^ 1, byte ^ 2, byte ^ 32, ord(" ")} - {byte}:
            yield place, text[:place] + bytes([other]) + text[place + 1 :]


@pytest.mark.parametrize("name", ["resigned", "finished"])
def test_a_changed_byte_beside_a_digest_is_refused_or_changes_nothing(name: str) -> None:
    text = written(RIGHT[name])
    check(text, changed(text))


def check(text: bytes, changes: Iterable[tuple[int, bytes]]) -> None:
    """Makes sure that each change of a record is refused, or leaves it what it was."""
    original = read(text)
    for place, tampered in changes:
        try:
            record = read(tampered)
        except BadRecord:
            continue
        assert record == original or verify(record) is not None, (
            f"{place}: {tampered[place - 20 : place + 20]!r}"
        )


@pytest.mark.parametrize("name", ["closed", "moon-choice-add", "omnibus-5", "cancellation-10"])
def test_so_is_one_in_a_long_game_of_hearts(name: str) -> None:
    text = written(sealed(golden(name, "hearts")))
    check(text, random.Random(1).sample(list(changed(text)), 400))


def put(*path: str | int, to: object) -> Callable[[Raw], None]:
    """A change of one value in a record."""

    def change(raw: Raw) -> None:
        at: Any = raw
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to

    return change


def drop(*path: str | int) -> Callable[[Raw], None]:
    def change(raw: Raw) -> None:
        at: Any = raw
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]

    return change


LATER = "2026-11-29T13:00:00.000Z"


@pytest.mark.parametrize(
    ("name", "change", "move", "detail"),
    [
        ("won", drop("moves", 0), 9, "Seat 0 may not play '25-w'"),
        ("won", drop("moves", -1), None, "wrong in status"),
        ("won", put("moves", 9, "move", to="24-w"), 10, "covered"),
        ("won", put("moves", 9, "move", to="025-w"), 10, "A move is draw"),
        ("won", put("moves", 9, "seat", to=1), 10, "Seat 1 may not play"),
        ("won", put("moves", 9, "at", to="2026-11-29T11:00:00.000Z"), 10, "before what came before"),
        ("won", put("moves", 0, "at", to="2026-11-29T11:00:00.000Z"), 1, "before what came before"),
        ("won", put("moves", 9, "at", to="2026-11-31T12:00:00.000Z"), 10, "no time 2026-11-31"),
        ("won", put("moves", 9, "at", to="2026-11-29"), 10, "$.moves[9].at"),
        ("won", put("moves", 9, "at", to=5), 10, "$.moves[9].at"),
        ("won", put("moves", 9, "move", to="d" * 41), 10, "$.moves[9].move"),
        ("won", put("moves", 9, "seat", to=True), 10, "$.moves[9].seat"),
        ("won", put("moves", 9, "seat", to=-1), 10, "$.moves[9].seat"),
        ("won", put("moves", 9, "why", to=""), 10, "why"),
        ("won", drop("moves", 9, "seat"), 10, "seat"),
        ("won", put("format", to="heartline/2"), None, "heartline/2"),
        ("won", put("game", to="patience"), None, "patience"),
        ("won", put("game", to=["hearts"]), None, "game"),
        ("won", put("options", "players", to=4), None, "no option 'players'"),
        ("won", put("options", "x", to=[[]]), None, "options"),
        ("won", put("deal", to="HH1-N-AAAAAAN"), 10, "of the same rank"),
        ("won", put("deal", to="hh1-n-aaaaaam"), None, "must be spelled HH1-N-AAAAAAM"),
        ("won", put("deal", to="HH1-D-20261129"), None, "its cards must follow"),
        ("won", put("deal", to="HH1-N-AAAAAAM:" + "A" * 52), None, "four cards of each rank"),
        ("won", put("players", to=[]), None, "0 players"),
        ("won", put("players", to=["a", "b"]), None, "2 players"),
        ("won", put("players", to=["x" * 101]), None, "players"),
        ("won", put("result", "status", to="resigned"), None, "wrong in status"),
        ("won", put("result", "score", to=240), None, "wrong in score: the moves make it 250"),
        ("won", put("result", "score", to=250.0), None, "result.score"),
        ("won", put("result", "moves", to=88), None, "wrong in moves: the moves make it 89"),
        ("won", put("result", "clock_ms", to=1), None, "wrong in clock_ms"),
        ("won", put("result", "undone", to=-1), None, "result.undone"),
        ("won", put("result", "undone", to=10**400), None, "result.undone"),
        ("won", put("result", "totals", to=[]), None, "totals"),
        ("won", put("created_at", to=LATER), None, "ended before it was created"),
        ("won", put("created_at", to="0000-01-01T00:00:00.000Z"), None, "no time 0000"),
        ("won", put("finished_at", to=None), None, "finished_at"),
        ("won", put("finished_at", to="2026-11-29T12:00:01.000Z"), None, "before its last move"),
        ("won", put("players", to=["Mali_8"]), None, "digest"),
        ("won", put("finished_at", to=LATER), None, "digest"),
        ("won", put("digest", to=None), None, "digest"),
        ("won", put("note", to="hello"), None, "note"),
        ("won", put("seed", to="0" * 64), None, "seed"),
        ("stuck", put("result", "status", to="playing"), None, "wrong in status"),
        ("stuck", put("result", "status", to="resigned"), None, "finished_at"),
        ("stuck", put("finished_at", to="2026-12-01T00:02:00.000Z"), None, "finished_at"),
        ("resigned", put("result", "clock_ms", to=415_719 - 31_416), None, "wrong in clock_ms"),
        ("resigned", put("result", "clock_ms", to=53 * 60_000), None, "wrong in clock_ms"),
        ("resigned", put("result", "undone", to=0), None, "wrong in clock_ms"),
        ("resigned", put("result", "undone", to=5), None, "digest"),
        ("finished", put("seed", to="0" * 64), None, "commitment"),
        ("finished", put("commitment", to="0" * 64), None, "commitment"),
        ("finished", put("commitment", to="0" * 63), None, "commitment"),
        ("finished", put("seed", to="A" * 64), None, "seed"),
        ("finished", put("deal", to="HH1-N-AAAAAAM"), None, "deal"),
        ("finished", put("options", "players", to=5), None, "4 players; the table has 5 seats"),
        ("finished", put("options", "players", to=True), None, "options"),
        ("finished", put("options", "moon", to="none"), None, "moon"),
        ("finished", put("moves", 20, "move", to="play 2C"), 21, "may not play 'play 2C'"),
        ("finished", put("moves", 20, "seat", to=7), 21, "Seat 7 may not play"),
        ("finished", put("result", "totals", 0, to=27), None, "wrong in totals"),
        ("finished", put("result", "scores", 0, 0, to=27), None, "wrong in scores"),
        ("finished", put("result", "winners", to=[]), None, "wrong in winners"),
        ("finished", put("result", "winners", to=None), None, "wrong in winners"),
        ("finished", put("result", "status", to="closed"), None, "wrong in status"),
        ("finished", put("finished_at", to=None), None, "finished_at"),
        ("finished", lambda raw: raw.pop("format"), None, "format"),
        ("closed", put("result", "status", to="finished"), None, "wrong in status"),
        ("closed", put("result", "winners", to=[0]), None, "wrong in winners"),
    ],
)
def test_what_is_wrong_is_said(
    name: str, change: Callable[[Raw], None], move: int | None, detail: str
) -> None:
    raw = copy.deepcopy(RIGHT[name])
    change(raw)
    problem = found(raw)
    assert problem is not None
    assert problem.move == move
    assert detail in problem.detail
    assert len(problem.detail) < 500


def test_a_pass_in_another_order_is_not_its_one_spelling() -> None:
    raw = table()
    one, two, three = raw["moves"][2]["move"].split()[1:]
    raw["moves"][2]["move"] = f"pass {three} {one} {two}"
    assert found(raw) == Problem(3, f"'pass {three} {one} {two}' must be spelled 'pass {one} {two} {three}'.")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{" * 50_000,
        b"[" * 50_000,
        b'{"options":' + b'{"":' * 50_000,
    ],
    ids=["empty", "no fields", "list", "null", "bytes", "braces", "brackets", "nested"],
)
def test_what_is_no_record_is_refused(text: bytes) -> None:
    with pytest.raises(BadRecord, match="no record of a game"):
        read(text)


def test_the_moves_before_a_wrong_one_can_be_shown() -> None:
    raw = golden("won")
    raw["moves"][9]["move"] = "24-w"
    record = read(written(raw))
    state = start(record)
    moves = play(record, state)
    for count in range(2, 11):
        assert next(moves).move == "draw"
        assert state.view(None)["waste"]["count"] == count
    with pytest.raises(BadRecord, match="covered"):
        next(moves)
    assert state.view(None)["moves"] == 9


@pytest.mark.parametrize("fraction", ["", ".2", ".25", ".250000"])
def test_times_are_read_as_rfc_3339_writes_them(fraction: str) -> None:
    raw = {**golden("stuck"), "created_at": f"2026-11-30T23:59:58{fraction}Z"}
    assert found(raw) is None


def test_the_clock_counts_at_most_a_minute_between_moves() -> None:
    record = read(written(golden("won")))
    clocks = [move.clock_ms for move in play(record, start(record))]
    assert clocks[0] == 0
    assert clocks[-1] == golden("won")["result"]["clock_ms"]
    assert max(after - before for before, after in pairwise(clocks)) == 60_000


def test_a_digest_is_the_sha_256_of_plain_json_with_sorted_keys() -> None:
    raw = golden("resigned")
    given = raw.pop("digest")
    text = json.dumps(raw, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == given
