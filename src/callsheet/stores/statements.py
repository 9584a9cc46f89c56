"""Every statement, built from the tables and compiled once to text.

The store hands the text to the database driver itself: SQLAlchemy's own work for each execution
(40 µs, measured) is ten times SQLite's. Only inserts are executed with bare rows, in the
order of the table's columns; everything else binds by name. What SQLite is told is kept as text
(`kept`): run `python -m callsheet.stores.kept` after a change here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.schema import CreateIndex, CreateTable

from callsheet.stores.compiling import is_
from callsheet.stores.context_statements import ContextStatements
from callsheet.stores.index_statements import IndexStatements
from callsheet.stores.ledger_statements import LedgerStatements
from callsheet.stores.schema import WHERE, alembic_version, inbox, journal, metadata, plans, runs

if TYPE_CHECKING:
    from sqlalchemy import Select

    from callsheet.stores.compiled import Statement


class Statements(IndexStatements, LedgerStatements, ContextStatements):
    """The statements, for one dialect: those of runs, requests and plans, and all others."""

    @property
    def ddl(self) -> list[str]:
        """Create every table and index."""
        tables = [*metadata.sorted_tables, alembic_version]
        creates = [CreateTable(table).compile(dialect=self._dialect) for table in tables]
        indexes = sorted((i for t in tables for i in t.indexes), key=lambda index: str(index.name))
        for index in indexes:
            index.dialect_kwargs[f"{self._dialect.name}_where"] = index.info.get(WHERE)
        creates += [CreateIndex(index).compile(dialect=self._dialect) for index in indexes]
        return [str(create) for create in creates]

    @cached_property
    def append(self) -> Statement:
        """Add an entry to a journal."""
        return self._compile(insert(journal))

    @cached_property
    def length(self) -> Statement:
        """How many entries a run has; NULL for none."""
        return self._compile(select(func.max(journal.c.seq)).where(is_(journal.c.run)))

    @cached_property
    def entries(self) -> Statement:
        """The entries of a run after a number, in order."""
        query = (
            select(journal.c.seq, journal.c.body)
            .where(is_(journal.c.run), journal.c.seq > bindparam("after"))
            .order_by(journal.c.seq)
            .limit(bindparam("limit"))
        )
        return self._compile(query)

    @cached_property
    def forget_entries(self) -> Statement:
        """Remove a run's journal."""
        return self._compile(delete(journal).where(is_(journal.c.run)))

    @cached_property
    def start(self) -> Statement:
        """Add a run to the index."""
        return self._compile(insert(runs))

    @cached_property
    def end(self) -> Statement:
        """Say in the index how a run ended; NULL: it is open again."""
        query = (
            update(runs)
            .where(is_(runs.c.run))
            .values(ended=bindparam("state"), ended_at=bindparam("at"))
        )
        return self._compile(query)

    @cached_property
    def forget_run(self) -> Statement:
        """Remove a run from the index."""
        return self._compile(delete(runs).where(is_(runs.c.run)))

    @cached_property
    def head(self) -> Statement:
        """What the index says of a run."""
        return self._compile(select(runs).where(is_(runs.c.run)))

    @cached_property
    def find(self) -> Statement:
        """The run of a start key."""
        return self._compile(select(runs).where(is_(runs.c.tenant), is_(runs.c.key)))

    @cached_property
    def heads(self) -> Statement:
        """Runs, newest first."""
        return self._compile(_newest(select(runs)))

    @cached_property
    def heads_before(self) -> Statement:
        """Runs started before one, newest first."""
        return self._compile(_newest(select(runs).where(runs.c.run < bindparam("before"))))

    @cached_property
    def open_heads(self) -> Statement:
        """Runs that have not ended, newest first."""
        return self._compile(_newest(select(runs).where(runs.c.ended.is_(None))))

    @cached_property
    def open_heads_before(self) -> Statement:
        """Runs that have not ended and were started before one, newest first."""
        query = select(runs).where(runs.c.ended.is_(None), runs.c.run < bindparam("before"))
        return self._compile(_newest(query))

    @cached_property
    def put(self) -> Statement:
        """Leave a request."""
        return self._compile(
            insert(inbox).values(id=bindparam("id"), run=bindparam("run"), body=bindparam("body"))
        )

    @cached_property
    def request(self) -> Statement:
        """What became of a request; no row: there is none; NULL: nothing yet."""
        return self._compile(select(inbox.c.settled).where(is_(inbox.c.id)))

    @cached_property
    def pending(self) -> Statement:
        """Requests that are not settled, oldest first."""
        query = select(inbox.c.body).where(inbox.c.settled.is_(None)).order_by(inbox.c.seq)
        return self._compile(query)

    @cached_property
    def settle(self) -> Statement:
        """Say what became of a request, unless it has been said."""
        query = (
            update(inbox)
            .where(inbox.c.id == bindparam("request"), inbox.c.settled.is_(None))
            .values(settled=bindparam("verdict"))
        )
        return self._compile(query)

    @cached_property
    def forget_requests(self) -> Statement:
        """Remove a run's requests."""
        return self._compile(delete(inbox).where(is_(inbox.c.run)))

    @cached_property
    def save(self) -> Statement:
        """Add a version of a plan."""
        return self._compile(insert(plans))

    @cached_property
    def versions(self) -> Statement:
        """All versions of a plan, oldest first."""
        return self._compile(select(plans).where(is_(plans.c.name)).order_by(plans.c.version))

    @cached_property
    def version(self) -> Statement:
        """One version of a plan."""
        return self._compile(select(plans).where(is_(plans.c.name), is_(plans.c.version)))

    @cached_property
    def newest(self) -> Statement:
        """The newest version of a plan."""
        by_age = plans.c.version.desc()
        return self._compile(select(plans).where(is_(plans.c.name)).order_by(by_age).limit(1))

    @cached_property
    def shelf(self) -> Statement:
        """The newest version of each plan, by name."""
        later = plans.alias("later")
        is_newest = ~(
            select(later.c.version)
            .where(later.c.name == plans.c.name, later.c.version > plans.c.version)
            .exists()
        )
        return self._compile(select(plans).where(is_newest).order_by(plans.c.name))

    @cached_property
    def user_of_plan(self) -> Statement:
        """An open run of any version of a plan."""
        digests = select(plans.c.digest).where(is_(plans.c.name))
        query = select(runs.c.run).where(runs.c.ended.is_(None), runs.c.plan.in_(digests)).limit(1)
        return self._compile(query)

    @cached_property
    def forget_plan(self) -> Statement:
        """Remove all versions of a plan."""
        return self._compile(delete(plans).where(is_(plans.c.name)))

    @cached_property
    def revisions(self) -> Statement:
        """The migrations the database is at: one for each branch."""
        return self._compile(select(alembic_version.c.version_num))

    @cached_property
    def stamp(self) -> Statement:
        """Say which migration the database is at."""
        return self._compile(insert(alembic_version))


def _newest(query: Select[Any]) -> Select[Any]:
    return query.order_by(runs.c.run.desc()).limit(bindparam("limit"))
