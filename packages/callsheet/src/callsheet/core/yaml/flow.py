"""Values on one line of YAML, as they stand in advice: short, and to be copied as they are."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from callsheet.core.yaml.scalar import is_plain_text

if TYPE_CHECKING:
    from callsheet.core.value import Json

MAX_SHOWN = 400

_LINE = re.compile(r"(?![\s\-?:,\[\]{}#&*!|>'\"%@`])(?!.*(?::\s|\s#|[\n\r\t]))(?!.*[:\s]\Z).+\Z")
_INSIDE = re.compile(r"(?![\s\-?:#&*!|>'\"%@`])[^,\[\]{}:#\n\r\t]*[^,\[\]{}:#\s]\Z")


def field(name: str, value: Json) -> str:
    """A field and its value: `needs: [a, b]`. One that is too long is left open: `args: …`."""
    text = flow(value)
    return f"{name}: {text}" if len(text) <= MAX_SHOWN else f"{name}: …"


def flow(value: Json) -> str:
    """A value that stands alone behind a key, on one line."""
    if isinstance(value, str):
        return value if _is_plain(value, _LINE) else json.dumps(value, ensure_ascii=False)
    return flow_inside(value)


def flow_inside(value: Json) -> str:
    """A value that stands in `{ }` or `[ ]`, on one line."""
    if isinstance(value, str):
        return value if _is_plain(value, _INSIDE) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{flow_inside(k)}: {flow_inside(each)}" for k, each in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_inside, value)) + "]"
    return json.dumps(value)


def _is_plain(text: str, allowed: re.Pattern[str]) -> bool:
    return bool(text) and bool(allowed.match(text)) and is_plain_text(text)
