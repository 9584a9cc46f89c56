"""The plan of a production holds, whatever it is to make."""

from __future__ import annotations

import os
from datetime import date

import pytest

from callsheet import Engine
from callsheet_studio.brief import from_data
from callsheet_studio.production.plan import production_plan
from callsheet_studio.production.stage import STAGES, Stage
from callsheet_studio.production.tools import production_tools
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots
from callsheet_studio.solve import solve
from callsheet_studio.solve.stages import asked
from callsheet_studio.stack import starting_stack

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
    async with Engine.in_memory(production_tools()) as engine:
        found = await engine.check(plan)
    assert [each for each in found if each.severity == "error"] == []


@pytest.mark.parametrize(("language", "speaks"), [("en-GB", "voice"), ("de", "pico")])
def test_a_voice_that_has_to_be_loaded_is_loaded_in_one_process(language: str, speaks: str) -> None:
    brief = from_data(BRIEF | {"content": {"language": language}}, "brief.yaml")
    (step,) = (step for step in production_plan(brief).steps if step.id == "voices")
    assert step.tool == f"studio.{speaks}"
    (tool,) = (tool for tool in production_tools() if tool.spec.name == step.tool)
    assert tool.spec.limit is not None
    assert (tool.way, tool.spec.limit.at_once == 1) == {
        "voice": ("process", True),
        "pico": ("thread", os.cpu_count() in {None, 1}),
    }[speaks]


def test_a_plan_is_made_from_what_shots_take_and_not_from_what_they_show() -> None:
    wanted = BRIEF | {"content": {"duration": 20}, "constraints": {"quality": "high"}}
    brief = from_data(wanted, "brief.yaml")
    shots = plan_shots(write_script(brief), brief)
    bare = asked(shots, brief)
    stack = starting_stack()
    whole = solve(shots, brief, stack, date(2026, 11, 15))
    assert solve(bare.shots, bare.brief, stack, date(2026, 11, 15)) == whole

    first, *others = shots.shots
    place = first.set.model_copy(update={"place": "coast"})
    told = {"action": "Mara laughs", "voiceover": "Good morning.", "size": "ECU", "set": place}
    said = first.model_copy(update=told)
    changed = shots.model_copy(update={"shots": (said, *others)})
    assert asked(changed, brief) == bare
    longer = shots.model_copy(
        update={"shots": (first.model_copy(update={"end": first.end + 4}), *others)}
    )
    assert asked(longer, brief) != bare
