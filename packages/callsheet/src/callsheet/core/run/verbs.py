"""Entries about one step alone: stopped, out of time, tried again, taken back.

The rules of `entries` hold here, too.
"""

from __future__ import annotations

from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.entry import Entry


class StepExpired(Entry, frozen=True):
    """A step has used up the time that it has as a whole (`within`): nothing more is tried."""

    step: str


class StopRequested(Entry, frozen=True):
    """One step is not to start, or to stop; the run goes on."""

    step: str
    by: str | None = None
    reason: str = ""
    request: str | None = None


class RetryRequested(Entry, frozen=True):
    """A step that has failed, or was stopped, is tried again; what was skipped for it waits."""

    step: str
    by: str | None = None
    request: str | None = None


class RunReopened(Entry, frozen=True):
    """A run that had ended `failed` goes on: one of its steps is tried again."""

    step: str
    by: str | None = None
    request: str | None = None
    tenant: str = ""
    reserves: Cost = NOTHING
    """What it sets aside of its tenant's account again."""


class StepUndoRequested(Entry, frozen=True):
    """Take back what one step has done; the run is otherwise as it was."""

    step: str
    by: str | None = None
    request: str | None = None
