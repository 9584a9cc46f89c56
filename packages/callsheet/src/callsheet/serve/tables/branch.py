"""The service's tables, by name. SQLAlchemy is imported once one of them is read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.ports import Branch

if TYPE_CHECKING:
    from sqlalchemy import MetaData


def _declared() -> MetaData:
    from callsheet.serve.tables.schema import metadata

    return metadata


BRANCH = Branch(
    name="serve",
    metadata=_declared,
    revisions=("serve_0001", "serve_0002"),
    migrations="callsheet.serve.tables.migrations",
)
