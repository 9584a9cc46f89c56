"""Conditions as rules and comparisons by name, written as one expression."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from callsheet.core.plan.mend.desk import target_of
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.synonyms import COMPARED, STEP

if TYPE_CHECKING:
    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.value import Json

_SUBJECTS = frozenset(("variable", "input", "left", "field", "value1"))
_OPERATORS = {"in": "in", "notin": "notin", "eq": "==", "ne": "!=", "equals": "=="}


def condition_in(said: Json) -> str | None:
    """What rules and comparisons by name say, as one expression; None: it cannot be told."""
    if isinstance(said, str):
        return said.removeprefix("$.") or None
    if isinstance(said, list):
        return _joined(said, "&&")
    return _in_mapping(said) if isinstance(said, dict) else None


def _in_mapping(said: Mapping) -> str | None:
    short = {bare(name): name for name in said}
    for word, sign in (("and", "&&"), ("or", "||")):
        inside = said[short[word]] if word in short else None
        if isinstance(inside, list):
            return _joined(inside, sign)
    if "not" in short:
        inner = condition_in(said[short["not"]])
        return f"!({inner})" if inner else None
    plain = next((said[name] for name in said if _is_condition(name)), None)
    return condition_in(plain) if isinstance(plain, str) else _compared(said, short)


def _is_condition(name: str) -> bool:
    return name == "when" or target_of(STEP, name)[0] == "when" or bare(name) == "expression"


def _joined(said: list[Json], sign: str) -> str | None:
    parts = [condition_in(each) for each in said]
    if not parts or None in parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return f" {sign} ".join(f"({each})" for each in parts)


def _compared(said: Mapping, short: dict[str, str]) -> str | None:
    """`{Variable: $.a.x, NumericGreaterThan: 3}`, `{input: a.x, operator: in, values: [1]}`."""
    subject = next((said[short[word]] for word in short if word in _SUBJECTS), None)
    if not isinstance(subject, str):
        return None
    path = _bared(subject)
    for word, name in short.items():
        if word in COMPARED:
            return f"{path} {COMPARED[word]} {_spelled(said[name])}"
        if word in ("ispresent", "isnull") and isinstance(said[name], bool):
            wanted = said[name] is (word == "ispresent")
            return f"{path} {'!=' if wanted else '=='} null"
    return _among(said, short, path)


def _among(said: Mapping, short: dict[str, str], path: str) -> str | None:
    operator = _OPERATORS.get(bare(str(said[short["operator"]]))) if "operator" in short else None
    values = next((said[short[word]] for word in ("values", "value") if word in short), None)
    listed = values if isinstance(values, list) else [values]
    if operator is None or not listed:
        return None
    sign, glue = ("!=", " && ") if operator in ("notin", "!=") else ("==", " || ")
    return glue.join(f"{path} {sign} {_spelled(each)}" for each in listed)


def _bared(subject: str) -> str:
    for start, end in (("${{", "}}"), ("{{", "}}"), ("${", "}"), ("$(", ")")):
        if subject.startswith(start) and subject.endswith(end):
            return subject[len(start) : -len(end)].strip()
    return subject.removeprefix("$.")


def _spelled(value: Json) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)
