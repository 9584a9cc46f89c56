"""What a command imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.requirement("S5")

BRIEF = Path(__file__).parents[5] / "examples" / "briefs" / "harbor.yaml"

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
    ours = {f"callsheet.cli.{name}" for name in ("fork", "plan", "preflight", "run", "runs")}
    return {*ours, "callsheet_studio.cli.make", "callsheet_studio.cli.stack"} & modules


# About 1.5 s: four processes of their own.
@pytest.mark.slow
def test_a_command_imports_neither_the_others_nor_what_it_has_no_use_for(tmp_path: Path) -> None:
    told = modules_after("--version", within=tmp_path)
    assert not of_commands(told)
    assert not {"callsheet.engine", "pydantic", "rich", "sqlalchemy"} & told

    assert modules_after("plan", "list", "--help", within=tmp_path) >= {"callsheet.cli.plan"}

    modules_after("ledger", "grant", "ann", "--usd", "1", "--json", within=tmp_path)
    listed = modules_after("runs", "--json", within=tmp_path)
    assert of_commands(listed) == {"callsheet.cli.runs"}
    assert {"callsheet.engine", "callsheet.stores.sqlite.store"} <= listed
    assert not {"rich", "sqlalchemy"} & listed


# About 1 s: a process of its own runs a plan.
@pytest.mark.slow
def test_a_plan_that_needs_no_app_imports_none(tmp_path: Path) -> None:
    """Also no provider of models and no web framework: what is installed slows nobody down."""
    plan = {
        "callsheet": 1,
        "name": "one",
        "steps": [{"id": "a", "tool": "wait", "args": {"seconds": 0}}],
    }
    (tmp_path / "one.json").write_text(json.dumps(plan), "utf-8")
    run = modules_after("run", "one.json", within=tmp_path)
    assert "callsheet.runtime.loop" in run
    assert not {"callsheet_studio", "fastapi", "mcp", "pydantic_ai", "sqlalchemy", "httpx"} & run
    assert not {name for name in run if name.startswith("callsheet.agents")}


# About 1.5 s: a process of its own plans a film.
@pytest.mark.requirement("P13")
@pytest.mark.slow
def test_a_film_is_planned_without_sqlalchemy(tmp_path: Path) -> None:
    wishes = ("-o", "out", "--stop-after", "plan", "--today", "2026-11-15", "--json")
    made = modules_after("make", str(BRIEF), *wishes, within=tmp_path)
    assert (tmp_path / "out" / "plan.json").exists()
    assert "callsheet_studio.stack.keep" in made
    assert not {"alembic", "sqlalchemy"} & made
