"""How the results of a day are counted in `day_counts`: each in a wide, a middle and a narrow bucket.

The wide one (depth 1) holds all results with so many points lost, the middle one (2) those of them with so
many moves, the narrow one (3) those of these whose time is within the same half-minute. What a bucket does
not tell apart is 0. So what stands before a result is some dozens of buckets and a few hundred results at
most, however many have played.
"""
# ruff: noqa: S608 — nothing in these texts comes from outside

from typing import Final

SPAN_MS: Final = 30_000
"""How much time results of one narrow bucket span."""

_BUCKETS: Final = f"""LATERAL (
    VALUES (1, 0, 0), (2, moves, 0), (3, moves, clock_ms / {SPAN_MS})
) AS bucket (depth, moves, span)"""
_KEY: Final = "day, depth, lost, bucket.moves, span"

LOCK: Final = """
SELECT FROM day_counts WHERE depth = 1 AND day = ANY(:days) ORDER BY day, lost FOR NO KEY UPDATE
"""
"""Makes one the only one who changes counts of days: whoever counts a result takes its wide bucket first."""


def counted(results: str, where: str = "true") -> str:
    """The query that counts some results, which are rows of `results` or go by the same names."""
    return f"""
    SELECT {_KEY}, count(*) FILTER (WHERE listed) AS listed, count(*) FILTER (WHERE NOT listed) AS unlisted
    FROM {results} CROSS JOIN {_BUCKETS}
    WHERE day IS NOT NULL AND {where}
    GROUP BY {_KEY}"""


def count(results: str, where: str = "true") -> str:
    """The statement that adds results to the counts, in the one order in which all lock these rows."""
    return f"""
    INSERT INTO day_counts (day, depth, lost, moves, span, listed, unlisted) {counted(results, where)}
    ORDER BY {_KEY}
    ON CONFLICT (day, depth, lost, moves, span) DO UPDATE SET
        listed = day_counts.listed + excluded.listed,
        unlisted = day_counts.unlisted + excluded.unlisted"""


WRONG_DAYS: Final = f"""
SELECT DISTINCT day
FROM ({counted("results")}) AS counted FULL JOIN day_counts USING (day, depth, lost, moves, span)
WHERE (counted.listed, counted.unlisted) IS DISTINCT FROM (day_counts.listed, day_counts.unlisted)
ORDER BY day
"""
"""Asks for the days whose counts are not those of their results."""


def recount(rows: str, listed: str, unlisted: str) -> str:
    """The statement that adds to the counts by rows of `counted`."""
    return f"""
    UPDATE day_counts SET listed = day_counts.listed + {listed}, unlisted = day_counts.unlisted + {unlisted}
    FROM ({rows}) AS counted
    WHERE (day_counts.day, day_counts.depth, day_counts.lost, day_counts.moves, day_counts.span)
        = (counted.day, counted.depth, counted.lost, counted.moves, counted.span)"""
