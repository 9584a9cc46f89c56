"""The plan of a production holds, whatever it is to make."""

from __future__ import annotations

import pytest

from callsheet import Engine, load_tools
from callsheet.studio.brief import from_data
from callsheet.studio.production import STAGES, TOOLS, Stage, production_plan

CUT: tuple[Stage, ...] = STAGES[1:]
"""A cut is about shots: of a script alone there is none."""
BRIEF = {"message": {"core": "Harbor keeps every berth in view.", "cta": "Try Harbor"}}


@pytest.mark.requirement("P11", "P12")
@pytest.mark.parametrize("delivers", [True, False])
@pytest.mark.parametrize(
    ("stage", "recut"), [*((stage, False) for stage in STAGES), *((each, True) for each in CUT)]
)
async def test_every_plan_of_a_production_checks(stage: Stage, recut: bool, delivers: bool) -> None:
    plan = production_plan(
        from_data(BRIEF, "brief.yaml"), stop_after=stage, delivers=delivers, recut=recut
    )
    async with Engine.open(tools=load_tools(TOOLS)) as engine:
        found = engine.check(plan)
    assert [each for each in found if each.severity == "error"] == []
