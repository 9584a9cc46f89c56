"""Plans are read and checked before an engine is open, and not again when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Plan, RunState, Step
from callsheet.errors import InputError, PlanError
from callsheet.runtime import checker
from callsheet.testing import World

if TYPE_CHECKING:
    from pathlib import Path

LOOK = Plan(steps=(Step(id="a", tool="look"),))


def a_world() -> World:
    world = World()
    world.tool("look")
    return world


@pytest.mark.parametrize("kept", [True, False])
async def test_a_plan_that_was_checked_before_is_started_without_being_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, kept: bool
) -> None:
    home = tmp_path / "home" if kept else None
    room = Engine.toolroom(home, a_world().tools)
    checked = room.check(room.read(LOOK))
    assert not checked.problems
    assert not (tmp_path / "home").exists()
    monkeypatch.setattr(checker, "check_plan", None)
    monkeypatch.setattr(checker, "read_plan", None)
    async with Engine.open(home, room) as engine:
        run = await engine.start(checked)
        assert (await run.wait()).state is RunState.SUCCEEDED


async def test_a_plan_that_does_not_check_is_told_with_all_problems_and_never_started() -> None:
    room = Engine.toolroom(tools=a_world().tools)
    wrong = Plan(steps=(Step(id="a", tool="lok"), Step(id="b", tool="look", needs=("c",))))
    checked = room.check(wrong)
    assert [problem.place for problem in checked.errors] == ["steps[0].tool", "steps[1].needs[0]"]
    told = checked.to_json()
    assert (told["ok"], told["steps"]) == (False, 2)
    async with Engine.in_memory(room) as engine:
        with pytest.raises(PlanError) as refusal:
            await engine.start(checked)
        assert list(refusal.value.problems) == checked.errors
        assert not await engine.runs()


async def test_what_was_checked_against_other_tools_is_checked_again() -> None:
    elsewhere = Engine.toolroom(tools=a_world().tools)
    checked = elsewhere.check(LOOK)
    async with Engine.in_memory() as engine:
        with pytest.raises(PlanError, match="there is no tool"):
            await engine.start(checked)


async def test_saved_plans_are_looked_up_when_a_plan_that_names_them_is_started() -> None:
    room = Engine.toolroom(tools=a_world().tools)
    outer = Plan(steps=(Step(id="part", plan="inner"),))
    checked = room.check(outer)
    assert not checked.errors, "nobody can know yet"
    async with Engine.in_memory(room) as engine:
        with pytest.raises(PlanError, match="inner"):
            await engine.start(checked)
        await engine.plans.save(Plan(name="inner", steps=LOOK.steps))
        run = await engine.start(checked)
        assert (await run.wait()).state is RunState.SUCCEEDED


async def test_tools_that_work_on_the_store_are_known_before_there_is_one() -> None:
    room = Engine.toolroom()
    step = Step(
        id="a",
        tool="context.set",
        args={"scope": "project:blue", "name": "style", "value": 3},
    )
    checked = room.check(Plan(steps=(step,)))
    assert not checked.errors
    async with Engine.in_memory(room) as engine:
        assert (await (await engine.start(checked)).wait()).state is RunState.SUCCEEDED
        item = await engine.context.get("project:blue", "style")
        assert item is not None
        assert item.value == 3


async def test_a_room_serves_one_engine(tmp_path: Path) -> None:
    room = Engine.toolroom(tmp_path / "home", a_world().tools)
    with pytest.raises(InputError, match="the same home"):
        async with Engine.open(tmp_path / "other", room):
            pass
    with pytest.raises(InputError, match="allow_shell"):
        async with Engine.open(tmp_path / "home", room, allow_shell=True):
            pass
    assert not (tmp_path / "home").exists()
    async with Engine.open(tmp_path / "home", room):
        pass
    with pytest.raises(InputError, match="have served another engine"):
        async with Engine.open(tmp_path / "home", room):
            pass
