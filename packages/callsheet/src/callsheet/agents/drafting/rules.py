"""What holds for a step that a model wrote, and not for one that a person wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.plan.agent import able_agents, agent_key_in, agent_plan
from callsheet.core.plan.card import AGENT
from callsheet.core.plan.plan import Plan, Step, Undo, tool_names
from callsheet.core.plan.toolspec import Tools, ToolSpec, undo_tool
from callsheet.core.problem import Problem, one_of, show
from callsheet.core.refs.references import examine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from callsheet.core.value import Json

_NOT_ITS_TO_SAY = {
    "idempotent": "the tool says whether it may be repeated",
    "destructive": "the tool says whether it destroys something",
    "cost": "the tool says what it costs",
    "ceiling": "the tool says what it may cost",
    "in_doubt": "a person says what is done about a doubt",
}
"""A model could make a call look harmless, or cheap, that is not."""
_DEFAULT = Step(id="default")


class Offered:
    """What the steps of a draft may call: these tools and saved plans, and nothing else."""

    def __init__(
        self,
        tools: Tools,
        offered: tuple[str, ...],
        plans: Mapping[str, Plan],
        named: tuple[str, ...],
    ) -> None:
        self.tools = tools
        self.offered = offered
        self.plans = dict(plans)
        """By the names that they are offered under, and those that they name in turn."""
        self.named = named
        """The saved plans that are offered."""
        inside = {name for plan in plans.values() for name in tool_names(plan)}
        specs = [tools.spec(name) for name in (*offered, *inside)]
        undos = {spec.undo for spec in specs if spec is not None and spec.undo is not None}
        self._known = {*offered, *inside, *undos}

    def spec(self, name: str) -> ToolSpec | None:
        """A tool that is offered, or called by a plan that is, or takes one of those back."""
        return self.tools.spec(name) if name in self._known else None

    def learn(self, found: Json) -> None:
        """A step may be the work of an agent: then what that is has to be known to check it."""
        key = agent_key_in(found) if isinstance(found, dict) else None
        if key is not None and key not in self.plans:
            plan = agent_plan(key, self)
            if plan is not None:
                self.plans[key] = plan
                self._known |= tool_names(plan)

    def names(self) -> Sequence[str]:
        """Those that are offered."""
        return sorted(self.offered)


def approved(step: Step, offered: Offered) -> Step:
    """The step; a call that destroys something asks a person, whatever the model says."""
    spec = offered.spec(step.tool) if step.tool is not None else None
    if spec is not None and spec.destructive and step.approval is None:
        return structs.replace(step, approval="required")
    return step


def waits(step: Step, offered: Offered) -> bool:
    """Whether it starts only when the draft has ended: it changes what nobody could take back."""
    if step.agent is not None:
        return True  # who does it, and how, is not known yet
    if step.plan is not None:
        child = offered.plans.get(step.plan) if isinstance(step.plan, str) else None
        return child is None or not _is_harmless(child, offered.tools)
    spec = offered.spec(step.tool) if step.tool is not None else None
    if spec is None:
        return False
    if spec.effect == "read":
        return spec.approval is not None or step.approval is not None
    asks = spec.approval is not None or step.approval is not None
    return asks or undo_tool(step, spec) is None


def _is_harmless(plan: Plan, tools: Tools) -> bool:
    """Whether all of it can be taken back; of a plan within it, nobody asks."""
    if any(step.plan is not None for step in plan.steps):
        return False
    specs = [tools.spec(name) for name in tool_names(plan)]
    return all(spec is not None and (spec.effect == "read" or spec.undo) for spec in specs)


def rules(step: Step, offered: Offered, index: int) -> Iterator[Problem]:
    """What is wrong with it, beyond what is wrong with any step."""
    place = f"steps[{index}]"
    for name, why in _NOT_ITS_TO_SAY.items():
        if getattr(step, name) != getattr(_DEFAULT, name):
            what = f"a drafted step has no `{name}`: {why}"
            yield Problem(place=f"{place}.{name}", what=what, fix="Leave it out.")
    yield from _calls(step, offered, place)
    for where, part in _parts(step):
        if "secrets" in examine(part)[0].roots:
            what = "a drafted step cannot refer to secrets"
            fix = "Leave it out: tools that need a secret have it."
            yield Problem(place=f"{place}.{where}", what=what, fix=fix)


def _calls(step: Step, offered: Offered, place: str) -> Iterator[Problem]:
    # What is not known at all is told by whoever checks it.
    undo = step.undo.tool if isinstance(step.undo, Undo) else None
    for where, name in (("tool", step.tool), ("undo.tool", undo)):
        if name is not None and name not in offered.offered and offered.spec(name) is not None:
            what = f"the tool {show(name)} is not offered"
            fix = f"Write one of {one_of(offered.names())}."
            yield Problem(place=f"{place}.{where}", what=what, fix=fix)
    if step.agent is not None:
        able = [AGENT + card.name for card in able_agents(offered.tools, step.agent)]
        if others := [name for name in able if name not in offered.offered]:
            what = f"{one_of(others)} could be chosen, and is not offered"
            yield Problem(place=f"{place}.agent", what=what, fix="Name the agent, as a tool.")
    if isinstance(step.plan, Plan):
        what = "a drafted step does not write a plan of its own"
        yield Problem(place=f"{place}.plan", what=what, fix="Write its steps here.")
    elif step.plan is not None and step.plan not in offered.named:
        what = f"the saved plan {show(step.plan)} is not offered"
        known = f"Write one of {one_of(offered.named)}." if offered.named else "Call tools."
        yield Problem(place=f"{place}.plan", what=what, fix=known)


def _parts(step: Step) -> Iterable[tuple[str, Json]]:
    if not step.literal:
        yield "args", step.args
    if isinstance(step.undo, Undo):
        yield "undo.args", step.undo.args
    yield "for_each", step.for_each
    yield "when", step.when
    yield "ask", step.ask
    yield "touches", list(step.touches)
