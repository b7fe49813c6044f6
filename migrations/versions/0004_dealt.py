"""Tables of Hearts: the revision at which a hand was dealt, since a pass is current at any since then."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "dealt",
            sa.Integer(),
            nullable=False,
            server_default=sa.text("0"),
            comment="the revision at which the present hand of Hearts was dealt",
        ),
    )
