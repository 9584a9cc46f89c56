"""A release: one version everywhere, and pages that can be read outside of the tree."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import callsheet

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
WHERE = "https://example.org/callsheet"


def _dist() -> ModuleType:
    found = importlib.util.spec_from_file_location("dist", ROOT / ".ci" / "dist.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


dist = _dist()


def test_both_distributions_and_the_engine_have_one_version() -> None:
    versions = {dist.version_of(package) for package in dist.READMES}
    assert versions == {callsheet.__version__}


def test_the_changelog_has_a_section_for_the_version_and_one_for_what_comes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\](.*)$", text, re.MULTILINE)
    assert sections[0] == ("Unreleased", "")
    assert sections[1][0] == callsheet.__version__
    assert re.fullmatch(r" - \d{4}-\d\d-\d\d", sections[1][1])


@pytest.mark.parametrize("package", dist.READMES)
def test_what_a_package_index_shows_has_no_relative_link_and_none_that_leads_nowhere(
    package: str,
) -> None:
    page, version = dist.READMES[package], callsheet.__version__
    shown = dist.absolute((ROOT / page).read_text("utf-8"), WHERE, version, page)
    targets = [target for _, _, target in dist.LINK.findall(shown)]
    assert all(target.startswith(("https://", "http://", "#")) for target in targets)
    ours = [
        re.sub(rf"^{WHERE}/(?:blob|tree|raw)/v{version}/", "", target).partition("#")[0]
        for target in targets
        if target.startswith(WHERE)
    ]
    assert ours
    assert [path for path in ours if not (ROOT / path).exists()] == []
    assert f'Homepage = "{WHERE}"' in dist.urls(WHERE, version)
