"""A value that fits a schema: what a played tool returns when nobody says what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.value import Json

_PLAIN: dict[str, Json] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
}


def sampled(schema: Mapping[str, Json], root: Mapping[str, Json] | None = None) -> Json:
    """The simplest value that the schema describes; always the same one."""
    root = schema if root is None else root
    if "const" in schema:
        return schema["const"]
    if isinstance(found := schema.get("enum"), list) and found:
        return found[0]
    for several in ("anyOf", "oneOf", "allOf"):
        if isinstance(found := schema.get(several), list) and found:
            return _at(found[0], root)
    if isinstance(reference := schema.get("$ref"), str):
        return _at(_followed(reference, root), root)
    return _by_type(schema, root)


def _by_type(schema: Mapping[str, Json], root: Mapping[str, Json]) -> Json:
    kind = schema.get("type")
    name = kind[0] if isinstance(kind, list) and kind else kind
    if name == "array":
        least = schema.get("minItems", 1)
        count = least if isinstance(least, int) and least > 0 else 1
        return [_at(schema.get("items"), root) for _ in range(count)]
    properties = schema.get("properties")
    if name == "object" or isinstance(properties, dict):
        named = properties if isinstance(properties, dict) else {}
        return {key: _at(part, root) for key, part in named.items()}
    return _PLAIN.get(str(name))


def _at(part: Json, root: Mapping[str, Json]) -> Json:
    return sampled(part, root) if isinstance(part, dict) else None


def _followed(reference: str, root: Mapping[str, Json]) -> Json:
    found: Json = dict(root)
    for name in reference.removeprefix("#/").split("/"):
        found = found.get(name) if isinstance(found, dict) else None
    return found
