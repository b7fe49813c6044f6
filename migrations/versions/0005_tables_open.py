"""Tables of Hearts that have not ended, by age: those that all have left are closed after a day."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_index(
        "ix_games_tables_open",
        "games",
        ["created_at"],
        postgresql_where=sa.text("game = 'hearts' AND finished_at IS NULL"),
    )
