"""What a path gives: the schema of inputs, outputs and items, as far as somebody declared one."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from callsheet.core.refs.syntax import NAMING_STEPS
from callsheet.core.schema.shape import at
from callsheet.errors import ErrorClass

if TYPE_CHECKING:
    from callsheet.core.check.survey import Subject, Survey
    from callsheet.core.refs.syntax import Path
    from callsheet.core.schema.shape import Schema

_TEXT: Schema = {"type": "string"}
_LIST: Schema = {"type": "array"}
_MAPPING: Schema = {"type": "object"}
_OUTCOME: Schema = {
    "type": "object",
    "properties": {
        "state": {"enum": ["succeeded", "failed", "cancelled", "skipped"]},
        "output": {},
        "error": {
            "type": ["object", "null"],
            "properties": {
                "class": {"enum": list(get_args(ErrorClass))},
                "message": {"type": "string"},
                "happened": {"enum": ["no", "unknown"]},
            },
            "required": ["class", "message", "happened"],
            "additionalProperties": False,
        },
    },
    "required": ["state", "output", "error"],
    "additionalProperties": False,
}
"""What `${outcomes.ID}` gives."""


def produced(survey: Survey, subject: Subject | None, path: Path) -> Schema | None:
    """What a path gives in this step, or in the plan's output.

    None: nobody says. False: there is certainly nothing there.
    """
    root, rest = path[0], path[1:]
    if root in NAMING_STEPS and rest:
        of_step = _given_by_step if root == "steps" else _became_of
        return of_step(survey, survey.by_id.get(str(rest[0])), rest[1:])
    if root == "inputs":
        return _given_by_input(survey, rest)
    if root == "item":
        return _given_by_item(survey, subject, rest)
    if root == "saved" or root in NAMING_STEPS:
        return None  # whatever the tool has put down; and `steps` alone names none
    if root in ("key", "secrets"):
        return survey.lexicon.at(_TEXT, rest[1:] if root == "secrets" else rest)
    spec = subject.spec if subject else None
    declared = spec and (spec.input_schema if root == "args" else spec.output_schema)
    return survey.lexicon.at(declared, rest) if declared else None


def _given_by_step(survey: Survey, producer: Subject | None, rest: Path) -> Schema | None:
    if producer is None:
        return None
    if producer.step.for_each is not None:
        # A list with one output per item.
        if not rest or isinstance(rest[0], str):
            return survey.lexicon.at(_LIST, rest)
        rest = rest[1:]
    return _output_of(survey, producer, rest)


def _output_of(survey: Survey, producer: Subject, rest: Path) -> Schema | None:
    if producer.step.choices:
        return at({"enum": list(producer.step.choices)}, rest)
    declared = producer.spec.output_schema if producer.spec else None
    return survey.lexicon.at(declared, rest) if declared else None


def _became_of(survey: Survey, producer: Subject | None, rest: Path) -> Schema | None:
    """What is known of an outcome; what it holds of an output is the tool's to say."""
    if producer is None:
        return None
    if producer.step.for_each is not None:
        if not rest or isinstance(rest[0], str):
            return survey.lexicon.at(_LIST, rest)
        rest = rest[1:]
    if rest[:1] == ("output",):
        # A for_each is a list of outcomes: behind a position, the output is that of one call.
        return _output_of(survey, producer, rest[1:])
    return survey.lexicon.at(_OUTCOME, rest)


def _given_by_input(survey: Survey, rest: Path) -> Schema | None:
    if not rest or not isinstance(rest[0], str):
        return survey.lexicon.at(_MAPPING, rest)
    declared = survey.plan.inputs.get(rest[0])
    return survey.lexicon.at(declared, rest[1:]) if isinstance(declared, dict) else None


def _given_by_item(survey: Survey, subject: Subject | None, rest: Path) -> Schema | None:
    part = subject.parts.get("for_each") if subject else None
    references = part.prepared.references if part else ()
    if len(references) != 1 or not references[0].whole or references[0].place:
        return None
    path = references[0].path
    # A list of items cannot come from an item; that it is written so is told elsewhere.
    if path is None or path[0] == "item":
        return None
    return produced(survey, subject, (*path, 0, *rest))
