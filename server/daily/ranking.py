"""The queries of a board: its pages, the places around a player, and ranks.

Everything stands in the order of the index `ix_results_board`. A rank is not counted row by row: it is the
better buckets of `day_counts` together, and the place within the narrowest of one's own.

Numbers of entries stand in the text: were they parameters, PostgreSQL would not know how few they are, and
would plan each query anew at every call.
"""
# ruff: noqa: S608 — nothing in these texts comes from outside

from functools import cache
from typing import Final

from server.log.counts import SPAN_MS

PAGE: Final = 50
TOP: Final = 10
"""Entries in a push."""
NEIGHBOURS: Final = 3
"""Entries on either side of the caller's own."""

_PLACE: Final = ("lost", "moves", "clock_ms", "finished_at", "game_id")
_ENTRY: Final = "game_id, user_id, won, score, lost, moves, clock_ms, finished_at"
_UP: Final = ", ".join(_PLACE)
_DOWN: Final = ", ".join(f"{column} DESC" for column in _PLACE)


def better(entry: str) -> str:
    """How many entries of its day are better than a row of `results`, which has that name in a query.

    All of the better wide buckets, of its own wide bucket the better middle ones, of its own middle one the
    better narrow ones; within its own narrow one they are counted.
    """
    same_lost, same_moves = f"lost = {entry}.lost", f"moves = {entry}.moves"
    span = f"{entry}.clock_ms / {SPAN_MS}"
    better_buckets = (
        f"depth = 1 AND lost < {entry}.lost",
        f"depth = 2 AND {same_lost} AND moves < {entry}.moves",
        f"depth = 3 AND {same_lost} AND {same_moves} AND span < {span}",
    )
    sums = " + ".join(
        f"(SELECT coalesce(sum(listed), 0) FROM day_counts WHERE day = {entry}.day AND {which})"
        for which in better_buckets
    )
    return f"""{sums} + (
        SELECT count(*)
        FROM results
        WHERE listed AND day = {entry}.day AND {same_lost} AND {same_moves}
          AND clock_ms >= {span} * {SPAN_MS} AND clock_ms < {entry}.clock_ms
    )"""


def _equal_before(entry: str) -> str:
    """How many entries of its day share its rank, and stand before it."""
    return f"""(
        SELECT count(*)
        FROM results AS other
        WHERE other.listed AND other.day = {entry}.day AND {_place("other", 3)} = {_place(entry, 3)}
          AND {_place("other")} < {_place(entry)}
    )"""


def _place(entry: str, depth: int = len(_PLACE)) -> str:
    return f"({', '.join(f'{entry}.{column}' for column in _PLACE[:depth])})"


def _first(entries: int) -> str:
    return f"SELECT day, {_ENTRY} FROM results WHERE listed AND day = $1 ORDER BY {_UP} LIMIT {entries}"


def _beside(own: str, *, behind: bool, entries: int) -> str:
    """The entries next to one, on one side of it."""
    side, order = (">", _UP) if behind else ("<", _DOWN)
    return f"""SELECT beside.* FROM {own} AS own CROSS JOIN LATERAL (
        SELECT day, {_ENTRY}
        FROM results AS entry
        WHERE listed AND day = $1 AND {_place("entry")} {side} {_place("own")}
        ORDER BY {order}
        LIMIT {entries}
    ) AS beside"""


def _before(rows: str) -> str:
    """How many entries stand before the first of some that follow one another."""
    return f"""SELECT {better("first")} AS better, {_equal_before("first")} AS equal
    FROM (SELECT * FROM {rows} ORDER BY {_UP} LIMIT 1) AS first"""


def _ranked(rows: str, before: str, *, around: bool) -> str:
    return f"SELECT {_ENTRY}, better, equal, {around} AS around FROM {rows} CROSS JOIN {before}"


def _alone(page: str) -> str:
    # Materialized, so that what stands before all rows is not counted for each of them.
    return f"""
WITH page AS ({page}), before_page AS MATERIALIZED ({_before("page")})
{_ranked("page", "before_page", around=False)}
ORDER BY {_UP}"""


def _with_own(page: str, user: str) -> str:
    return f"""
WITH page AS ({page}), before_page AS MATERIALIZED ({_before("page")}),
own AS (
    SELECT day, {_ENTRY} FROM results WHERE user_id = {user} AND day = $1 AND listed
), near AS (
    SELECT * FROM own
    UNION ALL ({_beside("own", behind=False, entries=NEIGHBOURS)})
    UNION ALL ({_beside("own", behind=True, entries=NEIGHBOURS)})
), before_near AS MATERIALIZED ({_before("near")})
{_ranked("page", "before_page", around=False)}
UNION ALL
{_ranked("near", "before_near", around=True)}
ORDER BY around, {_UP}"""


def _later(cursor: str) -> str:
    return f"""
    WITH cursor AS (SELECT {_UP} FROM results WHERE game_id = {cursor} AND day = $1 AND listed)
    {_beside("cursor", behind=True, entries=PAGE + 1)}"""


@cache
def board(*, later: bool, own: bool) -> str:
    """The query for a page of the board of a day ($1), one entry more than a page has if another follows.

    It is the first page, or the later one behind a game (the next parameter); `own` adds those around a
    player (the last parameter), who may be none of the board.
    """
    page = _later("$2") if later else _first(PAGE + 1)
    return _with_own(page, "$3" if later else "$2") if own else _alone(page)


TOP_OF_BOARD: Final = _alone(_first(TOP))
"""The query for the entries of a day ($1) that are pushed."""
