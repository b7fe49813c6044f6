"""Ratings: what the last pass over all games knew, so that such passes need not follow one another."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column(
        "rated",
        sa.Column(
            "known",
            sa.Integer(),
            nullable=False,
            server_default=sa.text("0"),
            comment="of these, what the last pass over all games saw",
        ),
    )
    op.add_column(
        "rated",
        sa.Column("whole_at", TIMESTAMP(timezone=True, precision=3), comment="when that pass was"),
    )
    op.execute("UPDATE rated SET known = moved")
    op.alter_column("rated", "known", server_default=None)
