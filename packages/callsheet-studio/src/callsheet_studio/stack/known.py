"""A tool stack as it is known: of a home, or as it is shipped; and what has changed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.stack.queries import known_on
from callsheet_studio.stack.read import starting_stack

if TYPE_CHECKING:
    from datetime import date
    from typing import Self

    from callsheet.apps import Database
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.stack.changes import Change


class KnownStack(msgspec.Struct, frozen=True):
    """A stack, and where it comes from."""

    stack: Stack
    is_imported: bool
    """Else it is the starting data: nothing was imported."""
    changes: tuple[Change, ...] = ()
    """Of the tool that was asked for, by the imports."""

    @classmethod
    async def kept(cls, database: Database, day: date | None, tool: str | None) -> Self:
        """That of a database.

        Raises:
            InputError: nothing was known on that day.
        """
        from callsheet_studio.stack.keep import StackTables, current_stack

        tables = StackTables(database)
        is_imported = not await tables.is_empty()
        stack = await current_stack(database, day)
        changes = await tables.changes(tool) if is_imported and tool is not None else ()
        return cls(stack, is_imported, changes)

    @classmethod
    def starting(cls, day: date | None) -> Self:
        """As it is shipped.

        Raises:
            InputError: nothing was known on that day.
        """
        stack = starting_stack()
        return cls(stack if day is None else known_on(stack, day), is_imported=False)

    def origin(self) -> dict[str, Any]:
        """Where it comes from, as data."""
        return {
            "as_of": str(self.stack.as_of),
            "origin": "imported" if self.is_imported else "starting",
        }
