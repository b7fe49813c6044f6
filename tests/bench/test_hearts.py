"""The benches of Hearts come to their end: what they print nobody asserts."""

import sys

import pytest

from server.bench import hearts, load, tables
from tests.web.conftest import StartNode, start_node

__all__ = ["start_node"]


def test_hands_and_games_are_played_to_their_end() -> None:
    assert min(hearts.hands_per_second(0.01)) > 0
    assert hearts.bots_per_second("easy", 0.01) > 0


def test_without_openspiel_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(hearts.NoSpiel, match="development dependencies"):
        hearts.hands_per_second(0.01)


async def test_tables_are_played_on_a_server(start_node: StartNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "WARM_UP_S", 0.0)
    monkeypatch.setattr(tables, "TABLES", 2)
    monkeypatch.setattr(tables, "SAMPLE", 2)
    api = await start_node()
    found = await tables.measure(str(api.make_url("")), 1.0)
    assert found.played.sockets == 2 * tables.SEATS
    assert found.played.moves > 0
