"""Where a JSON object ends, while it is still being written.

Providers say too late, or wrongly, that the arguments of a call are complete. So the brackets are
counted here, each character once, however small the pieces are.
"""

from __future__ import annotations

import re

_OUTSIDE = re.compile(r'["{}\[\]]')
_INSIDE = re.compile(r'["\\]')


class Scanner:
    """Looks for the end of the first object in a text that comes in pieces."""

    __slots__ = ("_depth", "_escaped", "_in_string", "_pieces", "_seen", "broken", "end")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._seen = 0
        """Characters before the piece that is read now."""
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self.end: int | None = None
        """How many characters the object has, with what stands before it; None: it goes on."""
        self.broken = False
        """It begins as something else, so there will be no object."""

    @property
    def text(self) -> str:
        """All that has come."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, piece: str) -> bool:
        """Read on; whether the object has ended within this piece."""
        self._pieces.append(piece)
        done = self.end is not None or self.broken
        if not done:
            self._scan(piece)
        self._seen += len(piece)
        return not done and self.end is not None

    def _scan(self, piece: str) -> None:
        at = 0
        if self._depth == 0:
            at = len(piece) - len(piece.lstrip())
            if at == len(piece):
                return
            if piece[at] != "{":
                self.broken = True
                return
        while at < len(piece):
            at = self._in(piece, at) if self._in_string else self._out(piece, at)
            if self.end is not None:
                return

    def _in(self, piece: str, at: int) -> int:
        """Past what stands within a string."""
        if self._escaped:
            self._escaped = False
            return at + 1
        found = _INSIDE.search(piece, at)
        if found is None:
            return len(piece)
        if found.group() == "\\":
            self._escaped = True
        else:
            self._in_string = False
        return found.end()

    def _out(self, piece: str, at: int) -> int:
        """Past the next character that means something outside of strings."""
        found = _OUTSIDE.search(piece, at)
        if found is None:
            return len(piece)
        match found.group():
            case '"':
                self._in_string = True
            case "{" | "[":
                self._depth += 1
            case _:
                self._depth -= 1
                if self._depth == 0:
                    self.end = self._seen + found.end()
        return found.end()
