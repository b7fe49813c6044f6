"""Tables of Hearts as bots see them: whole views, seat by seat, and positions as a test wants them."""

from typing import Any

from server.games.game import Seat, View
from server.games.hearts.state import Hearts


def view_of(state: Hearts, seat: int, options: dict[str, Any]) -> View:
    """A seat's view with what the room adds to it that bots look at."""
    return {
        **state.view(Seat(seat)),
        "options": options,
        "you": seat,
        "legal": state.legal(Seat(seat)),
    }


class Watched:
    """A game, and for each seat its views in the present hand, one after each move."""

    def __init__(self, state: Hearts, options: dict[str, Any]) -> None:
        self.state = state
        self.options = options
        self.views: list[list[View]] = []
        self._look(new_hand=True)

    def play(self, seat: int, move: str) -> None:
        hand = self.state.hand_number
        self.state.play(Seat(seat), move)
        self._look(new_hand=self.state.hand_number != hand)

    def _look(self, *, new_hand: bool) -> None:
        if new_hand:
            self.views = [[] for _ in self.state.table.seats]
        for seat, views in enumerate(self.views):
            views.append(view_of(self.state, seat, self.options))
