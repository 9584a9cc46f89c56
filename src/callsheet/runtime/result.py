"""What a run looks like to whoever asks: state, cause, output, steps, cost, problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core import entries as e
from callsheet.core import value
from callsheet.core.entries import Failure
from callsheet.core.ids import child_run
from callsheet.core.plan import NOTHING, Cost
from callsheet.core.snapshot import Snapshot
from callsheet.core.steprun import StepState
from callsheet.core.value import Json
from callsheet.runtime.outputs import Outputs, take_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.entries import Cause
    from callsheet.core.ids import RunId
    from callsheet.core.steprun import Question, RunState

_GOING_ON = frozenset({StepState.READY, StepState.RUNNING, StepState.RETRYING, StepState.WAITING})


# A struct, not a dataclass: a result has one for each step, and they are made all at once.
class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """One step, or one item of it."""

    state: StepState
    output: Json
    error: Failure | None
    attempts: int
    cost: Cost
    reason: str = ""
    """Why it was skipped or is held back."""
    started_at: datetime | None = None
    """When its first attempt began, or its question was asked."""
    ended_at: datetime | None = None
    """When its last attempt ended, or its question was answered."""
    child: str = ""
    """The run that the step is, if it is a sub-plan that has started."""
    source: str = ""
    """The run whose call has answered for it (`cache`)."""
    copied: bool = False
    """Another run has done it, which this one was forked from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProblem:
    """Something a person should know."""

    step: str | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A run, as far as it has come. `state.ended` says whether that is the end."""

    run: RunId
    plan: str
    state: RunState
    paused: bool
    cause: Cause | None
    output: Json
    steps: dict[str, StepResult]
    cost: Cost
    at: datetime
    """When it stood so."""
    seconds: float
    """Time spent running."""
    problems: tuple[RunProblem, ...]
    errors: dict[str, dict[str, int]]
    """Per tool, how many attempts ended in each class of error."""
    questions: tuple[Question, ...] = field(default=())
    kept: Cost = NOTHING
    """Set aside for undos that may be asked for."""
    owes: bool = False
    """Whether there is, or may be, something that an undo would have to take back."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: `{run, state, cause, output, steps, cost, problems, …}`."""
        steps: dict[str, Json] = {key: _step_json(step) for key, step in self.steps.items()}
        return {
            "run": self.run,
            "plan": self.plan,
            "state": str(self.state),
            "paused": self.paused,
            "cause": msgspec.to_builtins(self.cause),
            "output": self.output,
            "steps": steps,
            "cost": cost_json(self.cost),
            "seconds": round(self.seconds, 6),
            "errors": msgspec.to_builtins(self.errors),
            "problems": [{"step": p.step, "message": p.message} for p in self.problems],
            "questions": [msgspec.to_builtins(question) for question in self.questions],
        }


def cost_json(cost: Cost) -> Json:
    """An amount with every currency spelled out."""
    return {
        "usd": cost.usd,
        "credits": cost.credits,
        "tokens": cost.tokens,
        "calls": cost.calls,
    }


def _step_json(step: StepResult) -> dict[str, Json]:
    error: Json = None
    if step.error:
        error = {"class": step.error.error_class, "message": step.error.message}
        if step.error.type:
            error["type"] = step.error.type
    return {
        "state": str(step.state),
        "output": step.output,
        "error": error,
        "attempts": step.attempts,
        "cost": cost_json(step.cost),
        "reason": step.reason,
        "started_at": msgspec.to_builtins(step.started_at),
        "ended_at": msgspec.to_builtins(step.ended_at),
        **({"child": step.child} if step.child else {}),
        **({"source": step.source} if step.source else {}),
        **({"copied": True} if step.copied else {}),
    }


def result_of(snapshot: Snapshot, outputs: Outputs, output: Json, now: datetime) -> Result:
    """A run as it stands."""
    steps = {
        str(key): StepResult(
            state=snapshot.state_of(step),
            output=outputs.value(key),
            error=step.error,
            attempts=step.attempts,
            cost=structs.replace(step.cost, calls=step.attempts),
            reason=step.reason or step.blocked_by,
            started_at=step.started_at,
            ended_at=None if step.state in _GOING_ON else step.ended_at,
            child=child_run(snapshot.run, key) if step.node.is_child and step.attempts else "",
            source=step.cached,
            copied=step.copied,
        )
        for key, step in snapshot.steps.items()
    }
    return Result(
        run=snapshot.run,
        plan=snapshot.graph.plan.name,
        state=snapshot.state,
        paused=snapshot.paused and not snapshot.ended,
        cause=snapshot.cause or snapshot.stopping,
        output=output,
        steps=steps,
        cost=structs.replace(snapshot.pot.spent, calls=snapshot.pot.calls),
        at=snapshot.ended_at or now,
        seconds=snapshot.seconds(snapshot.ended_at or now),
        problems=tuple(
            RunProblem(step=step, message=message) for step, message in snapshot.problems
        ),
        errors={tool: dict(counts) for tool, counts in snapshot.errors.items()},
        questions=tuple(snapshot.questions.values()),
        kept=snapshot.pot.kept,
        owes=any(step.owes or step.undo_impossible for step in snapshot.steps.values()),
    )


def result_from(entries: Sequence[e.AnyEntry], now: datetime) -> Result:
    """A run as its journal tells it.

    Raises:
        StoreCorruptError: the entries do not add up to a run.
    """
    snapshot = Snapshot()
    outputs = Outputs(snapshot)
    take_in(snapshot, outputs, entries)
    return result_of(snapshot, outputs, output_of(entries), now)


def output_of(entries: Iterable[e.AnyEntry]) -> Json:
    """The output that the last end of a run recorded."""
    found: Json = None
    for entry in entries:
        if isinstance(entry, e.RunEnded):
            found = value.decode(entry.output)
    return found
