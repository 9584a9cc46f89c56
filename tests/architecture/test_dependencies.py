"""Every package we stand on has its reason written down."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs" / "decisions" / "0007-dependencies.md"
OURS = {"callsheet", "callsheet-studio"}


def read(*place: str) -> dict[str, Any]:
    return tomllib.loads((ROOT.joinpath(*place, "pyproject.toml")).read_text("utf-8"))


def ranges() -> list[str]:
    """Every requirement that is written down anywhere."""
    lines: list[str] = list(read()["dependency-groups"]["test"])
    for name in sorted(OURS):
        package = read("packages", name)
        lines += package["build-system"]["requires"] + package["project"]["dependencies"]
        for extra in package["project"]["optional-dependencies"].values():
            lines += extra
    return lines


def name_of(requirement: str) -> str:
    return re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]


def locked() -> set[str]:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", text, re.MULTILINE))


def explained() -> set[str]:
    """The packages in the first column of the record's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", RECORD.read_text("utf-8"), re.MULTILINE))


def test_every_dependency_has_a_reason_on_one_line() -> None:
    assert {name_of(each) for each in ranges()} - OURS == explained()


def test_every_range_has_an_upper_bound() -> None:
    unbounded = [each for each in ranges() if not re.search(r"<\d", each) and ">=" in each]
    assert not unbounded
    bare = [each for each in ranges() if ">=" not in each and name_of(each) not in OURS]
    assert not bare


def test_what_is_installed_is_locked_with_hashes_and_without_addresses() -> None:
    missing = {name_of(each).lower().replace("_", "-") for each in ranges()} - OURS - locked()
    assert not missing, f"Run `make upgrade`: {missing}"
    text = (ROOT / "requirements.lock").read_text("utf-8")
    assert "://" not in text
    assert text.count("--hash=sha256:") >= len(locked())
