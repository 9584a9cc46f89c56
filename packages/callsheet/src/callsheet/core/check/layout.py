"""A plan laid out for checking: tools looked up, references prepared once, guesses told."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.core.check.calls import Calls
from callsheet.core.check.survey import Part, Standing, Subject, Survey
from callsheet.core.check.texts import Texts
from callsheet.core.plan.mend.conversions import Names
from callsheet.core.plan.mend.suspicion import is_foreign
from callsheet.core.plan.plan import Undo
from callsheet.core.plan.subplan import child_spec
from callsheet.core.plan.toolspec import UNDO_IS_GIVEN, undo_tool
from callsheet.core.refs.references import as_data, examine
from callsheet.core.schema.validate import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.plan.toolspec import Tools, ToolSpec
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

_ANYWHERE = frozenset({"inputs", "steps", "outcomes"})
_PER_ITEM = _ANYWHERE | {"item"}
_IN_UNDO = frozenset(UNDO_IS_GIVEN)
_NOT_IN_UNDO = frozenset({"outcomes"})
_IN_CALLS = frozenset({"secrets"})
_ORDER = ("args", "when", "for_each", "ask", "touches", "undo")


def survey_of(
    plan: Plan,
    tools: Tools,
    report: Report,
    children: Mapping[str, Plan] | None = None,
    names: Names | None = None,
    there: Mapping[str, Standing] | None = None,
) -> Survey:
    """Lay out a plan; what cannot be understood is reported, and taken for what was probably meant.

    `names` are those that its steps have in the document, where they are others. `there` are steps
    that its own may refer to, and that are not laid out again.
    """
    calls = Calls(tools, report)
    subjects = tuple(
        _subject(calls, index, step, children or {}) for index, step in enumerate(plan.steps)
    )
    own = {subject.step.id: subject for subject in subjects}
    by_id = own if there is None else _Beside(own, there, calls, children or {})
    known = names if names is not None and names.ids else Names()
    survey = Survey(
        plan=plan,
        subjects=subjects,
        by_id=by_id,
        names=known,
        ids=known.ids or _Themselves(by_id),
        lexicon=Lexicon(),
        output=_NOTHING,
    )
    for subject in subjects:
        _lay_out(survey, subject, report)
    texts = Texts(survey, None, report)
    survey.output = _part(texts, ("output",), plan.output, _ANYWHERE)
    return survey


class _Beside(Mapping[str, Subject]):
    """Steps that are checked, beside those that were there before: these are looked up one by one.

    To check what is added must not take the longer the more there is.
    """

    def __init__(
        self,
        own: dict[str, Subject],
        there: Mapping[str, Standing],
        calls: Calls,
        children: Mapping[str, Plan],
    ) -> None:
        self._own = own
        self._there = there
        self._calls = calls
        self._children = children

    @override
    def __getitem__(self, name: str) -> Subject:
        found = self._own.get(name)
        if found is not None:
            return found
        step = self._there[name].step
        if not self._calls.is_child(step, self._children):
            spec = self._calls.known(step.tool)
        else:
            child = self._calls.child(step, self._children)
            spec = child_spec(child, step) if child is not None else None
        return Subject(index=-1, step=step, spec=spec, undo=None, parts={}, needs=[])

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._there

    @override
    def __iter__(self) -> Iterator[str]:
        return chain(self._own, (name for name in self._there if name not in self._own))

    @override
    def __len__(self) -> int:
        return len(set(self))


class _Themselves(Mapping[str, str]):
    """Steps that are called what they are."""

    def __init__(self, steps: Mapping[str, Subject]) -> None:
        self._steps = steps

    @override
    def __getitem__(self, name: str) -> str:
        if name not in self._steps:
            raise KeyError(name)
        return name

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._steps

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._steps)

    @override
    def __len__(self) -> int:
        return len(self._steps)


def _subject(calls: Calls, index: int, step: Step, children: Mapping[str, Plan]) -> Subject:
    place = ("steps", index)
    undo: ToolSpec | None = None
    child: Plan | None = None
    is_child = calls.is_child(step, children)
    if is_child:
        child = calls.child(step, children)
        spec = child_spec(child, step) if child is not None else None
    else:
        spec = calls.tool(step.tool, (*place, "tool"), step.args)
        name = undo_tool(step, spec)
        is_own = isinstance(step.undo, Undo)
        undo = calls.tool(name, (*place, "undo", "tool"), {}) if is_own else calls.known(name)
    step = calls.with_names(step, spec, undo, place)
    return Subject(
        index=index,
        step=step,
        spec=spec,
        undo=undo,
        parts={},
        needs=[],
        is_child=is_child,
        child=child,
    )


def _lay_out(survey: Survey, subject: Subject, report: Report) -> None:
    step = subject.step
    texts = Texts(survey, subject, report)
    for name, place, value, roots in _values(step, is_child=subject.is_child):
        here = ("steps", subject.index, *place)
        is_data = step.literal and name == "args"
        subject.parts[name] = _data(here, value) if is_data else _part(texts, here, value, roots)
    needs = dict.fromkeys(step.needs)
    for name in _ORDER:
        part = subject.parts.get(name)
        if part is not None:
            needs.update(dict.fromkeys(sorted(part.prepared.steps | part.prepared.outcomes)))
    subject.needs.extend(needs)


def _values(step: Step, *, is_child: bool) -> Iterator[tuple[str, Place, Json, frozenset[str]]]:
    per_call = _ANYWHERE if step.for_each is None else _PER_ITEM
    if step.for_each is not None:
        # First: it says what an item is.
        yield "for_each", ("for_each",), step.for_each, _ANYWHERE
    # What a sub-plan is given stands in its journal, and what is data is not told from a template
    # by who reads it: no secrets.
    in_calls = frozenset() if is_child or step.literal else _IN_CALLS
    yield "args", ("args",), step.args, per_call | in_calls
    if step.when is not None:
        yield "when", ("when",), step.when.strip(), per_call
    if step.ask is not None:
        yield "ask", ("ask",), step.ask, per_call
    if step.touches:
        yield "touches", ("touches",), list(step.touches), per_call
    if isinstance(step.undo, Undo) and step.undo.args:
        in_undo = (per_call - _NOT_IN_UNDO) | _IN_UNDO | in_calls
        yield "undo", ("undo", "args"), step.undo.args, in_undo


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
    is_named = place[-1] == "for_each" and isinstance(value, str) and "${" not in value
    if wrong or is_named or is_foreign(value):
        value, broken = texts.read(value, place, all_of_it=wrong)
        prepared, faults = examine(value)
        found = [reader.finds(reference.parsed) for reference in prepared.references]
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
        lost=False in found,
        vague=None in found,
    )


_NOTHING = _data(("output",), None)
