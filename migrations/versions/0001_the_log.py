"""The log: games, seats, moves, results, and the counts that ranks are summed from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP

revision = "0001"
down_revision = None

MOMENT = TIMESTAMP(timezone=True, precision=3)


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", JSONB(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("day", sa.Date()),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column(
            "listed",
            sa.Boolean(),
            nullable=False,
            comment="whether its result counts for the board of the day",
        ),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("creator", sa.Text()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("totals", ARRAY(sa.Integer()), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("peak", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.Column("clock_ms", sa.BigInteger(), nullable=False),
        sa.Column("action_at", MOMENT),
        sa.Column("started_at", MOMENT),
        sa.Column("finished_at", MOMENT),
        sa.Column("takeback", JSONB(none_as_null=True)),
        sa.Column("next", sa.Text()),
        sa.Column(
            "stamp",
            sa.BigInteger(),
            nullable=False,
            comment="random mark of the command that wrote the row last",
        ),
        sa.CheckConstraint(
            "NOT ranked OR (day IS NOT NULL AND creator IS NOT NULL)", name=op.f("ck_games_ranked")
        ),
        sa.CheckConstraint("NOT listed OR ranked", name=op.f("ck_games_listed")),
        sa.CheckConstraint("clock_ms >= 0", name=op.f("ck_games_clock")),
        sa.CheckConstraint(
            "ply >= 0 AND ply <= peak AND undone >= 0 AND peak <= ply + undone", name=op.f("ck_games_log")
        ),
        sa.CheckConstraint("revision >= 0", name=op.f("ck_games_revision")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        postgresql_with={"fillfactor": 50},
    )
    op.create_index(
        "ix_games_public_finished",
        "games",
        ["created_at", "id"],
        postgresql_where=sa.text("public AND finished_at IS NOT NULL"),
    )
    op.create_index(
        "ix_games_public_open",
        "games",
        ["created_at", "id"],
        postgresql_where=sa.text("public AND finished_at IS NULL"),
    )
    op.create_index(
        "ix_games_ranked_open", "games", ["day"], postgresql_where=sa.text("ranked AND finished_at IS NULL")
    )
    op.create_index(
        "uq_games_ranked", "games", ["day", "creator"], unique=True, postgresql_where=sa.text("ranked")
    )
    op.create_table(
        "moves",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("peak", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.Column("clock_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("clock_ms >= 0", name=op.f("ck_moves_clock")),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_moves_seat")),
        sa.CheckConstraint(
            "seq >= 1 AND seq <= peak AND undone >= 0 AND peak <= seq + undone", name=op.f("ck_moves_log")
        ),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_moves")),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), sa.Computed("250 - score", persisted=True), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("clock_ms", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date()),
        sa.Column(
            "listed",
            sa.Boolean(),
            nullable=False,
            comment="copied from games: whether it is on that day's board",
        ),
        sa.Column("rank", sa.SmallInteger()),
        sa.Column("finished_at", MOMENT, nullable=False),
        sa.CheckConstraint("NOT listed OR day IS NOT NULL", name=op.f("ck_results_listed")),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_results_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_results")),
    )
    op.create_index(
        "ix_results_board",
        "results",
        ["day", "lost", "moves", "clock_ms", "finished_at", "game_id"],
        postgresql_where=sa.text("listed"),
    )
    op.create_index("ix_results_user", "results", ["user_id", "day"])
    op.create_index(
        "ix_results_hearts",
        "results",
        ["finished_at", "game_id"],
        postgresql_where=sa.text("game = 'hearts'"),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("bot_name", sa.Text()),
        sa.Column("bot_level", sa.Text()),
        sa.Column("resigned", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False, comment="copied from games"),
        sa.Column("finished", sa.Boolean(), nullable=False, comment="whether games.finished_at is set"),
        sa.CheckConstraint("(bot_name IS NULL) = (bot_level IS NULL)", name=op.f("ck_seats_bot")),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(
        "ix_seats_user",
        "seats",
        ["user_id", "finished", "created_at", "game_id"],
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )
    op.create_table(
        "day_counts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Integer(), nullable=False),
        sa.Column("unlisted", sa.Integer(), nullable=False),
        sa.CheckConstraint("listed >= 0 AND unlisted >= 0", name=op.f("ck_day_counts_results")),
        sa.PrimaryKeyConstraint("day", "lost", "moves", name=op.f("pk_day_counts")),
        comment="how many results share points lost and moves: a rank is the sum of the better listed ones",
    )
