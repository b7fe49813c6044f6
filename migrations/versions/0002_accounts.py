"""Accounts: users, the devices they are signed in on, and codes that sign in one more."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP

revision = "0002"
down_revision = "0001"

MOMENT = TIMESTAMP(timezone=True, precision=3)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), comment="what the name is unique by; null for a guest"),
        sa.Column("password_hash", sa.Text(), comment="argon2id; null for a guest"),
        sa.Column("settings", JSONB(), nullable=False, server_default=sa.text("'{}'")),
        sa.Column("locale", sa.Text()),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("(name_key IS NULL) = (password_hash IS NULL)", name=op.f("ck_users_guest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_table(
        "device_sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column(
            "token_hash",
            sa.LargeBinary(),
            nullable=False,
            comment="SHA-256; the token is kept nowhere",
        ),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_device_sessions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_device_sessions_token_hash")),
    )
    op.create_index(op.f("ix_device_sessions_user_id"), "device_sessions", ["user_id"])
    op.create_table(
        "link_codes",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False, comment="SHA-256"),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_link_codes_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_link_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_link_codes_code_hash")),
        comment="at most one a user: a new one takes the place of the old",
    )
