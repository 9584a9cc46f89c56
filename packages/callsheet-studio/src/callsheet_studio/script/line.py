"""One thing that is said, and how long that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet_studio.base.speech import speech_frames

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate

Task = Literal["hook", "problem", "reveal", "message", "people", "recall", "silent", "close", "cta"]


class Line(msgspec.Struct, frozen=True):
    """One thing that is said, and what it is about."""

    task: Task
    said: str
    about: str
    """What its picture is asked from."""
    message: str = ""
    """The supporting message that it tells, as the brief has it."""
    ours: bool = False
    """Whether it may be left out, or be put in where there is time."""
    lead: str = ""
    """A question or a name that it begins with, of ours."""

    @property
    def own(self) -> bool:
        """Whether it is told by whoever tells the film."""
        return self.task in ("message", "reveal", "recall") and not self.ours


class Clock(msgspec.Struct, frozen=True):
    """How long words take."""

    rate: Rate
    wpm: int
    language: str

    def frames(self, said: str) -> int:
        """Of something that is said."""
        return speech_frames(said, self.rate, self.wpm, self.language) if said else 0
