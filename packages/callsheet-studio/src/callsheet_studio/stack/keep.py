"""The tool stack in the studio's tables: every import is kept, the newest is what is true.

What touches rows (`rows`) is imported when there are any, by the event loop's thread: it needs
SQLAlchemy, and most homes never had a stack imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.stack.changes import Changes, changes_between
from callsheet_studio.stack.queries import known_on
from callsheet_studio.stack.read import starting_stack

if TYPE_CHECKING:
    from datetime import date

    from callsheet.apps import Database
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.stack.changes import Change


class StackTables:
    """The tool stack of a home: `StackTables(engine.database(BRANCH))`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_empty(self) -> bool:
        """Whether nothing was ever imported; makes no tables."""
        if not await self._database.exists():
            return True
        from callsheet_studio.stack import rows

        return await self._database.read(rows.newest) is None

    async def replace(self, stack: Stack) -> Changes:
        """Make a stack the one that is true, in one transaction; what differs is recorded.

        The same stack again changes nothing.
        """
        from callsheet_studio.stack import rows

        return await self._database.write(lambda connection: rows.replace(connection, stack))

    async def compare(self, stack: Stack) -> Changes:
        """What `replace` would change; writes nothing, and makes no tables."""
        before = None if await self.is_empty() else await self.load()
        return Changes(number=None, changes=changes_between(before, stack))

    async def load(self, as_of: date | None = None) -> Stack:
        """The stack as it was imported last, or as it was known on a day.

        Raises:
            InputError: nothing was imported, or nothing was known on that day.
        """
        from callsheet_studio.stack import rows

        return await self._database.read(lambda connection: rows.load(connection, as_of))

    async def changes(self, tool: str | None = None) -> tuple[Change, ...]:
        """What imports have changed, newest import first; of one stack tool, or of all."""
        from callsheet_studio.stack import rows

        return await self._database.read(lambda connection: rows.changes(connection, tool))


async def current_stack(database: Database, as_of: date | None = None) -> Stack:
    """The stack to plan with: what was imported, or, if nothing was, what is shipped.

    Makes no tables.

    Raises:
        InputError: nothing was known on that day.
    """
    tables = StackTables(database)
    if await tables.is_empty():
        return starting_stack() if as_of is None else known_on(starting_stack(), as_of)
    return await tables.load(as_of)
