"""The studio's tables, by name. SQLAlchemy is imported once one of them is read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.apps import Branch

if TYPE_CHECKING:
    from sqlalchemy import MetaData


def _declared() -> MetaData:
    from callsheet_studio.schema import metadata

    return metadata


BRANCH = Branch(
    name="studio",
    metadata=_declared,
    revisions=("studio_0001",),
    migrations="callsheet_studio.migrations",
)
