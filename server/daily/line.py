"""The perfect game of a day: its line in par, written out as the record of a game that nobody played."""

from collections.abc import Sequence
from datetime import datetime

from server.clock import rfc3339
from server.games import GAMES
from server.games.deals import Deal
from server.games.game import Seat
from server.log.record import FORMAT, HeartToHeartRecord, RecordedMove, SolitaireResult


def perfect_game(deal: Deal, line: Sequence[str], at: datetime) -> HeartToHeartRecord:
    """The record of a line that wins a deal, all of it made at one moment."""
    state = GAMES["heart-to-heart"].setup({}, deal.long)
    for move in line:
        state.play(Seat(0), move)
    result = state.result()
    moment = rfc3339(at)
    return HeartToHeartRecord(
        format=FORMAT,
        options={},
        deal=deal.long,
        players=[None],
        moves=[RecordedMove(Seat(0), move, moment) for move in line],
        result=SolitaireResult(result["status"], result["score"], len(line), undone=0, clock_ms=0),
        created_at=moment,
        finished_at=moment,
    )
