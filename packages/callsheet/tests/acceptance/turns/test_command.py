"""`callsheet chat`, where a model cannot be asked."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Programs, each a process.
pytestmark = pytest.mark.slow


def typed(*words: str, home: Path, code: str = "") -> subprocess.CompletedProcess[str]:
    program = f"{code}\nfrom callsheet.cli import main\nmain()"
    return subprocess.run(
        [sys.executable, "-c", program, *words, "--home", str(home), "--no-plugins"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    told = typed("chat", "--once", "Hello", "--model", "nobody", home=tmp_path / "home")
    assert told.returncode == 2
    assert "There is no model 'nobody'" in told.stderr


def test_without_the_package_it_is_said_what_to_install(tmp_path: Path) -> None:
    without = "import sys; sys.modules['pydantic_ai'] = None"
    asked = ("chat", "--once", "Hello", "--model", "openai:gpt-5")
    told = typed(*asked, home=tmp_path / "home", code=without)
    assert told.returncode == 2
    assert "pip install 'callsheet[models]'" in told.stderr
