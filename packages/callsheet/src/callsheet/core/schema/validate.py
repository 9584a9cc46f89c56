"""JSON Schema: compiled validators, readable messages, and what a schema says of a place inside.

Nothing is ever fetched: a `$ref` to another document is an error. Questions about schemas are
answered carefully; "unknown" is an answer, and never a reason to refuse a plan.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import jsonschema_rs
import msgspec
from jsonschema_rs import ValidationErrorKind as Kind

from callsheet.core import value as values
from callsheet.core.problem import did_you_mean, one_of, show
from callsheet.core.schema.count import problem_of_size
from callsheet.core.schema.shape import KINDS, Schema, at, in_words, kind_of, kinds_of
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from jsonschema_rs import ValidationError, Validator

    from callsheet.core.problem import Place
    from callsheet.core.value import Json

_CACHED = 1_024
_MAX_MESSAGE = 200
_MAX_ADVICE = 20
# Below these a schema asks "what if": that a branch is not met says little by itself.
_BRANCHES = frozenset(
    {"anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "contains"}
)
# A schema of nothing else speaks of each property by itself.
_APART = frozenset({"$defs", "additionalProperties", "properties", "required", "title", "type"})


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a value does not fit."""

    place: Place
    """What is wrong: the value, or the property that is missing or unknown."""
    inside: Place
    """The value that the schema was speaking of; the same, or what `place` is missing from."""
    what: str
    fix: str = ""
    keyword: str
    branch: bool
    """It comes from a part of the schema that need not apply."""


def compile_schema(schema: Schema) -> Validator:
    """A validator, the same one for equal schemas.

    Raises:
        InputError: it is not a JSON Schema.
    """
    return _compiled(values.canonical(schema).decode())


@lru_cache(maxsize=_CACHED)
def _compiled(text: str) -> Validator:
    try:
        return jsonschema_rs.validator_for(text, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise InputError(_why(error)) from error


def _why(error: Exception) -> str:
    if not isinstance(error, jsonschema_rs.ValidationError):
        return f"it is not a JSON Schema: {error}"
    if error.instance_path[-1:] == ["type"] and isinstance(error.instance, str):
        advice = did_you_mean(error.instance, KINDS) or f"Write one of {one_of(KINDS)}."
        return f"there is no type {show(error.instance)}. {advice}"
    return f"it is not a JSON Schema: {_clip(error.message)}"


def problem_of_schema(schema: Json) -> str | None:
    """Why this is not a JSON Schema, or None if it is one."""
    if not isinstance(schema, (dict, bool)):
        return f"it is not a JSON Schema: it is {kind_of(schema)}, not a mapping"
    # First: a validator that tries it cannot be stopped.
    if problem := problem_of_size(schema):
        return f"the schema cannot be used: {problem}. Write a simpler one"
    try:
        compile_schema(schema)
    except InputError as error:
        return error.message
    return None


def problems_of(schema: Schema, value: Json) -> list[tuple[Place, str]]:
    """Every way in which a value does not fit, with its place in the value."""
    return [
        (found.place, f"{found.what}. {found.fix}" if found.fix else found.what)
        for found in violations_of(schema, value)
    ]


def violations_of(schema: Schema, value: Json) -> list[Violation]:
    """Every way in which a value does not fit. Quick when it does.

    Raises:
        InputError: the schema is not a JSON Schema.
    """
    return _violations(compile_schema(schema), schema, value)


def _violations(validator: Validator, schema: Schema, value: Json) -> list[Violation]:
    if validator.is_valid(value):
        return []
    return [found for error in validator.iter_errors(value) for found in _told(schema, error)]


def _told(schema: Schema, error: ValidationError) -> Iterator[Violation]:
    inside = tuple(error.instance_path)
    for place, what, fix in _sentences(schema, error, inside):
        yield Violation(
            place=place,
            inside=inside,
            what=what,
            fix=fix,
            keyword=str(error.schema_path[-1]) if error.schema_path else "false",
            branch=not _BRANCHES.isdisjoint(map(str, error.evaluation_path[:-1])),
        )


def _sentences(
    schema: Schema, error: ValidationError, inside: Place
) -> Iterator[tuple[Place, str, str]]:
    match error.kind:
        case Kind.Required(name):
            yield (*inside, name), f"{show(name)} is missing", ""
        case Kind.AdditionalProperties(names) | Kind.UnevaluatedProperties(names):
            known = properties_at(schema, inside)
            for index, name in enumerate(names):
                advice = _advice(name, known) if index < _MAX_ADVICE else ""
                yield (*inside, name), f"there is no {show(name)}", advice
        case Kind.FalseSchema():
            yield inside, "nothing is allowed here", ""
        case Kind.Type(types):
            wanted, found = map(in_words, types), in_words(kind_of(error.instance))
            what = f"it must be {' or '.join(wanted)}, not {found} ({show(error.instance)})"
            yield inside, what, ""
        case Kind.Enum(options):
            choice = one_of(show(option) for option in options[:20])
            yield inside, f"it must be one of {choice}, not {show(error.instance)}", ""
        case _:
            yield inside, _clip(error.message), ""


def _advice(name: str, known: list[str]) -> str:
    if not known:
        return ""
    return did_you_mean(name, known) or f"There are {one_of(known)}."


def properties_at(schema: Schema, place: Place) -> list[str]:
    """The properties a schema names for what stands at a place."""
    inside = at(schema, place)
    properties = inside.get("properties") if isinstance(inside, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _clip(message: str) -> str:
    return message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}…"


def missing_properties(schema: Schema, given: Collection[str]) -> list[str]:
    """The properties that a schema requires of a mapping and that are not given."""
    required = schema.get("required") if isinstance(schema, dict) else None
    names = required if isinstance(required, list) else []
    return [name for name in names if isinstance(name, str) and name not in given]


def allows_null(schema: Schema, place: Place) -> bool:
    """Whether the schema says that a null may stand at this place.

    False when it says nothing about the place: a null that nobody expects is a mistake.
    """
    here = at(schema, place)
    return here is not None and "null" in kinds_of(here)


def compatible(producer: Schema, consumer: Schema) -> bool:
    """Whether some value of the producer may fit the consumer.

    False only when certainly none does; an integer is a number, and a number may be an integer.
    """
    if kinds_of(producer).isdisjoint(kinds_of(consumer)):
        return False
    options = producer.get("enum") if isinstance(producer, dict) else None
    if not isinstance(options, list) or problem_of_schema(consumer):
        return True
    validator = compile_schema(consumer)
    return any(validator.is_valid(option) for option in options)


class Lexicon:
    """Answers as the functions of its names do, and remembers: a plan asks the same very often."""

    __slots__ = ("_fits", "_inside", "_kept", "_kinds", "_validators")

    def __init__(self) -> None:
        # Answers are found by the identity of a schema, so every schema asked about is kept.
        self._kept: list[Schema] = []
        self._inside: dict[tuple[int, Place], Schema | None] = {}
        self._kinds: dict[int, frozenset[str]] = {}
        self._fits: dict[tuple[int, int], bool] = {}
        self._validators: dict[tuple[int, frozenset[str | int]], Validator] = {}

    def at(self, schema: Schema, place: Place) -> Schema | None:
        """What a schema says of a place inside; the same object for the same question."""
        key = (id(schema), place)
        if key not in self._inside:
            self._kept.append(schema)
            self._inside[key] = at(schema, place)
        return self._inside[key]

    def kinds_of(self, schema: Schema) -> frozenset[str]:
        """The kinds of value that may be valid."""
        if id(schema) not in self._kinds:
            self._kept.append(schema)
            self._kinds[id(schema)] = kinds_of(schema)
        return self._kinds[id(schema)]

    def compatible(self, producer: Schema, consumer: Schema) -> bool:
        """Whether some value of the producer may fit the consumer."""
        key = (id(producer), id(consumer))
        if key not in self._fits:
            self._kept += producer, consumer
            self._fits[key] = compatible(producer, consumer)
        return self._fits[key]

    def violations_of(
        self, schema: Schema, value: Json, unknown: frozenset[str | int] = frozenset()
    ) -> list[Violation]:
        """Every way in which a value does not fit; what is told of unknown properties may lack."""
        key = (id(schema), unknown)
        if key not in self._validators:
            self._kept.append(schema)
            self._validators[key] = compile_schema(_without(schema, unknown))
        return _violations(self._validators[key], schema, value)


def _without(schema: Schema, names: frozenset[str | int]) -> Schema:
    """The schema, saying nothing of some properties: much less to compile, if they are large.

    All of it, where that would say something else of the others, or it is not a JSON Schema.
    """
    if not names or not isinstance(schema, dict) or not schema.keys() <= _APART:
        return schema
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not jsonschema_rs.meta.is_valid(schema):
        return schema
    said = {name: name in names or found for name, found in properties.items()}
    bare: Schema = {**schema, "$defs": {}, "properties": said}
    refers = b'ref"' in values.canonical(bare).lower()
    return {**schema, "properties": said} if refers else bare
