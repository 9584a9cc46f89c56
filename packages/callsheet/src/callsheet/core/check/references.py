"""Checking references: each leads somewhere, from where it may stand, and never in a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.check.meaning import undeclared
from callsheet.core.check.produced import produced
from callsheet.core.plan.mend.desk import write
from callsheet.core.plan.mend.expression import spell_path
from callsheet.core.plan.mend.names import closest, name_for
from callsheet.core.plan.mend.synonyms import WRAPPERS
from callsheet.core.plan.order import find_cycle
from callsheet.core.problem import one_of, show
from callsheet.core.schema.shape import kinds_of
from callsheet.core.schema.validate import properties_at
from callsheet.core.yaml.flow import field, flow

if TYPE_CHECKING:
    from callsheet.core.check.survey import Part, Subject, Survey
    from callsheet.core.problem import Place, Report
    from callsheet.core.refs.filling import Reference
    from callsheet.core.refs.syntax import Path
    from callsheet.core.value import Json

_MAX_CYCLES = 20
_MAX_TOLD = 50
_WHERE = {
    "item": ("`item` exists only in a step with for_each", "Add for_each, or name a step."),
    "args": ("`args` exists only in an undo", "Repeat the value or its reference."),
    "output": ("`output` exists only in an undo", "Write steps.<id> for a step's output."),
    "key": ("`key` exists only in an undo", "A tool gets its key from its context."),
    "outcomes": (
        "an undo cannot refer to the outcomes of other steps",
        "Write output or args.",
    ),
    "secrets": (
        "a secret can be used only in the arguments of a tool call",
        "Refer to it in the args of the step whose tool needs it.",
    ),
}


def check_references(survey: Survey, report: Report) -> None:
    """Report references and needs that lead nowhere, and circles."""
    declared = survey.declaring
    for subject, part in survey.parts:
        for reference in part.prepared.references:
            place = (*part.place, *reference.place)
            _check_roots(part, reference, place, report)
            _check_names(survey, subject, reference, place, report)
            if not reference.inputs <= survey.plan.inputs.keys():
                _check_inputs(survey, subject, reference, place, report, declared)
            if reference.outcomes and subject is not None:
                _check_seen(survey, reference, place, report)
            if part.vague:
                _check_declared(survey, subject, reference, place, report)
            for trap in reference.parsed.traps:
                report.warn(place, f"${{{reference.text}}}: {trap.what}", trap.fix)
    for subject in survey.subjects:
        _check_needs(survey, subject, report)
    _check_cycles(survey, report)


def _check_roots(part: Part, reference: Reference, place: Place, report: Report) -> None:
    for root in sorted(reference.roots - part.roots):
        what, fix = _WHERE[root]
        report.error(place, f"${{{reference.text}}}: {what}", fix)


def _check_seen(survey: Survey, reference: Reference, place: Place, report: Report) -> None:
    """Warn where a failure stops the run before anybody could see it."""
    policy = survey.plan.on_failure
    if policy == "continue":
        return
    for name in sorted(reference.outcomes):
        seen = survey.by_id.get(name)
        if seen is not None and seen.step.on_failure == "fail":
            what = (
                f"${{{reference.text}}} never sees a failure: one of {show(name)} stops the run "
                f"(on_failure: {policy})"
            )
            fix = f"Write `on_failure: ignore` in {name}, or `on_failure: continue` in the plan."
            report.warn(place, what, fix)


def _check_declared(
    survey: Survey, subject: Subject | None, reference: Reference, place: Place, report: Report
) -> None:
    for path in reference.parsed.paths:
        found = undeclared(survey, subject, path)
        if found is not None:
            fix = "Refer to a field that it declares, or let the tool declare this one."
            meant = _declared(survey, subject, path)
            operation = None
            if meant is not None:
                spelled = f"${{{reference.text.replace(spell_path(path), meant)}}}"
                fix = write(flow(spelled)) if reference.whole else f"Write `{spelled}` there."
                operation = patch.replace(place, spelled) if reference.whole else None
            report.warn(place, f"${{{reference.text}}}: {found}", fix, patch=operation)


def _declared(survey: Survey, subject: Subject | None, path: Path) -> str | None:
    """The path to the declared field that was surely meant; None: none is like it."""
    for length in range(2, len(path) + 1):
        name = path[length - 1]
        if produced(survey, subject, path[:length]) is None and isinstance(name, str):
            owner = produced(survey, subject, path[: length - 1])
            known = properties_at(owner, ()) if isinstance(owner, dict) else []
            without = (*path[: length - 1], *path[length:])
            if name.lower() in WRAPPERS and produced(survey, subject, without):
                return spell_path(without)
            found = name_for(name, known) if name not in known else None
            if found is None or not found[1]:
                return None
            return spell_path((*path[: length - 1], found[0], *path[length:]))
    return None


def _check_names(
    survey: Survey, subject: Subject | None, reference: Reference, place: Place, report: Report
) -> None:
    for name in sorted(reference.steps | reference.outcomes):
        if subject is not None and name == subject.step.id:
            fix = "Write ${output} for its output." if "undo" in place else "Name another step."
            report.error(place, f"${{{reference.text}}}: a step cannot refer to itself", fix)
        elif name not in survey.by_id:
            fix = report.suggest(name, survey.by_id) or "Write the id of a step of this plan."
            report.error(place, f"${{{reference.text}}}: there is no step {show(name)}", fix)


def _check_inputs(
    survey: Survey,
    subject: Subject | None,
    reference: Reference,
    place: Place,
    report: Report,
    declared: set[str],
) -> None:
    """Tell of inputs that nobody declares; one that is like no other is declared by the patch."""
    inputs = survey.plan.inputs
    for name in sorted(reference.inputs - inputs.keys()):
        what = f"${{{reference.text}}}: there is no input {show(name)}"
        fix = report.suggest(name, inputs)
        if fix:
            report.error(place, what, fix)
            continue
        known = f" The inputs are {one_of(inputs)}." if inputs else ""
        schema = _wanted(survey, subject, reference, place)
        operation = None
        if name not in declared:
            # The first one brings the mapping, where there is none.
            is_first = not inputs and not declared
            here = ("inputs",) if is_first else ("inputs", name)
            operation = patch.add(here, {name: schema} if is_first else schema)
            declared.add(name)
        if operation is not None and report.doubts(place):
            # What is guessed there is still to be written; the input can be declared before.
            told = "it is referred to, and not declared"
            report.error(("inputs", name), told, write(field(name, schema)), patch=operation)
            continue
        report.error(place, what, f"{declare(name, schema)}{known}", patch=operation)


def _wanted(
    survey: Survey, subject: Subject | None, reference: Reference, place: Place
) -> dict[str, Json]:
    """What an input must be, by the argument that it is given to."""
    spec = subject.spec if subject is not None and "args" in place[2:3] else None
    inside = len(reference.parsed.path or ()) > 2  # noqa: PLR2004 -- a field of the input
    found = survey.lexicon.at(spec.input_schema, place[3:]) if spec and reference.whole else None
    kinds = kinds_of(found) - {"null"} if found is not None and found is not False else frozenset()
    if inside:
        return {"type": "object"}
    if len(place) > 2 and place[2] == "for_each":  # noqa: PLR2004 -- a field of a step
        return {"type": "array"}
    if kinds == {"integer", "number"}:
        return {"type": "number"}
    return {"type": next(iter(kinds)) if len(kinds) == 1 else "string"}


def declare(name: str, schema: Json = None) -> str:
    """What makes an input of a name that the plan does not know."""
    return f"Declare it: `inputs: {{{name}: {flow(schema or {'type': 'string'})}}}`."


def _check_needs(survey: Survey, subject: Subject, report: Report) -> None:
    for index, need in enumerate(subject.step.needs):
        place = (*subject.place, "needs", index)
        if need == subject.step.id:
            rest: list[Json] = [each for each in subject.step.needs if each != need]
            operation: dict[str, Json] | None = patch.replace(place[:-1], rest)
            report.error(place, "a step cannot need itself", "Leave it out.", patch=operation)
        elif need not in survey.by_id:
            others = [each for each in survey.by_id if each != subject.step.id]
            near = closest(need, others) if report.may_guess(len(others)) else None
            known = report.once(f"The steps are {one_of(list(survey.by_id)[:_MAX_TOLD])}.")
            fix = write(near[0]) if near else f"Leave it out. {known}".strip()
            operation = patch.replace(place, near[0]) if near and near[1] else None
            report.error(place, f"there is no step {show(need)}", fix, patch=operation)


def _check_cycles(survey: Survey, report: Report) -> None:
    edges = {
        subject.step.id: [need for need in subject.needs if need != subject.step.id]
        for subject in survey.subjects
    }
    for _ in range(_MAX_CYCLES):
        cycle = find_cycle(edges)
        if cycle is None:
            return
        told = " -> ".join(cycle if len(cycle) <= _MAX_TOLD else [*cycle[:10], "…", *cycle[-10:]])
        place = survey.by_id[cycle[0]].place
        report.error(place, f"Steps form a cycle: {told}", "Remove one of these references.")
        # Cut where it closes, to see whether there is another.
        edges[cycle[-2]].remove(cycle[-1])
