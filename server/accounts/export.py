"""Everything that is kept about a user, in one document for the user alone."""

from datetime import date
from typing import Any

import msgspec
from sqlalchemy import Row

from server.accounts.accounts import Accounts
from server.accounts.model import Caller, Locale, Preferences, Session
from server.clock import moment, rfc3339
from server.games import GAMES
from server.games.deals import bare
from server.games.game import Options, Seat
from server.log.log import Log
from server.log.model import GameId, Logged, SeatRow, UserId


class ExportedSession(msgspec.Struct):
    """A signed-in device."""

    id: str
    device: str
    created_at: str
    seen_at: str


class ExportedMove(msgspec.Struct):
    """A move of the user's seat that was not taken back.

    Of a bot's that has taken the seat over, no more than the table sees of it.
    """

    move: str
    at: str


class ExportedResult(msgspec.Struct):
    """How a finished game counts for the user."""

    status: str
    won: bool
    score: int
    moves: int
    clock_ms: int
    rank: int | None
    day: date | None
    """The day on whose board it is, once the user has an account."""
    listed: bool
    finished_at: str


class ExportedRating(msgspec.Struct):
    """The user's rating at Hearts."""

    mu: float
    sigma: float
    games: int


class ExportedGame(msgspec.Struct):
    """The user's part in a game: nothing in it is more than the user was shown while playing."""

    id: GameId
    game: str
    options: Options
    deal: str | None
    ranked: bool
    seat: Seat
    status: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    totals: list[int]
    """Points by seat; the score of a solitaire."""
    undone: int
    clock_ms: int
    result: ExportedResult | None
    moves: list[ExportedMove]


class Export(msgspec.Struct):
    """A user, as the database knows him."""

    id: UserId
    name: str
    guest: bool
    created_at: str
    locale: Locale | None
    settings: Preferences
    sessions: list[ExportedSession]
    rating: ExportedRating | None
    games: list[ExportedGame]


async def export(accounts: Accounts, log: Log, caller: Caller, rating: ExportedRating | None) -> Export:
    """All that is kept about the caller. Passwords and tokens are not: of them there are only hashes."""
    profile = await accounts.profile(caller.user)
    return Export(
        id=caller.user,
        name=caller.name,
        guest=caller.guest,
        created_at=rfc3339(profile.created_at),
        locale=profile.locale,
        settings=profile.settings,
        sessions=[_session(each) for each in await accounts.sessions.of(caller.user)],
        rating=rating,
        games=await _games(accounts, log, caller.user),
    )


async def _games(accounts: Accounts, log: Log, user: UserId) -> list[ExportedGame]:
    games: list[ExportedGame] = []
    page, behind = await log.list_games(user=user)
    while page:
        found = await accounts.results(user, [listed.game.id for listed in page])
        results = {(row.game_id, row.seat): _result(row) for row in found}
        for listed in page:
            if (logged := await log.read(listed.game.id)) is not None:
                games.extend(
                    _game(logged, each, results.get((logged.game.id, each.seat)))
                    for each in logged.seats
                    if each.user == user
                )
        if behind is None:
            break
        page, behind = await log.list_games(user=user, behind=behind)
    return games


def _game(logged: Logged, own: SeatRow, result: ExportedResult | None) -> ExportedGame:
    game = logged.game
    # Who has resigned does not see the bot's cards while the game runs.
    shown = GAMES[game.game].public if own.resigned and game.finished_at is None else str
    return ExportedGame(
        id=game.id,
        game=game.game,
        options=game.options,
        # The long form of a day's deal shows the cards to come, and the seed of Hearts all hands.
        deal=bare(game.seed) if game.game == "heart-to-heart" else None,
        ranked=game.ranked,
        seat=own.seat,
        status=game.status,
        created_at=rfc3339(game.created_at),
        started_at=moment(game.started_at),
        finished_at=moment(game.finished_at),
        totals=list(game.totals),
        undone=game.undone,
        clock_ms=game.clock_ms,
        result=result,
        moves=[
            ExportedMove(shown(each.move), rfc3339(each.at)) for each in logged.moves if each.seat == own.seat
        ],
    )


def _result(row: Row[Any]) -> ExportedResult:
    return ExportedResult(
        row.status,
        row.won,
        row.score,
        row.moves,
        row.clock_ms,
        row.rank,
        row.day,
        row.listed,
        rfc3339(row.finished_at),
    )


def _session(session: Session) -> ExportedSession:
    return ExportedSession(session.id, session.device, rfc3339(session.created_at), rfc3339(session.seen_at))
