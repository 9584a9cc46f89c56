"""Sub-plans as the tools they look like: what they take, cost and are called."""

from __future__ import annotations

import pytest
from tests.unit.core.story import TOOLS, a_plan

from callsheet.core.plan.plan import NOTHING, Budget, Cost, Plan, Step
from callsheet.core.plan.subplan import (
    capped,
    child_plan,
    child_spec,
    name_and_version,
    saved_names,
)
from callsheet.core.run.graph import Graph

PART = a_plan(Step(id="x", tool="look"), budget=Budget(usd=3.0, credits=2.0), name="part")


@pytest.mark.requirement("E16", "budget:reserved-with-the-start")
@pytest.mark.parametrize(
    ("ceiling", "reserved"),
    [
        (None, Cost(usd=3.0, credits=2.0)),
        (Cost(usd=1.0), Cost(usd=1.0, credits=2.0)),
        (Cost(usd=5.0), Cost(usd=3.0, credits=2.0)),
        (Cost(tokens=9, calls=4), Cost(usd=3.0, credits=2.0, tokens=9, calls=4)),
    ],
)
def test_what_a_sub_plan_reserves_is_what_it_may_spend_of_each(
    ceiling: Cost | None, reserved: Cost
) -> None:
    (planned,) = Graph(a_plan(Step(id="s", plan=PART, ceiling=ceiling)), TOOLS).steps.values()
    budget = capped(PART, ceiling).budget
    assert planned.reserve == reserved
    assert budget is not None
    assert (
        Cost(
            usd=budget.usd or 0.0,
            credits=budget.credits or 0.0,
            tokens=budget.tokens or 0,
            calls=budget.calls or 0,
        )
        == reserved
    )
    assert planned.undo_reserve == NOTHING


def test_a_sub_plan_without_a_budget_is_capped_by_its_step_alone() -> None:
    free = a_plan(Step(id="x", tool="look"))
    assert capped(free, None).budget is None
    assert capped(free, Cost(usd=1.0)).budget == Budget(usd=1.0)
    assert child_spec(free).ceiling is None


def test_a_sub_plan_takes_its_inputs_and_nothing_else() -> None:
    spec = child_spec(
        a_plan(inputs={"a": {"type": "string"}, "b": {"type": "integer", "default": 1}, "c": True})
    )
    assert spec.effect == "write"
    assert spec.input_schema["required"] == ["a", "c"]
    assert spec.input_schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("text", "found"), [("film", ("film", None)), ("film@3", ("film", 3)), ("a@10", ("a", 10))]
)
def test_a_name_may_have_a_version(text: str, found: tuple[str, int | None]) -> None:
    assert name_and_version(text) == found


def test_saved_plans_are_found_however_deep_they_are_named() -> None:
    inner = Plan(steps=(Step(id="a", plan="one@2"), Step(id="b", tool="look")))
    outer = Plan(steps=(Step(id="c", plan=inner), Step(id="d", plan="two")))
    assert list(saved_names(outer)) == ["one@2", "two"]
    assert child_plan(outer.steps[0], {}) is inner
    assert child_plan(outer.steps[1], {"two": PART}) is PART
    assert child_plan(outer.steps[1], {}) is None
    assert child_plan(inner.steps[1], {}) is None
