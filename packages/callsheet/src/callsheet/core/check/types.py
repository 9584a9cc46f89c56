"""Checking types: arguments against a tool's schema, references against what their producer gives.

Literal arguments are validated as they are. Where a reference stands, only what it certainly gives
is compared with what is wanted; what a schema does not say is never held against a plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.check.comparisons import check_comparisons
from callsheet.core.check.fitting import fitting, reference_for
from callsheet.core.check.meaning import kinds_in_words, lost
from callsheet.core.check.produced import produced
from callsheet.core.patch import replace
from callsheet.core.plan.mend.desk import write
from callsheet.core.problem import one_of
from callsheet.core.schema.shape import KINDS, at, kinds_of
from callsheet.core.schema.validate import properties_at
from callsheet.core.yaml.flow import flow
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.core.check.survey import Part, Subject, Survey
    from callsheet.core.problem import Place, Report
    from callsheet.core.refs.filling import Reference
    from callsheet.core.refs.syntax import Path
    from callsheet.core.schema.shape import Schema
    from callsheet.core.schema.validate import Violation
    from callsheet.core.value import Json

# What can be said of a container although something inside it is not known yet.
_OF_CONTAINERS = frozenset(
    {"required", "additionalProperties", "unevaluatedProperties", "type", "minItems", "maxItems"}
)
_UNKNOWN = frozenset({"additionalProperties", "unevaluatedProperties"})


def check_types(survey: Survey, report: Report) -> None:
    """Report arguments that certainly do not fit, and references to what is certainly not there."""
    for subject, part in survey.parts:
        for reference in part.prepared.references:
            for path in reference.parsed.paths if part.lost else ():
                _check_exists(survey, subject, path, _Told(part, reference, report))
            if reference.parsed.compared:
                check_comparisons(survey, subject, part, reference, report)
    for subject in survey.subjects:
        _check_calls(survey, subject, report)


def _check_calls(survey: Survey, subject: Subject, report: Report) -> None:
    if subject.spec is not None and subject.spec.input_schema:
        _check_call(survey, subject, subject.parts["args"], subject.spec.input_schema, report)
    undo = subject.parts.get("undo")
    if undo is not None and subject.undo is not None and subject.undo.input_schema:
        _check_call(survey, subject, undo, subject.undo.input_schema, report)


class _Told:
    """Tells of one reference, where it stands."""

    __slots__ = ("_place", "_report", "_text", "lenient")

    def __init__(self, part: Part, reference: Reference, report: Report) -> None:
        self._place = (*part.place, *reference.place)
        self._text = f"${{{reference.text}}}"
        self._report = report
        self.lenient = reference.has_default

    def __call__(self, what: str, fix: str) -> None:
        # With a default it still works: always with the default.
        tell = self._report.warn if self.lenient else self._report.error
        tell(self._place, f"{self._text}: {what}", fix)

    def beside(self, what: str, fix: str) -> None:
        """Tell what a person should think about."""
        self._report.warn(self._place, f"{self._text}: {what}", fix)

    def instead(self, what: str, meant: tuple[Json, bool] | None) -> None:
        """Tell what should stand there, where it can be said."""
        if meant is None or self.lenient:
            self(what, "Refer to something else.")
            return
        operation = replace(self._place, meant[0]) if meant[1] else None
        told = f"{self._text}: {what}"
        self._report.error(self._place, told, write(flow(meant[0])), patch=operation)


def _check_exists(survey: Survey, subject: Subject | None, path: Path, tell: _Told) -> None:
    found = lost(survey, subject, path)
    if found is not None:
        known = f"It has {one_of(found.known)}." if found.known else "Refer to something else."
        tell(found.what, known)


def _check_call(
    survey: Survey, subject: Subject, part: Part, schema: dict[str, Json], report: Report
) -> None:
    open_places = part.broken.union(reference.place for reference in part.prepared.references)
    around = {place[:length] for place in open_places for length in range(len(place))}
    # Whole arguments that are references: nothing that the schema says of them can be certain.
    unknown = frozenset(r.place[0] for r in part.prepared.references if len(r.place) == 1)
    try:
        violations = survey.lexicon.violations_of(schema, part.value, unknown)
    except InputError as error:
        report.error(part.place, f"the tool's own schema is wrong: {error.message}")
        return
    for violation in violations:
        if _is_certain(violation, open_places, around):
            _tell_violation(survey, subject, part, schema, violation, report)
    for reference in part.prepared.references:
        wanted = survey.lexicon.at(schema, reference.place)
        if wanted is not None and wanted is not False:
            _check_fits(survey, subject, reference, wanted, _Told(part, reference, report))


def _tell_violation(
    survey: Survey,
    subject: Subject,
    part: Part,
    schema: dict[str, Json],
    violation: Violation,
    report: Report,
) -> None:
    here = (*part.place, *violation.place)
    if violation.keyword in _UNKNOWN:
        # Its name is like no other.
        report.error(here, violation.what, f"Leave it out. {report.once(violation.fix)}".strip())
        return
    meant = None
    if violation.place == violation.inside and violation.place:
        value = _value_at(part.value, violation.place)
        meant = fitting(at(schema, violation.place), value)
    if meant is None:
        fix = _of_that_name(survey, subject, schema, violation)
        fix = fix or violation.fix or _advice(schema, violation)
        report.error(here, violation.what, fix or _one_by_one(part, schema, violation))
        return
    operation = replace(here, meant[0]) if meant[1] else None
    report.error(here, violation.what, write(_shown(meant[0])), patch=operation)


def _one_by_one(part: Part, schema: dict[str, Json], violation: Violation) -> str:
    """Several values where one is wanted: a call for each."""
    value, wanted = _value_at(part.value, violation.place), at(schema, violation.place)
    if not isinstance(value, list) or not value or len(violation.place) != 1 or not wanted:
        return ""
    if "array" in kinds_of(wanted) or any(
        kinds_of({"const": each}) - kinds_of(wanted) for each in value
    ):
        return ""
    return (
        f"Write `{violation.place[0]}: ${{item}}`, and `for_each: {flow(value)}` in the step, "
        "for a call with each; or write one of them."
    )


def _of_that_name(
    survey: Survey, subject: Subject, schema: dict[str, Json], violation: Violation
) -> str:
    """A missing argument of which an input, or what a step before gives, has the very name."""
    if violation.keyword != "required" or len(violation.place) != 1:
        return ""
    name, wanted = str(violation.place[0]), at(schema, violation.place)
    before = [("steps", each) for each in reversed(subject.needs) if each in survey.by_id]
    for root in (("inputs",), *before):
        path: Path = (*root, name)
        is_there = root[1:] or name in survey.plan.inputs
        gives = produced(survey, subject, path) if is_there else None
        if gives and wanted and survey.lexicon.compatible(gives, wanted):
            return f"Write `{name}: ${{{'.'.join(map(str, path))}}}`."
    return ""


def _advice(schema: dict[str, Json], violation: Violation) -> str:
    wanted = at(schema, violation.place)
    kinds = kinds_of(wanted) if wanted is not None else frozenset(KINDS)
    if violation.keyword == "required":
        told = f" ({kinds_in_words(kinds)})" if len(kinds) < len(KINDS) else ""
        return f"Give it one{told}."
    if violation.keyword == "enum" and isinstance(wanted, dict):
        options = wanted.get("enum")
        return f"Choose one: {one_of(map(str, options))}." if isinstance(options, list) else ""
    return "Leave it out." if wanted is False else ""


def _shown(value: Json) -> str:
    """A value to be written as it is: text that could be a number is quoted."""
    return flow(value)


def _value_at(value: Json, place: Place) -> Json:
    for step in place:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value


def _is_certain(violation: Violation, open_places: frozenset[Place], around: set[Place]) -> bool:
    if violation.inside in open_places or (violation.branch and open_places):
        return False
    return violation.inside not in around or violation.keyword in _OF_CONTAINERS


def _look_inside_text(survey: Survey, subject: Subject, reference: Reference, tell: _Told) -> None:
    """A whole mapping in the middle of a sentence is hardly ever meant."""
    found = None if reference.path is None else produced(survey, subject, reference.path)
    kinds = survey.lexicon.kinds_of(found) if found else frozenset()
    if found is None or found is False or kinds not in ({"object"}, {"array"}):
        return
    if kinds == {"array"}:
        fix = f"Write `${{length({reference.text})}}` for how many, or name one of them."
        tell.beside("the whole list stands in the text, as JSON", fix)
        return
    known = properties_at(found, ())
    if known:
        tell.beside(
            "all of it stands in the text, as JSON",
            f"Name the field that is meant: it has {one_of(known)}.",
        )


def _check_fits(
    survey: Survey, subject: Subject, reference: Reference, wanted: Schema, tell: _Told
) -> None:
    kinds = survey.lexicon.kinds_of(wanted)
    if not reference.whole:
        if "string" not in kinds:
            fix = "Write nothing but the reference, and its type is kept."
            tell(
                f"inside a longer text it becomes text, but {kinds_in_words(kinds)} is wanted", fix
            )
        else:
            _look_inside_text(survey, subject, reference, tell)
        return
    found = None if reference.path is None else produced(survey, subject, reference.path)
    if found is None or found is False:
        return
    if survey.lexicon.compatible(found, wanted):
        return
    gives = kinds_of(found)
    if gives.isdisjoint(kinds):
        name = next((str(each) for each in reversed(reference.place) if isinstance(each, str)), "")
        tell.instead(
            f"it gives {kinds_in_words(gives)}, but {kinds_in_words(kinds)} is wanted",
            reference_for(reference.text, name, found, wanted),
        )
    else:
        tell("none of the values it gives is one that is wanted", "Refer to something else.")
