"""Branches: with how many moves of another game one began. They count in no profile, so their results go."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "branch_ply",
            sa.Integer(),
            nullable=False,
            server_default=sa.text("0"),
            comment="with how many moves of another game it began",
        ),
    )
    # So far they are known by their first moves, which were written when they were created.
    op.execute("""
        UPDATE games SET branch_ply = (
            SELECT count(*) FROM moves WHERE moves.game_id = games.id AND moves.at = games.created_at
        )
        FROM moves AS first
        WHERE first.game_id = games.id AND first.seq = 1 AND first.at = games.created_at AND NOT games.ranked
    """)
    # Nothing is drawn from these: a branch is on no board, and at no public table.
    op.execute("DELETE FROM results USING games WHERE results.game_id = games.id AND games.branch_ply > 0")
