"""A run told by hand, entry by entry, as the driver would write it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.plan.plan import (
    FORMAT,
    NOTHING,
    Cost,
    Plan,
    Step,
    Undo,
)
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.decide import decide
from callsheet.core.run.snapshot import Snapshot

if TYPE_CHECKING:
    from callsheet.core.run.step import StepRun, StepState
    from callsheet.core.value import Json
    from callsheet.errors import ErrorClass

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ARGS = Raw(b'{"n":1}')
DIGEST = value.digest({"n": 1})

TOOLS: dict[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec(name="look"),
        ToolSpec(name="watch"),
        ToolSpec(name="make", effect="write", undo="unmake"),
        ToolSpec(name="put", effect="write", idempotent=True, undo="unmake"),
        ToolSpec(name="shout", effect="write"),
        ToolSpec(name="pay", ceiling=Cost(usd=1.0)),
        ToolSpec(name="buy", effect="write", undo="refund", ceiling=Cost(usd=1.0)),
        ToolSpec(
            name="rent", effect="write", idempotent=True, undo="refund", ceiling=Cost(usd=1.0)
        ),
        ToolSpec(name="unmake", effect="write", idempotent=True),
        ToolSpec(name="refund", effect="write", idempotent=True, ceiling=Cost(usd=1.0)),
    )
}
NEEDS_OUTPUT = Undo(tool="unmake", args={"id": "${output.id}"})


def failure(
    error_class: ErrorClass = "fatal", *, nothing: bool = False, retry_after: float | None = None
) -> e.Failure:
    return e.Failure(
        error_class=error_class,
        message=f"It was {error_class}.",
        nothing_happened=nothing,
        retry_after=retry_after,
    )


def a_plan(*steps: Step, **fields: object) -> Plan:
    # The fields are those of the plan, whatever they are.
    return Plan(steps=steps, **fields)  # type: ignore[arg-type]


def a_start(plan: Plan, *, grows: bool = False) -> e.RunStarted:
    return e.RunStarted(
        at=BEGIN,
        run="r1",
        plan=plan,
        inputs=Raw(b"{}"),
        tools=TOOLS,
        seed="seed",
        format=FORMAT,
        core=e.CORE_VERSION,
        flags=(),
        open=grows,
    )


class Story:
    """Every method adds entries and returns the story, so that it reads as one sentence."""

    def __init__(self, *steps: Step, grows: bool = False, **plan: object) -> None:
        self.s = Snapshot()
        self.entries: list[e.AnyEntry] = []
        self.now = BEGIN
        self.add(a_start(a_plan(*steps, **plan), grows=grows))

    # What there is to see

    def step(self, key: str) -> StepRun:
        return self.s.steps[StepKey(key)]

    def state(self, key: str) -> StepState:
        return self.s.state_of(self.step(key))

    def offered(self, *held: str) -> list[c.Command]:
        return decide(self.s, held)

    def starts(self, *held: str) -> list[str]:
        """The steps that may start now, best first."""
        return [x.step for x in self.offered(*held) if isinstance(x, c.StartAttempt)]

    def undos(self) -> list[str]:
        """The undos that may start now."""
        return [x.step for x in self.offered() if isinstance(x, c.StartUndo)]

    def ending(self) -> c.EndRun:
        (command,) = self.offered()
        assert isinstance(command, c.EndRun), command
        return command

    def problems(self) -> list[str | None]:
        return [step for step, _ in self.s.problems]

    # What happens

    def add(self, entry: e.AnyEntry) -> Story:
        fold.apply(self.s, entry)
        self.entries.append(entry)
        return self

    def later(self, seconds: float = 1.0) -> Story:
        self.now += timedelta(seconds=seconds)
        return self

    def settle(self) -> Story:
        """Obey everything but starts of calls: expand, decide (run), skip, refuse, ask."""
        moved = True
        while moved:
            before = len(self.entries)
            for command in self.offered():
                self._obey(command)
            moved = len(self.entries) > before
        return self

    def _obey(self, command: c.Command) -> None:
        match command:
            case c.ExpandStep(step=step):
                items = self.step(step).planned.step.for_each
                assert isinstance(items, list)
                self.expand(step, len(items))
            case c.DecideStep(step=step):
                self.decide(step)
            case c.SkipStep(step=step, reason=reason):
                self.add(e.StepDecided(at=self.now, step=step, verdict="skip", reason=reason))
            case c.AskStep(step=step, ask=ask):
                self.asks(step, ask)
            case c.RefuseStep(step=step, error=error):
                self.add(e.StepRefused(at=self.now, step=step, error=error))
            case _:
                return

    def more(self, *steps: Step) -> Story:
        """An open run is given more steps."""
        return self.add(e.StepsAdded(at=self.now, steps=steps, tools=TOOLS))

    def seal(self) -> Story:
        return self.add(e.RunSealed(at=self.now))

    def copied(self, key: str, outcome: e.Copied = "succeeded") -> Story:
        return self.add(e.StepCopied(at=self.now, step=key, outcome=outcome, reason="so"))

    def cached(self, key: str) -> Story:
        return self.add(e.StepCached(at=self.now, step=key, key="k", source="r0", source_step="s"))

    def expand(self, key: str, count: int) -> Story:
        return self.add(e.StepExpanded(at=self.now, step=key, count=count))

    def decide(self, key: str, verdict: e.Verdict = "run", *touches: str) -> Story:
        keys = touches or None
        return self.add(e.StepDecided(at=self.now, step=key, verdict=verdict, touches=keys))

    def asks(self, key: str, ask: e.QuestionKind = "question") -> Story:
        return self.add(
            e.QuestionAsked(
                at=self.now,
                step=key,
                question=f"{key}#{self.step(key).questions + 1}",
                ask=ask,
                text="?",
                digest=DIGEST if ask == "approval" else "",
            )
        )

    def answer(self, key: str, answer: Json, by: str | None = None) -> Story:
        return self.add(
            e.AnswerRecorded(
                at=self.now,
                step=key,
                question=self.s.questions[StepKey(key)].id,
                answer=Raw(value.encode(answer)),
                by=by,
            )
        )

    def start(self, *keys: str) -> Story:
        for key in keys:
            step = self.step(key)
            own = step.planned.step.undo
            undo = None
            if step.planned.undo_tool is not None:
                needs_output = isinstance(own, Undo) and "id" in own.args
                undo = e.UndoCall(tool=step.planned.undo_tool, args=ARGS, needs_output=needs_output)
            self.add(
                e.AttemptStarted(
                    at=self.now,
                    step=key,
                    attempt=step.attempts + 1,
                    args=ARGS,
                    undo=undo,
                    reserved=step.planned.reserve,
                )
            )
        return self

    def end(
        self,
        key: str,
        outcome: e.Outcome = "succeeded",
        error: e.Failure | None = None,
        *,
        cost: Cost = NOTHING,
        undo_error: str = "",
    ) -> Story:
        step = self.step(key)
        undo = step.undo
        if undo is not None and outcome == "succeeded":
            undo = e.UndoCall(tool=undo.tool, args=ARGS, resolved=True, error=undo_error)
        return self.add(
            e.AttemptEnded(
                at=self.now,
                step=key,
                attempt=step.attempts,
                outcome=outcome,
                error=error,
                cost=cost,
                undo=undo,
            )
        )

    def does(self, *keys: str) -> Story:
        """Start steps and let them succeed, one after the other."""
        for key in keys:
            self.start(key).end(key)
        return self

    def fails(self, key: str, error: e.Failure | None = None) -> Story:
        return self.start(key).end(key, "failed", error or failure(nothing=True))

    def in_doubt(self, key: str) -> Story:
        """A call whose outcome nobody knows."""
        return self.start(key).end(key, "failed", failure("timeout"))

    def fire(self, key: str) -> Story:
        due = self.s.timers.get(StepKey(key)) or self.s.deadlines[StepKey(key)]
        self.now = max(self.now, due)
        step = self.step(key)
        deadline = StepKey(key) in self.s.deadlines
        attempt = 0 if deadline else step.undo_attempts or step.attempts
        return self.add(e.TimerFired(at=self.now, step=key, attempt=attempt))

    def cancel(self) -> Story:
        return self.add(e.CancelRequested(at=self.now, by="ann"))

    def undo(self, to: str | None = None) -> Story:
        return self.add(e.UndoRequested(at=self.now, to=to, by="ann"))

    def pause(self) -> Story:
        return self.add(e.RunPaused(at=self.now))

    def resume(self) -> Story:
        return self.add(e.RunResumed(at=self.now))

    def undo_start(self, *keys: str) -> Story:
        for key in keys:
            step = self.step(key)
            assert step.undo is not None
            self.add(
                e.UndoStarted(
                    at=self.now,
                    step=key,
                    attempt=step.undo_attempts + 1,
                    tool=step.undo.tool,
                    args=ARGS,
                )
            )
        return self

    def undo_end(
        self,
        key: str,
        outcome: e.Outcome = "succeeded",
        error: e.Failure | None = None,
        cost: Cost = NOTHING,
    ) -> Story:
        attempt = self.step(key).undo_attempts
        return self.add(
            e.UndoEnded(
                at=self.now, step=key, attempt=attempt, outcome=outcome, error=error, cost=cost
            )
        )

    def undo_end_unstarted(self, key: str) -> Story:
        """An undo that nobody can resolve."""
        attempt = self.step(key).undo_attempts + 1
        return self.add(
            e.UndoEnded(
                at=self.now,
                step=key,
                attempt=attempt,
                outcome="failed",
                error=failure("invalid"),
            )
        )

    def undoes(self, *keys: str) -> Story:
        for key in keys:
            self.undo_start(key).undo_end(key)
        return self

    def undo_fails(self, key: str) -> Story:
        return self.undo_start(key).undo_end(key, "failed", failure())

    def ends(self) -> Story:
        """The end that is decided, written down."""
        command = self.ending()
        return self.add(
            e.RunEnded(
                at=self.now, state=command.state, cause=command.cause, digest=self.s.digest()
            )
        )
