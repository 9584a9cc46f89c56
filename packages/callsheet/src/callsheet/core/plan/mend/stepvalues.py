"""Mending the values of a step's fields: durations, words, retries, undos, ids in needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import ids, patch
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.conditions import condition_in
from callsheet.core.plan.mend.conversions import retry_policy
from callsheet.core.plan.mend.desk import target_of, write
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.synonyms import (
    HINTS,
    PEOPLE,
    RETRY,
    RETRY_ERRORS,
    RETRY_GROWTH,
    RETRY_NOISE,
    STEP_FAILURE,
    UNDO,
)

if TYPE_CHECKING:
    from callsheet.core.plan.mend.conversions import Conversions
    from callsheet.core.plan.mend.desk import Desk, Mapping
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

_RETRY_FIELDS = frozenset(("attempts", "backoff", "max_backoff"))


class StepValues:
    """Mends values, and puts those of other fields where they belong."""

    def __init__(self, desk: Desk, conversions: Conversions) -> None:
        self._desk = desk
        self._conversions = conversions

    def convert(self, step: Mapping, way: Place, old: str, new: str, conversion: str) -> None:
        """A field that has another name in a plan, and perhaps another value."""
        said = step[old]
        value, certain = self._conversions.convert(step, said, new, conversion)
        if value is None:
            is_certain = said is None or conversion == "ignore"
            self._desk.leave_out(step, way, old, why=HINTS.get(bare(old), ""), certain=is_certain)
        elif old == new and value == said:
            return
        elif value == said and type(value) is type(said):
            self._desk.rename(step, way, old, new)
        elif old != new and isinstance(step.get(new), (dict, int)):
            # What was known of it is in the new value.
            self._desk.merge(step, way, old, new, value)
        else:
            self._desk.convert(step, way, old, new, value, certain=certain)

    def mend(self, step: Mapping, way: Place) -> None:
        """Mend what stands in the fields of a step."""
        if step.get("ask") is not None and is_person(step):
            self._desk.begin()
            del step["tool"]
            fix = "Leave it out. A question is `ask`, and no tool."
            here = (*way, "tool")
            self._desk.tell(here, "a question calls no tool", fix, patch.remove(here))
        self._mend_texts(step, way)
        if isinstance(step.get("needs"), list):
            self.mend_needs(step, way)
        self._mend_lists(step, way)
        self._mend_words(step, way)
        self._mend_args(step, way)
        retry = step.get("retry")
        if isinstance(retry, dict) and not retry.keys() <= _RETRY_FIELDS:
            self._mend_retry(retry, (*way, "retry"))
        if step.get("undo") is not None:
            self._mend_undo(step, way)

    def _mend_texts(self, step: Mapping, way: Place) -> None:
        """Texts that stand for a list, a flag or a duration."""
        needs = step.get("needs")
        if isinstance(needs, str) and not ids.STEP_ID.match(needs):
            self._desk.convert(step, way, "needs", "needs", self._conversions.needs(needs))
        cached = values.flag(step["cache"]) if isinstance(step.get("cache"), str) else None
        if cached is not None:
            self._desk.convert(step, way, "cache", "cache", cached)
        for name in ("timeout", "within", "cache"):
            said = step.get(name)
            if isinstance(said, str) and values.is_foreign_duration(said):
                self._desk.convert(step, way, name, name, values.duration(said))
        if isinstance(step.get("choices"), str):
            self.convert(step, way, "choices", "choices", "choices")

    def _mend_lists(self, step: Mapping, way: Place) -> None:
        """Rules where there is one value here."""
        if isinstance(step.get("when"), (list, dict)) and (text := condition_in(step["when"])):
            self._desk.convert(step, way, "when", "when", text)
        if isinstance(step.get("retry"), list):
            meant = retry_policy(step["retry"])
            if meant != step["retry"]:
                self._desk.convert(step, way, "retry", "retry", meant)

    def _mend_args(self, step: Mapping, way: Place) -> None:
        args = step.get("args")
        if isinstance(args, dict):
            self._mend_keys(args, (*way, "args"))
            unboxed, _ = self._conversions.args(step, args)
            if unboxed != args:
                self._desk.convert(step, way, "args", "args", unboxed)
        elif args is not None:
            meant, certain = self._conversions.args(step, args)
            if isinstance(meant, dict):
                self._desk.convert(step, way, "args", "args", meant, certain=certain)

    def _mend_keys(self, args: Mapping, way: Place) -> None:
        """`text.$` says that a path follows; here that is said by `${…}`."""
        for name in [name for name in args if name.endswith(".$") and name[:-2] not in args]:
            self._desk.rename(args, way, name, name[:-2])

    def mend_needs(self, step: Mapping, way: Place) -> None:
        """Put the ids that steps have here where others stand."""
        needs, known = step["needs"], self._conversions.names.ids
        assert isinstance(needs, list)
        for index, need in enumerate(needs):
            meant = known.get(str(need))
            if meant is not None and meant != need:
                here = (*way, "needs", index)
                operation = patch.replace(here, meant)
                self._desk.tell(here, f"there is no step {need!r}", write(meant), operation)
                needs[index] = meant

    def _mend_words(self, step: Mapping, way: Place) -> None:
        failure = step.get("on_failure")
        if isinstance(failure, str) and bare(failure) in STEP_FAILURE:
            self._desk.convert(step, way, "on_failure", "on_failure", STEP_FAILURE[bare(failure)])
        approval = step.get("approval")
        meant = values.flag(approval) if approval not in (None, "required") else None
        if meant:
            self._desk.convert(step, way, "approval", "approval", "required")
        elif meant is False:
            self._desk.leave_out(step, way, "approval", why="Without it, nobody is asked.")

    def _mend_retry(self, retry: Mapping, way: Place) -> None:
        for name in [name for name in retry if name not in _RETRY_FIELDS]:
            new, conversion = target_of(RETRY, name)
            said = retry[name]
            value: Json = said
            if conversion == "plus_one" and isinstance(said, int):
                value = said + 1
            elif conversion == "duration":
                value = values.duration(said)
            if bare(name) in RETRY_NOISE:
                self._desk.leave_out(retry, way, name, why=_why(name))
            elif new and new not in retry and value == said:
                self._desk.rename(retry, way, name, new)
            elif new and new not in retry and value is not None:
                self._desk.convert(retry, way, name, new, value)

    def _mend_undo(self, step: Mapping, way: Place) -> None:
        undo = step["undo"]
        if isinstance(undo, str) and ("(" in undo or " " in undo.strip()):
            self.convert(step, way, "undo", "undo", "undo")
        elif isinstance(undo, dict):
            for name in [name for name in undo if name not in ("tool", "args")]:
                new, conversion = target_of(UNDO, name)
                if new and new not in undo:
                    self.convert(undo, (*way, "undo"), name, new, conversion)
            if isinstance(undo.get("args"), (list, str)):
                self._mend_args(undo, (*way, "undo"))


def _why(name: str) -> str:
    """Why a retry says nothing of it here."""
    if bare(name) in RETRY_ERRORS:
        return "Which errors are worth another try is what the tool says when it fails."
    return "The wait doubles each time." if bare(name) in RETRY_GROWTH else ""


def is_person(step: Mapping) -> bool:
    """Whether what a step calls is a question to a person."""
    tool = step.get("tool")
    return isinstance(tool, str) and bare(tool) in PEOPLE
