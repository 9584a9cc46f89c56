"""Context is each tenant's own.

Until now a scope was everybody's who knew its name. What a call has written goes to the tenant of
its run; what nobody's call has written, or a run that is gone, to the tenant `default`.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from collections.abc import Iterator

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

WORD = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TENANT = "default"
ITEM = "scope, name, version, size, saved_at, expires_at, key, body"
USE = "digest, scope, name, version"


def upgrade() -> None:
    """Say of every item whose it is."""
    _set_aside()
    _context("tenant", "scope", "name", "version")
    _uses("tenant", "scope", "name", "version")
    _take_back(f", '{TENANT}'", ", tenant")
    _give_back()


def downgrade() -> None:
    """Forget it."""
    _set_aside()
    _context("scope", "name", "version")
    _uses("scope", "name", "version")
    _take_back("", "")


def _set_aside() -> None:
    """Not renamed: SQLite would write the names of the tables in another way ever after."""
    for table in ("context", "context_uses"):
        # The names are our own words.
        op.execute(f"CREATE TABLE {table}_before AS SELECT * FROM {table}")  # noqa: S608
        op.drop_table(table)


def _take_back(values: str, columns: str) -> None:
    for table, own in (("context", ITEM), ("context_uses", USE)):
        # All of these are our own words.
        insert = f"INSERT INTO {table} ({own}{columns}) SELECT {own}{values} FROM {table}_before"  # noqa: S608
        op.execute(insert)
        op.drop_table(f"{table}_before")


def _context(*key: str) -> None:
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
        *_owner(key),
        sa.PrimaryKeyConstraint(*key, name="pk_context"),
    )
    for name, column, is_unique in (
        ("ux_context_key", "key", True),
        ("ix_context_expires", "expires_at", False),
    ):
        where = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            name,
            "context",
            [column],
            unique=is_unique,
            sqlite_where=where,
            postgresql_where=where,
        )


def _uses(*key: str) -> None:
    op.create_table(
        "context_uses",
        sa.Column("digest", WORD, nullable=False),
        sa.Column("scope", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        *_owner(key),
        sa.PrimaryKeyConstraint("digest", *key, name="pk_context_uses"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_context_uses_item", "context_uses", list(key))


def _owner(key: tuple[str, ...]) -> list[sa.Column[str]]:
    return [sa.Column("tenant", WORD, nullable=False)] if "tenant" in key else []


def _give_back() -> None:
    """Give the items that calls have written to the tenants of their runs."""
    connection = op.get_bind()
    written = set(connection.scalars(sa.text("SELECT key FROM context WHERE key IS NOT NULL")))
    if not written:
        return
    for key, tenant in _calls(connection):
        if key in written:
            given = {"tenant": tenant, "key": key}
            connection.execute(
                sa.text("UPDATE context SET tenant = :tenant WHERE key = :key"), given
            )
    connection.execute(
        sa.text(
            "UPDATE context_uses SET tenant = (SELECT context.tenant FROM context "
            "WHERE context.scope = context_uses.scope AND context.name = context_uses.name "
            "AND context.version = context_uses.version)"
        )
    )


def _calls(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """The keys of all calls of runs of other tenants, and whose they are."""
    others = sa.text("SELECT run, tenant FROM runs WHERE tenant != :tenant")
    for run, tenant in connection.execute(others, {"tenant": TENANT}).all():
        bodies = connection.scalars(
            sa.text("SELECT body FROM journal WHERE run = :run ORDER BY seq"), {"run": run}
        )
        steps = {json.loads(body).get("step") for body in bodies}
        for step in sorted(step for step in steps if isinstance(step, str)):
            # As `core/ids.py` makes it; what it was when this was written.
            yield hashlib.sha256(f"{run}\n{step}".encode()).hexdigest()[:32], tenant
