"""The perfect game of a day as a record: right to its last byte, and as short as par."""

from datetime import UTC, datetime

import pytest

from server.daily.line import perfect_game
from server.daily.par import par
from server.games.deals import day_deal
from server.games.winnable import winnable
from server.log.record import verify

CLOSED = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize("day", ["2026-11-29", "2027-02-28"])
def test_it_is_a_record_that_verifies(day: str) -> None:
    deal = day_deal(day, "sesame", winnable)
    best = par(deal.cards)
    assert best is not None

    record = perfect_game(deal, best.line, CLOSED)

    assert verify(record) is None
    assert [move.move for move in record.moves] == list(best.line)
    assert (record.result.status, record.result.moves, record.deal) == ("won", best.moves, deal.long)
