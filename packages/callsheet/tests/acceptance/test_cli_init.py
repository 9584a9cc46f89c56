"""`callsheet init`: what it writes runs, is tested, and overwrites nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call

if TYPE_CHECKING:
    from pathlib import Path

# A plan is run, and pytest in a process of its own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5")]


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that was just written, and is the current one."""
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)
    assert call("init", tmp_path / "order").code == 0
    monkeypatch.chdir(tmp_path / "order")
    return tmp_path / "order"


def test_its_plan_checks_without_a_warning_runs_and_is_undone(begun: Path) -> None:
    assert call("check", "plan.yaml", "--tools", "tools.py", "--json").json["problems"] == []
    done = call("run", "plan.yaml", "--tools", "tools.py", "--json")
    assert (done.code, done.json["state"]) == (0, "succeeded")
    assert (begun / "receipt.txt").read_text("utf-8").startswith("2 x tea at 4.5")
    undone = call("undo", "last", "--tools", "tools.py", "--json")
    assert (undone.code, undone.json["state"]) == (0, "undone")
    assert not (begun / "receipt.txt").exists()
    assert (begun / "orders.txt").read_text("utf-8") == ""


def test_its_tests_pass(begun: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:schemathesis"],
        cwd=begun,
        env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr


def test_what_is_there_is_not_overwritten(begun: Path) -> None:
    (begun / "tools.py").unlink()
    (begun / "plan.yaml").write_text("mine")
    refused = call("init", ".")
    assert refused.code == 2
    assert "plan.yaml" in refused.err
    assert (begun / "plan.yaml").read_text() == "mine"
    assert not (begun / "tools.py").exists()


def test_a_directory_that_cannot_be_made_is_said(begun: Path) -> None:
    refused = call("init", begun / "README.md" / "below", "--json")
    assert refused.code == 2
    assert "cannot be written" in refused.json["error"]["message"]
