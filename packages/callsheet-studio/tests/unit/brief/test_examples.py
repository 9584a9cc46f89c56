"""The example briefs: all of them check, and together they show everything a brief can be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from callsheet_studio.brief import load

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

pytestmark = pytest.mark.requirement("P1")

FOLDER = Path(__file__).parents[5] / "examples" / "briefs"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".fountain")


@pytest.fixture(scope="module")
def briefs() -> dict[str, Brief]:
    return {path.name: load(path) for path in FILES}


def test_all_types_languages_aspects_and_rates_are_among_them(briefs: dict[str, Brief]) -> None:
    read = briefs.values()
    assert len(read) >= 14
    assert len({each.content.type for each in read}) == 6
    assert {each.delivery.aspect for each in read} == {"16:9", "9:16", "1:1", "4:5"}
    assert {each.delivery.fps for each in read} == {"24", "25", "30", "23.976", "29.97"}
    lengths = {each.content.duration for each in read}
    assert {15, 30, 45, 60, 90, 120, 180, 300} <= lengths
    assert {each.content.structure for each in read} == {
        "three_part",
        "three_act",
        "eight_part",
        "ad",
    }
    assert sum(each.content.language == "de" for each in read) >= 4


def test_all_forms_and_own_material_are_among_them(briefs: dict[str, Brief]) -> None:
    assert {Path(name).suffix for name in briefs} == {".yaml", ".json", ".md", ".txt"}
    scripts = [each.content.script for each in briefs.values() if each.content.script]
    assert any("INT. " in each for each in scripts), "a Fountain script"
    assert any(" | " in each for each in scripts), "two columns"
    assert any("\n\n" in each and "INT." not in each for each in scripts), "narration"
    assert any(each.content.shots for each in briefs.values())
    assert any(len(each.inferred) >= 14 for each in briefs.values()), "a very short one"
    assert "project_name: " in (FOLDER / "morning-mat.yaml").read_text("utf-8"), "a flat one"


def test_their_budgets_are_tight_and_loose(briefs: dict[str, Brief]) -> None:
    budgets = [each.constraints.max_cost_usd for each in briefs.values()]
    assert None in budgets
    per_second = [
        each.constraints.max_cost_usd / each.content.duration
        for each in briefs.values()
        if each.constraints.max_cost_usd
    ]
    assert min(per_second) < 1.5
    assert max(per_second) > 5
    assert {each.constraints.quality for each in briefs.values()} == {"high", "balanced", "budget"}


def test_no_two_of_them_say_the_same(briefs: dict[str, Brief]) -> None:
    assert len({each.message.core for each in briefs.values()}) == len(briefs)
    assert len({each.digest for each in briefs.values()}) == len(briefs)
    assert len({each.identity for each in briefs.values()}) == len(briefs)
