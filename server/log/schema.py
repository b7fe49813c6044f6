"""The tables of the log: games, their seats, their moves and how they ended.

All that one command writes hangs on one game id, so that `games`, `seats`, `moves` and `results` can be
spread over several databases by it: no foreign key leads out of that family, and a user is an opaque text.
"""

from collections.abc import Collection

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Computed,
    Date,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    any_,
    literal,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
"""The one collection of all tables, those of the other rooms included."""

MOMENT = TIMESTAMP(timezone=True, precision=3)
"""A point in time, to the millisecond, as in every answer."""

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("seed", Text, nullable=False),
    Column("day", Date),
    Column("ranked", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False, comment="whether its result counts for the board of the day"),
    Column("public", Boolean, nullable=False),
    Column(
        "branch_ply",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="with how many moves of another game it began",
    ),
    Column("created_at", MOMENT, nullable=False),
    Column("creator", Text),
    Column("status", Text, nullable=False),
    Column("totals", ARRAY(Integer), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("peak", Integer, nullable=False),
    Column("undone", Integer, nullable=False),
    Column("clock_ms", BigInteger, nullable=False),
    Column("action_at", MOMENT),
    Column("started_at", MOMENT),
    Column("finished_at", MOMENT),
    Column("takeback", JSONB(none_as_null=True)),
    Column("next", Text),
    Column(
        "passing_since",
        ARRAY(Integer),
        nullable=False,
        server_default=text("'{}'"),
        comment="by seat of a table of Hearts: the revision from which on a pass of the seat is current",
    ),
    Column("stamp", BigInteger, nullable=False, comment="random mark of the command that wrote the row last"),
    CheckConstraint("revision >= 0", name="revision"),
    CheckConstraint("ply >= 0 AND ply <= peak AND undone >= 0 AND peak <= ply + undone", name="log"),
    CheckConstraint("clock_ms >= 0", name="clock"),
    CheckConstraint("NOT ranked OR (day IS NOT NULL AND creator IS NOT NULL)", name="ranked"),
    CheckConstraint("NOT listed OR ranked", name="listed"),
    # A move updates its game's row, so no index may name a column that moves change, and each page keeps
    # room for the next versions of its rows: then the new version needs no index entry (a HOT update).
    Index("uq_games_ranked", "day", "creator", unique=True, postgresql_where=text("ranked")),
    Index("ix_games_ranked_open", "day", postgresql_where=text("ranked AND finished_at IS NULL")),
    Index(
        "ix_games_public_open", "created_at", "id", postgresql_where=text("public AND finished_at IS NULL")
    ),
    Index(
        "ix_games_public_finished",
        "created_at",
        "id",
        postgresql_where=text("public AND finished_at IS NOT NULL"),
    ),
    # Tables that all have left are looked for among those that have not ended.
    Index(
        "ix_games_tables_open", "created_at", postgresql_where=text("game = 'hearts' AND finished_at IS NULL")
    ),
    postgresql_with={"fillfactor": 50},
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("user_id", Text),
    Column("bot_name", Text),
    Column("bot_level", Text),
    Column("resigned", Boolean, nullable=False),
    Column("created_at", MOMENT, nullable=False, comment="copied from games"),
    Column("finished", Boolean, nullable=False, comment="whether games.finished_at is set"),
    CheckConstraint("seat >= 0", name="seat"),
    CheckConstraint("(bot_name IS NULL) = (bot_level IS NULL)", name="bot"),
    # The copies let a user's games be read newest first, finished or not, straight from the index.
    Index(
        "ix_seats_user",
        "user_id",
        "finished",
        "created_at",
        "game_id",
        postgresql_where=text("user_id IS NOT NULL"),
    ),
)

# No foreign key: it would cost a look-up a move, and the one statement that appends has the game locked.
moves = Table(
    "moves",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", MOMENT, nullable=False),
    Column("peak", Integer, nullable=False),
    Column("undone", Integer, nullable=False),
    Column("clock_ms", BigInteger, nullable=False),
    CheckConstraint("seq >= 1 AND seq <= peak AND undone >= 0 AND peak <= seq + undone", name="log"),
    CheckConstraint("seat >= 0", name="seat"),
    CheckConstraint("clock_ms >= 0", name="clock"),
)

results = Table(
    "results",
    metadata,
    Column("game_id", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("user_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("lost", Integer, Computed("250 - score", persisted=True), nullable=False),
    Column("moves", Integer, nullable=False),
    Column("clock_ms", BigInteger, nullable=False),
    Column("day", Date),
    Column("listed", Boolean, nullable=False, comment="copied from games: whether it is on that day's board"),
    Column("rank", SmallInteger),
    Column("finished_at", MOMENT, nullable=False),
    CheckConstraint("NOT listed OR day IS NOT NULL", name="listed"),
    # The board's order. With points lost for points made all of it ascends: a page is a row comparison.
    Index(
        "ix_results_board",
        "day",
        "lost",
        "moves",
        "clock_ms",
        "finished_at",
        "game_id",
        postgresql_where=text("listed"),
    ),
    Index("ix_results_user", "user_id", "day"),
    # The order in which ratings are made.
    Index("ix_results_hearts", "finished_at", "game_id", postgresql_where=text("game = 'hearts'")),
)

day_counts = Table(
    "day_counts",
    metadata,
    Column("day", Date, primary_key=True),
    Column("depth", Integer, primary_key=True, autoincrement=False),
    Column("lost", Integer, primary_key=True, autoincrement=False),
    Column("moves", Integer, primary_key=True, autoincrement=False),
    Column("span", Integer, primary_key=True, autoincrement=False),
    Column("listed", Integer, nullable=False),
    Column("unlisted", Integer, nullable=False),
    CheckConstraint("listed >= 0 AND unlisted >= 0", name="results"),
    comment="how many results share points lost (depth 1), moves too (2), and half-minutes too (3)",
)


def among(column: ColumnElement[str], some: Collection[str]) -> ColumnElement[bool]:
    """Whether a text is one of these: told as an array, since parameters are limited in number."""
    return column == any_(literal(list(some), ARRAY(Text)))
