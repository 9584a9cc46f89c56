"""What a statement is once it is compiled: text for the driver, and the order of its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import bindparam

from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ClauseElement, Column, ColumnElement
    from sqlalchemy.engine import Dialect

Param: TypeAlias = str | int | None


class Bound(NamedTuple):
    """A statement with its values, ready for the driver."""

    text: str
    params: tuple[Param, ...]


class Statement(Frozen):
    """A compiled statement."""

    text: str
    names: tuple[str, ...]
    """Of its parameters, in the order the driver wants them."""
    fixed: Mapping[str, Param]
    """Parameters that the compiler itself put in."""

    def bind(self, **values: Param) -> Bound:
        """Give it its values."""
        given = {**self.fixed, **values}
        return Bound(self.text, tuple(given[name] for name in self.names))


class Compiled:
    """Statements for one dialect; each is compiled when it is first needed."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def _compile(self, clause: ClauseElement) -> Statement:
        compiled = clause.compile(dialect=self._dialect)
        names = tuple(getattr(compiled, "positiontup", None) or ())
        fixed = {name: val for name, val in compiled.params.items() if val is not None}
        return Statement(str(compiled), names, fixed)


def is_(column: Column[Any]) -> ColumnElement[bool]:
    """The column has the value that is bound under its name."""
    return column == bindparam(column.name)
