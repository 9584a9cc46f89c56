"""How many modules and functions of the package `callsheet run` enters for a plan of two steps.

    python -m bench.entered

Functions only: what is imported and never called does not count. Once before, so that what runs
while modules are imported does not count, either.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from callsheet.cli.app import run_command

if TYPE_CHECKING:
    from types import FrameType

PLAN = {
    "callsheet": 1,
    "steps": [
        {"id": "first", "tool": "value", "args": {"value": "a"}},
        {"id": "second", "tool": "value", "args": {"value": "${steps.first}"}},
    ],
}


def entered() -> set[tuple[str, str]]:
    """The functions that were called, by module."""
    found: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _arg: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("callsheet."):
            found.add((module, frame.f_code.co_qualname))

    with TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
        plan = Path(directory, "plan.json")
        plan.write_text(json.dumps(PLAN), "utf-8")
        words = ["run", str(plan), "--no-plugins", "--json", "--home"]
        run_command([*words, str(Path(directory, "before"))])
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            run_command([*words, str(Path(directory, "home"))])
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return found


if __name__ == "__main__":
    functions = entered()
    print(f"{len({module for module, _ in functions})} modules, {len(functions)} functions")
