"""And they may have an end; no two have the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "notes_0002"
down_revision = "notes_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    with op.batch_alter_table("notes_item") as table:
        table.add_column(sa.Column("ended", sa.Text))
    has_ended = sa.text("ended IS NOT NULL")
    op.create_index(
        "ux_notes_item_ended",
        "notes_item",
        ["ended"],
        unique=True,
        sqlite_where=has_ended,
        postgresql_where=has_ended,
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_index("ux_notes_item_ended", "notes_item")
    with op.batch_alter_table("notes_item") as table:
        table.drop_column("ended")
