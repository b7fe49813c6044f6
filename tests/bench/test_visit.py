"""A first visit, measured in the system's Chromium."""

import pytest

from server.bench import visit


async def test_a_visit_tells_when_a_game_could_be_begun_and_when_it_could_be_played() -> None:
    found = await visit.measure(visits=1)
    assert 0 < found.ready_ms < found.board_ms < visit.VISIT_S * 1000


async def test_without_a_browser_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "COMMAND", "no-such-browser")
    with pytest.raises(visit.NoChromium, match="chromium"):
        await visit.measure()
