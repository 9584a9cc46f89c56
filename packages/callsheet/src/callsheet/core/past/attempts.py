"""Every attempt of a run, one by one, as its journal tells them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run import entries as e
from callsheet.core.run.entries import Failure, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.value import Json


class AttemptRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One try of one step, or of its undo."""

    step: str
    attempt: int
    undo: bool
    started_at: datetime
    ended_at: datetime | None = None
    outcome: Outcome | None = None
    """None while it is running."""
    error: Failure | None = None
    cost: Cost = NOTHING

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field, the cost with every currency."""
        return {
            "step": self.step,
            "attempt": self.attempt,
            "undo": self.undo,
            "started_at": msgspec.to_builtins(self.started_at),
            "ended_at": msgspec.to_builtins(self.ended_at),
            "outcome": self.outcome,
            "error": _told(self.error) if self.error else None,
            "cost": self.cost.to_json(),
        }


def _told(error: Failure) -> dict[str, Json]:
    """An error, with the place where it was raised."""
    said = error.to_json()
    return {**said, "traceback": error.traceback} if error.traceback else said


def attempts_of(entries: Iterable[e.AnyEntry]) -> list[AttemptRecord]:
    """All attempts, in the order they started."""
    found: dict[tuple[str, int, bool], AttemptRecord] = {}
    for entry in entries:
        if not isinstance(entry, (e.AttemptStarted, e.UndoStarted, e.AttemptEnded, e.UndoEnded)):
            continue
        undo = isinstance(entry, (e.UndoStarted, e.UndoEnded))
        name = entry.step, entry.attempt, undo
        if name not in found:
            # Also an undo that could not even be started: it begins and ends at once.
            found[name] = AttemptRecord(
                step=entry.step, attempt=entry.attempt, undo=undo, started_at=entry.at
            )
        if isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
            found[name] = replace(
                found[name],
                ended_at=entry.at,
                outcome=entry.outcome,
                error=entry.error,
                cost=entry.cost,
            )
    return list(found.values())
