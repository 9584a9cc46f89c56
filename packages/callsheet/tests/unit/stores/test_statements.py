"""Statements: none of them ever looks at more rows than it has to, however many there are."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.session import statements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from callsheet.stores.sql.statements import Statement

BY_INDEX = [
    (statements.length, "SEARCH journal USING PRIMARY KEY (run=?)"),
    (statements.entries, "SEARCH journal USING PRIMARY KEY (run=? AND seq>?)"),
    (statements.forget_entries, "SEARCH journal USING PRIMARY KEY (run=?)"),
    (statements.end, "SEARCH runs USING PRIMARY KEY (run=?)"),
    (statements.head, "SEARCH runs USING PRIMARY KEY (run=?)"),
    (statements.find, "SEARCH runs USING INDEX ux_runs_tenant_key (tenant=? AND key=?)"),
    (statements.heads, "SEARCH runs USING PRIMARY KEY (run<?)"),
    (statements.open_heads, "SEARCH runs USING INDEX ix_runs_open (run<?)"),
    (statements.subject_heads, "SEARCH runs USING INDEX ix_runs_subject (subject=? AND run<?)"),
    (statements.request, "SEARCH inbox USING INDEX uq_inbox_id (id=?)"),
    (statements.pending, "SCAN inbox USING INDEX ix_inbox_pending"),
    (statements.settle, "SEARCH inbox USING INDEX uq_inbox_id (id=?)"),
    (statements.forget_requests, "SEARCH inbox USING INDEX ix_inbox_run (run=?)"),
    (statements.tenant_heads, "SEARCH runs USING INDEX ix_runs_tenant (tenant=? AND run<?)"),
    (statements.newest, "SEARCH plans USING PRIMARY KEY (tenant=? AND name=?)"),
    (statements.version, "SEARCH plans USING PRIMARY KEY (tenant=? AND name=? AND version=?)"),
    (statements.uses, "SEARCH artifact_uses USING PRIMARY KEY (digest=?)"),
    (statements.uses_of_run, "SEARCH artifact_uses USING INDEX ix_artifact_uses_run (run=?)"),
    (statements.forget_calls, "SEARCH cache USING COVERING INDEX ix_cache_run (run=?)"),
    (statements.account_to_change, "SEARCH accounts USING PRIMARY KEY (tenant=?)"),
    (statements.change_account, "SEARCH accounts USING PRIMARY KEY (tenant=?)"),
    (statements.postings, "SEARCH postings USING PRIMARY KEY (tenant=?)"),
    (statements.held, "SEARCH reservations USING PRIMARY KEY (run=?)"),
    (statements.change_hold, "SEARCH reservations USING PRIMARY KEY (run=?)"),
    (
        statements.newest_item,
        "SEARCH context USING INDEX pk_context (tenant=? AND scope=? AND name=?)",
    ),
    (statements.item_of_call, "SEARCH context USING INDEX ux_context_key (key=?)"),
    (statements.expire_item, "SEARCH context USING INDEX ux_context_key (key=?)"),
]
SQLITE_NAMES = {
    "sqlite_autoindex_inbox_1": "uq_inbox_id",
    "sqlite_autoindex_context_1": "pk_context",
}
"""What SQLite calls the indexes that it makes for our constraints."""


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
    assert [_spelled(row[3]) for row in plan] == [expected]


def _spelled(step: str) -> str:
    for name, ours in SQLITE_NAMES.items():
        step = step.replace(name, ours)
    return step


def test_the_youngest_call_of_a_key_is_found_without_sorting(database: sqlite3.Connection) -> None:
    text = statements.youngest_call.text
    plan = database.execute(f"EXPLAIN QUERY PLAN {text}", ("k",)).fetchall()
    assert [row[3] for row in plan] == [
        "SEARCH cache USING PRIMARY KEY (key=?)",
        "SEARCH journal USING PRIMARY KEY (run=? AND seq=?)",
    ]


def test_each_digest_that_may_be_named_is_looked_up(database: sqlite3.Connection) -> None:
    bound = statements.named.bind(digests='["d1", "d2"]')
    plan = database.execute(f"EXPLAIN QUERY PLAN {bound.text}", bound.params).fetchall()
    steps = {row[3] for row in plan}
    for table in ("artifact_uses", "context_uses"):
        assert f"SEARCH {table} USING PRIMARY KEY (digest=?)" in steps


def test_only_what_expires_is_looked_at_to_prune(database: sqlite3.Connection) -> None:
    statement = statements.prune_context
    params = [None] * len(statement.names)
    plan = database.execute(f"EXPLAIN QUERY PLAN {statement.text}", params).fetchall()
    assert plan[0][3] == "SEARCH context USING INDEX ix_context_expires (expires_at<?)"
    assert not [row[3] for row in plan if row[3].startswith("SCAN")]


def test_whether_an_open_run_is_of_a_plan_is_asked_of_open_runs_only(
    database: sqlite3.Connection,
) -> None:
    bound = statements.user_of_plan.bind(tenant="t", name="p")
    plan = database.execute(f"EXPLAIN QUERY PLAN {bound.text}", bound.params).fetchall()
    assert "SCAN runs USING INDEX ix_runs_open" in [row[3] for row in plan]


def test_a_statement_is_bound_by_name() -> None:
    bound = statements.entries.bind(limit=3, after=2, run="r1")
    assert bound.params == ("r1", 2, 3)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="after"):
        statements.entries.bind(run="r1", limit=1)
