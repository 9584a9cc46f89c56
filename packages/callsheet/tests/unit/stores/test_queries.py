"""The statements, as they are written down: understood, used, and read without SQLAlchemy."""

from __future__ import annotations

import ast
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from callsheet import stores
from callsheet.stores.sql.statements import Statement, statements_for
from callsheet.stores.sqlite.session import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.requirement("S7")

STORES = Path(stores.__path__[0])
QUERIES = {
    name: each for name, each in structs.asdict(statements).items() if isinstance(each, Statement)
}

LIFE = """
import asyncio, sys
from callsheet import Engine, tool
from callsheet_studio.branch import BRANCH

@tool(effect="read")
async def say(word: str) -> str:
    return word

PLAN = {
    "callsheet": 1,
    "name": "talk",
    "budget": {"usd": 1},
    "steps": [{"id": "a", "tool": "say", "args": {"word": "hi"}}],
    "output": {"said": "${steps.a}"},
}

async def main(home):
    async with Engine.open(home, [say]) as engine:
        await engine.ledger.grant("ann", usd=5)
        run = await engine.start(PLAN, tenant="ann", key="once")
        assert (await run.wait()).output == {"said": "hi"}
        await engine.plans.save(engine.read(PLAN))
    async with Engine.open(home, [say]) as engine:
        assert (await engine.replay(run.id)).same
        assert not await engine.database(BRANCH).exists()
        async with Engine.open(home, drive=False) as other:
            assert [head.run for head in await other.runs()] == [run.id]
            assert (await (await other.get(run.id)).wait()).output == {"said": "hi"}
        assert await engine.delete(run.id)
        await engine.collect()

asyncio.run(main(sys.argv[1]))
print(sorted({"alembic", "sqlalchemy"} & set(sys.modules)))
"""


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    for text in statements.schema.values():
        connection.execute(text)
    yield connection
    connection.close()


def test_sqlite_understands_every_statement(database: sqlite3.Connection) -> None:
    assert len(QUERIES) > 50
    for statement in QUERIES.values():
        database.execute(f"EXPLAIN {statement.text}", [None] * len(statement.names))


def test_every_statement_is_used() -> None:
    used = {
        node.attr
        for path in STORES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and _is_statements(node.value)
    }
    assert QUERIES.keys() - used == set()


def _is_statements(value: ast.expr) -> bool:
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    return name in ("sql", "_sql", "statements")


def test_every_statement_says_what_it_does_and_ends() -> None:
    for file in ("queries.sql", "schema.sql"):
        _, *written = (STORES / "sql" / file).read_text("utf-8").split("-- name: ")
        for statement in written:
            lines = [line for line in statement.splitlines()[1:] if line]
            said = [line for line in lines if not line.startswith("--")]
            assert said[-1].endswith(";"), statement
            assert file == "schema.sql" or "(" in statement.splitlines()[0] or lines[0][:3] == "-- "


def test_what_is_said_to_one_database_only_is_said_to_the_other_differently() -> None:
    theirs = structs.asdict(statements_for("postgresql"))
    named = re.findall(r"-- name: (\w+) \(postgresql\)", (STORES / "sql/queries.sql").read_text())
    assert named
    for name, statement in QUERIES.items():
        words, said = re.sub(r"\?", "$", statement.text), re.sub(r"\$\d+", "$", theirs[name].text)
        assert (words != said) == (name in named), name


def test_a_name_that_occurs_twice_is_given_to_sqlite_twice_and_to_postgresql_once() -> None:
    values: dict[str, str] = {"tenant": "a", "scope": "s", "at": "t"}
    ours, theirs = statements.items, statements_for("postgresql").items
    assert ours.bind(**values).params == ("a", "s", "t", "t")
    assert (theirs.bind(**values).params, theirs.text.count("$3")) == (("a", "s", "t"), 2)


# About 0.6 s: a process of its own.
@pytest.mark.slow
def test_who_opens_a_home_and_runs_plans_there_imports_no_sqlalchemy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIFE, str(tmp_path / "home")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
