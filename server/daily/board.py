"""The board of a day, read in the order of its index.

A rank is not counted row by row: it is the better buckets of `day_counts` together, and the place within the
bucket of one's own. What is shown together comes of one statement, so that ranks fit their entries.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, TextClause, text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.daily.model import Bar, Board, Entry, Player, State, Turnout
from server.errors import Code, Refused
from server.log.database import patient
from server.log.model import GameId, Names, UserId

PAGE: Final = 50
TOP: Final = 10
"""Entries in a push."""
NEIGHBOURS: Final = 3
"""Entries on either side of the caller's own."""

_UP = "lost, moves, clock_ms, finished_at, game_id"
"""The order of the board and of its index."""
_DOWN = "lost DESC, moves DESC, clock_ms DESC, finished_at DESC, game_id DESC"

BETTER: Final = """(
    (
        SELECT coalesce(sum(bucket.listed), 0) FROM day_counts AS bucket
        WHERE bucket.day = entry.day AND (bucket.lost, bucket.moves) < (entry.lost, entry.moves)
    ) + (
        SELECT count(*) FROM results AS other
        WHERE other.listed AND other.day = entry.day AND (other.lost, other.moves) = (entry.lost, entry.moves)
          AND other.clock_ms < entry.clock_ms
    )
)"""
"""SQL: how many entries of its day are better than the row of `results` that is called `entry`."""


def _placed(shown: str) -> str:
    """The query that reads entries which follow one another, and counts those before them: once."""
    return f"""
WITH shown AS MATERIALIZED (
    {shown}
), entry AS (
    SELECT * FROM shown ORDER BY {_UP} LIMIT 1
), before AS MATERIALIZED (
    SELECT {BETTER} AS better, (
        SELECT count(*) FROM results AS other
        WHERE other.listed AND other.day = entry.day AND (other.lost, other.moves) = (entry.lost, entry.moves)
          AND other.clock_ms = entry.clock_ms
          AND (other.finished_at, other.game_id) < (entry.finished_at, entry.game_id)
    ) AS equal
    FROM entry
)
SELECT shown.*, before.better, before.equal FROM shown CROSS JOIN before ORDER BY {_UP}
"""  # noqa: S608 — all of it stands in this module


def _beside_own(side: str, order: str, limit: str) -> str:
    return f"""
    SELECT near.* FROM own CROSS JOIN LATERAL (
        SELECT * FROM results
        WHERE day = own.day AND listed
          AND ({_UP}) {side} (own.lost, own.moves, own.clock_ms, own.finished_at, own.game_id)
        ORDER BY {order} LIMIT :{limit}
    ) AS near
"""  # noqa: S608


_FROM_TOP = _placed(f"SELECT * FROM results WHERE day = :day AND listed ORDER BY {_UP} LIMIT :page")  # noqa: S608

_BEHIND = _placed(f"""
    WITH own AS (SELECT * FROM results WHERE game_id = :cursor AND day = :day AND listed)
    {_beside_own(">", _UP, "page")}
""")  # noqa: S608

_AROUND = _placed(f"""
    WITH own AS (SELECT * FROM results WHERE user_id = :user AND day = :day AND listed)
    SELECT * FROM own
    UNION ALL {_beside_own("<", _DOWN, "neighbours")}
    UNION ALL {_beside_own(">", _UP, "neighbours")}
""")  # noqa: S608


def _board(page: str) -> tuple[TextClause, TextClause]:
    """The statement for a page alone, and that for the entries around the caller's own as well."""
    alone = f"SELECT page.*, false AS around FROM ({page}) AS page"  # noqa: S608
    both = f"{alone} UNION ALL SELECT near.*, true FROM ({_AROUND}) AS near"  # noqa: S608
    return text(f"{alone} ORDER BY {_UP}"), text(f"{both} ORDER BY around, {_UP}")


_FIRST_PAGE = _board(_FROM_TOP)
_LATER_PAGE = _board(_BEHIND)

_ON_BOARD = text("SELECT EXISTS (SELECT FROM results WHERE game_id = :game AND day = :day AND listed)")

_TURNOUT = text("""
SELECT
    (SELECT coalesce(sum(listed + unlisted), 0) FROM day_counts WHERE day = :day) AS finished,
    (SELECT count(*) FROM games WHERE ranked AND finished_at IS NULL AND day = :day) AS playing
""")

_HISTOGRAM = text("""
SELECT moves, listed + unlisted AS players FROM day_counts WHERE day = :day AND lost = 0 ORDER BY moves
""")


class Boards:
    """The boards of all days."""

    def __init__(self, engine: AsyncEngine, names: Names) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._names = names

    @patient
    async def page(self, day: date, caller: UserId | None, cursor: GameId | None) -> Board:
        """A page of the board and the caller's place on it; the cursor is the last game of the page before.

        Raises:
            Refused: `bad_request`, the cursor is not on this board.
        """
        alone, both = _FIRST_PAGE if cursor is None else _LATER_PAGE
        rows = await self._rows(
            alone if caller is None else both,
            day=day,
            cursor=cursor,
            page=PAGE + 1,
            user=caller,
            neighbours=NEIGHBOURS,
        )
        if cursor is not None and all(row.around for row in rows):
            await self._check(day, cursor)
        names = await self._names({row.user_id for row in rows})
        entries = _entries([row for row in rows if not row.around], names)
        around = _entries([row for row in rows if row.around], names)
        return Board(
            date=day,
            entries=entries[:PAGE],
            me=next((entry for entry in around if entry.user.id == caller), None),
            around=around,
            next=entries[PAGE - 1].game if len(entries) > PAGE else None,
        )

    @patient
    async def state(self, day: date) -> State:
        """How a day stands: who plays, and the first entries of the board."""
        rows = await self._rows(_FIRST_PAGE[0], day=day, page=TOP)
        names = await self._names({row.user_id for row in rows})
        return State(await self.turnout(day), _entries(rows, names))

    @patient
    async def turnout(self, day: date) -> Turnout:
        """How many play the deal of a day."""
        [counts] = await self._rows(_TURNOUT, day=day)
        return Turnout(players=counts.finished + counts.playing, finished=counts.finished)

    @patient
    async def histogram(self, day: date) -> list[Bar]:
        """With how many moves the deal was won, by those on the board and by guests."""
        return [Bar(row.moves, row.players) for row in await self._rows(_HISTOGRAM, day=day)]

    async def _check(self, day: date, cursor: GameId) -> None:
        """Makes sure that an empty page is the end of the board."""
        [found] = await self._rows(_ON_BOARD, day=day, game=cursor)
        if not found[0]:
            raise Refused(Code.BAD_REQUEST, "This cursor is not on the board. Start from the first page.")

    async def _rows(self, statement: TextClause, **parameters: Any) -> Sequence[Row[Any]]:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement, parameters)).all()


def _entries(rows: Sequence[Row[Any]], names: Mapping[UserId, str]) -> list[Entry]:
    """The entries in the rows of `_placed`, each with its rank."""
    entries: list[Entry] = []
    for _, equals in groupby(rows, lambda row: (row.lost, row.moves, row.clock_ms)):
        # The first row alone has entries before it that do not stand here.
        rank = rows[0].better + 1 if not entries else rows[0].better + rows[0].equal + len(entries) + 1
        entries += [
            Entry(
                rank=rank,
                user=Player(row.user_id, names[row.user_id]),
                score=row.score,
                moves=row.moves,
                clock_ms=row.clock_ms,
                won=row.won,
                game=row.game_id,
            )
            for row in equals
        ]
    return entries
