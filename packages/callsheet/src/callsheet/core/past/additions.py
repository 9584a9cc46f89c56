"""Steps added to an open run: read and checked like a plan's, against all that is there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.check.check import check_plan
from callsheet.core.check.layout import survey_of
from callsheet.core.check.references import check_references
from callsheet.core.plan.plan import FORMAT, Plan
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.problem import Problem, Report, refusal_of, show
from callsheet.core.run import entries as e
from callsheet.core.run.start import specs_of
from callsheet.errors import RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.run.request import Request
    from callsheet.core.run.snapshot import Snapshot

_STEP = re.compile(r"steps\[(\d+)\]")


def entry_of(s: Snapshot, request: Request, at: datetime, toolbox: Tools | None) -> e.StepsAdded:
    """The entry that adds the steps.

    Raises:
        RequestRefusedError: the run takes none.
        PlanError: they do not check; every problem, with places counted from the first of them.
    """
    if not s.open or s.ended:
        why = f"has ended ({s.state})" if s.ended else "is not open: it takes no more steps"
        raise RequestRefusedError(f"Run {s.run!r} {why}.")
    if s.stopping or s.is_undoing:
        raise RequestRefusedError(f"Run {s.run!r} is stopping: it takes no more steps.")
    added = read_plan({"callsheet": FORMAT, "steps": request.steps})
    problems = [*_taken(s, added), *_problems(s, added, request, toolbox)]
    if problems:
        raise refusal_of(problems)
    specs = specs_of(added, toolbox) if toolbox is not None else {}
    return e.StepsAdded(
        at=at,
        steps=added.steps,
        tools={name: spec for name, spec in specs.items() if name not in s.graph.tools},
        children=request.plans,
        by=request.by,
        request=request.id,
    )


def _taken(s: Snapshot, added: Plan) -> Iterator[Problem]:
    for index, step in enumerate(added.steps):
        if step.id in s.graph.steps:
            what = f"the run has a step {show(step.id)} already"
            yield Problem(place=f"steps[{index}].id", what=what, fix="Give it another id.")


def _problems(
    s: Snapshot, added: Plan, request: Request, toolbox: Tools | None
) -> Iterator[Problem]:
    there = tuple(planned.step for planned in s.graph.steps.values())
    whole = structs.replace(s.graph.plan, steps=(*there, *added.steps))
    children = {**s.graph.children, **request.plans}
    for problem in _found(whole, children, s, toolbox):
        place = _STEP.match(problem.place)
        # What is there was checked when it came; the budget watches over itself.
        if problem.severity == "error" and place and int(place[1]) >= len(there):
            index = int(place[1]) - len(there)
            rest = problem.place[place.end() :]
            yield structs.replace(problem, place=f"steps[{index}]{rest}")


def _found(
    whole: Plan, children: Mapping[str, Plan], s: Snapshot, toolbox: Tools | None
) -> Iterable[Problem]:
    if toolbox is not None:
        return check_plan(whole, toolbox.spec, toolbox.names, children)
    # Whoever drives the run has the tools, and says what is wrong about those; what leads nowhere
    # can be said here and now.
    report = Report()
    check_references(survey_of(whole, _Recorded(s.graph.tools), report, children), report)
    return report.ordered


class _Recorded:
    """The tools that a run has recorded, without their schemas."""

    def __init__(self, tools: Mapping[str, ToolSpec]) -> None:
        self._tools = tools

    def spec(self, name: str) -> ToolSpec | None:
        # What is not recorded may be there all the same.
        return self._tools.get(name) or ToolSpec(name=name)

    def names(self) -> Sequence[str]:
        return sorted(self._tools)
