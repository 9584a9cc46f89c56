"""Checking: whether a plan makes sense with the tools there are.

Every problem is found in one go: an error in one place does not stop the checks elsewhere. Takes
time in proportion to the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.check.costs import check_costs
from callsheet.core.check.references import check_references
from callsheet.core.check.steps import check_steps
from callsheet.core.check.subplans import check_child
from callsheet.core.check.survey import survey_of
from callsheet.core.check.types import check_types
from callsheet.core.check.unsaid import check_unsaid
from callsheet.core.problem import Problem, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec


def check_plan(
    plan: Plan,
    spec_of: Callable[[str], ToolSpec | None],
    tool_names: Callable[[], Sequence[str]],
    children: Mapping[str, Plan] | None = None,
) -> tuple[Problem, ...]:
    """All problems of a plan: errors in the order of their places, then warnings in theirs.

    The plan is one that `read_plan` returned. `tool_names` are what an unknown tool may have been
    meant to be. `children` are the saved plans that its steps name, and those that these name;
    None: what they are is not known, and they are not checked.
    """
    report = Report()
    _check(plan, spec_of, tool_names, children, report, ())
    check_unsaid(plan, spec_of, report)
    return report.ordered


def _check(
    plan: Plan,
    spec_of: Callable[[str], ToolSpec | None],
    tool_names: Callable[[], Sequence[str]],
    children: Mapping[str, Plan] | None,
    report: Report,
    nested: tuple[str, ...],
) -> None:
    survey = survey_of(plan, spec_of, report, children)
    check_steps(survey, tool_names, report)
    check_references(survey, report)
    check_types(survey, report)
    check_costs(survey, report)
    for subject in survey.subjects:
        if subject.step.plan is not None:
            child = check_child(survey, subject, children, spec_of, nested, report)
            if child is not None:
                inside = Report()
                _check(child[1], spec_of, tool_names, children, inside, (*nested, child[0]))
                report.take_in(inside, (*subject.place, "plan"))
