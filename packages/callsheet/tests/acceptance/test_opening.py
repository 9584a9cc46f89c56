"""Ways to open an engine, and what is said to whoever takes the wrong one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pydantic
import pytest
from tests.acceptance.stage import a_plan

import callsheet
from callsheet import Engine, Event, Plan, Run, Step, tool
from callsheet.errors import (
    EngineClosedError,
    FatalError,
    InputError,
    RequestRefusedError,
    RunFailedError,
)
from callsheet.testing import World, hangs, raises, returns

if TYPE_CHECKING:
    from pathlib import Path


@tool(effect="read")
async def add(a: int, b: int) -> dict[str, int]:
    return {"sum": a + b}


@tool(effect="read")
async def fail() -> None:
    raise RuntimeError("no luck")


ADD = a_plan(Step(id="x", tool="add", args={"a": 1, "b": 2}), output="${steps.x}")
FAIL = a_plan(Step(id="x", tool="fail"))


@pytest.mark.requirement("door:opening")
async def test_an_engine_may_be_awaited_and_closed(tmp_path: Path) -> None:
    engine = await Engine.open(tmp_path, [add])
    assert (await engine.run(ADD)).output == {"sum": 3}
    await engine.close()
    await engine.close()
    with pytest.raises(EngineClosedError):
        await engine.run(ADD)
    async with Engine.open(tmp_path, [add]) as again:
        assert len(await again.runs()) == 1


@pytest.mark.requirement("door:opening")
async def test_it_may_be_closed_by_another_task_than_opened_it() -> None:
    engine: Engine = await Engine.in_memory([add])
    async with asyncio.TaskGroup() as group:
        group.create_task(engine.close())


@pytest.mark.requirement("door:opening")
async def test_one_that_cannot_be_opened_says_why_whichever_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(callsheet.CallsheetError, match="file"):
        await Engine.open(tmp_path / "file")
    with pytest.raises(callsheet.CallsheetError, match="file"):
        callsheet.sync.open_engine(tmp_path / "file")


@pytest.mark.requirement("door:opening")
async def test_the_wrong_way_says_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Engine.open\('.callsheet'\).*Engine.in_memory\(\)"):
        await Engine.open()  # type: ignore[call-arg]
    opening: Any = Engine.open(tmp_path)
    with pytest.raises(AttributeError, match=r"no 'start'. Write `async with Engine.open"):
        opening.start(ADD)
    with pytest.raises(InputError, match=r"callsheet.sync.open_engine"), opening:
        raise AssertionError
    async with Engine.in_memory() as engine:
        with pytest.raises(EngineClosedError, match=r"await Engine.open"):
            await engine.close()


# An engine on the disk, in a thread.
@pytest.mark.slow
@pytest.mark.requirement("door:sync")
def test_the_sync_door_runs_plans_and_closes(tmp_path: Path) -> None:
    with callsheet.sync.open_engine(tmp_path, tools=[add, fail]) as engine:
        assert engine.run(ADD, key="k").output == {"sum": 3}
        run = engine.start(ADD)
        assert [type(told).__name__ for told in run.events()][-1] == "Event"
        assert run.step("x").output == {"sum": 3}
        assert engine.get(run.id).wait().state == run.status().state
        assert [head.run for head in engine.runs(key="k")] != [run.id]
        assert not engine.check(ADD)
        assert [each.tool for each in engine.do(Engine.statistics, tool="add")] == ["add"]
        assert len(run.do(Run.attempts)) == 1
        assert str(engine.run(FAIL).state) == "failed"
    engine.close()
    with pytest.raises(EngineClosedError, match="closed"):
        engine.runs()


@pytest.mark.requirement("door:sync")
async def test_the_sync_door_works_inside_a_running_loop() -> None:
    with callsheet.sync.open_engine(None, [add]) as engine:
        assert engine.run(ADD).output == {"sum": 3}


@pytest.mark.requirement("door:sync", "E27")
def test_one_step_is_stopped_tried_again_and_taken_back_through_the_sync_door() -> None:
    world = World()
    world.tool("hang", hangs())
    world.tool("once", [raises(FatalError("Not yet.")), returns("done")])
    world.pair("book", "cancel")
    steps = (Step(id="h", tool="hang"), Step(id="o", tool="once"), Step(id="b", tool="book"))
    with callsheet.sync.open_engine(None, world.tools) as engine:
        run = engine.start(a_plan(*steps, on_failure="continue"))
        for told in run.events():
            if isinstance(told, Event) and told.kind == "AttemptStarted" and told.seq == 2:
                run.stop("h", by="ann")
        assert run.wait().steps["h"].state == "cancelled"
        run.retry("o")
        assert run.wait().steps["o"].state == "succeeded"
        run.undo(only="b")
        assert run.wait().steps["b"].state == "undone"


@pytest.mark.requirement("door:sync")
def test_questions_are_answered_and_runs_cancelled_through_the_sync_door() -> None:
    asks = a_plan(Step(id="ok", ask="Go on?", choices=("yes", "no")), output="${steps.ok}")
    with callsheet.sync.open_engine(None) as engine:
        run = engine.start(asks)
        for told in run.events():
            if told.to_json().get("kind") == "QuestionAsked":
                run.answer("ok", "yes", by="me")
        assert run.wait().output == "yes"
        other = engine.start(asks)
        other.cancel(reason="enough")
        assert str(other.wait().state) == "cancelled"


# A process of its own, with nothing imported but the package.
@pytest.mark.slow
@pytest.mark.requirement("door:sync")
def test_the_sync_door_is_there_after_importing_the_package_alone() -> None:
    program = "import callsheet; callsheet.sync.open_engine(None).close()"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@pytest.mark.requirement("door:result")
async def test_a_result_raises_for_its_state_and_is_read_as_a_model() -> None:
    class Sum(pydantic.BaseModel):
        sum: int

    class Total(msgspec.Struct):
        sum: int

    class Text(pydantic.BaseModel):
        text: str

    async with Engine.in_memory([add, fail]) as engine:
        result = (await engine.run(ADD)).raise_for_state()
        assert result.output_as(Sum) == Sum(sum=3)
        assert result.output_as(Total) == Total(sum=3)
        assert result.output_as(dict[str, int]) == {"sum": 3}
        for wrong in (Text, list[int]):
            with pytest.raises(InputError, match="The output of run"):
                result.output_as(wrong)
        failed = await engine.run(FAIL)
        with pytest.raises(RunFailedError, match="is failed: x: RuntimeError: no luck") as caught:
            failed.raise_for_state()
        assert caught.value.result is failed


@pytest.mark.requirement("door:result")
async def test_one_step_is_waited_for_alone() -> None:
    plan = Plan(
        steps=(
            Step(id="x", tool="add", args={"a": 1, "b": 2}),
            Step(id="ok", ask="Go on?"),
        )
    )
    async with Engine.in_memory([add]) as engine, asyncio.timeout(60):
        run = await engine.start(plan, open=True)
        assert (await run.step("x").result()).output == {"sum": 3}
        async with asyncio.TaskGroup() as group:
            later = group.create_task(run.step("y").result())
            await run.add([Step(id="y", tool="add", args={"a": 2, "b": 2})])
            assert (await later).output == {"sum": 4}
        assert await run.step("z").status() is None
        await run.answer("ok", "yes")
        await run.seal()
        with pytest.raises(RequestRefusedError, match="has no step 'z'"):
            await run.step("z").result()
