"""Sub-plans: the plan behind a `plan:` step, and what its run is called.

To everything else a sub-plan looks like a tool: it takes its inputs as arguments, may cost as much
as its budget says, and is taken back by undoing its run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.plan.agent import agent_key, call_schema, cards_in, given_to
from callsheet.core.plan.inputs import bind_inputs
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
    """The plan that a step runs; None: it runs none, or it is not known here."""
    if step.plan is None:
        return children.get(agent_key(step) or "")
    return step.plan if isinstance(step.plan, Plan) else children.get(step.plan)


def is_child(step: Step, children: Mapping[str, Plan]) -> bool:
    """Whether a step is a run of its own: a sub-plan, or the work of an agent.

    Of a tool that is called as an agent would be, the sub-plans of the run say whether it is one.
    """
    return step.plan is not None or step.agent is not None or agent_key(step) in children


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


def child_spec(plan: Plan, step: Step | None = None) -> ToolSpec:
    """The plan of a step as the tool it looks like."""
    if step is not None and step.plan is None:
        return _agent_spec(plan, step)
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


def child_inputs(step: Step, plan: Plan, args: Json) -> dict[str, Json]:
    """The inputs of the run that a step is.

    Raises:
        InputsError: the arguments of the step do not fit them.
    """
    if step.plan is None:
        return bind_inputs(plan, given_to(step, args))
    return bind_inputs(plan, args if isinstance(args, dict) else {})


def _agent_spec(plan: Plan, step: Step) -> ToolSpec:
    args = plan.inputs.get("args")
    schema: dict[str, Json] = dict(args) if isinstance(args, dict) else {}
    if step.agent is None:
        schema = call_schema(plan.inputs.get("capability"), schema)
    which = plan.inputs.get("capability")
    capability = str(which.get("const")) if isinstance(which, dict) else ""
    gives = [card.capabilities.get(capability) for card in cards_in(plan)]
    same = gives and gives[0] is not None and all(each == gives[0] for each in gives)
    return ToolSpec(
        name=step.tool or f"agent for {capability}",
        effect="write",
        undo=SUB_PLAN,
        ceiling=_most(plan.budget) if plan.budget else None,
        input_schema=schema,
        output_schema=gives[0].output if same and gives[0] else None,
    )


def saved_names(plan: Plan) -> Iterator[str]:
    """The saved plans, and the agents, that a plan names: itself, or in plans written into it."""
    for step in plan.steps:
        if isinstance(step.plan, str):
            yield step.plan
        elif step.plan is not None:
            yield from saved_names(step.plan)
        elif key := agent_key(step):
            yield key


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
