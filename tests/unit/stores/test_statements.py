"""Statements: none of them ever looks at more rows than it has to, however many there are."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.dialects import postgresql

from callsheet.stores import versions
from callsheet.stores.sqlite import statements
from callsheet.stores.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from callsheet.stores.statements import Statement

BY_INDEX = [
    (statements.length, "SEARCH journal USING PRIMARY KEY (run=?)"),
    (statements.entries, "SEARCH journal USING PRIMARY KEY (run=? AND seq>?)"),
    (statements.forget_entries, "SEARCH journal USING PRIMARY KEY (run=?)"),
    (statements.end, "SEARCH runs USING PRIMARY KEY (run=?)"),
    (statements.head, "SEARCH runs USING PRIMARY KEY (run=?)"),
    (statements.find, "SEARCH runs USING INDEX ux_runs_tenant_key (tenant=? AND key=?)"),
    (statements.heads, "SCAN runs"),
    (statements.heads_before, "SEARCH runs USING PRIMARY KEY (run<?)"),
    (statements.open_heads, "SCAN runs USING INDEX ix_runs_open"),
    (statements.open_heads_before, "SEARCH runs USING INDEX ix_runs_open (run<?)"),
    (statements.request, "SEARCH inbox USING INDEX uq_inbox_id (id=?)"),
    (statements.pending, "SCAN inbox USING INDEX ix_inbox_pending"),
    (statements.settle, "SEARCH inbox USING INDEX uq_inbox_id (id=?)"),
    (statements.forget_requests, "SEARCH inbox USING INDEX ix_inbox_run (run=?)"),
    (statements.newest, "SEARCH plans USING PRIMARY KEY (name=?)"),
    (statements.version, "SEARCH plans USING PRIMARY KEY (name=? AND version=?)"),
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    versions.create(tmp_path / "test.db")
    connection = sqlite3.connect(tmp_path / "test.db")
    yield connection
    connection.close()


@pytest.mark.parametrize(("statement", "expected"), BY_INDEX)
def test_an_index_serves_the_statement(
    database: sqlite3.Connection, statement: Statement, expected: str
) -> None:
    params = [None] * len(statement.names)
    plan = database.execute(f"EXPLAIN QUERY PLAN {statement.text}", params).fetchall()
    # One step, so there is no sorting either: the index has the order.
    assert [row[3].replace("sqlite_autoindex_inbox_1", "uq_inbox_id") for row in plan] == [expected]


def test_whether_an_open_run_is_of_a_plan_is_asked_of_open_runs_only(
    database: sqlite3.Connection,
) -> None:
    text = statements.user_of_plan.text
    plan = database.execute(f"EXPLAIN QUERY PLAN {text}", ("p", 1, 0)).fetchall()
    assert "SCAN runs USING INDEX ix_runs_open" in [row[3] for row in plan]


def test_a_statement_is_bound_by_name() -> None:
    bound = statements.entries.bind(limit=3, after=2, run="r1")
    assert bound.params == ("r1", 2, 3, 0)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="after"):
        statements.entries.bind(run="r1", limit=1)


def test_every_statement_and_table_can_be_said_to_postgresql() -> None:
    # SQLAlchemy has not typed this yet.
    dialect = postgresql.dialect(paramstyle="format")  # type: ignore[no-untyped-call]
    theirs = Statements(dialect)
    names = [name for name, part in vars(Statements).items() if isinstance(part, cached_property)]
    assert len(names) > 20
    for name in names:
        ours, said = getattr(statements, name), getattr(theirs, name)
        assert "?" not in said.text
        # SQLite alone is given an OFFSET with every LIMIT.
        assert set(said.names) <= set(ours.names)
        assert said.text.count("%s") == len(said.names)
    assert not [text for text in theirs.ddl if "ROWID" in text or "AUTOINCREMENT" in text]
