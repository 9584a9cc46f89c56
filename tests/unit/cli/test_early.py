"""What a command imports, and when garbage is looked for meanwhile."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from callsheet.cli import main
from callsheet.cli.early import collects_later
from callsheet.cli.home import Where, trying
from callsheet.cli.place import Place

pytestmark = pytest.mark.requirement("S5")

BRIEF = Path(__file__).parents[3] / "examples" / "briefs" / "harbor.yaml"

IMPORTED = """
import sys
from callsheet.cli.app import run_command
run_command(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""


def modules_after(*words: str, within: Path) -> set[str]:
    """What a process has imported that has run a command."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *words],
        cwd=within,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def of_commands(modules: set[str]) -> set[str]:
    return {f"callsheet.cli.{name}" for name in ("look", "make", "run", "stack")} & modules


# About 1.5 s: four processes of their own.
@pytest.mark.slow
def test_a_command_imports_neither_the_others_nor_what_it_has_no_use_for(tmp_path: Path) -> None:
    told = modules_after("--version", within=tmp_path)
    assert not of_commands(told)
    assert not {"callsheet.engine", "pydantic", "rich", "sqlalchemy"} & told

    assert modules_after("plan", "list", "--help", within=tmp_path) >= {"callsheet.cli.plans"}

    modules_after("ledger", "grant", "ann", "--usd", "1", "--json", within=tmp_path)
    listed = modules_after("runs", "--json", within=tmp_path)
    assert of_commands(listed) == {"callsheet.cli.look"}
    assert {"callsheet.engine", "callsheet.stores.sql"} <= listed
    assert not {"rich", "sqlalchemy"} & listed


# About 1.5 s: a process of its own plans a film.
@pytest.mark.requirement("P13")
@pytest.mark.slow
def test_a_film_is_planned_without_sqlalchemy(tmp_path: Path) -> None:
    wishes = ("-o", "out", "--stop-after", "plan", "--today", "2026-11-15", "--json")
    made = modules_after("make", str(BRIEF), *wishes, within=tmp_path)
    assert (tmp_path / "out" / "plan.json").exists()
    assert "callsheet.studio.stack.keep" in made
    assert not {"alembic", "sqlalchemy"} & made


def test_garbage_is_looked_for_again_as_soon_as_there_is_an_engine() -> None:
    async def inside() -> bool:
        async with trying(Where(home=Place.of("nowhere"))):
            return gc.isenabled()

    try:
        with collects_later():
            assert not gc.isenabled()
            assert asyncio.run(inside())
    finally:
        gc.unfreeze()
    assert gc.isenabled()


def test_garbage_is_looked_for_again_after_a_command_that_needs_no_engine() -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert gc.isenabled()
