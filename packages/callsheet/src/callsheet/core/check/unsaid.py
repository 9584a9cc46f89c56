"""Tools that do not say whether they read or write: named once, together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.plan import Plan
from callsheet.core.plan.toolspec import is_unsaid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.check.survey import SpecOf
    from callsheet.core.plan.plan import Step
    from callsheet.core.problem import Place, Report

_FIX = "Declare each with effect='read' or effect='write'."


def check_unsaid(plan: Plan, spec_of: SpecOf, report: Report) -> None:
    """Warn of the tools of a plan, and of the plans inside it, that declare no effect."""
    found: dict[str, Place] = {}
    for place, step in _steps_of(plan, ()):
        if step.tool and is_unsaid(step, spec_of(step.tool)):
            found.setdefault(step.tool, place)
    if len(found) == 1:
        what = (
            f"{next(iter(found))} does not say whether it reads or writes, so it is treated as a "
            "write that must not be repeated"
        )
        report.warn(next(iter(found.values())), what, _FIX.replace("each", "it"))
    elif found:
        what = (
            "these tools do not say whether they read or write, so they are treated as writes "
            f"that must not be repeated: {', '.join(found)}"
        )
        report.warn(next(iter(found.values())), what, _FIX)


def _steps_of(plan: Plan, place: Place) -> Iterator[tuple[Place, Step]]:
    for index, step in enumerate(plan.steps):
        here = (*place, "steps", index)
        yield (*here, "tool"), step
        if isinstance(step.plan, Plan):
            yield from _steps_of(step.plan, (*here, "plan"))
