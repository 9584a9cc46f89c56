"""Alembic's way in: migrates the connection that `callsheet.stores.versions.upgrade` hands over."""

from __future__ import annotations

from alembic import context

from callsheet.stores.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite alters a table by copying it; and it does roll back DDL, if a transaction was begun.
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
