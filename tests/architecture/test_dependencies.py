"""Every package we stand on has its reason written down."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs" / "decisions" / "0007-dependencies.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def declared() -> set[str]:
    project = PROJECT["project"]
    extras = [line for extra in project["optional-dependencies"].values() for line in extra]
    lines = [*PROJECT["build-system"]["requires"], *project["dependencies"], *extras]
    names = {re.split(r"[\s<>=!~;\[]", line, maxsplit=1)[0] for line in lines}
    return names - {project["name"]}


def explained() -> set[str]:
    """The packages in the first column of the record's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", RECORD.read_text("utf-8"), re.MULTILINE))


def test_every_dependency_has_a_reason_on_one_line() -> None:
    assert declared() == explained()
