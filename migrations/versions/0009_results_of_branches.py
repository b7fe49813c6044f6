"""Results of branches go: a game that goes on from another can be won as often as one likes."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    # Nothing is drawn from them: a branch is on no board, and at no public table.
    op.execute("""
        DELETE FROM results USING games JOIN moves ON moves.game_id = games.id AND moves.seq = 1
        WHERE results.game_id = games.id AND NOT games.ranked AND moves.at = games.created_at
    """)
