"""Whole documents of other systems: what the checker makes of each, word by word.

`families/<name>.*` is a document as it is written for GitHub Actions, Ansible, Argo, n8n and
others, or as a model answers; `mended/<name>.yaml` is what it becomes by `check --fix` and by doing
once what is left to do.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
import yaml
from tests.corpus.checking import check, mend
from tests.corpus.labels import HERE, specs
from tests.corpus.reader import obey

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("E28")

FAMILIES = HERE / "families"
PLANS = sorted(each for each in FAMILIES.iterdir() if each.is_file() and each.name != "tools.json")
FOREIGN = re.compile(r"\{\{(?! *(?:ds|params))|\$\(|\$[.\[]|\$[a-z_]+[.\[]|#E\d|<[a-z_]+\d*>")
UNCLEAN = {"agent-json-plan"}
"""Several values where one is taken: whether a call for each is meant is not to be guessed."""


@cache
def tools() -> dict[str, ToolSpec]:
    return specs(FAMILIES)


def mended(text: str) -> Json:
    """After `check --fix`, and one further round."""
    document, left = mend(text, tools())
    return obey(document, left)


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_a_document_of_another_system_becomes_the_plan_that_is_meant(path: Path) -> None:
    found = mended(path.read_text())
    assert found == yaml.safe_load((FAMILIES / "mended" / f"{path.stem}.yaml").read_text())
    problems, plan = check(found, tools())
    left = [each for each in problems if each.severity == "error"]
    assert bool(left) == (path.stem in UNCLEAN), left
    assert plan is None or FOREIGN.findall(json.dumps([step.args for step in plan.steps])) == []


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_it_does_not_check_as_it_was_written(path: Path) -> None:
    problems, _ = check(path.read_text(), tools())
    assert any(each.severity == "error" for each in problems)
