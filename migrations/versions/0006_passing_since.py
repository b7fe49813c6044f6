"""Tables of Hearts: the revision from which on a pass is current, by seat; it was one for the whole table."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "passing_since",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            server_default=sa.text("'{}'"),
            comment="by seat of a table of Hearts: the revision from which on a pass of the seat is current",
        ),
    )
    # An index finds these. Of games that have ended nobody asks.
    op.execute(
        "UPDATE games SET passing_since = array_fill(dealt, ARRAY[cardinality(totals)])"
        " WHERE game = 'hearts' AND finished_at IS NULL AND started_at IS NOT NULL"
    )
    op.drop_column("games", "dealt")
