"""`callsheet run` goes one way: one engine, one reading, one check, and each entry folded once.

How many modules it enters on that way is measured, not promised: `python -m bench.entered`.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import TOOLS, call, write_plan

from callsheet import Engine
from callsheet.core.check.check import check_document
from callsheet.core.plan.read import understand
from callsheet.core.run import fold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import CodeType, FrameType

PLAN = {
    "name": "two",
    "steps": [
        {"id": "first", "tool": "value", "args": {"value": "a"}},
        {"id": "second", "tool": "value", "args": {"value": "${steps.first}"}},
    ],
}


class Calls:
    """What was called while somebody looked, and how often."""

    def __init__(self) -> None:
        self.counted: Counter[CodeType] = Counter()
        self.applied: list[Any] = []

    def of(self, function: Any) -> int:
        """How often a function was called."""
        return self.counted[function.__code__]

    def note(self, frame: FrameType, event: str, _arg: object) -> None:
        """Called by the interpreter for every function that begins or ends."""
        if event == "call":
            self.counted[frame.f_code] += 1
            if frame.f_code is fold.apply.__code__:
                self.applied.append(frame.f_locals["entry"])


@contextmanager
def calls_noted() -> Iterator[Calls]:
    calls = Calls()
    threading.setprofile(calls.note)
    sys.setprofile(calls.note)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.mark.parametrize("options", [("--json",), ("--concurrency", "2")])
def test_one_engine_one_reading_one_check_and_one_fold(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    plan = write_plan(tmp_path / "plan.json", PLAN)
    home = tmp_path / "home"
    words = ("run", plan, "--tools", TOOLS, "--no-plugins", *options, "--home")
    call(*words, tmp_path / "before")  # so that imports are over, and only the run is looked at
    with calls_noted() as calls:
        done = call(*words, home)
    assert done.code == 0, done.err
    assert calls.of(Engine.__init__) == 1
    assert calls.of(understand) == 1
    assert calls.of(check_document) == 1
    (run,) = call("runs", "--home", home, "--json").json
    journal = call("journal", run["run"], "--home", home, "--json").json
    assert [type(entry).__name__ for entry in calls.applied] == [each["kind"] for each in journal]


def test_a_plan_that_does_not_check_opens_no_engine_and_leaves_no_home(tmp_path: Path) -> None:
    wrong = {"steps": [{"id": "a", "tool": "nothing_like_it"}]}
    plan = write_plan(tmp_path / "plan.json", wrong)
    with calls_noted() as calls:
        done = call("run", plan, "--no-plugins", "--home", tmp_path / "home", "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "plan")
    assert calls.of(Engine.__init__) == 0
    assert not (tmp_path / "home").exists()
