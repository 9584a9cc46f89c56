"""What a call is charged that did not say itself what it has cost.

The cap of a run must hold against what was really billed. So a call whose end nobody saw (it timed
out, was stopped, or died with its process) is charged the most it can have cost; one in doubt is
charged when a person says that it happened, and keeps its reservation until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.plan import NOTHING

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Cost
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.entries import Failure
    from callsheet.core.run.outcome import End
    from callsheet.core.run.step import StepRun

_UNSEEN = frozenset({"timeout", "cancelled"})


def of_call(end: End, step: StepRun, spec: ToolSpec | None, *, stopping: bool) -> Cost:
    """What an attempt that has ended is charged. While the run stops, nobody is asked."""
    if end.cost is not None:
        return end.cost
    if end.outcome == "succeeded":
        return _estimate(step, spec)
    if end.error is not None and end.error.nothing_happened:
        return NOTHING
    if end.outcome == "lost":
        return of_lost(step, spec, stopping=stopping)
    if _is_asked_about(step) and not stopping:
        return NOTHING
    return _most(step, spec) if _is_unseen(end.error) else _estimate(step, spec)


def of_lost(step: StepRun, spec: ToolSpec | None, *, stopping: bool) -> Cost:
    """What an attempt is charged that died with its process."""
    return NOTHING if _is_asked_about(step) and not stopping else _most(step, spec)


def of_doubt(step: StepRun, spec: ToolSpec | None) -> Cost:
    """What an attempt in doubt is charged when it turns out to have happened."""
    return _most(step, spec) if step.cost == NOTHING else NOTHING


def of_undo(end: End, spec: ToolSpec | None) -> Cost:
    """What an undo that has ended is charged."""
    if end.cost is not None:
        return end.cost
    if end.error is not None and end.error.nothing_happened:
        return NOTHING
    unseen = end.outcome == "lost" or _is_unseen(end.error)
    return of_lost_undo(spec) if unseen else (spec and spec.cost) or NOTHING


def of_lost_undo(spec: ToolSpec | None) -> Cost:
    """What an undo is charged that died with its process."""
    return (spec and (spec.ceiling or spec.cost)) or NOTHING


def _is_asked_about(step: StepRun) -> bool:
    """Whether somebody will have to say if it happened."""
    planned = step.planned
    return planned.writes and not planned.repeatable and planned.step.in_doubt == "ask"


def _is_unseen(error: Failure | None) -> bool:
    return error is not None and error.error_class in _UNSEEN


def _estimate(step: StepRun, spec: ToolSpec | None) -> Cost:
    return step.planned.step.cost or (spec and spec.cost) or NOTHING


def _most(step: StepRun, spec: ToolSpec | None) -> Cost:
    ceiling = step.planned.reserve.minus(step.planned.undo_reserve)
    return _estimate(step, spec) if ceiling == NOTHING else ceiling
