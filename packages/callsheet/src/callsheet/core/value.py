"""JSON values: their type, their one canonical spelling, and their digest.

Everything that crosses a border of the core (inputs, arguments, outputs, answers) is such a value.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
else:
    # msgspec cannot follow a recursive alias; what comes in is checked by `problem_of`.
    Json = Any

MAX_INTEGER = 2**63 - 1
MAX_DEPTH = 64
MAX_VALUES = 2_000_000
"""How many values a document may have; what aliases repeat counts as often as it stands there."""
_SURROGATE = re.compile("[\ud800-\udfff]")

_canonical = msgspec.json.Encoder(order="sorted")
_plain = msgspec.json.Encoder()
_decode = msgspec.json.Decoder()


def encode(value: object) -> bytes:
    """The JSON of a value, keys in their own order."""
    return _plain.encode(value)


def canonical(value: object) -> bytes:
    """The one spelling of a value: equal values give equal bytes."""
    return _canonical.encode(value)


def decode(data: bytes | msgspec.Raw | str) -> Json:
    """The value that JSON text stands for."""
    value: Json = _decode.decode(data)
    return value


def digest(value: object) -> str:
    """The name of a value by its content."""
    return hashlib.sha256(canonical(value)).hexdigest()


def problem_of(value: object, depth: int = 0) -> str | None:
    """Why this is not a JSON value we accept, or None if it is one.

    NaN and infinities have no JSON; integers beyond 64 bits lose digits in most readers; half a
    surrogate pair cannot be written at all.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return None if value.isascii() or _SURROGATE.search(value) is None else "broken text"
    if isinstance(value, int):
        return None if -MAX_INTEGER - 1 <= value <= MAX_INTEGER else "an integer over 2^63"
    if isinstance(value, float):
        return None if math.isfinite(value) else "not a finite number (NaN or infinity)"
    return _problem_inside(value, depth + 1)


def _problem_inside(value: object, depth: int) -> str | None:
    if depth > MAX_DEPTH:
        return f"nested more than {MAX_DEPTH} levels deep"
    if isinstance(value, (list, tuple)):
        return next((p for p in (problem_of(item, depth) for item in value) if p), None)
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            return "a mapping with a key that is not text"
        if any(problem_of(key) for key in value):
            return "a mapping with a key that is broken text"
        return next((p for p in (problem_of(item, depth) for item in value.values()) if p), None)
    return f"of type {type(value).__name__}, which is not JSON"


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that stands there a second time; None: each stands there once.

    Each is looked at once: a megabyte of JSON has a hundred thousand of them.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
