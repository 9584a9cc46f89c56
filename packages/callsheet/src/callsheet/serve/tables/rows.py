"""Rows as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Row


def plain(row: Row[Any]) -> dict[str, Any]:
    """A row by its columns, whose names SQLAlchemy has as a kind of text of its own."""
    mapping = row._mapping  # noqa: SLF001 -- SQLAlchemy's public name for it
    return {str(name): found for name, found in mapping.items()}
