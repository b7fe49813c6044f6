"""Input that no client of good will sends."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

NAMES = ["type", "ref", "channel", "game", "move", "revision", "accept", "ply", "deal", "options", "x", "\0"]

VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    2**63,
    -(10**30),
    0.5,
    1e308,
    "",
    "draw",
    "move",
    "subscribe",
    "games/",
    "heart-to-heart",
    "\0",
    "\u202e\U0001f0a1" * 40,
    "x" * 3000,
    [],
    [[]],
    {},
    {"type": "move"},
]

BROKEN = [
    b"",
    b"\0",
    b" ",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"{",
    b"nul",
    b"'{}'",
    b"[" * 15_000,
    b'{"ref":' * 2_000,
    b'{"x":' * 2_000 + b"1" + b"}" * 2_000,
    b'{"revision":' + b"9" * 5_000 + b"}",
    b'{"revision":1e999}',
    b'{"revision":NaN}',
    b'{"revision":-Infinity}',
    b'{"revision":1.0,"move":"draw"}',
    b'{"move":"\\ud800","revision":0}',
    b'{"\\udfff":1}',
    b'{"move":"\xed\xa0\x80","revision":0}',
    b'{"move":"draw","revision":0}{"move":"draw","revision":0}',
    b'{"move":"draw","move":5,"revision":0,"revision":"0"}',
]


def bodies(random: Random, number: int) -> Iterator[bytes]:
    """Texts that are no JSON, and JSON of every wrong shape."""
    yield from BROKEN
    for value in VALUES:
        yield msgspec.json.encode(value)
    for _ in range(number):
        body = msgspec.json.encode({random.choice(NAMES): random.choice(VALUES) for _ in range(4)})
        if random.random() < 0.2:
            spoiled = bytearray(body)
            spoiled[random.randrange(len(body))] = random.randrange(256)
            body = bytes(spoiled)
        yield body
