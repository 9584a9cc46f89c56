"""Saved plans are each tenant's own, and so is what a tenant puts.

Until now a saved plan was everybody's; those there are go to the tenant `default`. Runs of one
tenant are found without looking at those of others.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TENANT = "default"
PLAN = "name, version, digest, body, saved_at"


def upgrade() -> None:
    """Say of every saved plan whose it is, and make room for what tenants put."""
    _set_aside()
    _plans("tenant", "name", "version")
    # The names are our own words.
    op.execute(f"INSERT INTO plans ({PLAN}, tenant) SELECT {PLAN}, '{TENANT}' FROM plans_before")  # noqa: S608
    op.drop_table("plans_before")
    op.create_table(
        "uploads",
        sa.Column("digest", WORD, nullable=False),
        sa.Column("tenant", WORD, nullable=False),
        sa.Column("at", WORD, nullable=False),
        sa.PrimaryKeyConstraint("digest", "tenant", name="pk_uploads"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_runs_tenant", "runs", ["tenant", "run"])


def downgrade() -> None:
    """Forget it; of plans of one name, those of the tenant `default` stay."""
    op.drop_index("ix_runs_tenant", "runs")
    op.drop_table("uploads")
    _set_aside()
    _plans("name", "version")
    own = f"SELECT {PLAN} FROM plans_before WHERE tenant = '{TENANT}'"  # noqa: S608 -- as above
    op.execute(f"INSERT INTO plans ({PLAN}) {own}")
    op.drop_table("plans_before")


def _set_aside() -> None:
    """Not renamed: SQLite would write the name of the table in another way ever after."""
    op.execute("CREATE TABLE plans_before AS SELECT * FROM plans")
    op.drop_table("plans")


def _plans(*key: str) -> None:
    owner = [sa.Column("tenant", WORD, nullable=False)] if "tenant" in key else []
    op.create_table(
        "plans",
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("saved_at", WORD, nullable=False),
        *owner,
        sa.PrimaryKeyConstraint(*key, name="pk_plans"),
        sqlite_with_rowid=False,
    )
