"""The shape a JSON Schema gives to values: which kinds there are, and what stands inside.

Works on the schema alone, without a value. Where a schema is too clever, the answer is that nothing
is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.problem import Place

Schema: TypeAlias = dict[str, Json] | bool

KINDS = ("string", "integer", "number", "boolean", "array", "object", "null")


def in_words(kind: str) -> str:
    """A kind of value, as it stands in a sentence."""
    if kind not in KINDS or kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


_ALL = frozenset(KINDS)
_MAX_HOPS = 20
_HOMES = ("$defs", "definitions")
# Beside a `$ref`, these change nothing about what is valid.
_REMARKS = frozenset(
    {"$ref", "$schema", "$comment", "title", "description", "default", "examples", "deprecated"}
).union(_HOMES)


def kind_of(value: object) -> str:
    """What JSON calls a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    for kind, name in _PYTHON:
        if isinstance(value, kind):
            return name
    return "object"


_PYTHON = ((str, "string"), (int, "integer"), (float, "number"), (list, "array"))


def kinds_of(schema: Schema) -> frozenset[str]:
    """The kinds of value that may be valid; at least all that are. A number may be an integer."""
    return _Walk(schema).kinds(schema)


def at(schema: Schema, place: Place) -> Schema | None:
    """What a schema says of a place inside the value.

    None: nothing is known. False: there can be nothing. What is returned stands on its own, with
    the definitions it may refer to.
    """
    found: Schema | None = schema
    for part in place:
        if found is None or isinstance(found, bool):
            # What is true of everything says nothing about its parts.
            return None if found is not False else False
        found = _Walk(schema).inside(found, part)
    return _standing_alone(found, schema)


class _Walk:
    """One question to a schema. Visits no part of it twice, so that circles and bushes end."""

    __slots__ = ("_inside", "_kinds", "_root")

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._kinds: dict[int, frozenset[str]] = {}
        self._inside: dict[int, Schema | None] = {}

    def kinds(self, schema: Json) -> frozenset[str]:
        here = _resolved(schema, self._root)
        if not isinstance(here, dict):
            return frozenset() if here is False else _ALL
        if id(here) not in self._kinds:
            # While it is not known, anything is possible.
            self._kinds[id(here)] = _ALL
            self._kinds[id(here)] = self._kinds_of(here)
        return self._kinds[id(here)]

    def _kinds_of(self, here: dict[str, Json]) -> frozenset[str]:
        kinds = _declared(here)
        for keyword in ("anyOf", "oneOf"):
            branches = here.get(keyword)
            if isinstance(branches, list):
                kinds &= frozenset[str]().union(*(self.kinds(each) for each in branches))
        branches = here.get("allOf")
        for each in branches if isinstance(branches, list) else []:
            kinds &= self.kinds(each)
        return kinds

    def inside(self, schema: Json, part: str | int) -> Schema | None:
        here = _resolved(schema, self._root)
        if not isinstance(here, dict):
            return False if here is False else None
        if id(here) not in self._inside:
            self._inside[id(here)] = None
            self._inside[id(here)] = self._inside_of(here, part)
        return self._inside[id(here)]

    def _inside_of(self, here: dict[str, Json], part: str | int) -> Schema | None:
        if ("object" if isinstance(part, str) else "array") not in self.kinds(here):
            return False
        if "allOf" in here or "if" in here:
            return None
        for keyword in ("anyOf", "oneOf"):
            branches = here.get(keyword)
            if isinstance(branches, list):
                return self._inside_branches(branches, part)
        return _property(here, part) if isinstance(part, str) else _item(here, part)

    def _inside_branches(self, branches: list[Json], part: str | int) -> Schema | None:
        possible: list[Json] = []
        for branch in branches:
            found = self.inside(branch, part)
            if found is None:
                return None
            if found is not False:
                possible.append(found)
        if len(possible) == 1 and isinstance(possible[0], dict):
            return possible[0]
        return {"anyOf": possible} if possible else False


def _declared(here: dict[str, Json]) -> frozenset[str]:
    kinds = _ALL
    declared = here.get("type")
    if declared is not None:
        kinds = _widened(declared if isinstance(declared, list) else [declared])
    options = [here["const"]] if "const" in here else here.get("enum")
    if isinstance(options, list):
        kinds &= _widened(kind_of(option) for option in options)
    return kinds


def _widened(names: Iterable[Json]) -> frozenset[str]:
    kinds = frozenset(name for name in names if isinstance(name, str))
    return kinds | {"integer"} if "number" in kinds else kinds


def _property(here: dict[str, Json], name: str) -> Schema | None:
    properties = here.get("properties")
    if isinstance(properties, dict) and name in properties:
        return _schema(properties[name])
    if "patternProperties" in here:
        return None
    others = here.get("additionalProperties", here.get("unevaluatedProperties"))
    return None if others is True else _schema(others)


def _item(here: dict[str, Json], index: int) -> Schema | None:
    first = here.get("prefixItems")
    if isinstance(first, list):
        # Counted from the end, the position depends on the length.
        if index < 0:
            return None
        if index < len(first):
            return _schema(first[index])
    items = here.get("items")
    return None if items is True else _schema(items)


def _schema(found: Json) -> Schema | None:
    return found if isinstance(found, (dict, bool)) else None


def _resolved(schema: Json, root: Schema) -> Schema | None:
    """The schema behind `$ref`s; None when it cannot be told."""
    for _ in range(_MAX_HOPS):
        if not isinstance(schema, dict) or "$ref" not in schema:
            return _schema(schema)
        if not _REMARKS.issuperset(schema):
            return None
        schema = _target(schema["$ref"], root)
    return None


def _target(reference: Json, root: Schema) -> Json:
    if not isinstance(reference, str) or not f"{reference}/".startswith("#/"):
        return None
    found: Json = root
    for part in reference.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _standing_alone(found: Schema | None, root: Schema) -> Schema | None:
    if not isinstance(found, dict) or not isinstance(root, dict) or found is root:
        return found
    resolved = _resolved(found, root)
    if not isinstance(resolved, dict):
        return resolved
    homes = {home: root[home] for home in _HOMES if home in root}
    return {**resolved, **homes} if homes else resolved
