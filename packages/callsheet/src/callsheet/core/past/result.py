"""What a run looks like to whoever asks: state, cause, output, steps, cost, problems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import child_run
from callsheet.core.past.outputs import Outputs, take_in
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run import entries as e
from callsheet.core.run.entries import Failure
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import RunState, StepState
from callsheet.core.run.unknown import Damage
from callsheet.core.value import Json
from callsheet.errors import CallsheetError, InputError, RunFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.outputs import OutputsView
    from callsheet.core.run.entries import Cause
    from callsheet.core.run.step import Question

T = TypeVar("T")

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
    label: str = ""
    """What people and models call it."""

    def to_json(self) -> dict[str, Json]:
        """As plain data; where it comes from only if it was not called here."""
        return {
            "state": str(self.state),
            "output": self.output,
            "error": self.error.to_json() if self.error else None,
            "attempts": self.attempts,
            "cost": self.cost.to_json(),
            "reason": self.reason,
            "started_at": msgspec.to_builtins(self.started_at),
            "ended_at": msgspec.to_builtins(self.ended_at),
            **({"child": self.child} if self.child else {}),
            **({"source": self.source} if self.source else {}),
            **({"copied": True} if self.copied else {}),
            **({"label": self.label} if self.label else {}),
        }


class RunProblem(msgspec.Struct, frozen=True, kw_only=True):
    """Something a person should know."""

    step: str | None
    message: str

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        return {"step": self.step, "message": self.message}


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
    interrupted: bool = False
    """It has not ended and no process drives it, or can as things are: its time stands still.

    `problems` has what is missing.
    """
    damaged: str = ""
    """Why no more of it can be read than this; empty: this is all of it."""

    @property
    def id(self) -> RunId:
        """The run's id, under the name that its handle has for it."""
        return self.run

    @property
    def shown_state(self) -> str:
        """Its state in one word for a person: one that nobody drives is `interrupted`."""
        is_moving = self.state in (RunState.RUNNING, RunState.UNDOING, RunState.PENDING)
        return "interrupted" if self.interrupted and is_moving else str(self.state)

    def raise_for_state(self) -> Self:
        """This result, if the run has succeeded.

        Raises:
            RunFailedError: it has not; the message says why, and `error.result` is this.
        """
        if self.state is RunState.SUCCEEDED:
            return self
        cause = self.cause
        where = f"{cause.step}: " if cause and cause.step else ""
        why = f": {where}{cause.message}" if cause and cause.message else "."
        raise RunFailedError(f"Run {self.run!r} is {self.shown_state}{why}", result=self)

    def output_as(self, model: type[T]) -> T:
        """The output as a pydantic model, a dataclass, a msgspec struct, or any plain type.

        Raises:
            InputError: it does not fit; says where.
        """
        validate = getattr(model, "model_validate", None)
        try:
            found: T = validate(self.output) if validate else msgspec.convert(self.output, model)
        except ValueError as exc:
            name = getattr(model, "__name__", model)
            raise InputError(f"The output of run {self.run!r} is no {name}: {exc}") from exc
        return found

    def to_json(self) -> dict[str, Json]:
        """As plain data: `{run, state, cause, output, steps, cost, problems, …}`."""
        return {
            "run": self.run,
            "plan": self.plan,
            "state": str(self.state),
            "paused": self.paused,
            "interrupted": self.interrupted,
            "cause": self.cause.to_json() if self.cause else None,
            "output": self.output,
            "steps": {key: step.to_json() for key, step in self.steps.items()},
            "cost": self.cost.to_json(),
            "seconds": round(self.seconds, 6),
            "errors": msgspec.to_builtins(self.errors),
            "problems": [problem.to_json() for problem in self.problems],
            "questions": [question.to_json() for question in self.questions],
            **({"damaged": self.damaged} if self.damaged else {}),
        }


def result_of(
    snapshot: Snapshot, outputs: Outputs | OutputsView, output: Json, now: datetime
) -> Result:
    """A run as it stands."""
    # Asked again and again of runs with many steps: what is the same for all is asked once.
    is_forward = not (snapshot.stopping or snapshot.is_undoing or snapshot.ended)
    steps = {
        str(key): StepResult(
            state=step.state if is_forward else snapshot.state_of(step),
            output=outputs.value(key),
            error=step.error,
            attempts=step.attempts,
            cost=_with_calls(step.cost, step.attempts - step.unbegun),
            reason=step.reason or step.blocked_by,
            started_at=step.started_at,
            ended_at=None if step.state in _GOING_ON else step.ended_at,
            child=child_run(snapshot.run, key) if step.planned.is_child and step.attempts else "",
            source=step.cached,
            copied=step.copied,
            label=step.planned.step.label,
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
        # Undos are calls, too; the budget, and so the pot, counts those of the plan alone.
        cost=structs.replace(
            snapshot.pot.spent,
            calls=snapshot.pot.calls
            + sum(step.undo_attempts for step in snapshot.steps.values() if step.undo_attempts),
        ),
        at=snapshot.ended_at or now,
        seconds=snapshot.seconds(snapshot.ended_at or now),
        problems=tuple(
            RunProblem(step=step, message=message) for step, message in snapshot.problems
        ),
        errors={tool: dict(counts) for tool, counts in snapshot.errors.items()},
        questions=tuple(snapshot.questions.values()),
        kept=snapshot.pot.kept,
        owes=any(
            step.planned.writes and (step.owes or step.undo_impossible)
            for step in snapshot.steps.values()
        ),
    )


_ONE_CALL = Cost(calls=1)


def _with_calls(cost: Cost, calls: int) -> Cost:
    if cost is NOTHING and calls <= 1:
        return _ONE_CALL if calls else NOTHING
    return structs.replace(cost, calls=calls)


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


def damaged_result(
    entries: Sequence[e.AnyEntry], damage: Damage | None, head: RunHead, now: datetime
) -> Result:
    """A run of which not all can be read, as far as it can."""
    snapshot = Snapshot()
    outputs = Outputs(snapshot)
    done: list[e.AnyEntry] = []
    for entry in entries:
        try:
            take_in(snapshot, outputs, [entry])
        except CallsheetError as exc:
            damage = Damage(len(done) + 1, exc.message)
            break
        done.append(entry)
    told = damage.told() if damage else ""
    problem = RunProblem(step=None, message=told)
    if not done:
        return Result(
            run=head.run,
            plan=head.name,
            state=RunState(head.ended or RunState.RUNNING),
            paused=False,
            cause=None,
            output=None,
            steps={},
            cost=NOTHING,
            at=head.ended_at or now,
            seconds=0.0,
            problems=(problem,),
            errors={},
            damaged=told,
        )
    found = result_of(snapshot, outputs, output_of(done), now)
    state = RunState(head.ended) if head.ended else found.state
    return replace(found, state=state, problems=(*found.problems, problem), damaged=told)
