"""Mending inputs: lists of names, types of other systems, defaults that stand alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.plan.mend.desk import target_of, write
from callsheet.core.plan.mend.names import bare, closest
from callsheet.core.plan.mend.synonyms import OPTIONS, STEP, TYPES
from callsheet.core.plan.mend.values import flag, number
from callsheet.core.schema.shape import KINDS, kind_of
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.plan.mend.desk import Desk, Mapping
    from callsheet.core.value import Json

_OF_OTHERS = re.compile(r"([A-Za-z]+)\s*(\[.*\]|<.*>)\Z")
"""`list[str]`, `Dict<string, number>`: what stands in front is the type."""
_DEEPEST = 3
_DISPUTED = frozenset(("yes", "no", "on", "off"))
"""True or false to some readers of YAML, and text to others."""
_BOXES = frozenset(("parameters", "params", "variables"))
"""What others put a list of inputs into."""


class InputMender:
    """Mends what a plan says of its inputs."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def mend(self, found: Mapping) -> None:
        """Mend the inputs of a plan, in place."""
        said = found["inputs"]
        meant = as_schemas(said, plain=False)
        if meant != said:
            self._desk.convert(found, (), "inputs", "inputs", meant)
        inputs = found["inputs"]
        if not isinstance(inputs, dict):
            return
        for name, schema in inputs.items():
            way = ("inputs", name)
            if isinstance(schema, str) and schema not in KINDS:
                self._mend_type(found, inputs, name, schema)
            elif isinstance(schema, dict):
                self._mend_schema(schema, way)
            elif schema is not None and not isinstance(schema, (bool, str)):
                self._default(found, inputs, name, schema)

    def _mend_type(self, found: Mapping, inputs: Mapping, name: str, said: str) -> None:
        meant = _schema_in(said)
        if meant:
            way = ("inputs", name)
            self._desk.tell(
                way,
                f"there is no type {said!r}",
                write(field(name, meant)),
                patch.replace(way, meant),
            )
            inputs[name] = meant
        elif not self._desk.report.may_guess(len(KINDS)) or closest(said, KINDS) is None:
            self._default(found, inputs, name, said)

    def _default(self, found: Mapping, inputs: Mapping, name: str, said: Json) -> None:
        meant = with_flags({name: {"type": kind_of(said), "default": said}}, found)
        assert isinstance(meant, dict)
        way = ("inputs", name)
        what = "an input says its type; a value of its own is its default"
        self._desk.tell(way, what, write(field(name, meant[name])), patch.replace(way, meant[name]))
        inputs[name] = meant[name]

    def _mend_schema(self, schema: Mapping, way: tuple[str, ...]) -> None:
        if isinstance(schema.get("required"), bool):
            self._desk.begin()
            fix = "Leave `required` out: an input without `default` is required."
            operation = patch.remove((*way, "required"))
            if schema.pop("required") is False and "default" not in schema:
                operation = patch.replace(way, {**schema, "default": None})
                fix = "Leave `required` out, and give it a `default`: then it is optional."
                schema["default"] = None
                self._desk.tell(way, "`required` is not said of an input", fix)
            else:
                self._desk.tell(way, "`required` is not said of an input", fix, operation)
        if "value" in schema and "default" not in schema:
            self._desk.rename(schema, way, "value", "default")
        said = schema.get("type")
        if isinstance(said, str) and said not in KINDS and (meant := _type_in(said)):
            self._desk.convert(schema, way, "type", "type", meant)
        self._mend_default(schema, way)
        options = next((name for name in schema if bare(name) in OPTIONS), None)
        if options is not None and isinstance(schema[options], list) and "enum" not in schema:
            self._desk.rename(schema, way, options, "enum")

    def _mend_default(self, schema: Mapping, way: tuple[str, ...]) -> None:
        """`no` is false and "3" is 3, where that is the type."""
        default, kind = schema.get("default"), schema.get("type")
        if not isinstance(default, str) or kind not in ("boolean", "integer", "number"):
            return
        meant = flag(default) if kind == "boolean" else number(default)
        if meant is not None:
            self._desk.convert(schema, way, "default", "default", meant)


def as_schemas(said: Json, *, plain: bool) -> Json:
    """Inputs as a mapping of names to schemas; `plain`: values are their defaults."""
    if isinstance(said, list):
        return _named(said)
    if not isinstance(said, dict):
        return said
    inside = next(iter(said.values())) if len(said) == 1 else None
    if isinstance(inside, list) and bare(next(iter(said))) in _BOXES:
        return _named(inside)
    properties = said.get("properties")
    if said.get("type") == "object" and isinstance(properties, dict):
        return properties
    return {name: _schema_of(each) for name, each in said.items()} if plain else said


def with_flags(inputs: Json, found: Mapping) -> Json:
    """`off` is false where a condition asks for it: as text it would be true there."""
    if not isinstance(inputs, dict):
        return inputs
    doubtful = {
        name: schema["default"]
        for name, schema in inputs.items()
        if isinstance(schema, dict) and str(schema.get("default")).lower() in _DISPUTED
    }
    asked = "\n".join(_conditions(found)) if doubtful else ""
    return inputs | {
        name: {"type": "boolean", "default": flag(word)}
        for name, word in doubtful.items()
        if re.search(rf"\b{re.escape(name)}\b(?!\s*[=!]=)", asked)
    }


def _conditions(found: Json) -> Iterator[str]:
    """All conditions of a document, as they are written."""
    for name, each in found.items() if isinstance(found, dict) else ():
        if isinstance(each, str) and (name == "when" or target_of(STEP, name)[0] == "when"):
            yield each
    inside = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    for each in inside:
        if isinstance(each, (dict, list)):
            yield from _conditions(each)


def _named(said: list[Json]) -> Json:
    """A list of names, or of schemas with their names in them."""
    made: dict[str, Json] = {}
    for each in said:
        if isinstance(each, str):
            made[each] = {"type": "string"}
        elif isinstance(each, dict) and isinstance(each.get("name"), str):
            rest = {key: value for key, value in each.items() if key != "name"}
            if "value" in rest and "default" not in rest:
                rest = {"type": kind_of(rest["value"]), "default": rest.pop("value"), **rest}
            made[str(each["name"])] = rest or {"type": "string"}
        else:
            return said
    return made


def _schema_of(said: Json) -> Json:
    """A schema as it is; any other value as its default."""
    if isinstance(said, dict) and ("type" in said or not said):
        return said
    if isinstance(said, str) and (said.lower() in KINDS or said.lower() in TYPES):
        return said
    return {"type": kind_of(said), "default": said}


def inputs_inside(said: Json, depth: int = 0) -> Json:
    """The inputs that stand somewhere in what starts a plan; None: there are none."""
    if not isinstance(said, dict) or depth > _DEEPEST:
        return None
    found = said.get("inputs")
    if isinstance(found, dict) and found:
        return as_schemas(_typed(found), plain=False)
    return next(
        (inner for each in said.values() if (inner := inputs_inside(each, depth + 1))), None
    )


def _typed(found: Mapping) -> Mapping:
    """Inputs of which nobody says the type are text."""
    return {
        name: {"type": "string", **each}
        if isinstance(each, dict) and "type" not in each
        else "string"
        if each is None
        else each
        for name, each in found.items()
    }


def _schema_in(said: str) -> Json:
    """What a type of others is here: `list[str]` also says what its items are."""
    meant = _type_in(said)
    outer = _OF_OTHERS.match(said.strip())
    inner = _type_in(outer[2][1:-1]) if outer and meant == "array" else ""
    return {"type": meant, "items": {"type": inner}} if inner else meant


def _type_in(said: str) -> str:
    """The type that another word stands for; "": none."""
    outer = _OF_OTHERS.match(said.strip())
    word = (outer[1] if outer else said).lower()
    return TYPES.get(word, word if word in KINDS else "")
