"""What stands on the screen of a terminal, at 80 and at 120 columns, when all is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import Terminal, call, write_plan
from tests.acceptance.terminal import Screen

if TYPE_CHECKING:
    from pathlib import Path

# Each is a process on a terminal.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("cli:screens")]
WIDTHS = pytest.mark.parametrize("width", [80, 120])


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))


def at(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLI_TEST_COLUMNS", str(width))
    monkeypatch.setenv("LINES", "30")


def seen(terminal: Terminal, width: int) -> str:
    """The screen, with the same name for every run and time."""
    screen = Screen()
    screen.feed(terminal.screen)
    assert all(len(line) <= width for line in screen.lines)
    text = "\n".join(line for line in screen.lines if line)
    text = re.sub(r"\br00[0-9a-z]{21}\b", "RUN", text)
    return re.sub(r" +\d+\.\d s", " T", text)


ANSWERED = """\
? asking  RUN  waiting T
   step          state      attempts    time    cost
?  ok            waiting T          Keep it?
? ok
  Keep it?
  keep / drop: ke
  An answer is no longer needed.
✓ asking  RUN  succeeded T
   step          state      attempts    time    cost
✓  ok            succeeded T
output  drop"""


@WIDTHS
def test_an_answer_from_elsewhere_leaves_nothing_stale_and_nothing_lost(
    width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(width, monkeypatch)
    step = {"id": "ok", "ask": "Keep it?", "choices": ["keep", "drop"]}
    plan = write_plan(tmp_path / "asking.json", {"steps": [step], "output": "${steps.ok}"})
    with Terminal("run", plan, directory=tmp_path) as terminal:
        terminal.see("keep / drop: ")
        terminal.type("ke")
        terminal.see("ke")
        assert call("answer", "last", "ok", "drop").code == 0
        assert terminal.end() == 0
    assert seen(terminal, width) == ANSWERED


MANY = """\
✓ many  RUN  succeeded T
   step          state      attempts    time    cost
✓  one           succeeded         1 T{child}
✓  each 50/50    succeeded        50 T"""


@WIDTHS
def test_fifty_sub_plans_are_one_line_and_an_id_is_shown_whole_or_not_at_all(
    width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(width, monkeypatch)
    inner = {"name": "inner", "steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
    steps = [
        {"id": "one", "plan": inner},
        {"id": "each", "plan": inner, "for_each": list(range(50)), "needs": ["one"]},
    ]
    plan = write_plan(tmp_path / "many.json", {"name": "many", "steps": steps})
    with Terminal("run", plan, directory=tmp_path) as terminal:
        assert terminal.end() == 0
    child = "          RUN"
    assert seen(terminal, width) == MANY.replace("{child}", child)
