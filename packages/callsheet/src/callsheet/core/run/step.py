"""One step (or one item of it) as a run carries it out, and the states of runs and steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.entries import QuestionKind
from callsheet.core.value import Json

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.ids import StepKey
    from callsheet.core.run.entries import Failure, UndoCall
    from callsheet.core.run.graph import PlannedStep


class RunState(StrEnum):
    """Where a run is. `paused` is a flag beside it."""

    PENDING = "pending"
    RUNNING = "running"
    WAITING = "waiting"
    UNDOING = "undoing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNDONE = "undone"
    STUCK = "stuck"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen unless somebody asks for it."""
        return self in _ENDED


_ENDED = frozenset(
    {RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.UNDONE, RunState.STUCK}
)


class StepState(StrEnum):
    """Where a step is."""

    PENDING = "pending"
    READY = "ready"
    RUNNING = "running"
    RETRYING = "retrying"
    WAITING = "waiting"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    IN_DOUBT = "in_doubt"
    UNDOING = "undoing"
    UNDONE = "undone"
    UNDO_FAILED = "undo_failed"


Told = Literal["", "stop", "time"]

# For what is asked of every step: to look one up in its class takes ten times as long.
READY, RUNNING, SUCCEEDED = StepState.READY, StepState.RUNNING, StepState.SUCCEEDED


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is being asked."""

    id: str
    step: str
    ask: QuestionKind
    text: str
    choices: tuple[str, ...] = ()
    digest: str = ""
    args: Json = None
    """Of the call that is to be approved."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


@dataclass(slots=True, eq=False)
class StepRun:
    """The part of a snapshot that belongs to one step. Changed by `fold` alone."""

    planned: PlannedStep
    key: StepKey
    unmet: int
    """Needs that are not final yet."""
    index: int | None = None
    """Which item of a `for_each` it is; None: it is no item."""
    state: StepState = StepState.PENDING
    final: bool = False
    """Nothing more will happen to it while the run goes forward."""
    blocked_by: str = ""
    """Why it must be skipped, once all its needs are final; empty: it need not."""
    downstream: bool = False
    """Something above it has failed in a way that counts: it never runs."""
    reason: str = ""
    """Why it was skipped or is held back."""
    started_at: datetime | None = None
    """When its first attempt began, or its question was asked."""
    ended_at: datetime | None = None
    """When its latest attempt ended, or its question was answered."""
    copied: bool = False
    """Another run has done it; what it did is not this run's to take back."""
    cached: str = ""
    """The run whose call has answered for it."""
    attempts: int = 0
    lost: int = 0
    """How many of them were lost in a crash; these do not count against what is allowed."""
    unbegun: int = 0
    """How many of them were not made after all; these count as nothing."""
    extra: int = 0
    """Tries that a person has allowed beyond the policy."""
    error: Failure | None = None
    cost: Cost = NOTHING
    reserved: Cost = NOTHING
    undo_reserved: Cost = NOTHING
    undo_most: Cost = NOTHING
    """What its undo may cost, known when its call has ended."""
    decided: bool = False
    approved: str = ""
    """Digest of the arguments that were approved."""
    question: Question | None = None
    questions: int = 0
    touches: tuple[str, ...] = ()
    ticket: int = 0
    """Counts how often it became ready."""
    done: bool = False
    """It is a write and its effect is there."""
    maybe: bool = False
    """It did not succeed, but its effect may be there."""
    unclear: bool = False
    """As `maybe`, of a step that another run has done: that one's to take back."""
    told: Told = ""
    """Why it is tried no more: somebody has stopped it (`stop`), or its time is over (`time`)."""
    left: float | None = None
    """Of the time that it has as a whole, what is left; None: all of it, or it is unlimited."""
    alone: bool = False
    """What it did is being taken back, or was, while the rest of the run stands."""
    undo: UndoCall | None = None
    undo_attempts: int = 0
    undo_tries: int = 0
    """How many of them ended badly, since a person last asked for them; lost ones apart."""
    undo_lost: int = 0
    items: int | None = None
    """How many items a `for_each` has, once expanded."""
    items_left: int = 0
    items_bad: bool = False
    items_stopped: bool = False

    @property
    def wanted(self) -> Cost:
        """What starting it sets aside, beside what is already kept for its undo."""
        reserve, kept = self.planned.reserve, self.undo_reserved
        return reserve if kept is NOTHING else reserve.minus(kept)

    @property
    def is_list(self) -> bool:
        """Whether it stands for its items and is not called itself."""
        return self.index is None and self.planned.step.for_each is not None

    def is_part_of(self, name: str | None) -> bool:
        """Whether it is what is called so: a step, or an item of one, or any item of it."""
        return name is not None and name in (self.key, self.planned.id)

    @property
    def owes(self) -> bool:
        """Whether there is, or may be, an effect that an undo would take back."""
        return self.undo is not None and (self.done or self.maybe)

    @property
    def undo_impossible(self) -> str:
        """Why what it owes, or may owe, cannot be taken back; empty when it can."""
        if self.undo is not None and self.undo.error:
            return f"its undo cannot be resolved: {self.undo.error}"
        if self.done or not self.maybe:
            return ""
        if self.undo is None:
            lost = self.state is StepState.IN_DOUBT
            return "its outcome is unknown and it has no undo" if lost else ""
        return "its outcome is unknown and its undo needs the output" * self.undo.needs_output

    def view(self) -> dict[str, Json]:
        """The step as plain data: what two snapshots are compared by."""
        seen: dict[str, Json] = {"state": str(self.state), "attempts": self.attempts}
        if self.error:
            seen["error"] = f"{self.error.error_class}: {self.error.message}"
        for name in (
            "done",
            "maybe",
            "lost",
            "unbegun",
            "undo_attempts",
            "items",
            "approved",
            "reason",
            "blocked_by",
            "copied",
            "cached",
            "unclear",
            "told",
            "left",
            "alone",
        ):
            if found := getattr(self, name):
                seen[name] = found
        if self.cost != NOTHING:
            seen["cost"] = msgspec.to_builtins(self.cost)
        return seen
