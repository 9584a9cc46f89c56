"""A plan laid out for checking: each step with its tool and its references, all prepared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core.check.calls import Calls
from callsheet.core.check.texts import Texts
from callsheet.core.mend.conversions import Names
from callsheet.core.mend.suspicion import is_foreign
from callsheet.core.plan.plan import Plan, Step, Undo
from callsheet.core.plan.subplan import child_plan, child_spec
from callsheet.core.plan.toolspec import UNDO_IS_GIVEN, Tools, ToolSpec, undo_tool
from callsheet.core.problem import Place
from callsheet.core.refs.references import Prepared, as_data, examine
from callsheet.core.schema.validate import Lexicon
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from callsheet.core.problem import Report

SpecOf: TypeAlias = Callable[[str], "ToolSpec | None"]

_ANYWHERE = frozenset({"inputs", "steps"})
_PER_ITEM = _ANYWHERE | {"item"}
_IN_UNDO = frozenset(UNDO_IS_GIVEN)
_IN_CALLS = frozenset({"secrets"})
_ORDER = ("args", "when", "for_each", "ask", "touches", "undo")


# Not tracked by the collector: a plan has thousands of them, and none is part of a cycle.
class Part(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """A value of the plan that may hold references."""

    place: Place
    value: Json
    prepared: Prepared
    roots: frozenset[str]
    """What its references may start with."""
    broken: frozenset[Place]
    """Where references stand that could not be understood."""
    lost: bool
    """Whether a reference in it, as it was written, certainly led nowhere."""
    vague: bool
    """Whether nobody says what some reference gives."""


class Subject(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """One step under the eyes of the checker."""

    index: int
    step: Step
    spec: ToolSpec | None
    """None: it calls no tool, or one that is not known."""
    undo: ToolSpec | None
    """The tool that would take it back."""
    parts: dict[str, Part]
    """By the field they stand in."""
    needs: list[str]
    """The ids of the steps it waits for, in the order they are named."""

    @property
    def place(self) -> Place:
        """Where the step stands."""
        return ("steps", self.index)


class Survey(msgspec.Struct, kw_only=True):
    """The plan, step by step."""

    plan: Plan
    subjects: tuple[Subject, ...]
    by_id: dict[str, Subject]
    names: Names
    """What the steps are called in the document."""
    lexicon: Lexicon
    """What the schemas say, asked once for each place."""
    output: Part
    guesses: int = 0
    """How often it was guessed what a name stands for."""

    @property
    def parts(self) -> Iterator[tuple[Subject | None, Part]]:
        """Every value that may hold references, with the step it belongs to."""
        for subject in self.subjects:
            for part in subject.parts.values():
                yield subject, part
        yield None, self.output


def survey_of(
    plan: Plan,
    tools: Tools,
    report: Report,
    children: Mapping[str, Plan] | None = None,
    names: Names | None = None,
) -> Survey:
    """Lay out a plan; what cannot be understood is reported, and taken for what was probably meant.

    `names` are those that its steps have in the document, where they are others.
    """
    calls = Calls(tools, report)
    subjects = tuple(
        _subject(calls, index, step, children or {}) for index, step in enumerate(plan.steps)
    )
    by_id = {subject.step.id: subject for subject in subjects}
    known = names if names is not None and names.ids else Names(ids={name: name for name in by_id})
    survey = Survey(
        plan=plan,
        subjects=subjects,
        by_id=by_id,
        names=known,
        lexicon=Lexicon(),
        output=_NOTHING,
    )
    for subject in subjects:
        _lay_out(survey, subject, report)
    texts = Texts(survey, None, report)
    survey.output = _part(texts, ("output",), plan.output, _ANYWHERE)
    return survey


def _subject(calls: Calls, index: int, step: Step, children: Mapping[str, Plan]) -> Subject:
    place = ("steps", index)
    undo: ToolSpec | None = None
    if step.plan is not None:
        child = child_plan(step, children)
        spec = child_spec(child) if child is not None else None
    else:
        spec = calls.tool(step.tool, (*place, "tool"), step.args)
        name = undo_tool(step, spec)
        is_own = isinstance(step.undo, Undo)
        undo = calls.tool(name, (*place, "undo", "tool"), {}) if is_own else calls.known(name)
    step = calls.with_names(step, spec, undo, place)
    return Subject(index=index, step=step, spec=spec, undo=undo, parts={}, needs=[])


def _lay_out(survey: Survey, subject: Subject, report: Report) -> None:
    step = subject.step
    texts = Texts(survey, subject, report)
    for name, place, value, roots in _values(step):
        here = ("steps", subject.index, *place)
        is_data = step.literal and name == "args"
        subject.parts[name] = _data(here, value) if is_data else _part(texts, here, value, roots)
    needs = dict.fromkeys(step.needs)
    for name in _ORDER:
        part = subject.parts.get(name)
        if part is not None:
            needs.update(dict.fromkeys(sorted(part.prepared.steps)))
    subject.needs.extend(needs)


def _values(step: Step) -> Iterator[tuple[str, Place, Json, frozenset[str]]]:
    per_call = _ANYWHERE if step.for_each is None else _PER_ITEM
    if step.for_each is not None:
        # First: it says what an item is.
        yield "for_each", ("for_each",), step.for_each, _ANYWHERE
    # What a sub-plan is given stands in its journal, and what is data is not told from a template
    # by who reads it: no secrets.
    in_calls = frozenset() if step.plan is not None or step.literal else _IN_CALLS
    yield "args", ("args",), step.args, per_call | in_calls
    if step.when is not None:
        yield "when", ("when",), step.when.strip(), per_call
    if step.ask is not None:
        yield "ask", ("ask",), step.ask, per_call
    if step.touches:
        yield "touches", ("touches",), list(step.touches), per_call
    if isinstance(step.undo, Undo) and step.undo.args:
        yield "undo", ("undo", "args"), step.undo.args, per_call | _IN_UNDO | in_calls


def _data(place: Place, value: Json) -> Part:
    """Arguments as data: nothing in them is a reference."""
    return Part(
        place=place,
        value=value,
        prepared=as_data(value),
        roots=frozenset(),
        broken=frozenset(),
        lost=False,
        vague=False,
    )


def _part(texts: Texts, place: Place, value: Json, roots: frozenset[str]) -> Part:
    prepared, faults = examine(value)
    reader = texts.reader(place)
    is_whole = place[-1] != "when" or (
        len(prepared.references) == 1 and prepared.references[0].whole
    )
    found = [reader.finds(reference.parsed) for reference in prepared.references]
    lost = False in found
    broken: set[Place] = set()
    wrong = bool(faults) or lost or not is_whole
    if wrong or is_foreign(value):
        value, broken = texts.read(value, place, all_of_it=wrong)
        prepared, faults = examine(value)
    for fault in faults:
        if fault.place not in broken:
            here = (*place, *fault.place)
            texts.report.error(here, f"{fault.text}: {fault.what}", fault.fix)
    broken |= {fault.place for fault in faults}
    return Part(
        place=place,
        value=value,
        prepared=prepared,
        roots=roots,
        broken=frozenset(broken),
        lost=lost,
        vague=lost or None in found,
    )


_NOTHING = _data(("output",), None)
