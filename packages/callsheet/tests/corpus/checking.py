"""What the checker says of a text, and what it makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.check.check import check_plan
from callsheet.core.plan.document import plain, read_text
from callsheet.core.plan.read import read_plan
from callsheet.core.problem import Problem, Report
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json


def check(source: Json, known: dict[str, ToolSpec]) -> tuple[tuple[Problem, ...], Plan | None]:
    """One pass: every problem, and the plan if there is no error."""
    try:
        plan = read_plan(source)  # type: ignore[arg-type]
    except PlanError as refused:
        return tuple(each for each in refused.problems if isinstance(each, Problem)), None
    return check_plan(plan, known.get, lambda: sorted(known)), plan


def mend(text: str, known: dict[str, ToolSpec]) -> tuple[Json, tuple[Problem, ...]]:
    """The document after `check --fix`, and the problems that are left."""
    report = Report()
    try:
        document = plain(read_text(text, report)[1], report)
    except PlanError:
        return text, ()
    return document, check(document, known)[0]
