"""Inputs: what a run is given, against what its plan asks for."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.core import value as values
from callsheet.core.plan.document import plain, read_text
from callsheet.core.problem import Report, listed, one_of, show
from callsheet.core.schema.validate import problems_of
from callsheet.errors import InputsError, PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json


def read_inputs(source: bytes) -> dict[str, Json]:
    """Inputs from YAML or JSON text, as they stand there.

    Raises:
        InputsError: it is neither, or not a mapping; every problem.
    """
    report = Report()
    given: Json = {}
    with suppress(PlanError):  # the report has it
        given = plain(read_text(source, report)[1], report)
    if not isinstance(given, dict):
        report.error(("inputs",), f"they are not a mapping but {show(given)}", "Write name: value.")
        given = {}
    if report.failed:
        raise InputsError(listed("The inputs cannot be read:", report.ordered), report.ordered)
    return given


def bind_inputs(plan: Plan, given: Mapping[str, Json]) -> dict[str, Json]:
    """The inputs of a run, in the plan's order, with defaults for what was not given.

    Raises:
        InputsError: inputs that are missing, unknown or do not fit; all of them.
    """
    report = Report()
    for name in given:
        if name not in plan.inputs:
            known = one_of(plan.inputs) or "none"
            fix = report.suggest(name, plan.inputs) or f"The plan's inputs: {known}."
            report.error(("inputs", name), f"the plan has no input {show(name)}", fix)
    bound: dict[str, Json] = {}
    for name, schema in plan.inputs.items():
        declared = schema if isinstance(schema, dict) else {}
        if name in given:
            bound[name] = given[name]
            _check(declared, name, given[name], report)
        elif "default" in declared:
            bound[name] = declared["default"]
        else:
            wanted = declared.get("type", "any value")
            report.error(("inputs", name), "it is missing", f"Give {name} ({wanted}).")
    if report.failed:
        problems = report.ordered
        raise InputsError(listed("The inputs do not fit the plan:", problems), problems)
    return bound


def _check(schema: dict[str, Json], name: str, given: Json, report: Report) -> None:
    problem = values.problem_of(given)
    if problem:
        report.error(("inputs", name), f"it is or holds something that is {problem}")
        return
    for place, what in problems_of(schema, given):
        report.error(("inputs", name, *place), what)
