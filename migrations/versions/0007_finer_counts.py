"""Counts of a day in buckets of three sizes, so that no rank is the sum of many."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.drop_table("day_counts")
    op.create_table(
        "day_counts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("span", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Integer(), nullable=False),
        sa.Column("unlisted", sa.Integer(), nullable=False),
        sa.CheckConstraint("listed >= 0 AND unlisted >= 0", name=op.f("ck_day_counts_results")),
        sa.PrimaryKeyConstraint("day", "depth", "lost", "moves", "span", name=op.f("pk_day_counts")),
        comment="how many results share points lost (depth 1), moves too (2), and half-minutes too (3)",
    )
    op.execute("""
    INSERT INTO day_counts (day, depth, lost, moves, span, listed, unlisted)
    SELECT day, depth, lost, bucket.moves, span,
        count(*) FILTER (WHERE listed), count(*) FILTER (WHERE NOT listed)
    FROM results CROSS JOIN LATERAL (
        VALUES (1, 0, 0), (2, moves, 0), (3, moves, clock_ms / 30000)
    ) AS bucket (depth, moves, span)
    WHERE day IS NOT NULL
    GROUP BY day, depth, lost, bucket.moves, span
    ORDER BY day, depth, lost, bucket.moves, span
    """)
