"""Python takes what YAML takes. That the types allow it is checked by mypy, on this file too."""

from __future__ import annotations

import pytest

from callsheet import Budget, Cost, Engine, Plan, Retry, Step, Undo, tool
from callsheet.core.plan.read import read_plan
from callsheet.errors import PlanError

YAML = """
callsheet: 1
name: trip
budget: {seconds: 10m, usd: 2}
steps:
  - id: look
    tool: look
  - id: book
    tool: book
    needs: [look]
    touches: [desk]
    retry: 4
    cost: 0.1
    ceiling: {usd: 0.2}
    timeout: 5s
    undo: {tool: cancel}
  - id: wait
    tool: look
    needs: [book]
    retry: {attempts: 2, backoff: 200ms}
    cache: 1h
  - id: ok
    ask: Well?
    choices: [yes_, no_]
"""


@tool(effect="read")
async def look() -> None: ...


@tool(effect="write")
async def book() -> None: ...


@tool(effect="write")
async def cancel(key: str) -> None: ...


PLAN = Plan(
    name="trip",
    budget=Budget(seconds="10m", usd=2),
    steps=[
        Step(id="look", tool=look),
        Step(
            id="book",
            tool=book,
            needs=["look"],
            touches="desk",
            retry=4,
            cost=0.1,
            ceiling={"usd": 0.2},
            timeout="5s",
            undo=Undo(tool=cancel),
        ),
        Step(
            id="wait",
            tool="look",
            needs="book",
            retry=Retry(attempts=2, backoff="200ms"),
            cache="1h",
        ),
        Step(id="ok", ask="Well?", choices=["yes_", "no_"]),
    ],
)


@pytest.mark.requirement("E1", "plan:python-as-yaml")
def test_a_plan_of_objects_is_the_plan_of_the_same_words() -> None:
    assert read_plan(PLAN) == read_plan(YAML)
    assert PLAN.digest == read_plan(YAML).digest


@pytest.mark.requirement("plan:python-as-yaml")
def test_short_forms_become_the_normal_form_when_the_object_is_made() -> None:
    step = PLAN.steps[1]
    assert step.tool == "book"
    assert (step.retry, step.cost, step.timeout) == (Retry(attempts=4), Cost(usd=0.1), 5.0)
    assert (step.needs, step.touches) == (("look",), ("desk",))
    assert Step(id="a", tool="b", undo="c").undo == Undo(tool="c")
    assert Step(id="a", tool="b", undo="none").undo == "none"
    assert Step(id="a", tool="b", retry={"attempts": 2, "backoff": "1m"}).retry == Retry(
        attempts=2, backoff=60.0
    )


@pytest.mark.requirement("plan:python-as-yaml")
def test_a_form_that_means_nothing_is_refused_where_it_stands() -> None:
    wrong = Plan(steps=[Step(id="a", tool="b", timeout="soon", retry={"tries": 3})])
    with pytest.raises(PlanError) as caught:
        read_plan(wrong)
    places = [str(problem) for problem in caught.value.problems]
    assert any("steps[0].timeout" in place for place in places)
    assert any("steps[0].retry" in place for place in places)


@pytest.mark.requirement("plan:python-as-yaml")
async def test_a_mapping_is_taken_wherever_a_plan_is_and_needs_no_version() -> None:
    plan = {
        "inputs": {"n": {"type": "integer", "default": 1}},
        "steps": [{"id": "a", "tool": "look"}],
    }
    async with Engine.in_memory([look]) as engine:
        assert await engine.check(plan) == ()
        assert engine.bind(plan, {}) == {"n": 1}
        assert (await engine.run(plan)).state == "succeeded"
        (wrong,) = await engine.check({"steps": [{"id": "a", "tool": "loook"}]})
        assert "loook" in wrong.what
        (shape,) = await engine.check({"steps": 3})
        assert shape.place == "steps"


async def test_a_check_that_is_not_awaited_is_read_as_it_was_before() -> None:
    async with Engine.in_memory([look]) as engine:
        assert engine.check({"steps": [{"id": "a", "tool": "look"}]}) == ()
        found = engine.check({"steps": [{"id": "a", "tool": "loook"}]})
        assert found
        assert tuple(found) == await found
        assert found == engine.check({"steps": [{"id": "a", "tool": "loook"}]})
        assert "loook" in found[0].what


async def test_what_check_was_called_before_says_what_it_is_called_now() -> None:
    plan = {"steps": [{"id": "a", "tool": "look"}]}
    async with Engine.in_memory([look]) as engine:
        with pytest.warns(DeprecationWarning, match="`examine` is called `check` now"):
            assert await engine.examine(plan) == ()
        with pytest.warns(DeprecationWarning, match="`problems` is called `check` now"):
            assert await engine.problems(plan) == ()
