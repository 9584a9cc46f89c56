"""What a function's docstring says about it and about its parameters (Google style)."""

from __future__ import annotations

import inspect
import re

_SECTION = re.compile(
    r"(Args|Arguments|Parameters|Returns?|Yields?|Raises|Examples?|Notes?|Attributes):\s*\Z"
)
_PARAMETER = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)\Z")


def summary_of(function: object) -> str:
    """The text before the first section."""
    lines: list[str] = []
    for line in (inspect.getdoc(function) or "").splitlines():
        if _SECTION.match(line):
            break
        lines.append(line)
    return "\n".join(lines).strip()


def parameters_in(function: object) -> dict[str, str]:
    """Descriptions by parameter, from the `Args:` section; empty where it has another shape."""
    found: dict[str, str] = {}
    current = ""
    margin: int | None = None
    for line in _arguments(inspect.getdoc(function) or ""):
        indent = len(line) - len(line.lstrip())
        margin = indent if margin is None else margin
        described = _PARAMETER.match(line.strip()) if indent == margin else None
        if described:
            current = described[1]
            found[current] = described[2].strip()
        elif current:
            found[current] = f"{found[current]} {line.strip()}".strip()
    return found


def _arguments(text: str) -> list[str]:
    """The lines of the `Args:` section that are not empty."""
    inside = False
    lines: list[str] = []
    for line in text.splitlines():
        if section := _SECTION.match(line):
            inside = section[1] in {"Args", "Arguments", "Parameters"}
        elif inside and line.strip():
            if not line[0].isspace():
                break
            lines.append(line)
    return lines
