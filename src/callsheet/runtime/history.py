"""Every attempt of a run, one by one, as its journal tells them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from callsheet.core import entries as e
from callsheet.core.plan import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from callsheet.core.entries import Failure, Outcome
    from callsheet.core.plan import Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRecord:
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
