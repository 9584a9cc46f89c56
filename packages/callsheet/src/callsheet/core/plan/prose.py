"""Calls in prose: `#E1 = tool[…]`, and `Action:` with `Action Input:`, as models write them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.core.value import Json

_EVIDENCE = re.compile(
    r"^\s*[#$]?(E\d+|S\d+|step_?\d+)\s*=\s*([A-Za-z_][\w.]*)\s*[\[(](.*)[\])]\s*$"
)
_ACTION = re.compile(r"^\s*Action(?:\s*\d+)?\s*:\s*([A-Za-z_][\w.]*)\s*$", re.IGNORECASE)
_INPUT = re.compile(r"^\s*Action Input(?:\s*\d+)?\s*:\s*(.+)$", re.IGNORECASE)


def calls_in(text: str) -> list[Json]:
    """The steps that a text in prose says; none: it is no such text."""
    lines = text.splitlines()
    acts = any(map(_INPUT.match, lines))
    found: list[Json] = []
    for index, line in enumerate(lines):
        if match := _EVIDENCE.match(line):
            found.append({"id": match[1], "tool": match[2], "args": _given(match[3])})
        elif acts and (action := _ACTION.match(line)):
            given = next((_INPUT.match(each) for each in lines[index + 1 : index + 3]), None)
            args = _given(given[1]) if given else {}
            found.append({"id": f"step_{len(found) + 1}", "tool": action[1], "args": args})
    return found


def _given(text: str) -> Json:
    """JSON where it is JSON, else the text itself."""
    try:
        found: Json = json.loads(text)
    except ValueError:
        return text.strip().strip("'\"")
    return found
