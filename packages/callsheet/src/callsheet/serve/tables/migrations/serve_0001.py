"""The first tables: keys, answers, audit, tickets, secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "serve_0001"
down_revision = None
branch_labels = ("serve",)
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TABLES = (
    "serve_keys",
    "serve_answers",
    "serve_audit",
    "serve_tickets",
    "serve_secrets",
)


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "serve_keys",
        sa.Column("id", WORD, nullable=False),
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("digest", WORD, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("limits", sa.Text, nullable=False),
        sa.Column("made_at", WORD, nullable=False),
        sa.Column("expires_at", WORD),
        sa.Column("revoked_at", WORD),
        sa.PrimaryKeyConstraint("id", name="pk_serve_keys"),
    )
    op.create_table(
        "serve_answers",
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("key", WORD, nullable=False),
        sa.Column("request", WORD, nullable=False),
        sa.Column("holder", WORD, nullable=False),
        sa.Column("until", WORD, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("headers", sa.Text),
        sa.Column("body", sa.Text),
        sa.PrimaryKeyConstraint("tenant", "key", name="pk_serve_answers"),
    )
    op.create_table(
        "serve_audit",
        sa.Column("id", WORD, nullable=False),
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.Column("who", WORD, nullable=False),
        sa.Column("key", WORD),
        sa.Column("address", WORD, nullable=False),
        sa.Column("method", WORD, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("request", WORD, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_serve_audit"),
    )
    op.create_table(
        "serve_tickets",
        sa.Column("digest", WORD, nullable=False),
        sa.Column("key", WORD),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("expires_at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_serve_tickets"),
    )
    op.create_table(
        "serve_secrets",
        sa.Column("name", WORD, nullable=False),
        sa.Column("value", WORD, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_serve_secrets"),
    )
    op.create_index("ux_serve_keys_digest", "serve_keys", ["digest"], unique=True)
    op.create_index("ix_serve_answers_until", "serve_answers", ["until"])
    op.create_index("ix_serve_audit_tenant", "serve_audit", ["tenant", "id"])


def downgrade() -> None:
    """Remove everything."""
    for table in reversed(TABLES):
        op.drop_table(table)
