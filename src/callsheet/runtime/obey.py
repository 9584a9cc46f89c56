"""From commands to entries: resolving what must be resolved, admitting what may be admitted.

One method per command, called `_` + its name. A command becomes one entry, or none when admission
holds it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import commands as c
from callsheet.core import entries as e
from callsheet.core import value
from callsheet.core.fold import APPROVE, DENY
from callsheet.core.plan import NOTHING
from callsheet.errors import CallsheetError, InvalidError, ToolError
from callsheet.runtime.attempt import failure_of
from callsheet.runtime.requests import doubt_choices

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.plan import Cost
    from callsheet.core.snapshot import Snapshot
    from callsheet.core.steprun import StepRun
    from callsheet.runtime.attempt import End
    from callsheet.runtime.resolve import Resolver
    from callsheet.runtime.surroundings import Surroundings

MAX_SHOWN = 400


class Obedience:
    """Makes the entries of one run."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolver: Resolver,
        shared: Surroundings,
        nudge: Callable[[], None],
    ) -> None:
        self._snapshot = snapshot
        self._resolver = resolver
        self._clock = shared.clock
        self._toolbox = shared.toolbox
        self._admission = shared.admission
        self._nudge = nudge
        self._output: Raw | None = None

    def entry_of(self, command: c.Command, held: set[str]) -> e.AnyEntry | None:
        """The entry a command becomes. A tool that cannot be admitted is added to `held`."""
        if isinstance(command, c.StartAttempt):
            return self._start(command, held)
        if isinstance(command, (c.ExpandStep, c.DecideStep, c.AskStep)):
            step = self._snapshot.steps[command.step]
            try:
                return self._settle(command, step)
            except CallsheetError as exc:
                return e.StepRefused(at=self._clock.now(), step=step.key, error=_refusal(exc))
        return self._plainly(command)

    def _settle(
        self, command: c.ExpandStep | c.DecideStep | c.AskStep, step: StepRun
    ) -> e.AnyEntry:
        now = self._clock.now()
        if isinstance(command, c.ExpandStep):
            items = self._resolver.items(step)
            raw = Raw(value.encode(items))
            return e.StepExpanded(at=now, step=step.key, count=len(items), items=raw)
        if isinstance(command, c.AskStep):
            return self._question(command, step)
        if not self._resolver.when(step):
            reason = f"when is false: {step.node.step.when}"
            return e.StepDecided(at=now, step=step.key, verdict="skip", reason=reason)
        touches = self._resolver.touches(step)
        return e.StepDecided(at=now, step=step.key, verdict="run", touches=touches)

    def _plainly(self, command: c.Command) -> e.AnyEntry | None:
        now = self._clock.now()
        match command:
            case c.SkipStep():
                return e.StepDecided(
                    at=now, step=command.step, verdict="skip", reason=command.reason
                )
            case c.RefuseStep():
                return e.StepRefused(at=now, step=command.step, error=command.error)
            case c.StartUndo():
                return self._undo(command)
            case c.EndRun():
                return self._end(command)
            case _:
                return None  # StopAttempts: the loop tells them, and there is nothing to write

    def _question(self, command: c.AskStep, step: StepRun) -> e.QuestionAsked:
        now = self._clock.now()
        number = f"{step.key}#{step.questions + 1}"
        if command.ask == "question":
            return e.QuestionAsked(
                at=now,
                step=step.key,
                question=number,
                ask="question",
                text=self._resolver.text(step),
                choices=step.node.step.choices,
            )
        if command.ask == "doubt":
            why = step.error.message if step.error else "the attempt was lost"
            return e.QuestionAsked(
                at=now,
                step=step.key,
                question=number,
                ask="doubt",
                text=f"Did {step.node.queue} happen? It is not known: {why}",
                choices=doubt_choices(step),
            )
        args = self._resolver.args(step)
        return e.QuestionAsked(
            at=now,
            step=step.key,
            question=number,
            ask="approval",
            text=f"Run {step.node.queue} with {_clipped(args)}?",
            choices=(APPROVE, DENY),
            digest=value.digest(value.decode(args)),
            args=args,
        )

    def _start(self, command: c.StartAttempt, held: set[str]) -> e.AnyEntry | None:
        step = self._snapshot.steps[command.step]
        tool = step.node.queue
        delay = self._admission.admit(tool, self._nudge)
        if delay is not None:
            held.add(tool)
            if not delay.told or step.reason == delay.reason:
                return None
            now = self._clock.now()
            return e.StepDelayed(at=now, step=step.key, reason=delay.reason, until=delay.until)
        now = self._clock.now()
        try:
            args = self._resolver.args(step)
            if step.approved and step.approved != value.digest(value.decode(args)):
                raise InvalidError("The arguments are not those that were approved.")
            undo = self._resolver.undo_template(step, args) if step.node.undo_tool else None
        except CallsheetError as exc:
            self._admission.withdraw(tool)
            return e.StepRefused(at=now, step=step.key, error=_refusal(exc))
        return e.AttemptStarted(
            at=now,
            step=step.key,
            attempt=command.attempt,
            args=args,
            undo=undo,
            reserved=step.node.reserve,
        )

    def _undo(self, command: c.StartUndo) -> e.AnyEntry:
        step = self._snapshot.steps[command.step]
        undo = step.undo
        now = self._clock.now()
        assert undo is not None, "decide names only steps that owe something"
        try:
            call = self._resolver.resolved_undo(step, undo)
        except CallsheetError as exc:
            return e.UndoEnded(
                at=now,
                step=step.key,
                attempt=command.attempt,
                outcome="failed",
                error=_refusal(exc),
            )
        return e.UndoStarted(
            at=now, step=step.key, attempt=command.attempt, tool=call.tool, args=call.args
        )

    def _end(self, command: c.EndRun) -> e.AnyEntry:
        if command.state == "succeeded" and self._output is None:
            try:
                self._output = Raw(value.encode(self._resolver.output()))
            except CallsheetError as exc:
                # The steps have succeeded all the same; the end follows with no output.
                self._output = e.NULL
                message = f"The output could not be resolved: {exc.message}"
                return e.ProblemNoted(at=self._clock.now(), message=message)
        output = self._output if command.state == "succeeded" and self._output else e.NULL
        return e.RunEnded(
            at=self._clock.now(),
            state=command.state,
            cause=command.cause,
            output=output,
            digest=self._snapshot.digest(),
        )

    def ending_of(self, end: End) -> e.AttemptEnded | e.UndoEnded:
        """The entry for a call that has ended."""
        now = self._clock.now()
        raw = Raw(value.encode(end.output)) if end.outcome == "succeeded" else e.NULL
        cost = end.cost or self._declared(end)
        if end.undo:
            return e.UndoEnded(
                at=now,
                step=end.step,
                attempt=end.attempt,
                outcome=end.outcome,
                output=raw,
                error=end.error,
                cost=cost,
            )
        step = self._snapshot.steps[end.step]
        undo = step.undo
        if undo is not None and end.outcome == "succeeded":
            undo = self._resolver.undo_of(step, end.output)
        return e.AttemptEnded(
            at=now,
            step=end.step,
            attempt=end.attempt,
            outcome=end.outcome,
            output=raw,
            error=end.error,
            cost=cost,
            undo=undo,
            abandoned=end.abandoned,
        )

    def _declared(self, end: End) -> Cost:
        """What a call costs that did not say: its estimate, unless certainly nothing happened."""
        if end.error is not None and end.error.nothing_happened:
            return NOTHING
        spec = self._toolbox.spec(end.tool)
        own = None if end.undo else self._snapshot.steps[end.step].node.step.cost
        return own or (spec.cost if spec else None) or NOTHING


def _clipped(args: Raw) -> str:
    """Arguments for a question: a person must see what is approved, at a glance."""
    text = bytes(args).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _refusal(exc: CallsheetError) -> e.Failure:
    if isinstance(exc, ToolError):
        return failure_of(exc)
    return e.Failure(error_class="invalid", message=exc.message, type=type(exc).__name__)
