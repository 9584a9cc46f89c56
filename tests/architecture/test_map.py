"""The map is true: what CONTRIBUTING and the walk name is there, and what is there is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "packages"
SOURCES = (
    PACKAGES / "callsheet" / "src" / "callsheet",
    PACKAGES / "callsheet-studio" / "src" / "callsheet_studio",
)
MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
WALK = (ROOT / "docs" / "explanation" / "design.md").read_text("utf-8")
BEGINNINGS = (ROOT, *SOURCES, *PACKAGES.iterdir(), PACKAGES / "callsheet" / "tests")
NAMED = re.compile(r"`((?:\w+/)*[\w.]+\.(?:py|toml|sql)|(?:\w+/)+)`")


@pytest.mark.parametrize("page", [MAP, WALK], ids=["CONTRIBUTING", "design"])
def test_what_is_named_is_there(page: str) -> None:
    named = set(NAMED.findall(page))
    assert len(named) > 20
    gone = {name for name in named if not any((each / name).exists() for each in BEGINNINGS)}
    assert not gone


def test_what_is_there_is_on_the_map() -> None:
    drawn = "".join(re.findall(r"^```\n(.*?)^```", MAP, re.MULTILINE | re.DOTALL))
    inside = [each for source in SOURCES for each in source.iterdir()]
    tests = [each for place in (ROOT, *PACKAGES.iterdir()) for each in (place / "tests").iterdir()]
    folders = {f"{each.name}/" for each in (*inside, *tests) if (each / "__init__.py").exists()}
    folders |= {f"{each.name}/" for each in tests if any(each.glob("*.py"))}
    modules = {each.name for each in inside if each.suffix == ".py"} - {"__init__.py", "types.py"}
    assert len(folders) > 30
    assert {name for name in folders | modules if name not in drawn} == set()


def test_the_layers_are_those_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = (each["layers"] for each in contracts["contracts"] if each["type"] == "layers")
    named = [re.sub(r"[()]", "", each) for each in layers]
    # Not told: what only calls the rest, what there may be one day, and what all stand on.
    left_out = {"__main__", "fleet", "frames", "lazy"}
    told = [" | ".join(w for w in each.split(" | ") if w not in left_out) for each in named]
    said = " → ".join(filter(None, told))
    assert f"`{said}`" in MAP
    assert f"`{said}`" in WALK
