"""What a statement is once it is compiled: text for the driver, and the order of its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

Param: TypeAlias = str | int | None

AT_ONCE = 100
"""Digests that are asked about in one query."""


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
