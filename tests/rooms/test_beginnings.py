"""How games begin."""

import secrets

import pytest

from server.games.deals import numbered_code
from server.rooms.beginnings import random_deal

STUCK = (6, 16, 24)
"""Numbers of deals that are stuck before their first move."""

PLAYABLE = 12


def test_a_random_deal_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter((*STUCK, PLAYABLE))
    monkeypatch.setattr(secrets, "randbelow", lambda _below: next(numbers))
    assert random_deal() == numbered_code(PLAYABLE)


def test_random_deals_differ() -> None:
    assert random_deal() != random_deal()
