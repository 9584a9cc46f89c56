"""A document that is still being written: its steps, each as soon as its object closes.

What stands before the first brace (a fence, a sentence) is passed over, and so is what follows the
last. Each character is looked at once, however small the pieces are.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value

if TYPE_CHECKING:
    from callsheet.core.value import Json

_MEANS = re.compile(r'["{}\[\],:]')
_INSIDE = re.compile(r'["\\]')
_STEPS = "steps"
_IN_STEPS = 2
"""Brackets that are open around a step."""
_LONGEST_NAME = 100


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """A step whose object has closed."""

    index: int
    """Its place in `steps`."""
    text: str

    def read(self) -> Json:
        """What it says.

        Raises:
            ValueError: it is no JSON that can be written down, or says a field twice.
        """
        return read_json(self.text)


class Document:
    """Looks for steps in a text that comes in pieces."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._depth = 0
        """Brackets that are open."""
        self._in_string = False
        self._escaped = False
        self._string_at = 0
        self._tail = ""
        """The end of what came before: names of fields are short."""
        self._key: str | None = None
        """The field of the document that is being written."""
        self._expects_key = False
        self._begins: int | None = None
        """Where the step begins that is being written."""
        self._count = 0
        self._start: int | None = None
        self._end: int | None = None

    @property
    def length(self) -> int:
        """Characters that have come."""
        return self._length

    @property
    def count(self) -> int:
        """Steps that have closed."""
        return self._count

    @property
    def text(self) -> str:
        """All that has come."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    @property
    def whole(self) -> str | None:
        """The document, once its object has closed; None: it goes on, or never began."""
        if self._start is None or self._end is None:
            return None
        return self.text[self._start : self._end]

    def feed(self, piece: str) -> list[Closed]:
        """Read on; the steps that have closed within this piece."""
        self._pieces.append(piece)
        closed: list[Closed] = []
        at = 0
        if self._end is None and self._start is None:
            at = piece.find("{")
            if at >= 0:
                self._start, self._expects_key = self._length + at, True
        if at >= 0:
            while at < len(piece) and self._end is None:
                at = (
                    self._inside(piece, at) if self._in_string else self._outside(piece, at, closed)
                )
        self._length += len(piece)
        self._tail = (self._tail + piece)[-_LONGEST_NAME:]
        return closed

    def _inside(self, piece: str, at: int) -> int:
        """Past what stands within a string."""
        if self._escaped:
            self._escaped = False
            return at + 1
        found = _INSIDE.search(piece, at)
        if found is None:
            return len(piece)
        if found.group() == "\\":
            self._escaped = True
            return found.end()
        self._in_string = False
        if self._depth == 1 and self._expects_key:
            before = self._length - len(self._tail)
            end = self._length + found.start() - before
            self._key = (self._tail + piece)[max(0, self._string_at - before) : end]
            self._expects_key = False
        return found.end()

    def _outside(self, piece: str, at: int, closed: list[Closed]) -> int:
        found = _MEANS.search(piece, at)
        if found is None:
            return len(piece)
        here = self._length + found.start()
        match found.group():
            case '"':
                self._in_string, self._string_at = True, here + 1
            case "{" | "[":
                if found.group() == "{" and self._depth == _IN_STEPS and self._key == _STEPS:
                    self._begins = here
                self._depth += 1
            case "," if self._depth == 1:
                self._key, self._expects_key = None, True
            case "}" | "]":
                self._depth -= 1
                self._close(here + 1, closed)
            case _:
                pass
        return found.end()

    def _close(self, end: int, closed: list[Closed]) -> None:
        if self._depth == 0:
            self._end = end
        elif self._depth == _IN_STEPS and self._begins is not None:
            closed.append(Closed(index=self._count, text=self.text[self._begins : end]))
            self._count += 1
            self._begins = None


def read_json(text: str) -> Json:
    """A value, as everybody would read it.

    Raises:
        ValueError: it is no JSON that can be written down, or says a field twice.
    """
    try:
        found: Json = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc
    problem = value.problem_of(found)
    if problem is not None:
        raise ValueError(f"it holds something {problem}")
    return found


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = value.first_repeated(name for name, _ in pairs)
        raise ValueError(f"the field {str(twice)[:80]!r} stands there twice")
    return found


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")
