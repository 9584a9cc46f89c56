"""SQLite's statements, kept as text: they are what we declare, and need no SQLAlchemy."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.dialects.sqlite import dialect

from callsheet.stores import kept
from callsheet.stores.sqlite import statements
from callsheet.stores.statements import Statements

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S7")

ANEW = "They have changed: `python -m callsheet.stores.kept` writes the file anew."

LIFE = """
import asyncio, sys
from callsheet import Engine, tool
from callsheet.studio.branch import BRANCH

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


def test_every_statement_is_there_as_it_is_compiled() -> None:
    fresh = Statements(dialect())
    assert len(fresh.all_names()) > 50
    for name in fresh.all_names():
        assert getattr(statements, name) == getattr(fresh, name), ANEW
    assert statements.ddl == fresh.ddl, ANEW


def test_a_file_that_is_written_anew_is_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept.FILE.read_bytes()
    monkeypatch.setattr(kept, "FILE", tmp_path / "anew.json")
    kept.main()
    assert (tmp_path / "anew.json").read_bytes() == before, ANEW


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
