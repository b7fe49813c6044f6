"""The shuffle, where the decks of the games leave it untried."""

from server.games.shuffle import shuffled


def test_a_stream_that_runs_out_is_read_further() -> None:
    deck = range(52)
    order = shuffled(deck, b"any key")
    assert sorted(order) == list(deck)
    assert [shuffled(deck, b"any key", length) for length in (1, 16, 51)] == [order] * 3
