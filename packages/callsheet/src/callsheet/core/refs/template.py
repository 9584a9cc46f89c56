"""Templates: text with `${…}` in it, taken apart. What stands inside is not looked at here."""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec

from callsheet.core.refs.traps import Fault

_MARK = re.compile(r"\$\$\{|\$\{")
_QUOTE_OR_BRACE = re.compile(r"[{}'\"`]")
# The rest of something quoted; a backslash hides what follows it.
_REST = {q: re.compile(rf"(?:[^{q}\\]|\\.)*+{q}", re.DOTALL) for q in "'\"`"}


class Slot(msgspec.Struct, frozen=True):
    """What stands between `${` and its `}`."""

    text: str


Parts: TypeAlias = tuple[str | Slot, ...]


def take_apart(text: str) -> Parts | Fault:
    """Text and slots in turn, without empty text; `$${` has become the text `${`.

    Takes time in proportion to the text, whatever it holds.
    """
    parts: list[str | Slot] = []
    literal: list[str] = []
    position = 0
    while mark := _MARK.search(text, position):
        literal.append(text[position : mark.start()])
        if mark.group() == "$${":
            literal.append("${")
            position = mark.end()
            continue
        end = _closing_brace(text, mark.end())
        if isinstance(end, Fault):
            return end
        _add(parts, literal)
        parts.append(Slot(text[mark.end() : end].strip()))
        position = end + 1
    literal.append(text[position:])
    _add(parts, literal)
    return tuple(parts)


def _add(parts: list[str | Slot], literal: list[str]) -> None:
    joined = "".join(literal)
    literal.clear()
    if joined:
        parts.append(joined)


def _closing_brace(text: str, start: int) -> int | Fault:
    depth, position = 1, start
    while found := _QUOTE_OR_BRACE.search(text, position):
        position = found.end()
        character = found.group()
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if not depth:
                return found.start()
        else:
            rest = _REST[character].match(text, position)
            if rest is None:
                what = f"a quote {character} is opened at {_column(text, found.start())}"
                return Fault(f"{what} and never closed", f"Close it with {character}.")
            position = rest.end()
    what = f"`${{` is opened at {_column(text, start - 2)} and never closed"
    return Fault(what, "Close it with }, or write $${ for the text `${`.")


def _column(text: str, position: int) -> str:
    line = text.count("\n", 0, position)
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"line {line + 1}, column {column}" if line else f"column {column}"
