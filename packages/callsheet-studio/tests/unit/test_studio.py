"""The studio from Python: everything as data, nothing printed, nobody asked."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.solve.films import offer, renderer, stack, tool

import callsheet_studio
from callsheet import Engine
from callsheet.errors import InputError
from callsheet_studio import ProductionPlan, Script, ShotList, Studio
from callsheet_studio.production.tools import production_tools
from callsheet_studio.stack import starting_stack

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("P13")

DAY = date(2026, 11, 15)
BRIEF: dict[str, Any] = {
    "message": {"core": "Harbor keeps every berth in view.", "cta": "Try Harbor"},
    "content": {"duration": "15s"},
}


@asynccontextmanager
async def opened(**more: Any) -> AsyncIterator[Studio]:
    async with Engine.open(
        **{"home": None, **(more or {"tools": production_tools("plan")})}
    ) as engine:
        yield Studio(engine)


def test_the_studio_offers_ten_names() -> None:
    assert sorted(callsheet_studio.__all__) == [
        "Brief",
        "Production",
        "ProductionPlan",
        "Script",
        "ShotList",
        "Stack",
        "Studio",
        "execute_full_pipeline",
        "production_plan",
        "production_tools",
    ]
    assert all(getattr(callsheet_studio, name) for name in callsheet_studio.__all__)


def test_a_brief_is_checked_and_asked_about_without_an_engine() -> None:
    found = Studio.check(BRIEF)
    assert found.brief.message.cta == "Try Harbor"
    assert found.to_json()["frames"] == found.brief.frames
    assert found.questions == Studio.questions(BRIEF)
    with pytest.raises(InputError, match="type"):
        Studio.check({**BRIEF, "content": {"type": "opera"}})


async def test_script_shots_and_plan_come_back_as_objects() -> None:
    async with opened() as studio:
        script = await studio.script(BRIEF)
        shots = await studio.shots(BRIEF)
        plan = await studio.plan(BRIEF, today=DAY)
        other = await studio.script(BRIEF, answers={"visual_metaphors": "a lighthouse in fog"})
    assert (type(script), type(shots), type(plan)) == (Script, ShotList, ProductionPlan)
    assert script.frames == shots.frames
    assert {each.shot for each in plan.shot_plans} == {shot.id for shot in shots.shots}
    assert other != script


async def test_a_film_is_started_and_its_handle_says_what_there_is_to_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    brief = {"message": {"core": "Our bakery bakes all night.", "must_avoid": ["cheap"]}}
    asked = Studio.commission(
        brief, out=tmp_path / "film", today=DAY, stop_after="script", review=True
    )
    async with opened() as studio:
        making = await studio.make(asked)
        questions = making.questions()
        open_ones = set(questions)
        async for result in making.run.watch():
            for step in {each.step for each in result.questions} & open_ones:
                open_ones.remove(step)
                making.check(step, questions[step].default)
                await making.run.answer(step, questions[step].default)
        made = await making.wait()
    assert open_ones == set()
    assert made.run == making.run.id
    assert (asked.out / "script.md").read_text("utf-8")
    with pytest.raises(InputError, match="must be avoided"):
        making.check("ask_cta", "Buy it cheap")
    assert capsys.readouterr() == ("", "")


async def test_plug_ins_bring_the_tools_of_a_production(tmp_path: Path) -> None:
    async with opened(home=tmp_path / "home", plugins=True) as studio:
        assert (await studio.script(BRIEF)).beats


def test_what_cannot_be_delivered_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "note").touch()
    with pytest.raises(InputError, match="is a file"):
        Studio.commission(BRIEF, out=tmp_path / "note")
    with pytest.raises(InputError, match=r"\.otio or \.edl"):
        Studio.commission(BRIEF, out=tmp_path / "film", cut=tmp_path / "cut.mov")
    assert [each.name for each in tmp_path.iterdir()] == ["note"]


async def test_the_stack_of_a_home_is_the_starting_data_until_one_is_imported() -> None:
    model = tool("acme-1", offer("acme-1@Acme", 0.1))
    ours = stack(model, renderer())
    async with opened() as studio:
        known = await studio.stack()
        assert (known.is_imported, known.stack) == (False, starting_stack())
        would = await studio.replace_stack(ours, dry_run=True)
        assert not (await studio.stack()).is_imported
        assert (await studio.replace_stack(ours)).changes == would.changes
        known = await studio.stack(tool="acme-1")
        assert (known.is_imported, known.origin()["origin"]) == (True, "imported")
        assert {each.id for each in known.stack.tools} == {each.id for each in ours.tools}
        assert known.changes
