"""Arguments as data, and conditions on fields that are never given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import opened, records

from callsheet import Engine, tool
from callsheet.errors import PlanError
from callsheet.testing import World, returns, simulated

if TYPE_CHECKING:
    from callsheet import Run

pytestmark = pytest.mark.requirement("E28")

TEXT = "${secrets.TOKEN} ${steps.b} {{ steps.b }} $${x}"
CLOSED: Any = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "note": {"type": "string"}},
    "additionalProperties": False,
}


def a_plan(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"callsheet": 1, "steps": list(steps)}


async def first_args(run: Run) -> object:
    (started,) = await records(run, "AttemptStarted")
    return json.loads(bytes(started.args))


@simulated
async def test_arguments_as_data_reach_the_tool_and_the_journal_as_they_were_written() -> None:
    world = World()
    world.tool("send", effect="write")
    plan = a_plan({"id": "a", "tool": "send", "literal": True, "args": {"text": TEXT}})
    async with opened(world, secrets={"TOKEN": "hush"}) as engine:
        run = await engine.start(plan)
        result = await run.wait()
        assert result.state == "succeeded"
        assert world.calls[0].args == {"text": TEXT}
        assert await first_args(run) == {"text": TEXT}


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ({"ask": "Sure?", "literal": True}, "steps[0].literal"),
        ({"plan": {"steps": []}, "literal": True}, "steps[0].literal"),
        ({"tool": "send", "for_each": [1], "literal": True}, "steps[0].literal"),
        (
            {
                "tool": "send",
                "literal": True,
                "undo": {"tool": "send", "args": {"t": "${secrets.TOKEN}"}},
            },
            "steps[0].undo.args.t",
        ),
    ],
)
async def test_data_is_for_single_calls_and_without_secrets(step: Any, place: str) -> None:
    world = World()
    world.tool("send", effect="write")
    async with opened(world, secrets={"TOKEN": "hush"}) as engine:
        with pytest.raises(PlanError) as refused:
            await engine.start(a_plan({"id": "a", **step}))
    assert place in [problem.place for problem in refused.value.problems]  # type: ignore[attr-defined]


async def test_a_condition_on_a_field_that_is_never_given_fails_and_lists_those_there_are() -> None:
    @tool(name="count", args={}, returns=CLOSED, effect="read")
    async def count(args: object) -> dict[str, int]:
        return {"count": 2}

    async with Engine.open(None, [count]) as engine:
        optional = a_plan(
            {"id": "a", "tool": "count"},
            {"id": "b", "tool": "count", "when": "${steps.a.note}"},
        )
        result = await (await engine.start(optional)).wait()
        assert {name: str(step.state) for name, step in result.steps.items()} == {
            "a": "succeeded",
            "b": "skipped",
        }
        wrong = a_plan(
            {"id": "a", "tool": "count"},
            {"id": "b", "tool": "count", "when": "${steps.a.output.count}"},
        )
        with pytest.raises(PlanError) as refused:
            await engine.start(wrong)
    (problem,) = refused.value.problems
    assert "steps.a has no 'output'" in str(problem)
    assert "Write `when: ${steps.a.count}`." in str(problem)
    assert "steps.a has count, note." in str(problem)


@simulated
async def test_a_null_at_run_time_lists_the_fields_there_are_instead_of_a_default() -> None:
    world = World()
    world.tool("look", returns({"rows": [], "total": 3}))
    plan = a_plan(
        {"id": "a", "tool": "look"},
        {"id": "b", "tool": "look", "args": {"x": "${steps.a.totl}"}},
    )
    async with opened(world) as engine:
        result = await (await engine.start(plan)).wait()
    failure = result.steps["b"].error
    assert failure is not None
    assert "steps.a has no 'totl': it has rows, total" in failure.message
    assert "||" not in failure.message
