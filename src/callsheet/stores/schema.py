"""The tables, declared once for every database we use.

`journal` is the truth; `runs`, `artifact_uses`, `cache` and `reservations` are indexes derived from
it, changed in the same transaction. Times are ISO 8601 text in UTC, as in journals, so that no
driver has a say in them. A change here needs a migration, and `python -m callsheet.stores.kept`;
tests compare all three.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

WORD = String().with_variant(String(collation="C"), "postgresql")
"""Names and ids. PostgreSQL would sort them as a language does; we sort by code point, always."""

# The primary key is the clustered order: the entries of a run lie together, and run ids sort by
# the time of the start, so new runs land at the end, however many old ones there are.
journal = Table(
    "journal",
    metadata,
    Column("run", WORD, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("run", "seq", name="pk_journal"),
    sqlite_with_rowid=False,
)

runs = Table(
    "runs",
    metadata,
    Column("run", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("plan", WORD, nullable=False),
    Column("content", WORD, nullable=False),
    Column("tenant", WORD, nullable=False),
    Column("key", WORD),
    Column("started_at", WORD, nullable=False),
    Column("ended", WORD),
    Column("ended_at", WORD),
    PrimaryKeyConstraint("run", name="pk_runs"),
    sqlite_with_rowid=False,
)

WHERE = "where"
"""What a partial index is limited to. Said without naming a database: SQLAlchemy would import the
dialects of all that are named, and PostgreSQL's takes a while."""

_KEYED = text("key IS NOT NULL")
_OPEN = text("ended IS NULL")
_PENDING = text("settled IS NULL")

Index(
    "ux_runs_tenant_key",
    runs.c.tenant,
    runs.c.key,
    unique=True,
    info={WHERE: _KEYED},
)
Index("ix_runs_open", runs.c.run, info={WHERE: _OPEN})

inbox = Table(
    "inbox",
    metadata,
    Column("seq", Integer, nullable=False),
    Column("id", WORD, nullable=False),
    Column("run", WORD, nullable=False),
    Column("body", Text, nullable=False),
    Column("settled", Text),
    PrimaryKeyConstraint("seq", name="pk_inbox"),
    UniqueConstraint("id", name="uq_inbox_id"),
    # Without it SQLite would give the number of a deleted last row again: order would lie.
    sqlite_autoincrement=True,
)

Index("ix_inbox_pending", inbox.c.seq, info={WHERE: _PENDING})
Index("ix_inbox_run", inbox.c.run)

plans = Table(
    "plans",
    metadata,
    Column("name", WORD, nullable=False),
    Column("version", Integer, nullable=False),
    Column("digest", WORD, nullable=False),
    Column("body", Text, nullable=False),
    Column("saved_at", WORD, nullable=False),
    PrimaryKeyConstraint("name", "version", name="pk_plans"),
    sqlite_with_rowid=False,
)

# Which entries name which artifacts. Clustered by artifact: the question is where one occurs.
artifact_uses = Table(
    "artifact_uses",
    metadata,
    Column("digest", WORD, nullable=False),
    Column("run", WORD, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("step", WORD, nullable=False),
    Column("role", WORD, nullable=False),
    PrimaryKeyConstraint("digest", "run", "seq", "role", name="pk_artifact_uses"),
    sqlite_with_rowid=False,
)

Index(
    "ix_artifact_uses_run",
    artifact_uses.c.run,
    artifact_uses.c.seq,
    artifact_uses.c.role,
    artifact_uses.c.digest,
)

# Calls that may serve again; the youngest of a key is the last of its rows.
cache = Table(
    "cache",
    metadata,
    Column("key", WORD, nullable=False),
    Column("at", WORD, nullable=False),
    Column("run", WORD, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("step", WORD, nullable=False),
    PrimaryKeyConstraint("key", "at", "run", "seq", name="pk_cache"),
    sqlite_with_rowid=False,
)

Index("ix_cache_run", cache.c.run)

# USD and credits in billionths, tokens one by one: whole numbers add up.
accounts = Table(
    "accounts",
    metadata,
    Column("tenant", WORD, nullable=False),
    Column("granted_usd", BigInteger, nullable=False),
    Column("granted_credits", BigInteger, nullable=False),
    Column("granted_tokens", BigInteger, nullable=False),
    Column("available_usd", BigInteger, nullable=False),
    Column("available_credits", BigInteger, nullable=False),
    Column("available_tokens", BigInteger, nullable=False),
    Column("reserved_usd", BigInteger, nullable=False),
    Column("reserved_credits", BigInteger, nullable=False),
    Column("reserved_tokens", BigInteger, nullable=False),
    Column("spent_usd", BigInteger, nullable=False),
    Column("spent_credits", BigInteger, nullable=False),
    Column("spent_tokens", BigInteger, nullable=False),
    Column("postings", BigInteger, nullable=False),
    Column("posted_at", WORD, nullable=False),
    PrimaryKeyConstraint("tenant", name="pk_accounts"),
    sqlite_with_rowid=False,
)

postings = Table(
    "postings",
    metadata,
    Column("tenant", WORD, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("at", WORD, nullable=False),
    Column("kind", WORD, nullable=False),
    Column("usd", BigInteger, nullable=False),
    Column("credits", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("run", WORD),
    Column("note", Text, nullable=False),
    Column("by", WORD),
    PrimaryKeyConstraint("tenant", "number", name="pk_postings"),
    sqlite_with_rowid=False,
)

# What runs that are kept hold of their tenants' accounts, and have been charged.
reservations = Table(
    "reservations",
    metadata,
    Column("run", WORD, nullable=False),
    Column("tenant", WORD, nullable=False),
    Column("held_usd", BigInteger, nullable=False),
    Column("held_credits", BigInteger, nullable=False),
    Column("held_tokens", BigInteger, nullable=False),
    Column("charged_usd", BigInteger, nullable=False),
    Column("charged_credits", BigInteger, nullable=False),
    Column("charged_tokens", BigInteger, nullable=False),
    PrimaryKeyConstraint("run", name="pk_reservations"),
    sqlite_with_rowid=False,
)

context = Table(
    "context",
    metadata,
    Column("scope", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("version", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("saved_at", WORD, nullable=False),
    Column("expires_at", WORD),
    Column("key", WORD),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("scope", "name", "version", name="pk_context"),
)

_EXPIRING = text("expires_at IS NOT NULL")

Index(
    "ux_context_key",
    context.c.key,
    unique=True,
    info={WHERE: _KEYED},
)
Index(
    "ix_context_expires",
    context.c.expires_at,
    info={WHERE: _EXPIRING},
)

# Which context items name which artifacts.
context_uses = Table(
    "context_uses",
    metadata,
    Column("digest", WORD, nullable=False),
    Column("scope", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("digest", "scope", "name", "version", name="pk_context_uses"),
    sqlite_with_rowid=False,
)

Index("ix_context_uses_item", context_uses.c.scope, context_uses.c.name, context_uses.c.version)

# Alembic's own table, exactly as Alembic makes it: a new database is created and an up-to-date one
# recognised without importing Alembic, which would cost every start 0.4 s and 10 MB.
alembic_version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
