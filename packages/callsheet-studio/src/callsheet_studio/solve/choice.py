"""What was chosen, within which bounds, and how well each goal is known to be met."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.solve.market import Call, StillNeed


def leading(goals: Sequence[str]) -> int:
    """How many goals a plan is judged by; the others choose between equally good ones."""
    return 2 if goals[0] == "animatic" else 1


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan must keep within."""

    max_micros: int | None = None
    max_ms: int | None = None
    """For pictures and clips, without what comes after."""
    max_quality: int | None = None
    """Hundredths times frames."""


class Phase(msgspec.Struct, frozen=True):
    """How well one goal is known to be met."""

    goal: str
    value: int
    bound: int
    proved: bool


Counts = dict[tuple[str, int], tuple[int, ...]]
"""By provider and length of a call: how many go through each lane."""


class Choice(msgspec.Struct, frozen=True):
    """What was chosen, and what it comes to."""

    ways: tuple[tuple[int, ...], ...]
    """For each group, how many of its shots are made in each of its ways."""
    stills: Mapping[StillNeed, tuple[int, ...]]
    micros: int
    quality: int
    """Hundredths times frames."""
    animatic: int
    """Frames."""
    pictures_ms: int
    clips_ms: int
    lanes: tuple[Counts, Counts]
    """Of the pictures, and of the clips."""
    phases: tuple[Phase, ...]

    @property
    def lead(self) -> Phase:
        """What it is judged by: the first goal that is not proved, else the last that counts."""
        counting = self.phases[: leading([phase.goal for phase in self.phases])]
        return next((phase for phase in counting if not phase.proved), counting[-1])

    @property
    def ms(self) -> int:
        """Until the last clip is there."""
        return self.pictures_ms + self.clips_ms


class Units(msgspec.Struct, frozen=True):
    """The largest steps that every price and every time is a multiple of: small numbers prove."""

    micros: int
    ms: int

    @classmethod
    def of(cls, calls: Sequence[Call]) -> Units:
        """For everything that can be called."""
        costs, times = (call.expected for call in calls), (call.ms for call in calls)
        return cls(gcd(*costs) or 1, gcd(*times) or 1)
