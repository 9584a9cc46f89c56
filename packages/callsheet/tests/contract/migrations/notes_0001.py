"""Notes have a name and a count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "notes_0001"
down_revision = None
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "notes_item",
        sa.Column("name", WORD, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_notes_item"),
    )


def downgrade() -> None:
    """Remove everything."""
    op.drop_table("notes_item")
