"""Texts that are nearly YAML or JSON: what is surely meant, line by line, and what was wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from callsheet.core.value import MAX_DEPTH
from callsheet.core.yaml.read import LOADER

if TYPE_CHECKING:
    from callsheet.core.problem import Report

_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_UNQUOTED = re.compile(
    r"(?P<before>(?:[{\[,]|:\s)\s*)"
    r"(?P<text>\$\{[^{}\n]*\}[^,{}\[\]\"'\n]*|[A-Za-z_][\w.]*\[[^\[\]{}\n]*\])"
    r"(?=\s*[,}\]])"
)
"""What must be in quotes inside of `{ }` and `[ ]`, and is not: `${item}`, `list[str]`."""
_MOST = 100
"""Lines that are repaired: whoever writes more of them meant something else."""
LARGEST = 100_000
"""Characters: a text is read once for each line that is repaired, and strangers write texts."""


def without_comments(text: str, report: Report) -> str:
    """JSON without comments; each is told, and lines stay where they are."""

    def blank(found: re.Match[str]) -> str:
        if found.group()[0] == '"':
            return found.group()
        line = text.count("\n", 0, found.start()) + 1
        report.error((), "there are no comments in JSON", "Leave it out.", line=line)
        return re.sub(r"[^\n]", " ", found.group())

    return _COMMENT.sub(blank, text)


def repaired(text: str, report: Report) -> str | None:
    """The text with quotes where they are missing, each told; None: that is not what is wrong."""
    lines = text.split("\n")
    told: set[int] = set()
    for _ in range(_MOST):
        at = _stops("\n".join(lines))
        if at is None:
            break
        found = _UNQUOTED.sub(_quoted, lines[at]) if at < len(lines) else ""
        if at in told or at >= len(lines) or found == lines[at]:
            return None
        told.add(at)
        piece = _UNQUOTED.search(lines[at])
        assert piece is not None
        lines[at] = found
        quote = _quoted(piece).removeprefix(piece["before"])
        fix = f"Write `{quote}`: inside of {{ }} and [ ] it needs quotes."
        report.error((), f"{piece['text']} is not read as text here", fix, line=at + 1)
    else:
        return None
    return "\n".join(lines) if told else None


def _quoted(found: re.Match[str]) -> str:
    text = found["text"].rstrip()
    quote = "'" if '"' in text else '"'
    return f"{found['before']}{quote}{text}{quote}"


def _stops(text: str) -> int | None:
    """The line at which it is no longer YAML; None: it is, or is deeper than anybody reads."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return mark.line if mark is not None else len(text)
    return None
