"""The service's tables, declared once. A change here needs a migration.

Times are ISO 8601 text in UTC, so that they compare. Of keys and tickets only a hash is kept.
Importing this module imports SQLAlchemy; `branch` is what names the tables without it.
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
)

metadata = MetaData()

WORD = String().with_variant(String(collation="C"), "postgresql")
"""Names and ids, which sort by code point in every database."""

keys = Table(
    "serve_keys",
    metadata,
    Column("id", WORD, nullable=False),
    Column("tenant", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("digest", WORD, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("limits", Text, nullable=False),
    Column("made_at", WORD, nullable=False),
    Column("expires_at", WORD),
    Column("revoked_at", WORD),
    PrimaryKeyConstraint("id", name="pk_serve_keys"),
)
Index("ux_serve_keys_digest", keys.c.digest, unique=True)

answers = Table(
    "serve_answers",
    metadata,
    Column("tenant", WORD, nullable=False),
    Column("key", WORD, nullable=False),
    Column("request", WORD, nullable=False),
    Column("holder", WORD, nullable=False),
    Column("until", WORD, nullable=False),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", Text),
    PrimaryKeyConstraint("tenant", "key", name="pk_serve_answers"),
)
Index("ix_serve_answers_until", answers.c.until)

audit = Table(
    "serve_audit",
    metadata,
    Column("id", WORD, nullable=False),
    Column("tenant", WORD, nullable=False),
    Column("at", WORD, nullable=False),
    Column("who", WORD, nullable=False),
    Column("key", WORD),
    Column("address", WORD, nullable=False),
    Column("method", WORD, nullable=False),
    Column("path", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("request", WORD, nullable=False),
    PrimaryKeyConstraint("id", name="pk_serve_audit"),
)
Index("ix_serve_audit_tenant", audit.c.tenant, audit.c.id)

tickets = Table(
    "serve_tickets",
    metadata,
    Column("digest", WORD, nullable=False),
    Column("key", WORD),
    Column("path", Text, nullable=False),
    Column("expires_at", WORD, nullable=False),
    PrimaryKeyConstraint("digest", name="pk_serve_tickets"),
)

secrets = Table(
    "serve_secrets",
    metadata,
    Column("name", WORD, nullable=False),
    Column("value", WORD, nullable=False),
    PrimaryKeyConstraint("name", name="pk_serve_secrets"),
)

uploads = Table(
    "serve_uploads",
    metadata,
    Column("tenant", WORD, nullable=False),
    Column("digest", WORD, nullable=False),
    Column("media_type", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("at", WORD, nullable=False),
    PrimaryKeyConstraint("tenant", "digest", name="pk_serve_uploads"),
)
