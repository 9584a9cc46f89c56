"""The first tables: the tool stack."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "studio_0001"
down_revision = None
branch_labels = ("studio",)
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TABLES = (
    "studio_imports",
    "studio_sources",
    "studio_tools",
    "studio_offers",
    "studio_benchmarks",
    "studio_sota_techniques",
    "studio_workflows",
    "studio_changes",
)


def upgrade() -> None:
    """Create everything."""
    _sources()
    _tools()
    _offers()
    _benchmarks()
    _knowledge()
    _changes()


def downgrade() -> None:
    """Remove everything."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _sources() -> None:
    op.create_table(
        "studio_imports",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_studio_imports"),
    )
    op.create_table(
        "studio_sources",
        sa.Column("id", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", "number", name="pk_studio_sources"),
    )


def _tools() -> None:
    op.create_table(
        "studio_tools",
        sa.Column("id", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("vendor", WORD, nullable=False),
        sa.Column("category", WORD, nullable=False),
        sa.Column("status", WORD, nullable=False),
        sa.Column("retires", WORD),
        sa.Column("body", sa.Text),
        sa.PrimaryKeyConstraint("id", "number", name="pk_studio_tools"),
    )


def _offers() -> None:
    op.create_table(
        "studio_offers",
        sa.Column("id", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("tool", WORD, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("provider", WORD, nullable=False),
        sa.Column("unit", WORD, nullable=False),
        sa.Column("nano_usd", sa.BigInteger, nullable=False),
        sa.Column("resolution", WORD),
        sa.Column("until", WORD),
        sa.Column("source", WORD, nullable=False),
        sa.Column("body", sa.Text),
        sa.PrimaryKeyConstraint("id", "number", name="pk_studio_offers"),
    )
    op.create_index("ix_studio_offers_tool", "studio_offers", ["tool"])


def _benchmarks() -> None:
    op.create_table(
        "studio_benchmarks",
        sa.Column("tool", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("board", WORD, nullable=False),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("source", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tool", "number", "place", name="pk_studio_benchmarks"),
    )


def _knowledge() -> None:
    op.create_table(
        "studio_sota_techniques",
        sa.Column("id", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("status", WORD, nullable=False),
        sa.Column("source", WORD, nullable=False),
        sa.Column("body", sa.Text),
        sa.PrimaryKeyConstraint("id", "number", name="pk_studio_sota_techniques"),
    )
    op.create_table(
        "studio_workflows",
        sa.Column("id", WORD, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("recipe", WORD, nullable=False),
        sa.Column("source", WORD, nullable=False),
        sa.Column("body", sa.Text),
        sa.PrimaryKeyConstraint("id", "number", name="pk_studio_workflows"),
    )


def _changes() -> None:
    op.create_table(
        "studio_changes",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("kind", WORD, nullable=False),
        sa.Column("tool", WORD, nullable=False),
        sa.Column("offer", WORD),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.Column("source", WORD, nullable=False),
        sa.Column("as_of", WORD, nullable=False),
        sa.PrimaryKeyConstraint("number", "place", name="pk_studio_changes"),
    )
    op.create_index("ix_studio_changes_tool", "studio_changes", ["tool"])
