"""The demo, which is the first thing that anybody runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import EXAMPLES, SECONDS, call

if TYPE_CHECKING:
    from pathlib import Path

# Tools that take their time, and processes that are killed: it is a demo.
pytestmark = pytest.mark.slow


@pytest.mark.requirement("E9", "E11", "E12", "E17")
def test_the_demo_shows_what_it_announces(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=2 * SECONDS,
        check=False,
    )
    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    assert "Keep Hotel Oslo for 280 USD? (keep / drop) keep (nobody is here" in said
    assert "undone: hotel, then flight" in said
    assert re.search(r"process \d+ is dead; [1-7] of 8 cards were sent", said)
    assert "succeeded: 8 cards, each exactly once" in said
    assert len(re.findall("identical", said)) == 3
    assert "\x1b" not in said
    home = re.search(r"callsheet runs --home (\S+)", said)
    assert home is not None
    states = [run["state"] for run in call("runs", "--home", home[1], "--json").json]
    assert states == ["succeeded", "undone", "succeeded"]
