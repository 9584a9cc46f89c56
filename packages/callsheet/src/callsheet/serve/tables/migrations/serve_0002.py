"""What is said of uploads: their types and names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "serve_0002"
down_revision = "serve_0001"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "serve_uploads",
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("digest", WORD, nullable=False),
        sa.Column("media_type", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("tenant", "digest", name="pk_serve_uploads"),
    )


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("serve_uploads")
