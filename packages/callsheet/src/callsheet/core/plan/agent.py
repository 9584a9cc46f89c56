"""Agents, as far as plans know them: what one is, and the plan that its work is.

An agent is data. A step that is an agent's is a run of its own, like a sub-plan: an open run that
begins by choosing who answers. The agents that are able stand in the inputs of that plan, as they
were when the run around it started: so a run keeps their versions, whatever becomes of files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.card import AGENT, AgentCard
from callsheet.core.plan.plan import Budget, Plan, Step, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json

CHOOSE = "model.choose"
"""The tool of the step that an agent's run begins with."""
PLAN = "agent"
"""What the plan of an agent's run is called."""
_NAMED, _ABLE = "agent:", "able:"
"""How the names begin that these plans have among the sub-plans of a run: no saved plan's does."""
_CALLS_AT_ONCE = 8
_DEFS = "$defs"
CHOICE: dict[str, Json] = {
    "agents": "${inputs.agents}",
    "capability": "${inputs.capability}",
    "args": "${inputs.args}",
    "chain": "${inputs.chain}",
}
"""What a step that chooses is told."""


def agent_key(step: Step) -> str | None:
    """What the plan of an agent's step is called among sub-plans; None: it is no agent's."""
    if step.agent is not None:
        return able_key(step.agent)
    if step.tool is None or not step.tool.startswith(AGENT):
        return None
    return _named_key(step.tool, step.args)


def agent_key_in(step: Mapping[str, Json]) -> str | None:
    """The same, of a step as it was written: nobody has checked it yet."""
    wanted, tool, args = step.get("agent"), step.get("tool"), step.get("args")
    if isinstance(wanted, dict) and isinstance(wanted.get("capability"), str):
        return f"{_ABLE}{wanted['capability']}/{wanted.get('role') or ''}"
    if isinstance(tool, str) and tool.startswith(AGENT):
        return _named_key(tool, args if isinstance(args, dict) else {})
    return None


def able_key(wanted: Wanted) -> str:
    """What the plan is called that has whoever is able do something."""
    return f"{_ABLE}{wanted.capability}/{wanted.role}"


def _named_key(tool: str, args: Mapping[str, Json]) -> str:
    capability = args.get("capability")
    said = capability if isinstance(capability, str) and "${" not in capability else ""
    return f"{_NAMED}{tool.removeprefix(AGENT)}/{said}"


def agent_plan(key: str, tools: Tools) -> Plan | None:
    """The plan behind such a name, with the agents there are; None: there are none."""
    if key.startswith(_NAMED):
        name, _, capability = key.removeprefix(_NAMED).partition("/")
        spec = tools.spec(AGENT + name)
        card = spec.agent if spec is not None else None
        if card is None or (capability and capability not in card.capabilities):
            return None
        return plan_of([card], capability)
    if key.startswith(_ABLE):
        capability, _, role = key.removeprefix(_ABLE).partition("/")
        able = able_agents(tools, Wanted(capability=capability, role=role))
        return plan_of(able, capability) if able else None
    return None


def is_saved_name(name: str) -> bool:
    """Whether a plan of this name would be a saved one, and no agent's."""
    return not name.startswith((_NAMED, _ABLE))


def able_agents(tools: Tools, wanted: Wanted) -> list[AgentCard]:
    """The agents that can do something, those that are preferred first."""
    able = [
        card
        for card in all_agents(tools)
        if wanted.capability in card.capabilities and wanted.role in ("", card.role)
    ]
    return sorted(able, key=lambda card: -card.preference)


def all_agents(tools: Tools) -> list[AgentCard]:
    """Every agent there is, by name."""
    specs = (tools.spec(name) for name in tools.names() if name.startswith(AGENT))
    return [spec.agent for spec in specs if spec is not None and spec.agent is not None]


def plan_of(able: Sequence[AgentCard], capability: str) -> Plan:
    """The plan of a run in which one of these agents does something."""
    names: list[Json] = [*able[0].capabilities]
    cards: list[Json] = [msgspec.to_builtins(card) for card in able]
    which: Json = {"const": capability} if capability else {"enum": names}
    args: Json = able[0].capabilities[capability].input if capability else {"type": "object"}
    return Plan(
        name=PLAN,
        inputs={
            "capability": which,
            "args": args,
            "chain": {"type": "array", "default": []},
            "agents": {"type": "array", "default": cards},
        },
        budget=_largest(card.budget for card in able),
        # Whoever is around it decides what is kept of what it did.
        on_failure="stop",
        on_cancel="keep",
        concurrency=_CALLS_AT_ONCE + 1,
        steps=[Step(id="c1", tool=CHOOSE, args=dict(CHOICE))],
    )


def _largest(budgets: Iterable[Budget | None]) -> Budget | None:
    """What the one with the most may spend; what one has no cap on, all have none on."""
    said = [each or Budget() for each in budgets]
    most: dict[str, float] = {}
    for currency in Budget.__struct_fields__:
        caps = [getattr(each, currency) for each in said]
        if all(cap is not None for cap in caps):
            most[currency] = max(caps)
    return msgspec.convert(most, Budget) if most else None


def cards_in(plan: Plan) -> list[AgentCard]:
    """The agents that a plan has do something."""
    said = plan.inputs.get("agents")
    found = said.get("default") if isinstance(said, dict) else None
    return msgspec.convert(found or [], list[AgentCard])


def given_to(step: Step, args: Json) -> dict[str, Json]:
    """The inputs of an agent's run: the arguments of its step, and nothing else of theirs."""
    given = args if isinstance(args, dict) else {}
    if step.agent is not None:
        chain: Json = [*step.agent.chain]
        return {"capability": step.agent.capability, "args": given, "chain": chain}
    return {name: given[name] for name in ("capability", "args") if name in given}


def call_schema(capability: Json, args: dict[str, Json]) -> dict[str, Json]:
    """What an agent is called with by its name."""
    # References lead from the root: what those of the arguments lead to stands there.
    inner = {key: args[key] for key in args if key != _DEFS}
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"capability": capability, "args": inner},
        "required": ["capability", "args"],
        "additionalProperties": False,
    }
    return {**schema, _DEFS: args[_DEFS]} if _DEFS in args else schema
