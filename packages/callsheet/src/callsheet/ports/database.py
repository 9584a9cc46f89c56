"""Tables of a client's own, in the engine's database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, MetaData

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9]{1,19}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """What a client keeps in the engine's database, and how it got to be as it is."""

    name: str
    """All its tables begin with it: those of `studio` are `studio_…`."""
    metadata: MetaData | Callable[[], MetaData]
    """Its tables, as SQLAlchemy declares them; of types that every database has. Or what declares
    them once they are needed: SQLAlchemy is slow to import."""
    revisions: tuple[str, ...]
    """All there have been, oldest first."""
    migrations: str
    """The package of its Alembic scripts, one for each revision."""

    def __post_init__(self) -> None:
        if not _NAME.match(self.name):
            raise ValueError(f"{self.name!r} is no name of a branch: a-z and 0-9, at most 20.")
        if not self.revisions:
            raise ValueError(f"The branch {self.name!r} has no revision: name the first, too.")
        if not callable(self.metadata):
            self._checked(self.metadata)

    @property
    def declared(self) -> MetaData:
        """Its tables. Those that are told only now are looked at now.

        Raises:
            ValueError: not all of them begin with its name.
        """
        return self._checked(self.metadata()) if callable(self.metadata) else self.metadata

    def _checked(self, metadata: MetaData) -> MetaData:
        foreign = [t for t in metadata.tables if not t.startswith(f"{self.name}_")]
        if foreign:
            raise ValueError(f"The tables of the branch {self.name!r} are {self.name}_…: {foreign}")
        return metadata

    @property
    def head(self) -> str:
        """The revision that its tables are declared at."""
        return self.revisions[-1]

    @property
    def stamp(self) -> str:
        """The table that says which revision a database is at."""
        return f"alembic_version_{self.name}"


class Database(Protocol):
    """A client's own tables. They are made, and brought to its revision, when they are first used.

    What is done here has nothing to do with runs: it is durable when it returns, and no journal
    knows of it. Every process that has the home open may read and write, whoever drives.
    """

    async def exists(self) -> bool:
        """Whether its tables are there; makes nothing.

        Raises:
            StoreVersionError: a newer version made them.
        """
        ...

    async def read(self, act: Callable[[Connection], T]) -> T:
        """Have something read, in a thread; all its queries see the database at one moment.

        Raises:
            StoreVersionError: a newer version made the tables.
            StoreError: the database cannot be read.
        """
        ...

    async def write(self, act: Callable[[Connection], T], *, key: str | None = None) -> T:
        """Have something written, in a thread and one transaction; nobody else writes meanwhile.

        What `act` raises takes all of it back. While it goes on others wait, runs too: it is short.
        The same `key` of a client is the same write: it is made once, and returns what it returned,
        as JSON spells it.

        Raises:
            StoreVersionError: a newer version made the tables.
            StoreBusyError: another process writes, and does not end.
            StoreError: the database cannot be written; nothing was, unless it says that nobody
                knows: then it may be written again with the same key.
        """
        ...
