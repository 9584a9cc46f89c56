"""One step (or one item of it) as a run carries it out, and the states of runs and steps."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import StepKey, index_of
from callsheet.core.plan import NOTHING, Cost

if TYPE_CHECKING:
    from callsheet.core.entries import Failure, QuestionKind, UndoCall
    from callsheet.core.graph import Node
    from callsheet.core.value import Json


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


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is being asked."""

    id: str
    step: str
    ask: QuestionKind
    text: str
    choices: tuple[str, ...] = ()
    digest: str = ""


class StepRun:
    """The part of a snapshot that belongs to one step. Changed by `Snapshot.apply` alone."""

    __slots__ = (
        "allowed",
        "approved",
        "attempts",
        "blocked_by",
        "cost",
        "decided",
        "done",
        "error",
        "final",
        "index",
        "items",
        "items_bad",
        "items_left",
        "key",
        "lost",
        "maybe",
        "node",
        "question",
        "questions",
        "reason",
        "reserved",
        "state",
        "ticket",
        "touches",
        "undo",
        "undo_attempts",
        "undo_reserved",
        "unmet",
    )

    def __init__(self, node: Node, key: StepKey, unmet: int) -> None:
        self.node = node
        self.key = key
        self.index = index_of(key)
        self.state = StepState.PENDING
        self.final = False
        """Nothing more will happen to it while the run goes forward."""
        self.unmet = unmet
        """Needs that are not final yet."""
        self.blocked_by = ""
        """Why it must be skipped, once all its needs are final; empty: it need not."""
        self.reason = ""
        """Why it was skipped or is held back."""
        self.attempts = 0
        self.lost = 0
        self.allowed = node.attempts
        self.error: Failure | None = None
        self.cost: Cost = NOTHING
        self.reserved: Cost = NOTHING
        self.undo_reserved: Cost = NOTHING
        self.decided = False
        self.approved = ""
        """Digest of the arguments that were approved."""
        self.question: Question | None = None
        self.questions = 0
        self.touches: tuple[str, ...] = ()
        self.ticket = 0
        """Counts how often it became ready."""
        self.done = False
        """It is a write and its effect is there."""
        self.maybe = False
        """It did not succeed, but its effect may be there."""
        self.undo: UndoCall | None = None
        self.undo_attempts = 0
        self.items: int | None = None
        """How many items a `for_each` has, once expanded."""
        self.items_left = 0
        self.items_bad = False

    @property
    def is_list(self) -> bool:
        """Whether it stands for its items and is not called itself."""
        return self.index is None and self.node.step.for_each is not None

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
        for name in ("done", "maybe", "lost", "undo_attempts", "items", "approved", "reason", "blocked_by"):
            if found := getattr(self, name):
                seen[name] = found
        if self.cost != NOTHING:
            seen["cost"] = msgspec.to_builtins(self.cost)
        return seen
