"""Checking steps one by one: tools that exist, fields that mean something, policies that hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.check.produced import produced
from callsheet.core.plan.mend.conversions import undo_call
from callsheet.core.plan.mend.desk import write
from callsheet.core.plan.plan import MAX_ITEMS, Step, Undo
from callsheet.core.plan.toolspec import UNDO_IS_GIVEN, undo_tool
from callsheet.core.problem import one_of, show
from callsheet.core.schema.shape import kinds_of
from callsheet.core.schema.validate import missing_properties
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.check.survey import Subject, Survey
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.problem import Report

# A question calls nothing: there is nothing to retry, to undo or to pay.
_NOT_OF_QUESTIONS = (
    "args",
    "retry",
    "within",
    "undo",
    "approval",
    "idempotent",
    "destructive",
    "cost",
    "ceiling",
    "in_doubt",
    "touches",
    "cache",
    "literal",
)
_DEFAULT = Step(id="default")


def check_steps(survey: Survey, report: Report) -> None:
    """Report what is wrong with single steps, and what deserves a second thought."""
    for subject in survey.subjects:
        _check_when(subject, report)
        _check_for_each(survey, subject, report)
        _check_literal(subject, report)
        if subject.step.ask is not None:
            _check_question(subject, report)
            continue
        if subject.step.choices:
            what = "choices belong to a question"
            report.error((*subject.place, "choices"), what, "Leave them out, or write `ask`.")
        if subject.is_child:
            continue  # `check_children` knows about these
        _check_tools(subject, report)
        _check_effect(survey.plan, subject, report)
        _check_waits(subject, report)
        _check_cache(subject, report)
    _look_for_useless_reads(survey, report)


def _check_when(subject: Subject, report: Report) -> None:
    part = subject.parts.get("when")
    if part is None or part.broken:
        return
    references = part.prepared.references
    if len(references) != 1 or not references[0].whole:
        fix = "Write ${steps.<id>.<field> == 'x'}."
        report.error(part.place, "a condition is one whole reference", fix)


def _check_for_each(survey: Survey, subject: Subject, report: Report) -> None:
    part, items = subject.parts.get("for_each"), subject.step.for_each
    if part is None or part.broken:
        return
    if isinstance(items, list):
        if len(items) > MAX_ITEMS:
            what = f"it has {len(items):,} items, and may have {MAX_ITEMS:,}"
            report.error(part.place, what, "Split the step.")
        return
    references = part.prepared.references
    if len(references) != 1 or not references[0].whole:
        fix = "Write a list, or ${steps.<id>.<list>}."
        report.error(part.place, f"{show(items)} is not a list", fix)
        return
    path = references[0].path
    found = produced(survey, subject, path) if path else None
    if found is not None and found is not False and "array" not in kinds_of(found):
        what = f"${{{references[0].text}}} does not give a list"
        report.error(part.place, what, "Refer to a list.")


def _check_literal(subject: Subject, report: Report) -> None:
    """What is given to each item comes from a reference, and data holds none."""
    if subject.step.literal and subject.step.for_each is not None:
        what = "`literal` and `for_each` do not go together: the item would never be used"
        report.error((*subject.place, "literal"), what, "Leave it out.")


def _check_question(subject: Subject, report: Report) -> None:
    for name in _NOT_OF_QUESTIONS:
        if getattr(subject.step, name) != getattr(_DEFAULT, name):
            what = f"a question has no `{name}`: it calls no tool"
            report.error((*subject.place, name), what, "Leave it out.")
    for index, choice in enumerate(subject.step.choices):
        if "${" in choice:
            place = (*subject.place, "choices", index)
            fix = "Put the reference into the question."
            report.error(place, "choices are fixed and cannot hold references", fix)


def _check_tools(subject: Subject, report: Report) -> None:
    name = undo_tool(subject.step, subject.spec)
    if subject.undo is not None:
        _check_own_undo(subject, subject.undo, report)
    elif name is not None and not isinstance(subject.step.undo, Undo):
        what = f"{subject.step.tool} is undone by {show(name)}, and there is no such tool"
        report.error((*subject.place, "tool"), what, "Register it, or write `undo: none`.")


def _check_own_undo(subject: Subject, undo: ToolSpec, report: Report) -> None:
    """The undo that a tool names is given three things; it must not require a fourth."""
    missing = missing_properties(undo.input_schema, UNDO_IS_GIVEN)
    own = subject.step.undo
    if missing and not (isinstance(own, Undo) and own.args):
        what = (
            f"{subject.step.tool} is undone by {undo.name}, which requires {one_of(missing)} and "
            f"is given only {one_of(UNDO_IS_GIVEN)}"
        )
        place = (*subject.place, "undo" if isinstance(own, Undo) else "tool")
        meant = undo_call(undo, subject.spec)
        if meant is None:
            report.error(place, what, f"Write `undo: {{tool: {undo.name}, args: {{…}}}}`.")
            return
        here = (*subject.place, "undo")
        operation = patch.add(here, meant)
        report.error(place, what, f"{write(field('undo', meant))}", patch=operation)


def _check_effect(plan: Plan, subject: Subject, report: Report) -> None:
    step, spec, place = subject.step, subject.spec, subject.place
    if spec is None:
        return
    if spec.effect == "read":
        if isinstance(step.undo, Undo):
            what = f"{spec.name} only reads: there is nothing to undo"
            report.error((*place, "undo"), what, "Leave it out.")
        return
    if _is_undone(plan) and step.undo is None and spec.undo is None and not spec.unsaid:
        what = f"{spec.name} writes and has no undo: its effect stays when the run is undone"
        report.warn(place, what, "Write `undo: {tool: …}`, or `undo: none` if that is meant.")
    _check_repetition(subject, report)
    destructive = spec.destructive if step.destructive is None else step.destructive
    if destructive and step.approval is None and spec.approval is None:
        what = f"{spec.name} is destructive, and no approval is asked for"
        report.warn(place, what, "Write `approval: required`.")


def _check_cache(subject: Subject, report: Report) -> None:
    step, spec = subject.step, subject.spec
    if not step.cache or spec is None:
        return
    place = (*subject.place, "cache")
    if spec.effect == "write":
        what = f"{spec.name} writes: a result of another run would not do it here"
        fix = "Leave it out."
        if spec.unsaid:
            what = f"only reads are cached, and {spec.name} does not say that it is one"
            fix = "Declare it with effect='read', or leave `cache` out."
        report.error(place, what, fix)
    elif subject.parts["args"].prepared.secrets:
        report.error(place, "what was read with a secret is not cached", "Leave it out.")


def _check_waits(subject: Subject, report: Report) -> None:
    retry = subject.step.retry
    if retry is not None and retry.backoff > retry.max_backoff:
        what = f"no wait is longer than `max_backoff`, which is {retry.max_backoff:g}s"
        fix = f"Write `max_backoff: {retry.backoff:g}s` beside it, or a shorter `backoff`."
        report.warn((*subject.place, "retry"), what, fix)


def _check_repetition(subject: Subject, report: Report) -> None:
    step, spec = subject.step, subject.spec
    assert spec is not None
    idempotent = spec.idempotent if step.idempotent is None else step.idempotent
    retry = step.retry or spec.retry
    if not idempotent and retry and (retry.attempts or 0) > 1:
        what = f"{spec.name} is not idempotent: it is retried only if nothing has happened"
        fix = (
            "Write `idempotent: true` if it may be repeated; otherwise you are asked when in doubt."
        )
        report.warn((*subject.place, "retry") if step.retry else subject.place, what, fix)


def _is_undone(plan: Plan) -> bool:
    return plan.on_failure == "undo" or plan.on_cancel == "undo"


def _look_for_useless_reads(survey: Survey, report: Report) -> None:
    # Without an output, the steps are what the run is for.
    if survey.plan.output is None:
        return
    used = {*survey.output.prepared.steps, *survey.output.prepared.outcomes}
    for subject in survey.subjects:
        used.update(subject.needs)
    for subject in survey.subjects:
        spec = subject.spec
        if spec is not None and spec.effect == "read" and subject.step.id not in used:
            what = f"the output of {spec.name} is not used"
            report.warn(subject.place, what, "Leave the step out, or refer to it.")
