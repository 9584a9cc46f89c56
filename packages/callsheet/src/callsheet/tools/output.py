"""Whatever a tool returns, as a plain JSON value.

Most outputs are plain already and are only looked at. Pydantic models, dataclasses, dates, paths,
enums, sets and bytes (base64, URL-safe) are converted. What has no JSON is an error with a place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn, cast

import msgspec

from callsheet.core.plan.artifact import Artifact
from callsheet.core.value import MAX_DEPTH, MAX_INTEGER, canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json


class UnserialisableOutputError(TypeError):
    """A tool returned something that has no JSON.

    Deliberately not a `ToolError`: the effect of a write has happened, only its output is unknown.
    """


def as_json(tool: str, value: object) -> Json:
    """The value as plain JSON; the same object when it is plain already.

    Raises:
        UnserialisableOutputError: it has none; the message names the tool, the place and the type.
    """
    if is_plain(value):
        return cast("Json", value)
    return _Conversion(tool).plain(value, "output", 0)


def is_plain(value: object, depth: int = 0) -> bool:
    """Whether the value is JSON as it stands: exact built-in types, finite, encodable, not deep."""
    check = _CHECKS.get(type(value))
    return check is not None and check(value, depth)


def _plain_text(value: str, _depth: int) -> bool:
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain_dict(value: dict[object, object], depth: int) -> bool:
    depth += 1
    if depth > MAX_DEPTH:
        return False
    for key, item in value.items():
        if type(key) is not str or not _plain_text(key, 0):
            return False
        check = _CHECKS.get(type(item))
        if check is None or not check(item, depth):
            return False
    return True


def _plain_list(value: list[object], depth: int) -> bool:
    depth += 1
    return depth <= MAX_DEPTH and all(is_plain(item, depth) for item in value)


def _plain_int(value: int, _depth: int) -> bool:
    return -MAX_INTEGER - 1 <= value <= MAX_INTEGER


def _plain_float(value: float, _depth: int) -> bool:
    return math.isfinite(value)


def _always(_value: object, _depth: int) -> bool:
    return True


_CHECKS: dict[type, Callable[..., bool]] = {
    str: _plain_text,
    int: _plain_int,
    float: _plain_float,
    bool: _always,
    type(None): _always,
    dict: _plain_dict,
    list: _plain_list,
}


class _Conversion:
    """The slow way, with the place at hand."""

    def __init__(self, tool: str) -> None:
        self._tool = tool

    def plain(self, value: object, place: str, depth: int) -> Json:
        if is_plain(value, depth):
            return cast("Json", value)
        if isinstance(value, (dict, list, tuple, set, frozenset)):
            if depth >= MAX_DEPTH:
                self._refuse(place, f"nested more than {MAX_DEPTH} levels deep")
            return self._container(value, place, depth + 1)
        if type(value) in _CHECKS:
            self._refuse(place, _fault_of(value))
        return self._foreign(value, place, depth)

    def _container(
        self,
        value: dict[object, object]
        | list[object]
        | tuple[object, ...]
        | set[object]
        | frozenset[object],
        place: str,
        depth: int,
    ) -> Json:
        if isinstance(value, dict):
            return self._mapping(value, place, depth)
        items = [self.plain(item, f"{place}[{i}]", depth) for i, item in enumerate(value)]
        if isinstance(value, (set, frozenset)):
            # The order of a set differs from process to process; an output should not.
            items.sort(key=canonical)
        return items

    def _mapping(self, value: dict[object, object], place: str, depth: int) -> Json:
        found: dict[str, Json] = {}
        for key, item in value.items():
            name = key if type(key) is str else self._key(key, place)
            if name in found:
                self._refuse(place, f"a mapping with two keys that read {name!r}")
            if not _plain_text(name, 0):
                self._refuse(place, "a mapping with a key that is not valid Unicode")
            found[name] = self.plain(item, f"{place}.{name}", depth)
        return found

    def _key(self, key: object, place: str) -> str:
        converted = self._converted({key: None}, place, key)
        return str(next(iter(converted))) if isinstance(converted, dict) else str(key)

    def _foreign(self, value: object, place: str, depth: int) -> Json:
        if isinstance(value, Artifact):
            return self.plain(value.to_json(), place, depth)
        if isinstance(value, msgspec.Struct):
            converted = msgspec.to_builtins(value)
        else:
            converted = self._converted(value, place, value)
        if type(converted) not in _CHECKS:
            self._refuse(place, f"of type {_type_name(value)}, which has no JSON")
        return self.plain(converted, place, depth)

    def _converted(self, value: object, place: str, culprit: object) -> object:
        from pydantic_core import to_jsonable_python

        try:
            converted: object = to_jsonable_python(value, bytes_mode="base64")
        except Exception as exc:  # noqa: BLE001 -- a model's own properties may raise anything
            self._refuse(place, f"of type {_type_name(culprit)}, which has no JSON", exc)
        return converted

    def _refuse(self, place: str, fault: str, cause: Exception | None = None) -> NoReturn:
        msg = f"Tool {self._tool!r} returned something that has no JSON: {place} is {fault}."
        raise UnserialisableOutputError(msg) from cause


def _fault_of(value: object) -> str:
    if isinstance(value, float):
        return "not a finite number (NaN or infinity)"
    if isinstance(value, int):
        return "an integer over 2^63"
    return "text that is not valid Unicode"


def _type_name(value: object) -> str:
    kind = type(value)
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )
