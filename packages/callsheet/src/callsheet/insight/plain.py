"""Structs as plain data, with every amount spelled out: what `--json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.core.plan.plan import Cost
from callsheet.core.problem import Problem

if TYPE_CHECKING:
    from callsheet.core.value import Json


def plain(value: object) -> Json:
    """A value, its structs as mappings. Amounts name every currency, also those that are 0."""
    if isinstance(value, Cost):
        return value.to_json()
    if isinstance(value, msgspec.Struct) and not isinstance(value, Problem):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    builtins: Any = msgspec.to_builtins(value)
    found: Json = builtins
    return found
