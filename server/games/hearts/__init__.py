"""Hearts, for 3 to 7 players with one deck, or 6 to 10 with two (docs/rules.md, "Hearts")."""

from collections.abc import Mapping

from server.games.game import Options
from server.games.hearts.deal import read_seed
from server.games.hearts.options import checked, table
from server.games.hearts.state import Hearts


class HeartsGame:
    """The rules of Hearts, as the registry of games knows them."""

    name = "hearts"

    def options(self, given: Mapping[str, object]) -> Options:
        """The given options with the defaults filled in.

        Raises:
            BadOptions: an option that Hearts does not have, or a value out of its range.
        """
        return checked(given)

    def seats(self, options: Options) -> int:
        """How many seats a table with these options has."""
        players: int = options["players"]
        return players

    def setup(self, options: Mapping[str, object], seed: str | bytes) -> Hearts:
        """The first hand, dealt. `seed` is 32 bytes, or the same as 64 lower-case hex digits.

        Raises:
            BadOptions: as `options` does.
            BadDealCode: the seed is neither.
        """
        return Hearts(table(checked(options)), read_seed(seed))

    def public(self, move: str) -> str:
        """The move as the other seats may see it: of a pass, only that it is one."""
        return "pass" if move.startswith("pass ") else move
