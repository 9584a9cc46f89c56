"""`callsheet turn`, typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]
TURN = ROOT / "examples" / "turn.py"
TAPE = f"recorded:{TURN.with_suffix('.jsonl')}"

# Programs, each a process.
pytestmark = pytest.mark.slow


def typed(*words: str, home: Path, code: str = "") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "callsheet"]
    if code:
        argv = [sys.executable, "-c", f"{code}\nfrom callsheet.cli import main\nmain()"]
    return subprocess.run(
        [*argv, "turn", *words, "--home", str(home), "--no-plugins"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_message_is_answered_and_the_flow_is_json(tmp_path: Path) -> None:
    asked = ("Weather in Oslo and Rome?", "--model", TAPE, "--tools", str(TURN))
    told = typed(*asked, "--may-call", "weather", home=tmp_path / "home")
    assert told.returncode == 0, told.stderr
    assert "It is 4 degrees in Oslo and 19 degrees in Rome." in told.stdout
    assert "--conversation c" in told.stderr
    lines = typed(*asked, "--may-call", "weather", "--json", home=tmp_path / "home").stdout
    *updates, answer = (json.loads(line) for line in lines.splitlines())
    assert updates[-1]["kind"] == "end"
    assert answer["state"] == "answered"


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    told = typed("Hello", "--model", "nobody", home=tmp_path / "home")
    assert told.returncode == 2
    assert "There is no model 'nobody'" in told.stderr


def test_without_the_package_it_is_said_what_to_install(tmp_path: Path) -> None:
    without = "import sys; sys.modules['pydantic_ai'] = None"
    told = typed("Hello", "--model", "openai:gpt-5", home=tmp_path / "home", code=without)
    assert told.returncode == 2
    assert "pip install 'callsheet[models]'" in told.stderr
