"""Texts: foreign references and fields that are not there, told with the text as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.check.meaning import Reader
from callsheet.core.check.references import declare
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.desk import write
from callsheet.core.plan.mend.expression import ALWAYS, FAILURE
from callsheet.core.plan.mend.foreign import condition, look_at
from callsheet.core.plan.mend.suspicion import is_foreign
from callsheet.core.plan.mend.synonyms import MACROS
from callsheet.core.problem import one_of
from callsheet.core.refs.references import examine
from callsheet.core.schema.shape import kind_of
from callsheet.core.yaml.flow import field, flow

if TYPE_CHECKING:
    from callsheet.core.check.survey import Subject, Survey
    from callsheet.core.plan.mend.expression import Rewritten
    from callsheet.core.plan.mend.foreign import Found
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

_OURS = "A reference is ${…}."


class Texts:
    """Reads the texts of one step, or of the plan's output."""

    def __init__(self, survey: Survey, subject: Subject | None, report: Report) -> None:
        self.report = report
        self._reading = Reader(survey, subject)
        self._undoing = Reader(survey, subject, undo=True)
        self._broken: set[Place] = set()
        self._all = True

    def read(self, value: Json, place: Place, *, all_of_it: bool) -> tuple[Json, set[Place]]:
        """A value with what was meant in it, and the places of which nothing can be said.

        Unless it is all of it, our own references in it are known to be right.
        """
        self._broken = set()
        self._all = all_of_it
        if place[-1] == "when" and isinstance(value, str):
            return self._condition(value, place), self._broken
        if place[-1] == "for_each" and isinstance(value, str) and value.isidentifier():
            return self._items(value, place), self._broken
        return self._value(value, place, (), self.reader(place)), self._broken

    def _items(self, name: str, place: Place) -> Json:
        """The name of a step or of an input alone, where a list is wanted."""
        meant = self._reading((name,))
        if meant is None:
            return name
        whole = f"${{{meant.text}}}"
        operation = patch.replace(place, whole) if meant.certain else None
        what = f"{name} is text here, not a reference"
        self.report.error(place, what, write(field("for_each", whole)), patch=operation)
        return whole

    def reader(self, place: Place) -> Reader:
        """Who knows what references at a place may lead to."""
        return self._undoing if "undo" in place[2:3] else self._reading

    def _value(self, value: Json, place: Place, inside: Place, reader: Reader) -> Json:
        if isinstance(value, str):
            if not self._all and not is_foreign(value):
                return value
            found = look_at(value, reader, reader.exists, reader.declares)
            return value if found is None else self._tell(value, place, inside, found, reader)
        if isinstance(value, dict):
            return {
                key: self._value(each, place, (*inside, key), reader) for key, each in value.items()
            }
        if isinstance(value, list):
            return [
                self._value(each, place, (*inside, index), reader)
                for index, each in enumerate(value)
            ]
        return value

    def _tell(self, text: str, place: Place, inside: Place, found: Found, reader: Reader) -> Json:
        here = (*place, *inside)
        meant = found.text
        for piece in found.unknown:
            meant = self._tell_unknown(piece, meant, here)
        if found.text == text:
            return meant
        for name, default in found.defaults.items():
            self._declare(name, default)
        what, known = _why(found.first, reader)
        is_certain = found.certain and meant == found.text
        operation = patch.replace(here, meant) if is_certain else None
        fix = f"{write(flow(meant))} {self.report.once(known)}".strip()
        self.report.error(here, what, fix, patch=operation)
        if not is_certain:
            self.report.doubt(here)
        return meant

    def _declare(self, name: str, default: str) -> None:
        """An input that has its default where it is used."""
        number = values.number(default)
        value: Json = default if number is None else number
        schema: Json = {"type": kind_of(value), "default": value}
        way, operation = self._reading.declared(name, schema)
        if operation is not None:
            what = "it is referred to with a default, and not declared"
            self.report.error(way, what, write(field(name, schema)), patch=operation)

    def _tell_unknown(self, piece: str, text: str, here: Place) -> str:
        name = piece.strip("${} ").replace("-", "_").split(".")[-1].strip()
        name = name if name.isidentifier() else "name"
        known = f"Write `${{inputs.{name}}}` if it comes from outside. {declare(name)}"
        if piece.startswith(("$$.", "States.")):
            what = f"{piece} is text here: there are no functions and no context of a state machine"
            self.report.error(here, what, "Write what it stands for, or let a tool work it out.")
            return text
        if not piece.startswith("${{") and piece.strip("{} ") not in MACROS:
            what = f"{piece} is not a reference: it stays as text"
            self.report.warn(here, what, f"{known} If you mean the text itself, ignore this.")
            return text
        whole = text.replace(piece, f"${{inputs.{name}}}")
        what = f"{piece} does not refer to anything in this plan"
        self.report.error(here, what, f"{write(flow(whole))} It is an input then. {declare(name)}")
        self.report.doubt(here)
        return whole

    # Conditions

    def _condition(self, text: str, place: Place) -> Json:
        made = condition(text, self._reading)
        if made is None:
            return text
        return self._tell_condition(text, place, made)

    def _tell_condition(self, text: str, place: Place, made: Rewritten) -> Json:
        whole = f"${{{made.text}}}" if made.text else ""
        if whole == text and not made.status:
            return text
        if not whole:
            self._tell_status(place, made)
            # As if it were not there.
            return "${`true`}"
        note = ""
        if ALWAYS in made.status:
            note = f" Add `run_if_skipped: true` to run in any case{self._survived()}."
        operation = patch.replace(place, whole) if made.certain and not made.status else None
        fix = f"{write(field('when', whole))}{note}"
        what, known = "a condition is one whole reference", ""
        if text.startswith("${") and not text.startswith("${{"):
            what, known = _why(text, self._reading)
        self.report.error(place, what, f"{fix} {self.report.once(known)}".strip(), patch=operation)
        if operation is None:
            self.report.doubt(place)
        return whole

    def _survived(self) -> str:
        """A failure of what it needs stops the run, unless that says otherwise."""
        needed = self._reading.needed()
        return f", and `on_failure: ignore` at {one_of(needed)}" if needed else ""

    def _tell_status(self, place: Place, made: Rewritten) -> None:
        what = "a step runs when what it needs has succeeded"
        if ALWAYS in made.status:
            fix = f"Write `run_if_skipped: true` instead{self._survived()}."
            self.report.error(place, f"{what}; to run in any case is another field", fix)
        elif FAILURE in made.status:
            before = self._reading.before()
            fix = "Write a step that looks at what became of it: `${outcomes.ID.state}`."
            if before is not None:
                text = f"${{outcomes.{before}.state == 'failed'}}"
                fix = f"{write(field('when', text))} Do not `need` {before!r} then."
            self.report.error(place, f"{what}; what became of another is a value", fix)
        else:
            self.report.error(place, what, "Leave it out.", patch=patch.remove(place))


def _why(piece: str, reader: Reader) -> tuple[str, str]:
    """What is wrong with a piece of text, and what there is instead."""
    if piece.startswith("${{") or not piece.startswith("${"):
        return f"{piece} is text here, not a reference", ""
    prepared, faults = examine(piece)
    if faults:
        return f"{piece}: {faults[0].what}", ""
    if len(prepared.references) != 1 or not prepared.references[0].whole:
        return "a condition is one whole reference", ""
    parsed = prepared.references[0].parsed
    return f"{piece}: {reader.reason(parsed)}", reader.fields(parsed)
