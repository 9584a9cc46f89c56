"""Checking: whether a plan makes sense with the tools there are.

Every problem is found in one go: an error in one place does not stop the checks elsewhere. Takes
time in proportion to the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.check_costs import check_costs
from callsheet.core.check_references import check_references
from callsheet.core.check_steps import check_steps
from callsheet.core.check_types import check_types
from callsheet.core.problem import Problem, Report
from callsheet.core.survey import survey_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.plan import Plan
    from callsheet.core.toolspec import ToolSpec


def check_plan(
    plan: Plan, spec_of: Callable[[str], ToolSpec | None], tool_names: Sequence[str]
) -> tuple[Problem, ...]:
    """All problems of a plan: errors in the order of their places, then warnings in theirs.

    The plan is one that `read_plan` returned. `tool_names` are what an unknown tool may have been
    meant to be.
    """
    report = Report()
    survey = survey_of(plan, spec_of, report)
    check_steps(survey, tool_names, report)
    check_references(survey, report)
    check_types(survey, report)
    check_costs(survey, report)
    return report.problems
