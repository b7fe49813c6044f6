"""The daily deal: the server's secret, the days that were dealt from it, and ratings of Hearts players."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP

revision = "0003"
down_revision = "0002"

MOMENT = TIMESTAMP(timezone=True, precision=3)


def upgrade() -> None:
    op.create_table(
        "server_secret",
        sa.Column("only", sa.Boolean(), nullable=False, server_default=sa.text("true")),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.CheckConstraint('"only"', name=op.f("ck_server_secret_only")),
        sa.PrimaryKeyConstraint("only", name=op.f("pk_server_secret")),
        comment="the one text that all days are dealt from: who knows it knows every deal to come",
    )
    op.create_table(
        "days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("deal", sa.Text(), nullable=False, comment="long form"),
        sa.Column(
            "par", sa.Integer(), comment="the least number of moves that wins; null until it has been solved"
        ),
        sa.Column("line", ARRAY(sa.Text()), comment="the moves of one win in par"),
        sa.CheckConstraint(
            "(par IS NULL) = (line IS NULL) AND par = cardinality(line)", name=op.f("ck_days_par")
        ),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_days")),
    )
    op.create_index("ix_days_unsolved", "days", ["day"], postgresql_where=sa.text("par IS NULL"))
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_ratings")),
        comment="of public Hearts tables with two people or more",
    )
    op.create_table(
        "rated",
        sa.Column("only", sa.Boolean(), nullable=False, server_default=sa.text("true")),
        sa.Column("until", MOMENT, comment="all that ended before is rated; null: nothing"),
        sa.Column("moved", sa.Integer(), nullable=False, comment="how often a rated game has changed hands"),
        sa.CheckConstraint('"only"', name=op.f("ck_rated_only")),
        sa.PrimaryKeyConstraint("only", name=op.f("pk_rated")),
        comment="one row: how far the ratings have come",
    )
    op.execute("INSERT INTO rated (moved) VALUES (0)")
