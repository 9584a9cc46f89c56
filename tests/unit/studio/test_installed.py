"""The studio is an extra: whoever has only the engine is told so, before anything is made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BRIEF = Path(__file__).parents[3] / "examples" / "briefs" / "harbor.yaml"

WITHOUT = """
import sys
# As Python notes what cannot be imported.
sys.modules["rtoml"] = None
from callsheet.cli import main
main(sys.argv[1:])
"""


@pytest.mark.requirement("P13")
@pytest.mark.parametrize(
    "words", [("make", str(BRIEF), "-o", "out"), ("brief", "check", str(BRIEF)), ("stack", "list")]
)
def test_without_the_extra_commands_of_the_studio_say_what_to_install(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "Error: The studio is not installed. Say: pip install 'callsheet[studio]'"
    ]
    assert not list(tmp_path.iterdir())
