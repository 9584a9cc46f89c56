"""How large a schema is when everything that it refers to stands where it is referred to.

Two kilobytes of `anyOf` over `$ref` are a thousand million ways to fit, and no validator can be
interrupted. So the ways are counted first, and counting stops at the bound. A schema may refer to
itself, for what is deeper in the value, but in one way only: with two, what there is to try doubles
with every level of the value.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.value import Json

MOST = 10_000
"""Subschemas of one schema, each as often as it is referred to."""
DEEPEST = 32
_LISTS = ("allOf", "anyOf", "oneOf")
_PLACES = ("not", "if", "then", "else")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ITEMS = ("items", "additionalItems", "contains", "unevaluatedItems")
_OTHERS = ("additionalProperties", "unevaluatedProperties", "propertyNames")
_PATTERN = "*"


def problem_of_size(schema: Json) -> str | None:
    """Why a schema is too large to be tried, or None if it is not."""
    try:
        _Count(schema).at_value(schema, frozenset(), 1)
    except OverflowError as error:
        return str(error)
    return None


class _Count:
    """One count. By the identity of its parts: what is referred to is the part itself."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._seen = 0

    def at_value(self, schema: Json, around: frozenset[int], depth: int) -> bool:
        """Count all that applies to one value and to what is in it.

        `around` is what applies to the values that it is in. Returns whether it leads back there.
        """
        if depth > DEEPEST:
            raise OverflowError(f"it is nested more than {DEEPEST} levels deep")
        applied: set[int] = set()
        inside: list[tuple[str, Json]] = []
        back = Counter({"": self._apply(schema, around, (), applied, inside)})
        for group, each in inside:
            back[group] += self.at_value(each, around | applied, depth + 1)
        total = back.total()
        if any(count > 1 for count in back.values()) or (back[_PATTERN] and total > 1):
            raise OverflowError("it refers to itself in several ways at once")
        return total > 0

    def _apply(
        self,
        schema: Json,
        around: frozenset[int],
        here: tuple[int, ...],
        applied: set[int],
        inside: list[tuple[str, Json]],
    ) -> int:
        """Count what applies to the same value; returns how often that is what is around it."""
        if not isinstance(schema, dict):
            return 0
        self._seen += 1
        if self._seen > MOST:
            raise OverflowError(f"it has more than {MOST:,} parts, counting what it refers to")
        if id(schema) in here:
            raise OverflowError("it refers to itself without end")
        if id(schema) in around:
            return 1
        if len(here) >= DEEPEST:
            raise OverflowError(f"it is nested more than {DEEPEST} levels deep")
        applied.add(id(schema))
        inside += _inside(schema)
        here = (*here, id(schema))
        return sum(
            self._apply(each, around, here, applied, inside) for each in self._beside(schema)
        )

    def _beside(self, schema: dict[str, Json]) -> Iterator[Json]:
        """The parts that apply to the same value."""
        for name in _LISTS:
            yield from _items(schema.get(name))
        yield from (schema[name] for name in _PLACES if name in schema)
        for name in ("dependentSchemas", "dependencies"):
            yield from _values(schema.get(name))
        for name in _REFERENCES:
            if isinstance(target := schema.get(name), str):
                yield self._target(target)

    def _target(self, reference: str) -> Json:
        """What a reference within the schema refers to; None: nothing, which others will tell."""
        mark, _, way = reference.partition("#")
        if mark:
            return None
        if way and not way.startswith("/"):
            return _anchored(self._root, way)
        found = self._root
        for part in way.split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict):
                found = found.get(name)
            elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
                found = found[int(name)]
            else:
                return None
        return found


def _inside(schema: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """The parts that apply to what is in the value, by what of it."""
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from ((f"property {name}", each) for name, each in properties.items())
    yield from ((_PATTERN, each) for each in _values(schema.get("patternProperties")))
    yield from (("others", schema[name]) for name in _OTHERS if name in schema)
    tuples = [*_items(schema.get("prefixItems")), *_items(schema.get("items"))]
    yield from ((f"item {index}", each) for index, each in enumerate(tuples))
    yield from (("items", schema[name]) for name in _ITEMS if name in schema)


def _items(found: Json) -> list[Json]:
    return found if isinstance(found, list) else []


def _values(found: Json) -> list[Json]:
    return list(found.values()) if isinstance(found, dict) else []


def _anchored(root: Json, name: str) -> Json:
    ahead = [root]
    while ahead:
        found = ahead.pop()
        if isinstance(found, dict):
            if name in (found.get("$anchor"), found.get("$dynamicAnchor")):
                return found
            ahead += found.values()
        elif isinstance(found, list):
            ahead += found
    return None
