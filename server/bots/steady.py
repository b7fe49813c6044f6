"""The steady bot: rules of thumb, and a memory for what was played."""

from collections.abc import Sequence

from server.bots import thumb
from server.bots.moon import choose_moon
from server.bots.passing import by_danger
from server.bots.seen import deck_at, seen, table_of
from server.games.game import View
from server.games.hearts.options import PASSED


def choose(views: Sequence[View], _seed: int) -> str:
    """The move of the seat whose views these are. Nothing is left to chance."""
    view = views[-1]
    if view["status"] == "passing":
        at = table_of(view)
        deck = deck_at(at)
        cards = by_danger(deck, deck.bits(view["hand"]), jack_counts=at.jack_counts)
        return " ".join(["pass", *[deck.names[card] for card in cards[:PASSED]]])
    if view["status"] == "moon":
        return choose_moon(view)
    if len(view["legal"]) == 1:
        move: str = view["legal"][0]
        return move
    round = seen(views).round
    return f"play {round.deck.names[thumb.card(round)]}"
