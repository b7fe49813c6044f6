"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports + "\n" if imports else ""}
revision = "${up_revision}"
down_revision = "${down_revision}"


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
