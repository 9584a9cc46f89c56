"""The steps of a draft: which have started, which wait, and what is wrong with the rest.

Pure: whoever reads the document says what has come, and starts what may start.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.agents.drafting.reader import read_json
from callsheet.agents.drafting.rules import Offered, approved, rules, waits
from callsheet.core import value
from callsheet.core.check.check import check_added, check_document
from callsheet.core.plan.plan import FORMAT, Plan, Step
from callsheet.core.plan.read import read_plan
from callsheet.core.problem import Problem, show
from callsheet.core.run.graph import needs_of
from callsheet.errors import PlanError, ReferenceSyntaxError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.agents.drafting.reader import Closed
    from callsheet.agents.drafting.terms import DraftTerms
    from callsheet.core.value import Json

_OURS = re.compile(r"(drafting|joining)(_\d+)*\Z")
_FIELDS = ("steps", "output")
_ANSWER = "answer"


class _Standing(msgspec.Struct, frozen=True):
    """A step that has started."""

    step: Step


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a document."""

    problems: tuple[Problem, ...] = ()
    """Without any, it is a plan, or an answer."""
    steps: tuple[Step, ...] = ()
    """Those that have not started yet, in their order."""
    plan: Plan | None = None
    """All of it, with what has started."""
    answer: Json = None
    is_answer: bool = False


class Board:
    """What becomes of the steps of one document."""

    def __init__(self, terms: DraftTerms, offered: Offered, started: Iterable[Step]) -> None:
        self._terms = terms
        self._offered = offered
        self._started = {step.id: _Standing(step) for step in started}
        self._waiting: dict[str, list[Step]] = {}
        """By one step that each of them waits for."""
        self._seen: set[str] = set()
        empty = terms.plan([{"id": "none", "ask": "?"}], None)
        self._frame = structs.replace(read_plan(empty), steps=())

    @property
    def started(self) -> tuple[Step, ...]:
        """Those that are in the run, of this document and of those before it."""
        return tuple(each.step for each in self._started.values())

    # While the document is written

    def take(self, closed: Closed) -> list[Step]:
        """A step has closed: those that may start now, because of it, each checked."""
        if self._terms.only_draft:
            return []
        step = self._read(closed)
        if step is None or step.id in self._seen:
            return []
        self._seen.add(step.id)
        if step.id in self._started:
            return []  # the same step, or one to be told about at the end
        return self._due(step)

    def _read(self, closed: Closed) -> Step | None:
        try:
            found = read_json(closed.text)
            self._offered.learn(found)
            read = read_plan({"callsheet": FORMAT, "steps": [found]})
        except (ValueError, PlanError):
            return None
        return approved(read.steps[0], self._offered)

    def _due(self, step: Step) -> list[Step]:
        """What may start: all that it refers to is there. Starting one may make others due."""
        found: list[Step] = []
        todo = deque([step])
        while todo:
            step = todo.popleft()
            missing = self._missing(step)
            if missing is not None:
                self._waiting.setdefault(missing, []).append(step)
            elif not waits(step, self._offered) and self._is_right(step):
                self._started[step.id] = _Standing(step)
                found.append(step)
                todo += self._waiting.pop(step.id, ())
        return found

    def _missing(self, step: Step) -> str | None:
        """A step that it refers to and that has not started; None: there is none."""
        try:
            needs = needs_of(step)
        except ReferenceSyntaxError:
            return ""  # no step is called so: it is told at the end
        return next((need for need in needs if need not in self._started), None)

    def _is_right(self, step: Step) -> bool:
        if _OURS.match(step.id) or any(rules(step, self._offered, 0)):
            return False
        plan = structs.replace(self._frame, steps=(step,))
        offered = self._offered
        return not check_added(plan, self._started, offered, offered.plans)

    # At its end

    def settle(self, text: str | None, *, joins: bool, last: bool) -> Settled:
        """The document has ended: what is wrong with it, or what is still to be started.

        `joins`: it may be an answer instead; `last`: it must be one.
        """
        document = _document(text)
        if isinstance(document, Problem):
            return Settled(problems=(document,))
        if joins and _ANSWER in document:
            return _answered(document)
        if last:
            what = "this was the last round"
            fix = 'Write {"answer": …}, with what is known.'
            return Settled(problems=(Problem(place="plan", what=what, fix=fix),))
        found, output = document.get("steps"), document.get("output")
        written = found if isinstance(found, list) else []
        problems = [*_shape(document, joins=joins), *self._checked(written, output)]
        if problems:
            return Settled(problems=tuple(_once(problems)))
        plan = self._whole(written, output)
        late = [step for step in plan.steps if step.id not in self._started]
        return Settled(steps=tuple(late), plan=plan)

    def _whole(self, written: list[Json], output: Json) -> Plan:
        read = read_plan(self._terms.plan([*self._plain(written)], output))
        steps = tuple(approved(step, self._offered) for step in read.steps)
        return structs.replace(read, steps=steps)

    def _plain(self, written: list[Json]) -> Iterable[dict[str, Json]]:
        """The steps of the document, then those that have started and are not in it."""
        named = {each.get("id") for each in written if isinstance(each, dict)}
        yield from written  # type: ignore[misc]  # what is no mapping is told when it is read
        for step in self.started:
            if step.id not in named:
                yield msgspec.to_builtins(step)

    def _checked(self, written: list[Json], output: Json) -> list[Problem]:
        for each in written:
            self._offered.learn(each)
        document = self._terms.plan([*self._plain(written)], output)
        examined = check_document(document, self._offered, self._offered.plans)
        problems = [*examined.errors]
        steps = examined.plan.steps if examined.plan is not None else ()
        if len(steps) < len(written):
            return problems
        for index, step in enumerate(steps[: len(written)]):
            meant = approved(step, self._offered)
            problems += rules(meant, self._offered, index)
            problems += self._taken(meant, index)
        return problems

    def _taken(self, step: Step, index: int) -> Iterable[Problem]:
        place = f"steps[{index}].id"
        if _OURS.match(step.id):
            what = f"the run itself has steps called {show(step.id)}"
            yield Problem(place=place, what=what, fix="Give it another id.")
        standing = self._started.get(step.id)
        if standing is not None and value.canonical(standing.step) != value.canonical(step):
            what = f"{show(step.id)} has run, with other content"
            fix = "It has run; use a new id, or leave it as it was."
            yield Problem(place=place, what=what, fix=fix)


def _document(text: str | None) -> dict[str, Json] | Problem:
    fix = 'Write one JSON object, {"steps": […], "output": …}, and nothing else.'
    if text is None:
        return Problem(place="plan", what="the document is not complete", fix=fix)
    try:
        found = read_json(text)
    except ValueError as exc:
        return Problem(place="plan", what=f"it is not JSON: {exc}", fix=fix)
    assert isinstance(found, dict), "it begins with a brace"
    return found


def _answered(document: dict[str, Json]) -> Settled:
    if len(document) > 1:
        what = "it has an answer, and something else"
        fix = 'Write {"answer": …} alone, or steps.'
        return Settled(problems=(Problem(place="plan", what=what, fix=fix),))
    return Settled(answer=document[_ANSWER], is_answer=True)


def _shape(document: dict[str, Json], *, joins: bool) -> Iterable[Problem]:
    for name in document:
        if name not in _FIELDS:
            what = f"{show(name)} is not for you to write: a draft has `steps` and `output`"
            yield Problem(place=name, what=what, fix="Leave it out.")
    steps = document.get("steps")
    if not isinstance(steps, list):
        what = "there are no `steps`" if steps is None else "`steps` is no list"
        yield Problem(place="steps", what=what, fix='Write "steps": [{"id": …, "tool": …}].')
    elif not steps:
        fix = 'Write {"answer": …}.' if joins else "Write at least one step."
        yield Problem(place="steps", what="there is no step", fix=fix)


def _once(problems: Sequence[Problem]) -> list[Problem]:
    return list({(each.place, each.what): each for each in problems}.values())
