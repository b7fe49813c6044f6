"""What the nodes tell each other of a game, and on which channel."""

from typing import Final

import msgspec

from server.log.model import GameId
from server.rooms.position import Event


def channel_of(game: GameId) -> str:
    """The channel on which a game is pushed."""
    return f"games/{game}"


def game_of(channel: str) -> GameId:
    """The game that is pushed on a channel."""
    return GameId(channel.removeprefix("games/"))


class News(msgspec.Struct, frozen=True):
    """How far a game is, and what has happened last in it.

    Without a revision it says that the game has changed in some other way.
    """

    revision: int | None = None
    event: Event | None = None


read_news: Final = msgspec.json.Decoder(News).decode
