"""The verbs of one step on the command line: from a second terminal, and after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import TOOLS, Process, call, effects, until, write_plan

if TYPE_CHECKING:
    from pathlib import Path

# They start real processes.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E27", "S5")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is the second terminal: it stands where the first one does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def a_plan(tmp_path: Path) -> Path:
    steps = [
        {"id": "one", "tool": "stamp", "args": {"name": "one"}},
        {"id": "two", "tool": "stamp", "args": {"name": "two"}},
        {"id": "door", "tool": "gate", "args": {"name": "door"}, "within": "10m"},
        {"id": "after", "tool": "stamp", "args": {"name": "after"}, "needs": ["door"]},
        {"id": "bad", "tool": "boom"},
        {
            "id": "told",
            "tool": "stamp",
            "args": {"name": "${outcomes.door.state}"},
        },
    ]
    plan = {"name": "single", "on_failure": "continue", "steps": steps}
    return write_plan(tmp_path / "plan.json", plan)


@pytest.mark.requirement("step:stop", "step:undo", "step:retry", "processes:second-terminal")
def test_a_second_terminal_stops_and_takes_back_single_steps(tmp_path: Path) -> None:
    with Process(
        "run", a_plan(tmp_path), "--tools", TOOLS, "--json", directory=tmp_path
    ) as process:
        until((tmp_path / "door.begun").exists, "the step `door` to begin")
        (listed,) = call("runs", "--json").json
        run = listed["run"]
        undone = call("undo", run, "--only", "one", "--tools", TOOLS)
        assert undone.code == 0
        assert f"{run}: one is undone. The run continues." in undone.out
        refused = call("cancel", run, "--step", "nope")
        assert refused.code == 2
        assert "There is no step 'nope'" in refused.err
        stopped = call("cancel", run, "--step", "door", "--reason", "late", "--json")
        assert stopped.json == {"run": run, "request": "door is told to stop", "served": True}
        done = process.end()
    assert done.code == 1
    states = {name: step["state"] for name, step in done.json["steps"].items()}
    assert states == {
        "one": "undone",
        "two": "succeeded",
        "door": "cancelled",
        "after": "skipped",
        "bad": "failed",
        "told": "succeeded",
    }
    assert "within   10m 00s" in call("show", run, "door").out
    again = call("retry", run, "bad", "--tools", TOOLS, "--json")
    assert again.code == 1
    assert again.json["steps"]["bad"]["attempts"] == 2
    assert call("retry", run, "two", "--tools", TOOLS).code == 2
    both = call("undo", run, "--only", "two", "--to", "one", "--tools", TOOLS)
    assert (both.code, "Use either --to" in both.err) == (2, True)
    alone = call("undo", run, "--only", "two", "--tools", TOOLS, "--json")
    assert (alone.code, alone.json["state"]) == (0, "failed")
    assert effects(tmp_path).count("untwo") == 1
    assert call("replay", run).code == 0
