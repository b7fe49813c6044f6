"""What to do with a moon."""

from server.bots.seen import table_of
from server.games.game import View


def choose_moon(view: View) -> str:
    """Both choices put the same distance between the totals, so what matters is whether the game ends.

    It should if the shooter wins by it, and not otherwise.
    """
    at = table_of(view)
    totals, seat = view["totals"], view["you"]
    others = [total + at.all_points for other, total in enumerate(totals) if other != seat]
    ends = max(others) >= at.target
    wins = totals[seat] <= min(others)
    return "moon add" if wins or not ends else "moon subtract"
