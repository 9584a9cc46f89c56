"""All tales of a story: one for each run, with the plan that it should have had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.plan.plan import Budget, Plan
from callsheet.core.run import entries as e
from callsheet.testing.simulation.tale import Tale

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Step
    from callsheet.testing.simulation.forking import Fork
    from callsheet.testing.simulation.story import Story


def tales_of(story: Story) -> list[Tale]:
    """The tale of every run, the one that the story is about first."""
    teller = _Teller(story)
    tales = [teller.tale(run) for run in story.journals]
    for tale in tales:
        if tale.parent is not None and (step := tale.started.parent):
            tale.parent.children.setdefault(step.step, tale)
    for visit in story.outside.visits:
        teller.tale(visit.run).visits.append(visit)
    for effect in story.outside.effects:
        teller.tale(effect.run).effects.append(effect)
    return tales or [Tale("", story.plan, {}, [], [], story, None)]


class _Teller:
    def __init__(self, story: Story) -> None:
        self._story = story
        self._specs = {tool.spec.name: tool.spec for tool in story.setting.tools}
        self._forks = {fork.key: fork for fork in story.forks.wanted}
        self._tales: dict[str, Tale] = {}

    def tale(self, run: str) -> Tale:
        if run not in self._tales:
            self._tales[run] = self._told(run)
            self._tales[run].others = self._tales
        return self._tales[run]

    def _told(self, run: str) -> Tale:
        story, bodies = self._story, self._story.journals.get(run, [])
        entries = [e.decode(body) for body in bodies]
        started = entries[0] if entries else None
        plan, fork, source, parent = story.plan, None, None, None
        if isinstance(started, e.RunStarted) and started.parent:
            parent = self.tale(started.parent.run)
            plan = _nested(parent.step(started.parent.step))
        elif isinstance(started, e.RunStarted) and started.forked_from:
            source = self.tale(started.forked_from.run)
            fork = self._forks.get(started.key or "")
            plan = _forked(source.plan, fork, started)
        return Tale(
            run,
            plan,
            self._specs,
            entries,
            bodies,
            story,
            story.results.get(run),
            fork,
            source,
            parent,
        )


def _nested(step: Step) -> Plan:
    """The plan that a step is, with no more to spend than the step allows."""
    plan = step.plan
    if not isinstance(plan, Plan):
        raise TypeError(plan)
    if step.ceiling is None or not step.ceiling.usd:
        return plan
    budget = plan.budget or Budget()
    usd = min(budget.usd or step.ceiling.usd, step.ceiling.usd)
    return structs.replace(plan, budget=structs.replace(budget, usd=usd))


def _forked(plan: Plan, fork: Fork | None, started: e.RunStarted) -> Plan:
    """The plan of the source, as far as it had come, with the arguments that somebody wanted."""
    there = {step.id for step in started.plan.steps}
    return structs.replace(
        plan,
        steps=tuple(
            structs.replace(step, args={**step.args, **fork.args})
            if fork and fork.args and step.id == fork.step
            else step
            for step in plan.steps
            if step.id in there
        ),
    )
