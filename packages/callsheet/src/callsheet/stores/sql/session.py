"""What the SQL store needs of a database: one connection, used by one thread at a time.

`sqlite.Session` and `postgres.session.PgSession` are it. Whatever is written by more than one of
them is written against this protocol, and in SQL that both understand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.stores.sql.statements import Bound, Param

Sync = Literal["full", "normal"]
Row: TypeAlias = tuple[Any, ...]

Channel = Literal["inbox", "news"]
"""What others wait for: `inbox`, a request for the driver; `news`, entries and verdicts."""


class ConflictError(Exception):
    """A row is there already. Never leaves the stores."""


class ReplacedError(Exception):
    """Another driver has taken over. Never leaves the stores."""


class Session(Protocol):
    """One connection, in autocommit mode between `begin` and `commit`.

    Statements without an answer may be sent later, together with the next one that has one, or
    with `commit`; so it may be `commit` that raises what they have to complain about.
    """

    def begin(self) -> None:
        """Begin a transaction that may write."""
        ...

    def commit(self) -> None:
        """Make everything since `begin` durable."""
        ...

    def rollback(self) -> None:
        """Take everything since `begin` back."""
        ...

    def do(self, bound: Bound) -> None:
        """Execute a statement whose answer nobody needs."""
        ...

    def run(self, bound: Bound) -> int:
        """Execute a statement and return how many rows it changed."""
        ...

    def all(self, bound: Bound) -> list[Row]:
        """The rows of a query."""
        ...

    def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        ...

    def insert(self, text: str, rows: Sequence[tuple[Param, ...]]) -> None:
        """Insert many rows with one statement.

        Raises:
            ConflictError: one of them is there already (now, or at the commit).
        """
        ...

    def check(self, fence: Bound) -> None:
        """See that a driver has not been replaced, before anything else in a transaction.

        Raises:
            ReplacedError: it has (now, or at the commit).
        """
        ...

    def tell(self, channel: Channel) -> None:
        """With the commit, wake whoever listens in other processes (if the database can)."""
        ...

    def wait_for_locks(self, seconds: float) -> None:
        """How long a lock of another process is waited for, from now on."""
        ...
