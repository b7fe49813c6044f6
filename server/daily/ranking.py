"""The queries of a board: its pages, the places around a player, and ranks.

Everything stands in the order of the index `ix_results_board`. A rank is not counted row by row: it is the
better buckets of `day_counts` together, and the place within the bucket of one's own.
"""

from typing import Any, Final

from sqlalchemy import (
    CTE,
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    Tuple,
    bindparam,
    false,
    func,
    select,
    true,
    tuple_,
    union_all,
)

from server.log.schema import day_counts, results

_ORDER: Final = ("lost", "moves", "clock_ms", "finished_at", "game_id")

_DAY: Final = results.c.day == bindparam("day")

Rows = Select[Any] | CompoundSelect[Any]


def better(entry: FromClause) -> ColumnElement[int]:
    """How many entries of its day are better than a row of `results`."""
    bucket, other = day_counts.alias(), results.alias()
    buckets = select(func.coalesce(func.sum(bucket.c.listed), 0)).where(
        bucket.c.day == entry.c.day, tuple_(bucket.c.lost, bucket.c.moves) < _place(entry, 2)
    )
    within = (
        select(func.count())
        .select_from(other)
        .where(_are_of_one_day(other, entry), _place(other, 2) == _place(entry, 2))
        .where(other.c.clock_ms < entry.c.clock_ms)
    )
    return buckets.correlate(entry).scalar_subquery() + within.correlate(entry).scalar_subquery()


def _equal_before(entry: FromClause) -> ColumnElement[int]:
    """How many entries of its day share its rank, and stand before it."""
    other = results.alias()
    query = select(func.count()).select_from(other)
    query = query.where(_are_of_one_day(other, entry), _place(other, 3) == _place(entry, 3))
    return query.where(_place(other) < _place(entry)).correlate(entry).scalar_subquery()


def _are_of_one_day(other: FromClause, entry: FromClause) -> ColumnElement[bool]:
    return other.c.listed & (other.c.day == entry.c.day)


def _place(rows: FromClause, depth: int = len(_ORDER)) -> Tuple:
    """Where rows stand on the board: the first so many of what it is ordered by."""
    return tuple_(*(rows.c[name] for name in _ORDER[:depth]))


def _up(rows: FromClause) -> list[ColumnElement[Any]]:
    return [rows.c[name].asc() for name in _ORDER]


def _down(rows: FromClause) -> list[ColumnElement[Any]]:
    return [rows.c[name].desc() for name in _ORDER]


def _beside(own: CTE, *, behind: bool, limit: str) -> Select[Any]:
    """The entries next to a row, on one side of it."""
    entry = results.alias()
    on_side = _place(entry) > _place(own) if behind else _place(entry) < _place(own)
    order = _up(entry) if behind else _down(entry)
    query = select(entry).where(_are_of_one_day(entry, own), on_side).order_by(*order)
    near = query.limit(bindparam(limit)).lateral()
    return select(near).select_from(own.join(near, true()))


def _from_top() -> Rows:
    return select(results).where(_DAY, results.c.listed).order_by(*_up(results)).limit(bindparam("page"))


def _behind_cursor() -> Rows:
    is_cursor = results.c.game_id == bindparam("cursor")
    return _beside(
        select(results).where(is_cursor, _DAY, results.c.listed).cte("cursor"), behind=True, limit="page"
    )


def _around_own() -> Rows:
    own = select(results).where(results.c.user_id == bindparam("user"), _DAY, results.c.listed).cte("own")
    sides = [_beside(own, behind=behind, limit="neighbours") for behind in (False, True)]
    return union_all(select(own), *sides)


def _ranked(rows: Rows, name: str, *, around: bool) -> Select[Any]:
    """Rows that stand one after the other, and how many stand before the first of them: counted once."""
    shown = rows.cte(name)
    first = select(shown).order_by(*_up(shown)).limit(1).cte(f"first_of_{name}")
    before = select(better(first).label("better"), _equal_before(first).label("equal"))
    counted = before.select_from(first).cte(f"before_{name}").prefix_with("MATERIALIZED")
    return select(
        shown, counted.c.better, counted.c.equal, (true() if around else false()).label("around")
    ).select_from(shown.join(counted, true()))


def _board(page: Rows) -> tuple[Rows, Rows]:
    """The query for a page alone, and that for the places around a player as well."""
    alone = _ranked(page, "shown", around=False)
    both = union_all(alone, _ranked(_around_own(), "near", around=True)).subquery()
    ordered = alone.subquery()
    return (
        select(ordered).order_by(*_up(ordered)),
        select(both).order_by(both.c.around, *_up(both)),
    )


FIRST_PAGE: Final = _board(_from_top())
"""The first entries of a day, alone, and with those around a player.

Both take `day` and `page`, the number of entries; the second also `user`, and `neighbours` on either side.
"""

LATER_PAGE: Final = _board(_behind_cursor())
"""The same behind the game `cursor`."""
