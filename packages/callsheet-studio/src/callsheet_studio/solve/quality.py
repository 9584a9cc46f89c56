"""How good a stack tool is known to be: an interval, from blind comparisons on public boards.

The measure is the chance to be preferred to the board's median, with the board's own uncertainty.
A tool without a row on a board of its mode has the lowest interval of its class, never a guess.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.solve.terms import HUNDRED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.model.brief import Quality
    from callsheet_studio.model.stack import Benchmark, StackTool

_BOARDS = {"t2v": "text-to-video", "i2v": "image-to-video", "t2i": "text-to-image"}
_ELO = 400


class Interval(msgspec.Struct, frozen=True, order=True):
    """From what is certain to what is possible, in hundredths."""

    low: int
    high: int


NONE = Interval(0, 0)
"""Of the animatic: it is not on the same scale, so it counts for nothing."""
NOTHING_KNOWN = Interval(1, HUNDRED)
"""Of what is generated, if no tool of its class was ever measured: more than an animatic."""
GIVEN = Interval(HUNDRED, HUNDRED)
"""Of the user's own footage: it is the picture that was asked for."""


def measured(tool: StackTool, mode: str) -> Interval | None:
    """What the newest rows of the boards say about a mode; None if none does."""
    rows = [row for row in tool.benchmarks if row.share is not None and _about(row.board, mode)]
    if not rows:
        return None
    newest = max(row.as_of for row in rows)
    bounds = [_bounds(row) for row in rows if row.as_of == newest]
    # Rounded outwards: two digits are more than a board can tell.
    low = math.floor(min(low for low, _ in bounds) * HUNDRED + _HAIR)
    high = math.ceil(max(high for _, high in bounds) * HUNDRED - _HAIR)
    return Interval(max(low, NOTHING_KNOWN.low), high)


_HAIR = 1e-9


def _about(board: str, mode: str) -> bool:
    named = [key for key, words in _BOARDS.items() if words in board.casefold()]
    return not named or mode in named


def _bounds(row: Benchmark) -> tuple[float, float]:
    share = row.share or 0.0
    if not 0 < share < 1 or not row.interval:
        return share, share
    odds, width = share / (1 - share), 10 ** (row.interval / _ELO)
    return odds / width / (1 + odds / width), odds * width / (1 + odds * width)


class Scale(msgspec.Struct, frozen=True):
    """The known intervals of one class, ascending: what the levels are thirds of."""

    known: tuple[Interval, ...]

    @classmethod
    def over(cls, tools: Iterable[StackTool], *modes: str) -> Scale:
        """Each tool counts once in each mode that it has, however many resell it."""
        found = (measured(tool, mode) for tool in tools for mode in modes if mode in tool.modes)
        return cls(tuple(sorted(each for each in found if each is not None)))

    @property
    def lowest(self) -> Interval:
        """What a tool has that nothing is known about."""
        return self.known[0] if self.known else NOTHING_KNOWN

    def floor(self, level: Quality) -> int:
        """What must be certain at a level: `high` the upper third, `balanced` the middle one."""
        if not self.known or level == "budget":
            return 0
        count = len(self.known)
        return self.known[2 * count // 3 if level == "high" else count // 3].low
