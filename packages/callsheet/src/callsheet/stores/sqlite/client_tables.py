"""A client's own tables in a database that a store lends: made, brought up to date, used.

Synchronous, and called in threads; `lending` is the way in. Importing this module imports
SQLAlchemy.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec
from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, String, Table, inspect, select
from sqlalchemy.exc import DBAPIError

from callsheet.errors import StoreCorruptError, StoreError, StoreVersionError
from callsheet.stores.sqlite import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection, Engine

    from callsheet.ports import Branch

T = TypeVar("T")


class Lender(Protocol):
    """What a store lends: a way into its database, and its words for what can go wrong there."""

    name: str
    """What messages call the database."""
    writes: AbstractContextManager[object]
    """Held while somebody of this process writes: at the database, who waits asks all the time."""
    reads: AbstractContextManager[object]
    """Held while somebody of this process reads."""

    @property
    def closed(self) -> bool:
        """Whether the store is."""
        ...

    def may_hold(self, branch: Branch) -> bool:
        """Whether there may be tables of a branch, as far as can be seen without SQLAlchemy."""
        ...

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's access to it; keeps no connection open."""
        ...

    def begin(self, connection: Connection, branch: str, *, write: bool) -> None:
        """What comes first in a transaction: who writes is alone among those of the branch."""
        ...

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of the driver's; None: it is not one."""
        ...

    def number(self, connection: Connection) -> str | None:
        """What the database calls a transaction that is to be committed; None: it has no name."""
        ...

    def was_made(self, number: str) -> bool | None:
        """Whether that transaction was committed; None: nobody can tell."""
        ...


class ClientTables:
    """The tables of one branch."""

    def __init__(self, lender: Lender, branch: Branch) -> None:
        self._lender = lender
        self._branch = branch
        self._metadata = branch.declared

    def reading(self, act: Callable[[Connection], T]) -> T:
        """Call it with a connection whose queries all see the database at one moment."""
        with self._lender.reads, self._connected(write=False) as connection:
            return act(connection)

    def writing(self, act: Callable[[Connection], T], *, key: str | None = None) -> T:
        """Call it in a transaction; nobody else writes meanwhile."""
        with self._lender.writes, self._connected(write=True) as connection:
            return act(connection) if key is None else self._once(connection, act, key)

    def _once(self, connection: Connection, act: Callable[[Connection], T], key: str) -> T:
        """What comes of it, or came of it when it was done under this key."""
        scope = f"database:{self._branch.name}"
        made = select(_WRITES.c.answer).where(_WRITES.c.scope == scope, _WRITES.c.key == key)
        answer = connection.scalar(made)
        if answer is None:
            # As it will be told again: what cannot be spelled in JSON is refused now.
            answer = msgspec.json.encode(act(connection)).decode()
            connection.execute(
                _WRITES.insert().values(scope=scope, key=key, content="", answer=answer, at="")
            )
        told: T = msgspec.json.decode(answer)
        return told

    def revision(self) -> str | None:
        """Which one the tables are at; None: there are none.

        Raises:
            StoreVersionError: a newer version made them.
            StoreCorruptError: there are some of somebody else.
        """
        return self.reading(self._revision)

    def bring_up_to_date(self) -> None:
        """Make the tables, or migrate them."""
        self.writing(self._bring_up_to_date)

    @contextmanager
    def _connected(self, *, write: bool) -> Iterator[Connection]:
        try:
            with self._lender.engine.connect() as connection:
                self._lender.begin(connection, self._branch.name, write=write)
                yield connection
                if write:
                    self._commit(connection)
        except DBAPIError as exc:
            error = self._lender.failure(exc)
            if error is None:
                raise
            raise error from exc

    def _commit(self, connection: Connection) -> None:
        number = self._lender.number(connection)
        try:
            connection.commit()
        except DBAPIError as exc:
            made = self._lender.was_made(number) if number is not None else False
            if made is None:
                raise StoreError(
                    f"The connection to {self._lender.name!r} was lost in a commit, and nobody "
                    "knows whether it was made. Look, or write again with the same key."
                ) from exc
            if not made:
                raise

    def _bring_up_to_date(self, connection: Connection) -> None:
        # Looked at again: another process may have been first.
        revision = self._revision(connection)
        if revision is None:
            self._metadata.create_all(connection, checkfirst=False)
            stamp = _stamp(self._branch)
            stamp.create(connection, checkfirst=False)
            connection.execute(stamp.insert().values(version_num=self._branch.head))
        elif revision != self._branch.head:
            versions.migrate_branch(connection, self._branch)

    def _revision(self, connection: Connection) -> str | None:
        branch = self._branch
        tables = set(inspect(connection).get_table_names())
        if branch.stamp not in tables:
            if foreign := sorted(tables & set(self._metadata.tables)):
                raise StoreCorruptError(
                    f"{self._lender.name!r} has a table {foreign[0]!r} of somebody else where one "
                    f"of {branch.name!r} would be. Move it away, or use another home."
                )
            return None
        revision = connection.scalar(select(_stamp(branch).c.version_num))
        if revision in branch.revisions:
            return str(revision)
        raise StoreVersionError(
            f"The tables of {branch.name!r} in {self._lender.name!r} were written by a newer "
            f"version (schema {revision}; this one knows up to {branch.head}). Upgrade callsheet."
        )


_WRITES = Table(
    "writes",
    MetaData(),
    *(Column(name, String) for name in ("scope", "key", "content", "answer", "at")),
)


def _stamp(branch: Branch) -> Table:
    """Alembic's own table, exactly as Alembic makes it."""
    return Table(
        branch.stamp,
        MetaData(),
        Column("version_num", String(32), nullable=False),
        PrimaryKeyConstraint("version_num", name=f"{branch.stamp}_pkc"),
    )
