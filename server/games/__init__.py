"""Pure rules of the games, and the registry that knows them by name."""

from server.games.errors import BadDealCode, BadOptions, IllegalMove, Reason
from server.games.game import Game
from server.games.heart_to_heart import HeartToHeart
from server.games.hearts import HeartsGame

GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        HeartToHeart(),
        HeartsGame(),
    )
}  # fmt: skip
"""Every game of the card room, by its stable name."""

__all__ = ["GAMES", "BadDealCode", "BadOptions", "Game", "IllegalMove", "Reason"]
