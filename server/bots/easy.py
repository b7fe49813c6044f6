"""The easy bot: legal and careless. It neither remembers nor plans."""

import random
from collections.abc import Sequence

from server.games.game import View
from server.games.hearts.cards import CARDS, IN_SUIT


def choose(views: Sequence[View], seed: int) -> str:
    """The move of the seat whose views these are: half of the time any, else a low card."""
    view, rng = views[-1], random.Random(seed)  # noqa: S311 — dice, not secrets
    if view["status"] == "passing":
        return " ".join(["pass", *rng.sample(view["hand"], 3)])
    legal: list[str] = view["legal"]
    if view["status"] == "moon" or rng.random() < 0.5:
        return rng.choice(legal)
    return min(legal, key=lambda move: CARDS[move.removeprefix("play ")] % IN_SUIT)
