"""Checking: whether a plan makes sense with the tools there are.

Every problem is found in one go: an error in one place does not stop the checks elsewhere. Takes
time in proportion to the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.check.costs import check_costs
from callsheet.core.check.layout import survey_of
from callsheet.core.check.references import check_references
from callsheet.core.check.steps import check_steps
from callsheet.core.check.subplans import Case, check_child
from callsheet.core.check.types import check_types
from callsheet.core.check.unsaid import check_unsaid
from callsheet.core.plan.mend.conversions import Names
from callsheet.core.plan.plan import Plan
from callsheet.core.plan.read import understand
from callsheet.core.problem import Problem, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from callsheet.core.check.survey import Standing
    from callsheet.core.plan.toolspec import Tools, ToolSpec


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
    _check(Case(tools=_Tools(spec_of, tool_names), children=children), plan, report, ())
    check_unsaid(plan, spec_of, report)
    return report.ordered


def check_added(
    plan: Plan,
    there: Mapping[str, Standing],
    tools: Tools,
    children: Mapping[str, Plan] | None = None,
) -> list[Problem]:
    """The errors of steps that are added to a run: those of `plan`, beside the steps there are.

    What is there was checked when it came, and is not again; the budget watches over itself.
    """
    report = Report()
    _check(Case(tools=tools, children=children), plan, report, (), there=there)
    return [each for each in report.ordered if each.severity == "error" and _is_of_step(each)]


def check_added_references(
    plan: Plan,
    there: Mapping[str, Standing],
    tools: Tools,
    children: Mapping[str, Plan] | None = None,
) -> list[Problem]:
    """Those of them that can be told without knowing the tools: what leads nowhere."""
    report = Report()
    check_references(survey_of(plan, tools, report, children, there=there), report)
    return [each for each in report.ordered if each.severity == "error" and _is_of_step(each)]


def _is_of_step(problem: Problem) -> bool:
    return problem.place.startswith("steps[")


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one pass over a document."""

    plan: Plan | None
    """The plan, or what was probably meant by it; None: nothing can be made of it."""
    problems: tuple[Problem, ...]
    """Errors first; without any, it can be started."""
    names: Names | None = None
    """What its steps are called in it."""

    @property
    def errors(self) -> list[Problem]:
        """Why it cannot be started."""
        return [problem for problem in self.problems if problem.severity == "error"]


def check_document(  # noqa: PLR0913 -- what is read, and how
    source: str | bytes | Mapping[str, object] | Plan,
    tools: Tools,
    children: Mapping[str, Plan] | None = None,
    *,
    name: str | None = None,
    lenient: bool = False,
    advise: bool = False,
    before: Names | None = None,
) -> Examined:
    """Read and check in one pass: what is wrong in one place hides nothing elsewhere.

    `advise`: also tell of tools that do not say whether they read or write. `before`: what the
    steps were called in what it was made of.
    """
    understood = understand(source, name=name, tools=tools, lenient=lenient, before=before)
    if understood.plan is not None:
        case = Case(tools=tools, children=children)
        _check(case, understood.plan, understood.report, (), understood.names)
        if advise:
            check_unsaid(understood.plan, tools.spec, understood.report)
    problems = understood.problems()
    return Examined(plan=understood.plan, problems=problems, names=understood.names)


class _Tools(msgspec.Struct, frozen=True):
    """Tools, as two functions know them."""

    spec: Callable[[str], ToolSpec | None]
    names: Callable[[], Sequence[str]]


def _check(
    case: Case,
    plan: Plan,
    report: Report,
    nested: tuple[str, ...],
    names: Names | None = None,
    there: Mapping[str, Standing] | None = None,
) -> None:
    survey = survey_of(plan, case.tools, report, case.children, names, there)
    check_steps(survey, report)
    check_references(survey, report)
    check_types(survey, report)
    check_costs(survey, report)
    for subject in survey.subjects:
        if subject.is_child:
            child = check_child(survey, subject, case, nested, report)
            if child is not None:
                inside = report.within()
                _check(case, child[1], inside, (*nested, child[0]))
                report.take_in(inside, (*subject.place, "plan"))
