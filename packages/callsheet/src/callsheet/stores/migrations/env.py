"""Alembic's way in: migrates the connection that `callsheet.stores.sqlite.versions` hands over."""

from __future__ import annotations

from alembic import context

branch = context.config.attributes.get("branch")
"""The client whose tables are migrated; None: they are the engine's."""

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=branch.declared if branch else None,
    version_table=branch.stamp if branch else "alembic_version",
    # SQLite alters a table by copying it; and it does roll back DDL, if a transaction was begun.
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
