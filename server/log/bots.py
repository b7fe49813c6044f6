"""Who sits down on a seat that no person plays."""

from collections.abc import Iterable
from typing import Final
from zlib import crc32

from server.log.model import Bot, GameId, SeatRow

NAMES: Final = (
    "Ada", "Binh", "Chai", "Dara", "Emil", "Fern", "Goro", "Hana", "Ida", "Jun", "Kamala", "Lan",
    "Mali", "Nils", "Orn", "Pim", "Quyen", "Rosa", "Somchai", "Tuan",
)  # fmt: skip
"""What bots are called at a table: more than it has seats, so that each can have another one."""

STAND_IN: Final = "steady"
"""The level of a bot that takes over from a person."""


def another(game: GameId, seats: Iterable[SeatRow], level: str) -> Bot:
    """A bot whose name none at the table has. Which one it is hangs on the game alone."""
    taken = {each.bot.name for each in seats if each.bot is not None}
    first = crc32(game.encode()) % len(NAMES)
    return Bot(next(name for name in NAMES[first:] + NAMES[:first] if name not in taken), level)
