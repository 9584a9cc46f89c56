"""How many files know of German, the second language: as many are touched for a third."""

from __future__ import annotations

import re
from pathlib import Path

STUDIO = Path(__file__).parents[2] / "packages" / "callsheet-studio" / "src" / "callsheet_studio"
CODE = 50
"""Modules. Fewer is better: a language belongs into data, one file of it beside another's."""
DATA = 16
OF_GERMAN = re.compile(
    r"""["']de["']|^\s*de\s*=|[{,]\s*de\s*=|\.de\]|\[de\]|german|deutsch""",
    re.IGNORECASE | re.MULTILINE,
)


def files_of_german(suffix: str) -> list[str]:
    return [
        path.relative_to(STUDIO).as_posix()
        for path in sorted(STUDIO.rglob(f"*{suffix}"))
        if path.name.startswith(("de.", "de_")) or OF_GERMAN.search(path.read_text("utf-8"))
    ]


def test_a_language_touches_no_more_files_than_it_did() -> None:
    code, data = files_of_german(".py"), files_of_german(".toml")
    assert "sound/languages/de.toml" in data
    assert len(code) <= CODE, f"Put what is new into data: {code}"
    assert len(data) <= DATA, f"Put what is new into a file that is there: {data}"
