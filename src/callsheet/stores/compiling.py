"""How a statement becomes text: SQLAlchemy compiles it, for one dialect."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam

from callsheet.stores.compiled import Statement

if TYPE_CHECKING:
    from sqlalchemy import ClauseElement, Column, ColumnElement
    from sqlalchemy.engine import Dialect


class Compiled:
    """Statements for one dialect; each is compiled when it is first needed."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    @classmethod
    def all_names(cls) -> list[str]:
        """The names of all of them."""
        parts = {name: part for each in cls.__mro__ for name, part in vars(each).items()}
        return sorted(name for name, part in parts.items() if isinstance(part, cached_property))

    def _compile(self, clause: ClauseElement) -> Statement:
        compiled = clause.compile(dialect=self._dialect)
        names = tuple(getattr(compiled, "positiontup", None) or ())
        fixed = {name: val for name, val in compiled.params.items() if val is not None}
        return Statement(str(compiled), names, fixed)


def is_(column: Column[Any]) -> ColumnElement[bool]:
    """The column has the value that is bound under its name."""
    return column == bindparam(column.name)
