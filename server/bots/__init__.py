"""Players for Hearts.

A bot is a function of what its seat has been shown of the present hand, and of dice: it gets nothing else.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from server.bots import easy, sharp, steady
from server.games.game import View

Level = Literal["easy", "steady", "sharp"]
"""From the weakest to the strongest: careless, by rules of thumb, by trying moves out."""

_BOTS: Final[dict[str, Callable[[Sequence[View], int], str]]] = {
    "easy": easy.choose,
    "steady": steady.choose,
    "sharp": sharp.choose,
}


def choose(level: str, views: Sequence[View], seed: int) -> str:
    """The move of a seat on turn, by the bot of this level. It takes a core for up to some 100 ms.

    `views` are the seat's own of the present hand, in order, the last being the present one. Those at its
    own turns are enough; more do no harm. Each has, beside the game's own fields, `you`, `options` and
    `legal`. The same views and seed always give the same move.

    Raises:
        KeyError: there is no such level.
        ValueError: a trick of the hand is missing in the views.
    """
    return _BOTS[level](views, seed)
