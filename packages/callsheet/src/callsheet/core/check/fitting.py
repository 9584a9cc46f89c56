"""Values that do not fit, and what would: the same value as its schema wants it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.names import bare, is_slip, name_for
from callsheet.core.schema.shape import at, kinds_of
from callsheet.core.schema.validate import problems_of, properties_at
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.core.schema.shape import Schema
    from callsheet.core.value import Json


_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?")
"""What a text begins with that is not quite a number: `2.0x`, `30s`, `5 EUR`."""


def fitting(schema: Schema | None, value: Json) -> tuple[Json, bool] | None:
    """What should stand in the place of a value, and whether that is certain."""
    if schema is None or schema is False:
        return None
    for made, certain in _candidates(schema, value):
        if made is not None and _fits(schema, made):
            return made, certain
    return None


def _candidates(schema: Schema, value: Json) -> list[tuple[Json, bool]]:
    options = schema.get("enum") if isinstance(schema, dict) else None
    if isinstance(options, list):
        return _among(options, value)
    kinds = kinds_of(schema)
    found = _read_from_text(value, kinds) if isinstance(value, str) else _as_text_of(value)
    if "array" in kinds and not isinstance(value, list):
        if isinstance(value, str) and ", " in value:
            found.append((values.texts(value), False))
        inner = fitting(at(schema, (0,)), value)
        found += [([value], True), ([inner[0] if inner else value], True)]
    if isinstance(value, list) and len(value) == 1:
        found.append((value[0], False))
    return found


def _read_from_text(value: str, kinds: frozenset[str]) -> list[tuple[Json, bool]]:
    found: list[tuple[Json, bool]] = []
    if kinds & {"integer", "number"}:
        found.append((values.number(value), True))
        if (begun := _NUMBER.match(value)) is not None:
            counted = values.number(begun[0])
            whole = int(counted) if isinstance(counted, float) and counted.is_integer() else counted
            found += [(whole, False), (counted, False)]
    if "boolean" in kinds:
        found.append((values.flag(value), True))
    if kinds & {"object", "array"}:
        found.append((values.parsed(value), True))
    return found


def _as_text_of(value: Json) -> list[tuple[Json, bool]]:
    if isinstance(value, bool):
        return [(str(value).lower(), False)]
    if isinstance(value, float) and value.is_integer():
        return [(int(value), True), (str(value), True)]
    return [(str(value), True)] if isinstance(value, (int, float)) else []


def _among(options: list[Json], value: Json) -> list[tuple[Json, bool]]:
    texts = {str(option): option for option in options}
    said = str(value)
    same = [option for text, option in texts.items() if bare(text) == bare(said)]
    begins = [option for text, option in texts.items() if text.startswith(said.lower()) and said]
    slips = [option for text, option in texts.items() if is_slip(bare(said), bare(text))]
    found: list[tuple[Json, bool]] = [(each, True) for each in same]
    found += [(each, True) for each in slips if len(slips) == 1]
    # Anything else is a choice, and not ours: `overwrite` is neither `append` nor `replace`.
    return found + [(each, False) for each in begins if len(begins) == 1]


def _fits(schema: Schema, value: Json) -> bool:
    try:
        return not problems_of(schema, value)
    except InputError:
        return False


def reference_for(text: str, name: str, gives: Schema, wanted: Schema) -> tuple[Json, bool] | None:
    """What should stand in the place of a whole reference that gives something else."""
    kinds, want = kinds_of(gives), kinds_of(wanted)
    whole = f"${{{text}}}"
    if "array" in want and "array" not in kinds:
        inner = at(wanted, (0,))
        if inner is None or (inner is not False and kinds & kinds_of(inner)):
            return [whole], True
    if "string" in want:
        return _as_text(text, name, gives)
    if want & {"integer", "number"} and "string" in kinds:
        return f"${{to_number({text})}}", False
    if want & {"integer", "number"} and "array" in kinds:
        return f"${{length({text})}}", False
    return None


def _as_text(text: str, name: str, gives: Schema) -> tuple[Json, bool]:
    """Of a mapping, the field of that name; of a list, that of its first item; else its JSON."""
    kinds = kinds_of(gives)
    if "object" in kinds:
        known = [each for each in properties_at(gives, ()) if _is_text(at(gives, (each,)))]
        near = name_for(name, known)
        if near is not None:
            return f"${{{text}.{near[0]}}}", False
    if "array" in kinds:
        item = at(gives, (0,))
        if item is not None and item is not False:
            if "string" in kinds_of(item) and _is_text(item):
                return f"${{join(', ', {text})}}", False
            near = name_for(name, properties_at(item, ()))
            if near is not None:
                return f"${{{text}[0].{near[0]}}}", False
    return f"${{to_string({text})}}", not kinds & {"object", "array"}


def _is_text(schema: Schema | None) -> bool:
    return schema is not None and schema is not False and kinds_of(schema) <= {"string", "null"}
