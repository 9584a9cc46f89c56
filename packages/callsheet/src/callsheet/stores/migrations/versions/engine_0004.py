"""One order over all runs; what runs are about, who drives them, and their families.

Entries that are there are placed by the time they were written, each run's in its own order. What
children say of their parents stands in their first entries.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the columns, and fill them from the journal."""
    dialect = op.get_bind().dialect.name
    op.add_column(
        "journal",
        sa.Column("position", sa.BigInteger, server_default=sa.text("0"), nullable=False),
    )
    op.execute(sa.text(_PLACE.format(at=_field("at", dialect))))
    op.create_index("ux_journal_position", "journal", ["position"], unique=True)
    op.create_table(
        "positions",
        sa.Column("name", WORD, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_positions"),
        sqlite_with_rowid=False,
    )
    op.execute(
        sa.text(
            "INSERT INTO positions (name, last) "
            "SELECT 'journal', max(position) FROM journal HAVING max(position) IS NOT NULL"
        )
    )
    for column in ("subject", "parent", "root"):
        op.add_column("runs", sa.Column(column, WORD))
    op.add_column("runs", sa.Column("owner", sa.BigInteger))
    op.execute(sa.text(_PARENTS.format(parent=_parent(dialect))))
    op.execute(sa.text(_ROOTS))
    about = sa.text("subject IS NOT NULL")
    op.create_index(
        "ix_runs_subject",
        "runs",
        ["subject", "run"],
        sqlite_where=about,
        postgresql_where=about,
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_index("ix_runs_subject", "runs")
    for column in ("owner", "root", "parent", "subject"):
        op.drop_column("runs", column)
    op.drop_table("positions")
    op.drop_index("ux_journal_position", "journal")
    op.drop_column("journal", "position")


# A clock may have been set back in the middle of a run: its own order comes first.
_PLACE = """
UPDATE journal SET position = placed.place
FROM (
    SELECT run, seq, row_number() OVER (ORDER BY reached, run, seq) AS place
    FROM (
        SELECT run, seq, max({at}) OVER (PARTITION BY run ORDER BY seq) AS reached FROM journal
    ) AS timed
) AS placed
WHERE placed.run = journal.run AND placed.seq = journal.seq
"""

_PARENTS = """
UPDATE runs SET parent = (
    SELECT {parent} FROM journal WHERE journal.run = runs.run AND journal.seq = 1
)
"""

_ROOTS = """
WITH RECURSIVE family (run, root) AS (
    SELECT run, run FROM runs WHERE parent IS NULL
    UNION ALL
    SELECT runs.run, family.root FROM runs JOIN family ON runs.parent = family.run
)
UPDATE runs SET root = coalesce((SELECT root FROM family WHERE family.run = runs.run), parent)
WHERE parent IS NOT NULL
"""


def _field(name: str, dialect: str) -> str:
    if dialect == "postgresql":
        return f"(CAST(body AS json) ->> '{name}') COLLATE \"C\""
    # What was damaged stays so, and does not keep the rest from being opened.
    return f"CASE WHEN json_valid(body) THEN json_extract(body, '$.{name}') END"


def _parent(dialect: str) -> str:
    if dialect == "postgresql":
        return "CAST(body AS json) -> 'parent' ->> 'run'"
    return "CASE WHEN json_valid(body) THEN json_extract(body, '$.parent.run') END"
