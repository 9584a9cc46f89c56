"""`callsheet check` and `callsheet plan schema`, as they are typed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from callsheet.core.plan.read import read_plan

if TYPE_CHECKING:
    from pathlib import Path

# Each starts a process.
pytestmark = [pytest.mark.requirement("E28"), pytest.mark.slow]

HABIT = "tasks:\n  - name: a\n    uses: value\n    with: {value: 5}\n"
LEFT = HABIT + "    colour: red\n"


def callsheet(*words: str, here: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "callsheet", *words],
        cwd=here,
        input=text,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def test_what_is_certain_is_mended_in_the_file_and_told(tmp_path: Path) -> None:
    file = tmp_path / "habit.yaml"
    file.write_text(HABIT)
    done = callsheet("check", "habit.yaml", "--fix", here=tmp_path)
    assert done.returncode == 0
    assert "fixed tasks[0].uses: there is no field 'uses'. Write `tool: value`." in done.stderr
    assert read_plan(file.read_text()).steps[0].tool == "value"
    assert callsheet("check", "habit.yaml", here=tmp_path).returncode == 0


def test_what_is_left_is_told_and_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / "left.yaml").write_text(LEFT)
    done = callsheet("check", "left.yaml", "--fix", "-o", "out.yaml", here=tmp_path)
    assert done.returncode == 2
    assert "1 problem left" in done.stderr
    assert (tmp_path / "left.yaml").read_text() == LEFT
    assert "colour: red" in (tmp_path / "out.yaml").read_text()


def test_stdin_is_checked_and_mended_to_stdout(tmp_path: Path) -> None:
    fenced = f"Here:\n```yaml\n{HABIT}```\n"
    told = json.loads(callsheet("check", "-", "--json", here=tmp_path, text=fenced).stdout)
    assert told["ok"] is False
    first = told["problems"][0]
    assert {"severity", "place", "what", "fix"} <= first.keys()
    assert {"line", "column", "patch"} <= told["problems"][-1].keys()
    lenient = callsheet("check", "-", "--json", "--lenient", here=tmp_path, text=fenced)
    assert len(json.loads(lenient.stdout)["problems"]) == len(told["problems"]) - 1
    mended = callsheet("check", "-", "--fix", here=tmp_path, text=fenced)
    assert (mended.returncode, read_plan(mended.stdout).steps[0].id) == (0, "a")


def test_the_schema_of_plans_has_the_tools_that_they_may_call(tmp_path: Path) -> None:
    done = callsheet("plan", "schema", here=tmp_path)
    steps = json.loads(done.stdout)["$defs"]["step"]["anyOf"]
    names = {step["properties"].get("tool", {}).get("const") for step in steps}
    assert {"value", "wait", "file.read"} <= names
