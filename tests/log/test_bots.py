"""What bots are called."""

from server.games.game import Seat
from server.log.bots import NAMES, another
from server.log.model import GameId, SeatRow


def test_there_are_more_names_than_seats() -> None:
    assert len(set(NAMES)) == len(NAMES) > 10


def test_no_two_bots_at_a_table_are_called_the_same() -> None:
    game = GameId("some-table")
    seats: tuple[SeatRow, ...] = ()
    for place in range(len(NAMES)):
        seats += (SeatRow(Seat(place), None, another(game, seats, "easy")),)
    assert {each.bot.name for each in seats if each.bot} == set(NAMES)


def test_tables_have_different_bots() -> None:
    assert len({another(GameId(f"table-{number}"), (), "easy").name for number in range(50)}) > 10
