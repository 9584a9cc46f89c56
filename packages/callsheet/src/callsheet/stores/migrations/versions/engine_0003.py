"""Who drives, where what lies beside the database is, and which writes were made under a key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the new tables."""
    op.create_table(
        "drivers",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("process", WORD, nullable=False),
        sa.Column("since", WORD, nullable=False),
        sa.Column("replaced_by", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_drivers"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "places",
        sa.Column("name", WORD, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("mark", WORD, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_places"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "writes",
        sa.Column("scope", WORD, nullable=False),
        sa.Column("key", WORD, nullable=False),
        sa.Column("content", WORD, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_writes"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Remove them."""
    for table in ("writes", "places", "drivers"):
        op.drop_table(table)
