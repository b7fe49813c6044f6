"""The tables of accounts: users, the devices they are signed in on, and codes that sign in one more."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, LargeBinary, Table, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from server.log.schema import MOMENT, metadata

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, unique=True, comment="what the name is unique by; null for a guest"),
    Column("password_hash", Text, comment="argon2id; null for a guest"),
    Column("settings", JSONB, nullable=False, server_default=text("'{}'")),
    Column("locale", Text),
    Column("created_at", MOMENT, nullable=False),
    CheckConstraint("(name_key IS NULL) = (password_hash IS NULL)", name="guest"),
)

device_sessions = Table(
    "device_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column(
        "token_hash", LargeBinary, nullable=False, unique=True, comment="SHA-256; the token is kept nowhere"
    ),
    Column("device", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("seen_at", MOMENT, nullable=False),
    Index("ix_device_sessions_user_id", "user_id"),
)

link_codes = Table(
    "link_codes",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("code_hash", LargeBinary, nullable=False, unique=True, comment="SHA-256"),
    Column("expires_at", MOMENT, nullable=False),
    comment="at most one a user: a new one takes the place of the old",
)
