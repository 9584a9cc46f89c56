"""The fourth point of the contract: memory belongs to whoever runs the agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.agents.troupe import all_replay, result, step, troupe, writer

from callsheet import RunState
from callsheet.testing import simulated
from callsheet.testing.models import ScriptedModel, calls

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("M1")

FILM = "project:film"


REMEMBERING = [writer(reads=("style:*",), writes=("notes:*",))]


@simulated
async def test_items_are_read_and_written_in_the_scope_of_what_the_run_is_about() -> None:
    model = ScriptedModel(
        [*calls("1", "memory.read", {"name": "style:3"})],
        [*calls("2", "memory.write", {"name": "notes:1", "value": "dark", "after": 0})],
        [result({"title": "x"})],
    )
    async with troupe(REMEMBERING, model) as engine:
        await engine.context.set(FILM, "style:3", {"light": "low"})
        run = await engine.start({"steps": [step()]}, subject=FILM)
        assert (await run.wait()).state is RunState.SUCCEEDED
        assert '"light":"low"' in str(model.requests[1].messages[-1]).replace(" ", "")
        kept = await engine.context.get(FILM, "notes:1")
        assert kept is not None
        assert kept.value == "dark"
        await run.undo()
        await run.wait()
        assert await engine.context.get(FILM, "notes:1") is None
        assert await all_replay(engine)


@simulated
async def test_without_a_subject_it_is_the_runs_own_scope() -> None:
    model = ScriptedModel(
        [*calls("1", "memory.write", {"name": "notes:1", "value": 1, "after": 0})],
        [result({"title": "x"})],
    )
    async with troupe(REMEMBERING, model) as engine:
        ended = await engine.run({"steps": [step()]})
        assert await engine.context.get(f"run:{ended.run}", "notes:1") is not None


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("memory.read", {"name": "secrets:1"}),
        ("memory.write", {"name": "style:3", "value": 1, "after": 0}),
    ],
)
@simulated
async def test_another_name_is_denied(name: str, args: dict[str, Json]) -> None:
    model = ScriptedModel([*calls("1", name, args)], [result({"title": "x"})])
    async with troupe(REMEMBERING, model) as engine:
        await engine.run({"steps": [step()]})
        assert "denied" in str(model.requests[1].messages[-1])
        runs = [await (await engine.get(head.run)).journal() for head in await engine.runs()]
        assert not [each for run in runs for each in run if "context." in str(each)[:400]]


@simulated
async def test_a_lost_compare_and_set_is_shown_once_and_then_fails() -> None:
    lost = [*calls("1", "memory.write", {"name": "notes:1", "value": "mine", "after": 0})]
    again = [*calls("2", "memory.write", {"name": "notes:1", "value": "still", "after": 7})]
    model = ScriptedModel(lost, again, [result({"title": "x"})])
    async with troupe(REMEMBERING, model) as engine:
        await engine.context.set(FILM, "notes:1", "theirs")
        run = await engine.start({"steps": [step()]}, subject=FILM)
        ended = await run.wait()
        assert "somebody else has changed it" in str(model.requests[1].messages[-1])
        assert ended.state is RunState.FAILED
        failed = ended.steps["w"].error
        assert failed is not None
        assert "twice" in failed.message
        kept = await engine.context.get(FILM, "notes:1")
        assert kept is not None
        assert kept.value == "theirs"


@simulated
async def test_an_agent_that_declares_nothing_is_offered_no_memory() -> None:
    model = ScriptedModel([result({"title": "x"})])
    async with troupe([writer()], model) as engine:
        await engine.run({"steps": [step()]})
        assert model.requests[0].tools == ()
