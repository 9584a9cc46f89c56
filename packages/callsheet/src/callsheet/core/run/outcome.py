"""What became of a call, before it is an entry."""

from __future__ import annotations

import msgspec

from callsheet.core.ids import StepKey
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.entries import Failure, Outcome
from callsheet.core.value import Json


class End(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What became of a call."""

    step: StepKey
    attempt: int
    undo: bool
    """It was the call of an undo."""
    tool: str
    outcome: Outcome
    output: Json = None
    error: Failure | None = None
    cost: Cost | None = None
    abandoned: bool = False
    kept: Cost = NOTHING
    """Of a sub-plan: what its undo may cost."""
