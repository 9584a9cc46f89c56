"""Sub-plans: the plan behind a `plan:` step, and what its run is called.

To everything else a sub-plan looks like a tool: it takes its inputs as arguments, may cost as much
as its budget says, and is taken back by undoing its run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.plan.plan import Budget, Cost, Plan
from callsheet.core.plan.toolspec import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from callsheet.core.plan.plan import Step
    from callsheet.core.value import Json

SUB_PLAN = "sub-plan of a step"
"""What `plan:` steps are counted and undone under; no tool can be called so."""
MAX_NESTED = 8
"""How deep sub-plans may be nested."""


def child_plan(step: Step, children: Mapping[str, Plan]) -> Plan | None:
    """The plan that a `plan:` step runs; None: it is none, or its saved plan is not known."""
    return step.plan if isinstance(step.plan, Plan) else children.get(step.plan or "")


def capped(plan: Plan, ceiling: Cost | None) -> Plan:
    """A sub-plan with no more to spend than its step allows."""
    if ceiling is None:
        return plan
    caps = plan.budget or Budget()
    lower = {
        currency: allowed if cap is None else min(cap, allowed)
        for currency in ("usd", "credits", "tokens", "calls")
        if (allowed := getattr(ceiling, currency))
        for cap in (getattr(caps, currency),)
    }
    return structs.replace(plan, budget=structs.replace(caps, **lower))


def child_spec(plan: Plan) -> ToolSpec:
    """A sub-plan as the tool it looks like."""
    required: list[Json] = [
        name
        for name, schema in plan.inputs.items()
        if not (isinstance(schema, dict) and "default" in schema)
    ]
    schema: dict[str, Json] = {
        "type": "object",
        "properties": dict(plan.inputs),
        "required": required,
        "additionalProperties": False,
    }
    return ToolSpec(
        name=f"plan {plan.name}",
        effect="write",
        undo=SUB_PLAN,
        ceiling=_most(plan.budget) if plan.budget else None,
        input_schema=schema,
    )


def saved_names(plan: Plan) -> Iterator[str]:
    """The saved plans that a plan names, in its own steps and in the plans written into them."""
    for step in plan.steps:
        if isinstance(step.plan, str):
            yield step.plan
        elif step.plan is not None:
            yield from saved_names(step.plan)


def name_and_version(text: str) -> tuple[str, int | None]:
    """What `name` or `name@3` asks for; without a version it is the newest."""
    name, at, version = text.partition("@")
    return name, int(version) if at else None


def _most(budget: Budget) -> Cost:
    return Cost(
        usd=budget.usd or 0.0,
        credits=budget.credits or 0.0,
        tokens=budget.tokens or 0,
        calls=budget.calls or 0,
    )
