"""What the parts of a SQL store share: its reader, its writer and its statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from callsheet.stores import refusals

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable

    from callsheet.stores.sql.fence import Fence
    from callsheet.stores.sql.session import Row
    from callsheet.stores.sql.statements import Bound, Statements
    from callsheet.stores.sql.writer import Writer

T = TypeVar("T")


class Reads(Protocol):
    """A view of the database that is always as new as the last commit."""

    async def all(self, bound: Bound) -> list[Row]:
        """The rows of a query that has few."""
        ...

    async def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        ...

    def soon(self, bound: Bound, convert: Callable[[list[Row]], T]) -> Future[T]:
        """The rows of a query that has few, converted; done already, if there is no network."""
        ...

    async def apart(self, bound: Bound, convert: Callable[[list[Row]], T]) -> T:
        """The rows of a query that may have many, converted without disturbing the loop."""
        ...


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """The way to one database."""

    name: str
    """What messages call it: a home, or the address of a database without its password."""
    reader: Reads
    writer: Writer
    statements: Statements
    fence: Fence
    """A driver's number; one that does not drive has none."""

    def must_drive(self) -> None:
        """Refuse what only the driver may do.

        Raises:
            StoreBusyError: this process does not drive, or not any more.
        """
        if self.fence.lost is not None:
            raise refusals.again(self.fence.lost)
        if not self.fence.number:
            raise refusals.not_driving(self.name)
