"""A plan laid out for checking: each step with its tool and its references, all prepared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core.plan.plan import Plan, Step, Undo
from callsheet.core.plan.subplan import child_plan, child_spec
from callsheet.core.plan.toolspec import UNDO_IS_GIVEN, ToolSpec, undo_tool
from callsheet.core.problem import Place
from callsheet.core.refs.references import Prepared, examine
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
    needs: tuple[str, ...]
    """The ids of the steps it waits for, in the order they are named."""

    @property
    def place(self) -> Place:
        """Where the step stands."""
        return ("steps", self.index)


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """The plan, step by step."""

    plan: Plan
    subjects: tuple[Subject, ...]
    by_id: dict[str, Subject]
    output: Part
    lexicon: Lexicon
    """What the schemas say, asked once for each place."""

    @property
    def parts(self) -> Iterator[tuple[Subject | None, Part]]:
        """Every value that may hold references, with the step it belongs to."""
        for subject in self.subjects:
            for part in subject.parts.values():
                yield subject, part
        yield None, self.output


def survey_of(
    plan: Plan, spec_of: SpecOf, report: Report, children: Mapping[str, Plan] | None = None
) -> Survey:
    """Lay out a plan; references that cannot be understood are reported."""
    specs: dict[str, ToolSpec | None] = {}

    def known(name: str | None) -> ToolSpec | None:
        if name is None:
            return None
        if name not in specs:
            specs[name] = spec_of(name)
        return specs[name]

    def called(step: Step) -> ToolSpec | None:
        child = child_plan(step, children or {}) if step.plan is not None else None
        return child_spec(child) if child is not None else known(step.tool)

    subjects = tuple(
        _subject(report, called(step), known, index, step) for index, step in enumerate(plan.steps)
    )
    return Survey(
        plan=plan,
        subjects=subjects,
        by_id={subject.step.id: subject for subject in subjects},
        output=_part(report, ("output",), plan.output, _ANYWHERE),
        lexicon=Lexicon(),
    )


def _subject(
    report: Report,
    spec: ToolSpec | None,
    spec_of: Callable[[str | None], ToolSpec | None],
    index: int,
    step: Step,
) -> Subject:
    parts = {
        name: _part(report, ("steps", index, *place), value, roots)
        for name, place, value, roots in _values(step)
    }
    needs = dict.fromkeys(step.needs)
    for part in parts.values():
        needs.update(dict.fromkeys(sorted(part.prepared.steps)))
    undo = spec_of(undo_tool(step, spec)) if step.plan is None else None
    return Subject(index=index, step=step, spec=spec, undo=undo, parts=parts, needs=tuple(needs))


def _values(step: Step) -> Iterator[tuple[str, Place, Json, frozenset[str]]]:
    per_call = _ANYWHERE if step.for_each is None else _PER_ITEM
    # What a sub-plan is given stands in its journal: no secrets.
    yield "args", ("args",), step.args, per_call if step.plan is not None else per_call | _IN_CALLS
    if step.when is not None:
        yield "when", ("when",), step.when.strip(), per_call
    if step.for_each is not None:
        yield "for_each", ("for_each",), step.for_each, _ANYWHERE
    if step.ask is not None:
        yield "ask", ("ask",), step.ask, per_call
    if step.touches:
        yield "touches", ("touches",), list(step.touches), per_call
    if isinstance(step.undo, Undo) and step.undo.args:
        yield "undo", ("undo", "args"), step.undo.args, per_call | _IN_UNDO | _IN_CALLS


def _part(report: Report, place: Place, value: Json, roots: frozenset[str]) -> Part:
    prepared, faults = examine(value)
    for fault in faults:
        report.error((*place, *fault.place), f"{fault.text}: {fault.what}", fault.fix)
    broken = frozenset(fault.place for fault in faults)
    return Part(place=place, value=value, prepared=prepared, roots=roots, broken=broken)
