"""What lies outside the engine: a file in which every call and every effect is one line.

A line is appended and synced before anybody goes on, so it is there whoever is killed afterwards.
The engine knows nothing of this file; the tools of `program` write it, the tests read it.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

What = Literal["called", "done", "taken back", "submitted"]
"""`called`: a tool began. The others are effects: the reason why somebody would want the tool."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened out there."""

    what: What
    tool: str
    run: str
    step: str
    attempt: int
    key: str
    """The idempotency key that the tool was given, or that is being taken back."""
    process: int
    resumed: bool = False
    """A call that was given a checkpoint."""


class World:
    """Append-only, shared by all processes of a test."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, line: Line) -> None:
        """Make it true."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            # What somebody was killed in the middle of must not spoil the next line.
            os.write(file, b"\n" + msgspec.json.encode(line) + b"\n")
            os.fsync(file)
        finally:
            os.close(file)

    @property
    def lines(self) -> list[Line]:
        """Everything so far. A line that is not there whole has not happened, or not yet."""
        if not self._path.exists():
            return []
        found: list[Line] = []
        for text in self._path.read_bytes().splitlines():
            with suppress(msgspec.DecodeError):
                found.append(msgspec.json.decode(text, type=Line))
        return found

    def has(self, what: What, key: str) -> bool:
        """Whether there is such an effect."""
        return any((line.what, line.key) == (what, key) for line in self.lines)

    @property
    def calls(self) -> list[Line]:
        """Calls of all tools, undos included."""
        return [line for line in self.lines if line.what == "called"]

    @property
    def effects(self) -> Counter[tuple[str, str]]:
        """How often each effect happened, by what it is and of which step."""
        return self.effects_of(None)

    def effects_of(self, run: str | None) -> Counter[tuple[str, str]]:
        """The effects of one run; None: of all."""
        return Counter(
            (line.what, line.step)
            for line in self.lines
            if line.what != "called" and run in (None, line.run)
        )
