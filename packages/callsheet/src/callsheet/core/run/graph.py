"""A plan made ready to be run: who needs whom, in what order, under which policies.

Built once per run from the plan and what its tools declare, in time linear in the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import field

from callsheet.core import value
from callsheet.core.ids import StepId
from callsheet.core.plan.order import ranks
from callsheet.core.plan.plan import NOTHING, Cost, Plan, Retry, Step
from callsheet.core.plan.subplan import SUB_PLAN, capped, child_plan, child_spec, is_child
from callsheet.core.plan.toolspec import undo_tool
from callsheet.core.refs.references import prepare
from callsheet.core.run.entries import Refers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.refs.references import Prepared
    from callsheet.core.value import Json

DEFAULT_ATTEMPTS = 3
NO_STEPS: frozenset[StepId] = frozenset()
MAX_LOST = 10
"""How often an attempt may be lost (a crash, not a failure) before the step fails."""


class PlannedStep(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One step of the plan, with everything about it that does not change during a run."""

    step: Step
    id: StepId
    order: int
    """Place in the plan: ready steps of equal priority start in this order."""
    rank: int
    """Place in dependency order: steps that touch the same thing follow it."""
    needs: tuple[StepId, ...]
    watches: frozenset[StepId]
    """Those of its needs of which it wants to know what became of them, and nothing else: however
    they end, it goes on."""
    dependents: list[StepId] = field(default_factory=list)
    writes: bool
    repeatable: bool
    """An unknown outcome may be answered by simply calling again."""
    attempts: int
    retry: Retry
    reserve: Cost
    """What starting it sets aside: the most a call may cost, and the most its undo may."""
    undo_tool: str | None
    undo_reserve: Cost
    timeout: float | None
    dynamic_touches: bool
    """The keys it touches are known only when its references are."""

    tool: str
    """What its starts are counted under: the tool's name."""
    asks: bool
    """Somebody must approve of its call: the plan says so, or whoever runs the engine."""
    is_child: bool
    """It is a run of its own; it holds no slot."""
    gated: bool
    """It must be decided (`when`, dynamic touches) before it is ready."""


class Graph:
    """All steps of a plan, by id, in plan order; of an open run, also those added to it."""

    __slots__ = ("children", "grows", "has_children", "plan", "steps", "tools")

    def __init__(
        self, plan: Plan, tools: Mapping[str, ToolSpec], children: Mapping[str, Plan] | None = None
    ) -> None:
        self.plan = plan
        self.tools = dict(tools)
        self.children = dict(children or {})
        """The saved plans that steps name."""
        self.steps: dict[StepId, PlannedStep] = {}
        self.grows = False
        """Whether it belongs to an open run."""
        self.has_children = False
        """Whether any step is a sub-plan."""
        self.extend(plan.steps)

    def extend(
        self, steps: Sequence[Step], refers: Mapping[str, Refers] | None = None
    ) -> list[PlannedStep]:
        """Add steps, which may need each other and those that are there.

        `refers` is what arguments refer to which stand elsewhere.
        """
        elsewhere = refers or {}
        links = {step.id: _links(step, elsewhere.get(step.id)) for step in steps}
        edges = {name: needs for name, (needs, _) in links.items()}
        positions = ranks(edges)
        before = len(self.steps)
        added = [
            self._planned(step, before + order, before + positions[step.id], *links[step.id])
            for order, step in enumerate(steps)
        ]
        self.steps.update((planned.id, planned) for planned in added)
        for planned in added:
            for need in planned.needs:
                self.steps[need].dependents.append(planned.id)
        self.has_children = self.has_children or any(planned.is_child for planned in added)
        return added

    def _planned(
        self,
        step: Step,
        order: int,
        rank: int,
        needs: tuple[str, ...],
        watches: frozenset[StepId],
    ) -> PlannedStep:
        child = child_plan(step, self.children)
        if child is None:
            spec = self.tools.get(step.tool or "")
        else:
            spec = child_spec(capped(child, step.ceiling), step)
        return _planned(
            step,
            spec,
            self.tools,
            order=order,
            rank=rank,
            needs=needs,
            watches=watches,
            is_child=is_child(step, self.children),
        )

    def ancestors(self, step: StepId) -> set[StepId]:
        """Everything the step needed, directly or not."""
        seen: set[StepId] = set()
        todo = [step]
        while todo:
            for need in self.steps[todo.pop()].needs:
                if need not in seen:
                    seen.add(need)
                    todo.append(need)
        return seen


def needs_of(step: Step) -> tuple[str, ...]:
    """The steps this one waits for: those it names in `needs` and those it refers to."""
    return _links(step)[0]


def watched_by(step: Step) -> frozenset[StepId]:
    """Those of them that it refers to by `outcomes` alone: however they end, it goes on."""
    return _links(step)[1]


def args_refer_to(step: Step) -> Refers:
    """The steps that its arguments refer to."""
    used = prepare(None if step.literal else step.args)
    return Refers(steps=tuple(sorted(used.steps)), outcomes=tuple(sorted(used.outcomes)))


def _links(
    step: Step, elsewhere: Refers | None = None
) -> tuple[tuple[str, ...], frozenset[StepId]]:
    """What a step waits for; and which of that it refers to by `outcomes` alone."""
    found = dict.fromkeys(step.needs)
    watched = NO_STEPS
    wanted: set[str] = set(step.needs)
    if elsewhere is not None:
        found.update(dict.fromkeys(sorted({*elsewhere.steps, *elsewhere.outcomes})))
        wanted |= {*elsewhere.steps}
        watched = frozenset(map(StepId, elsewhere.outcomes))
    for used in _references(step):
        found.update(dict.fromkeys(sorted(used.steps | used.outcomes)))
        wanted |= used.steps
        if used.outcomes:
            watched |= frozenset(map(StepId, used.outcomes))
    return tuple(found), watched - wanted if watched else watched


def _references(step: Step) -> Iterator[Prepared]:
    args = None if step.literal else step.args
    parts: tuple[Json, ...] = (args, step.for_each, step.when, step.ask, [*step.touches])
    for part in parts:
        if part:
            yield prepare(part)
    if step.undo is not None and step.undo != "none":
        yield prepare(step.undo.args)


def _planned(  # noqa: PLR0913 -- what a graph knows of a step
    step: Step,
    spec: ToolSpec | None,
    tools: Mapping[str, ToolSpec],
    *,
    order: int,
    rank: int,
    needs: tuple[str, ...],
    watches: frozenset[StepId],
    is_child: bool,
) -> PlannedStep:
    writes = spec is not None and spec.effect == "write"
    idempotent = step.idempotent if step.idempotent is not None else bool(spec and spec.idempotent)
    # What became of a sub-plan is never unknown: it has a journal.
    repeatable = idempotent or not writes or is_child
    tried_again = repeatable or step.in_doubt == "retry"
    retry = step.retry or (spec.retry if spec else None) or Retry()
    undo_name = undo_tool(step, spec) if writes else None
    undo_reserve = _ceiling(None, tools.get(undo_name) if undo_name else None)
    dynamic_touches = any("${" in key for key in step.touches)
    return PlannedStep(
        step=step,
        id=StepId(step.id),
        order=order,
        rank=rank,
        needs=tuple(StepId(need) for need in needs),
        watches=watches,
        writes=writes,
        repeatable=repeatable,
        # Those of its own steps are tried again.
        attempts=1 if is_child else retry.attempts or (DEFAULT_ATTEMPTS if tried_again else 1),
        retry=retry,
        # The ceiling of a sub-plan's step is one of the caps that it runs under.
        reserve=_ceiling(None if is_child else step, spec).plus(undo_reserve),
        undo_tool=undo_name,
        undo_reserve=undo_reserve,
        timeout=step.timeout if step.timeout is not None else (spec.timeout if spec else None),
        dynamic_touches=dynamic_touches,
        tool=SUB_PLAN if is_child else step.tool or "",
        asks=step.approval is not None or (spec is not None and spec.approval is not None),
        is_child=is_child,
        gated=step.when is not None or dynamic_touches,
    )


def _ceiling(step: Step | None, spec: ToolSpec | None) -> Cost:
    own = step.ceiling if step else None
    return own or (spec.ceiling if spec else None) or NOTHING


_graphs: dict[tuple[str, str], Graph] = {}
"""Graphs are immutable, so runs of one plan share one."""
_MAX_GRAPHS = 64


def graph_of(plan: Plan, tools: Mapping[str, ToolSpec], children: Mapping[str, Plan]) -> Graph:
    """The graph of a plan run with these tools and saved plans; not to be extended."""
    name = (plan.digest, value.digest([tools, children] if children else tools))
    graph = _graphs.get(name)
    if graph is None:
        if len(_graphs) >= _MAX_GRAPHS:
            _graphs.pop(next(iter(_graphs)))
        graph = _graphs[name] = Graph(plan, tools, children)
    return graph
