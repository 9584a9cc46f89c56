"""Steps added to an open run: read and checked like a plan's, against what is there.

What is there was checked when it came: to add one more step takes no longer in a long run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.check.check import check_added, check_added_references
from callsheet.core.ids import StepId, StepKey, step_of
from callsheet.core.past import verbs
from callsheet.core.plan.addition import Addition
from callsheet.core.plan.plan import FORMAT, Plan, Step, tool_names
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.problem import Problem, refusal_of, show
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.request import Request
from callsheet.core.run.start import specs_of
from callsheet.core.words import clipped
from callsheet.errors import InvalidError, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from callsheet.core.check.survey import Standing
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.run.request import RequestKind
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun

MOST_AT_ONCE = 1_000
MOST_OF_RUN = 10_000
"""Steps of one add, and of a run that steps are added to."""


def entry_of(s: Snapshot, request: Request, at: datetime, toolbox: Tools | None) -> e.StepsAdded:
    """The entry that adds the steps of a request.

    Raises:
        RequestRefusedError: the run takes none.
        PlanError: they do not check; every problem, with places counted from the first of them.
    """
    must_take_steps(s)
    addition = Addition(steps=request.steps, plans=request.plans)
    added = _checked(s, _read(addition), addition.plans, toolbox)
    return structs.replace(added.entry(s, at), by=request.by, request=request.id)


def entry_from_inside(
    s: Snapshot, who: tuple[StepKey, int], addition: Addition, at: datetime, toolbox: Tools
) -> e.StepsAdded | None:
    """The entry that adds steps in the name of a step and its attempt; None: they are all there.

    Whatever an earlier attempt of it has added is not added again.

    Raises:
        RequestRefusedError: the run takes none.
        PlanError: they do not check.
        InvalidError: an earlier attempt has added another step of the same id.
    """
    must_take_steps(s)
    read = _read(addition)
    new = [step for step in read.steps if not _is_there(s, who[0], step)]
    if not new:
        return None
    if len(new) < len(read.steps):
        read = structs.replace(read, steps=tuple(new))
    added = _checked(s, read, addition.plans, toolbox)
    return structs.replace(added.entry(s, at), step=who[0], attempt=who[1])


def stop_from_inside(s: Snapshot, adder: StepKey, name: str, at: datetime) -> e.AnyEntry | None:
    """The entry that stops a step in the name of the one that has added it; None: it was told.

    Raises:
        RequestRefusedError: it is not one of those, or cannot be stopped.
    """
    step = _own(s, adder, name)
    if step.told == "stop":
        return None
    return _unasked(verbs.stop(s, _asked(s, adder, name, "stop"), at))


def undo_from_inside(s: Snapshot, adder: StepKey, name: str, at: datetime) -> e.AnyEntry | None:
    """The entry that takes a step back in the name of the one that has added it.

    None: it is being taken back, or was.

    Raises:
        RequestRefusedError: it is not one of those, or cannot be taken back.
    """
    if _own(s, adder, name).alone:
        return None
    return _unasked(verbs.undo(s, _asked(s, adder, name, "undo_step"), at))


def _own(s: Snapshot, adder: StepKey, name: str) -> StepRun:
    if s.adders.get(step_of(name)) != adder:
        raise RequestRefusedError(
            f"Step {adder!r} has not added a step {name!r}: a step stops and takes back what it "
            "has added itself, and nothing else."
        )
    found = s.steps.get(StepKey(name))
    if found is None:
        raise RequestRefusedError(f"Step {step_of(name)!r} has no item {name!r}.")
    return found


def _asked(s: Snapshot, adder: StepKey, name: str, kind: RequestKind) -> Request:
    """What would be asked from outside. It has no id that anybody waits for."""
    return Request(id="", run=s.run, kind=kind, step=name, by=f"step {adder}")


def _unasked(entry: e.AnyEntry | None) -> e.AnyEntry | None:
    """Nobody has left a request in the inbox that this would be the answer to."""
    if isinstance(entry, (v.StopRequested, v.StepUndoRequested)):
        return structs.replace(entry, request=None)
    return entry


def must_take_steps(s: Snapshot) -> None:
    """Refuse, unless the run is open and goes forward.

    Raises:
        RequestRefusedError: the run takes no steps.
    """
    if not s.open or s.ended:
        why = f"has ended ({s.state})" if s.ended else "is not open: it takes no more steps"
        raise RequestRefusedError(f"Run {s.run!r} {why}.")
    if s.stopping or s.is_undoing:
        raise RequestRefusedError(f"Run {s.run!r} is stopping: it takes no more steps.")


class _Added(msgspec.Struct, frozen=True):
    """Steps that check."""

    plan: Plan
    tools: dict[str, ToolSpec]
    children: dict[str, Plan]

    def entry(self, s: Snapshot, at: datetime) -> e.StepsAdded:
        known = s.graph.tools
        new = {name: spec for name, spec in self.tools.items() if name not in known}
        return e.StepsAdded(at=at, steps=self.plan.steps, tools=new, children=self.children)


def _read(addition: Addition) -> Plan:
    if len(addition.steps) > MOST_AT_ONCE:
        what = f"at most {MOST_AT_ONCE:,} steps are added at once, not {len(addition.steps):,}"
        raise refusal_of([Problem(place="steps", what=what, fix="Add them in parts.")])
    return read_plan({"callsheet": FORMAT, "steps": addition.steps})


def _checked(s: Snapshot, added: Plan, plans: dict[str, Plan], toolbox: Tools | None) -> _Added:
    # A cast: the ids of steps are text.
    there = cast("Mapping[str, Standing]", s.graph.steps)
    whole = structs.replace(s.graph.plan, steps=added.steps, output=None)
    children = {**s.graph.children, **plans} if plans else s.graph.children
    if toolbox is not None:
        found = check_added(whole, there, toolbox, children)
    else:
        # Whoever drives the run has the tools, and says what is wrong about those; what leads
        # nowhere can be said here and now.
        found = check_added_references(whole, there, _Recorded(s.graph.tools), children)
    problems = [*_taken(s, added), *_too_many(s, added), *found]
    if problems:
        raise refusal_of(problems)
    news = toolbox is not None and not s.graph.tools.keys() >= tool_names(added)
    return _Added(added, specs_of(added, toolbox) if toolbox is not None and news else {}, plans)


def _taken(s: Snapshot, added: Plan) -> Iterator[Problem]:
    for index, step in enumerate(added.steps):
        if step.id in s.graph.steps:
            what = f"the run has a step {show(step.id)} already"
            yield Problem(place=f"steps[{index}].id", what=what, fix="Give it another id.")


def _too_many(s: Snapshot, added: Plan) -> Iterator[Problem]:
    total = len(s.graph.steps) + len(added.steps)
    if total > MOST_OF_RUN:
        what = f"a run that is added to has at most {MOST_OF_RUN:,} steps, not {total:,}"
        yield Problem(place="steps", what=what, fix="Start another run, or use for_each.")


def _is_there(s: Snapshot, adder: StepKey, step: Step) -> bool:
    """Whether the same step has added the very same before."""
    name = StepId(step.id)
    if s.adders.get(name) != adder:
        return False
    before = s.graph.steps[name].step
    if value.canonical(before) == value.canonical(step):
        return True
    raise InvalidError(
        f"Step {adder!r} has added a step {step.id!r} before, with other content: "
        f"{_difference(before, step)}. An attempt that is made again adds what the one before it "
        "has added, or other ids."
    )


def _difference(before: Step, now: Step) -> str:
    fields = [
        name
        for name in before.__struct_fields__
        if value.canonical(getattr(before, name)) != value.canonical(getattr(now, name))
    ]
    return "; ".join(
        f"{name} was {_shown(getattr(before, name))} and is {_shown(getattr(now, name))}"
        for name in fields
    )


def _shown(found: object) -> str:
    return clipped(value.encode(found).decode(), 200)


class _Recorded:
    """The tools that a run has recorded, without their schemas."""

    def __init__(self, tools: Mapping[str, ToolSpec]) -> None:
        self._tools = tools

    def spec(self, name: str) -> ToolSpec | None:
        # What is not recorded may be there all the same.
        return self._tools.get(name) or ToolSpec(name=name)

    def names(self) -> Sequence[str]:
        return sorted(self._tools)
