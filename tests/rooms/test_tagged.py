"""Structs that stand for TypedDicts where JSON has to be told apart."""

from typing import Literal, NotRequired, TypedDict

import msgspec
import pytest

from server.rooms.tagged import tagged


class Solo(TypedDict):
    """Played alone."""

    game: Literal["solo"]
    score: int


class Duo(TypedDict):
    """Played by two."""

    game: Literal["duo"]
    seed: NotRequired[str]
    totals: list[int]


EITHER = tagged(Solo) | tagged(Duo)


@pytest.mark.parametrize(
    "json",
    [
        b'{"game":"solo","score":1}',
        b'{"game":"duo","totals":[1,2]}',
        b'{"game":"duo","totals":[],"seed":"x"}',
    ],
)
def test_each_is_told_by_its_game(json: bytes) -> None:
    assert msgspec.json.decode(
        msgspec.json.encode(msgspec.json.decode(json, type=EITHER))
    ) == msgspec.json.decode(json)


@pytest.mark.parametrize("json", [b'{"score":1}', b'{"game":"duo","score":1}', b'{"game":"trio","score":1}'])
def test_what_is_neither_is_refused(json: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json, type=EITHER)


def test_they_are_described_apart() -> None:
    schema = msgspec.json.schema(EITHER)
    assert schema["discriminator"]["propertyName"] == "game"
    assert schema["$defs"]["Duo"]["required"] == ["game", "totals"]
    assert schema["$defs"]["Solo"]["description"] == "Played alone."
