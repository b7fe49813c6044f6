"""The tables of the daily deal. What a command writes (results, counts of a day) is in the log's schema."""

from sqlalchemy import Boolean, CheckConstraint, Column, Date, Float, Index, Integer, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from server.log.schema import MOMENT, metadata

server_secret = Table(
    "server_secret",
    metadata,
    Column("only", Boolean, primary_key=True, server_default=text("true")),
    Column("secret", Text, nullable=False),
    CheckConstraint('"only"', name="only"),
    comment="the one text that all days are dealt from: who knows it knows every deal to come",
)

days = Table(
    "days",
    metadata,
    Column("day", Date, primary_key=True),
    Column("deal", Text, nullable=False, comment="long form"),
    Column("par", Integer, comment="the least number of moves that wins; null until it has been solved"),
    Column("line", ARRAY(Text), comment="the moves of one win in par"),
    CheckConstraint("(par IS NULL) = (line IS NULL) AND par = cardinality(line)", name="par"),
    Index("ix_days_unsolved", "day", postgresql_where=text("par IS NULL")),
)

ratings = Table(
    "ratings",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    comment="of public Hearts tables with two people or more",
)

rated = Table(
    "rated",
    metadata,
    Column("only", Boolean, primary_key=True, server_default=text("true")),
    Column("until", MOMENT, comment="all that ended before is rated; null: nothing"),
    Column("moved", Integer, nullable=False, comment="how often a rated game has changed hands"),
    Column("known", Integer, nullable=False, comment="of these, what the last pass over all games saw"),
    Column("whole_at", MOMENT, comment="when that pass was"),
    CheckConstraint('"only"', name="only"),
    comment="one row: how far the ratings have come",
)
