"""The first tables: journal, runs, inbox, plans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = ("engine",)
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create everything."""
    _journal()
    _runs()
    _inbox()
    _plans()


def downgrade() -> None:
    """Remove everything."""
    for table in ("plans", "inbox", "runs", "journal"):
        op.drop_table(table)


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("run", WORD, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("run", "seq", name="pk_journal"),
        sqlite_with_rowid=False,
    )


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("run", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("plan", WORD, nullable=False),
        sa.Column("content", WORD, nullable=False),
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("key", WORD),
        sa.Column("started_at", WORD, nullable=False),
        sa.Column("ended", WORD),
        sa.Column("ended_at", WORD),
        sa.PrimaryKeyConstraint("run", name="pk_runs"),
        sqlite_with_rowid=False,
    )
    keyed, not_ended = sa.text("key IS NOT NULL"), sa.text("ended IS NULL")
    op.create_index(
        "ux_runs_tenant_key",
        "runs",
        ["tenant", "key"],
        unique=True,
        sqlite_where=keyed,
        postgresql_where=keyed,
    )
    op.create_index(
        "ix_runs_open", "runs", ["run"], sqlite_where=not_ended, postgresql_where=not_ended
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("id", WORD, nullable=False),
        sa.Column("run", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("settled", sa.Text),
        sa.PrimaryKeyConstraint("seq", name="pk_inbox"),
        sa.UniqueConstraint("id", name="uq_inbox_id"),
        sqlite_autoincrement=True,
    )
    pending = sa.text("settled IS NULL")
    op.create_index(
        "ix_inbox_pending", "inbox", ["seq"], sqlite_where=pending, postgresql_where=pending
    )
    op.create_index("ix_inbox_run", "inbox", ["run"])


def _plans() -> None:
    op.create_table(
        "plans",
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("saved_at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("name", "version", name="pk_plans"),
        sqlite_with_rowid=False,
    )
