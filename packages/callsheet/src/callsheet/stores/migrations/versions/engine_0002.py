"""Lineage, cache, accounts and context.

Entries of the first revision name no artifacts, no cache keys and no reservations: for what is
there, the new indexes are empty.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")
CURRENCIES = ("usd", "credits", "tokens")


def upgrade() -> None:
    """Create the new tables."""
    _artifact_uses()
    _cache()
    _accounts()
    _postings()
    _reservations()
    _context()
    _context_uses()


def downgrade() -> None:
    """Remove them."""
    tables = ("context_uses", "context", "reservations", "postings", "accounts", "cache")
    for table in (*tables, "artifact_uses"):
        op.drop_table(table)


def _artifact_uses() -> None:
    op.create_table(
        "artifact_uses",
        sa.Column("digest", WORD, nullable=False),
        sa.Column("run", WORD, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("step", WORD, nullable=False),
        sa.Column("role", WORD, nullable=False),
        sa.PrimaryKeyConstraint("digest", "run", "seq", "role", name="pk_artifact_uses"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_artifact_uses_run", "artifact_uses", ["run", "seq", "role", "digest"])


def _cache() -> None:
    op.create_table(
        "cache",
        sa.Column("key", WORD, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.Column("run", WORD, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("step", WORD, nullable=False),
        sa.PrimaryKeyConstraint("key", "at", "run", "seq", name="pk_cache"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cache_run", "cache", ["run"])


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("tenant", WORD, nullable=False),
        *_amounts("granted_"),
        *_amounts("available_"),
        *_amounts("reserved_"),
        *_amounts("spent_"),
        sa.Column("postings", sa.BigInteger, nullable=False),
        sa.Column("posted_at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("tenant", name="pk_accounts"),
        sqlite_with_rowid=False,
    )


def _postings() -> None:
    op.create_table(
        "postings",
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.Column("kind", WORD, nullable=False),
        *_amounts(""),
        sa.Column("run", WORD),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("by", WORD),
        sa.PrimaryKeyConstraint("tenant", "number", name="pk_postings"),
        sqlite_with_rowid=False,
    )


def _reservations() -> None:
    op.create_table(
        "reservations",
        sa.Column("run", WORD, nullable=False),
        sa.Column("tenant", WORD, nullable=False),
        *_amounts("held_"),
        *_amounts("charged_"),
        sa.PrimaryKeyConstraint("run", name="pk_reservations"),
        sqlite_with_rowid=False,
    )


def _context() -> None:
    op.create_table(
        "context",
        sa.Column("scope", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("saved_at", WORD, nullable=False),
        sa.Column("expires_at", WORD),
        sa.Column("key", WORD),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("scope", "name", "version", name="pk_context"),
    )
    written, expiring = sa.text("key IS NOT NULL"), sa.text("expires_at IS NOT NULL")
    op.create_index(
        "ux_context_key",
        "context",
        ["key"],
        unique=True,
        sqlite_where=written,
        postgresql_where=written,
    )
    op.create_index(
        "ix_context_expires",
        "context",
        ["expires_at"],
        sqlite_where=expiring,
        postgresql_where=expiring,
    )


def _context_uses() -> None:
    op.create_table(
        "context_uses",
        sa.Column("digest", WORD, nullable=False),
        sa.Column("scope", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("digest", "scope", "name", "version", name="pk_context_uses"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_context_uses_item", "context_uses", ["scope", "name", "version"])


def _amounts(prefix: str) -> list[sa.Column[int]]:
    return [sa.Column(f"{prefix}{each}", sa.BigInteger, nullable=False) for each in CURRENCIES]
