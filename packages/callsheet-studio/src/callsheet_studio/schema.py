"""The studio's tables in the engine's database, declared once. A change here needs a migration.

Facts of the tool stack are never changed or deleted: a newer row supersedes an older one. `number`
is that of the import which brought a row. Dates are ISO 8601 text; USD are billionths, so that they
compare and add up; `body` is the whole fact as JSON. Importing this module imports SQLAlchemy;
`branch` is what names the tables without it.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
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

imports = Table(
    "studio_imports",
    metadata,
    Column("number", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("number", name="pk_studio_imports"),
)

sources = Table(
    "studio_sources",
    metadata,
    Column("id", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("id", "number", name="pk_studio_sources"),
)

tools = Table(
    "studio_tools",
    metadata,
    Column("id", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("vendor", WORD, nullable=False),
    Column("category", WORD, nullable=False),
    Column("status", WORD, nullable=False),
    Column("retires", WORD),
    Column("body", Text),
    PrimaryKeyConstraint("id", "number", name="pk_studio_tools"),
)
"""Without a body it is not in the stack any more."""

offers = Table(
    "studio_offers",
    metadata,
    Column("id", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("tool", WORD, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("provider", WORD, nullable=False),
    Column("unit", WORD, nullable=False),
    Column("nano_usd", BigInteger, nullable=False),
    Column("resolution", WORD),
    Column("until", WORD),
    Column("source", WORD, nullable=False),
    Column("body", Text),
    PrimaryKeyConstraint("id", "number", name="pk_studio_offers"),
)
"""Without a body nobody offers it any more."""

Index("ix_studio_offers_tool", offers.c.tool)

benchmarks = Table(
    "studio_benchmarks",
    metadata,
    Column("tool", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("board", WORD, nullable=False),
    Column("score", Double, nullable=False),
    Column("source", WORD, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("tool", "number", "place", name="pk_studio_benchmarks"),
)
"""Those of a row of `tools`: with its id and number."""

sota_techniques = Table(
    "studio_sota_techniques",
    metadata,
    Column("id", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("status", WORD, nullable=False),
    Column("source", WORD, nullable=False),
    Column("body", Text),
    PrimaryKeyConstraint("id", "number", name="pk_studio_sota_techniques"),
)

workflows = Table(
    "studio_workflows",
    metadata,
    Column("id", WORD, nullable=False),
    Column("number", Integer, nullable=False),
    Column("as_of", WORD, nullable=False),
    Column("name", WORD, nullable=False),
    Column("recipe", WORD, nullable=False),
    Column("source", WORD, nullable=False),
    Column("body", Text),
    PrimaryKeyConstraint("id", "number", name="pk_studio_workflows"),
)

changes = Table(
    "studio_changes",
    metadata,
    Column("number", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("kind", WORD, nullable=False),
    Column("tool", WORD, nullable=False),
    Column("offer", WORD),
    Column("before", Text),
    Column("after", Text),
    Column("source", WORD, nullable=False),
    Column("as_of", WORD, nullable=False),
    PrimaryKeyConstraint("number", "place", name="pk_studio_changes"),
)

Index("ix_studio_changes_tool", changes.c.tool)
