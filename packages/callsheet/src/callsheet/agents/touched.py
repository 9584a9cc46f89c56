"""What the calls of an answer touch: calls that touch the same keep the order they were asked in.

The keys stand in steps, where references are read, and a model wrote what they are made of: none of
them is ever a reference.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from callsheet.core.refs.references import prepare
from callsheet.errors import ToolError

if TYPE_CHECKING:
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json

LONGEST = 200
_MARK = "${"


def touched(spec: ToolSpec, args: dict[str, Json]) -> tuple[str, ...]:
    """The keys that a call touches, as its tool declares them."""
    return tuple(dict.fromkeys(_key(each, args) for each in spec.touches))


def _key(template: str, args: dict[str, Json]) -> str:
    try:
        found = prepare(template).resolve({"args": args})
    except ToolError:
        found = template  # an argument that it speaks of was left out: so are those of others
    key = found if isinstance(found, str) else str(found)
    if len(key) <= LONGEST and _MARK not in key:
        return key
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
