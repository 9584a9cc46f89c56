"""The tables, declared once for every database we use.

`journal` is the truth; `runs` is an index derived from it, changed in the same transaction. Times
are ISO 8601 text in UTC, as in journals, so that no driver has a say in them. A change here needs
a migration; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

# The primary key is the clustered order: the entries of a run lie together, and run ids sort by
# the time of the start, so new runs land at the end, however many old ones there are.
journal = Table(
    "journal",
    metadata,
    Column("run", String, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("run", "seq", name="pk_journal"),
    sqlite_with_rowid=False,
)

runs = Table(
    "runs",
    metadata,
    Column("run", String, nullable=False),
    Column("name", String, nullable=False),
    Column("plan", String, nullable=False),
    Column("content", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("key", String),
    Column("started_at", String, nullable=False),
    Column("ended", String),
    Column("ended_at", String),
    PrimaryKeyConstraint("run", name="pk_runs"),
    sqlite_with_rowid=False,
)

_KEYED = text("key IS NOT NULL")
_OPEN = text("ended IS NULL")
_PENDING = text("settled IS NULL")

Index(
    "ux_runs_tenant_key",
    runs.c.tenant,
    runs.c.key,
    unique=True,
    sqlite_where=_KEYED,
    postgresql_where=_KEYED,
)
Index("ix_runs_open", runs.c.run, sqlite_where=_OPEN, postgresql_where=_OPEN)

inbox = Table(
    "inbox",
    metadata,
    Column("seq", Integer, nullable=False),
    Column("id", String, nullable=False),
    Column("run", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("settled", Text),
    PrimaryKeyConstraint("seq", name="pk_inbox"),
    UniqueConstraint("id", name="uq_inbox_id"),
    # Without it SQLite would give the number of a deleted last row again: order would lie.
    sqlite_autoincrement=True,
)

Index("ix_inbox_pending", inbox.c.seq, sqlite_where=_PENDING, postgresql_where=_PENDING)
Index("ix_inbox_run", inbox.c.run)

plans = Table(
    "plans",
    metadata,
    Column("name", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("saved_at", String, nullable=False),
    PrimaryKeyConstraint("name", "version", name="pk_plans"),
    sqlite_with_rowid=False,
)

# Alembic's own table, exactly as Alembic makes it: a new database is created and an up-to-date one
# recognised without importing Alembic, which would cost every start 0.4 s and 10 MB.
alembic_version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
