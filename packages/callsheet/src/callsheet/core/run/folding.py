"""What the handlers of several kinds of entry share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun


def remember(s: Snapshot, request: str | None) -> None:
    """A request has been served: it is not served again."""
    if request is not None:
        s.requests.add(request)


def stop_overrun(s: Snapshot, step: StepRun) -> None:
    """What was spent cannot be taken back; that nothing more is spent can be seen to."""
    if overrun := s.pot.overrun:
        cause = e.Cause(kind="budget", step=step.key, message=f"Over budget: {overrun}.")
        s.stop(cause, takes_back=s.graph.plan.on_failure == "undo")
