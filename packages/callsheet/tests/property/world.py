"""A driver without a loop, in a world without tools: how histories are made.

`advance` does what `RunLoop._advance` and `Performer` do; arguments and outputs are made up.
`happen` is the world: outcomes, timers, answers, requests, crashes, in an order that is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Raw, structs, to_builtins
from typing_extensions import override

from callsheet.core import value
from callsheet.core.ids import step_of
from callsheet.core.past import requests
from callsheet.core.plan.plan import (
    FORMAT,
    NOTHING,
    Cost,
    Plan,
    Step,
    Undo,
)
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run import fold, fold_again
from callsheet.core.run import verbs as v
from callsheet.core.run.decide import decide
from callsheet.core.run.request import Request, RequestKind
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import StepState
from callsheet.errors import ErrorClass, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.property.choice import Choice

    from callsheet.core.ids import StepKey
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.graph import PlannedStep
    from callsheet.core.run.step import Question, StepRun
    from callsheet.core.value import Json

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PATIENCE = 3_000
"""So many turns of a world that keeps answering are enough for any run of these sizes."""

ARGS = Raw(b'{"n":1}')
OUTPUT = Raw(b'{"id":7}')
DIGEST = value.digest(value.decode(ARGS))
BREAKER = "The breaker is open."

CLASSES: tuple[ErrorClass, ...] = (
    "transient",
    "fatal",
    "timeout",
    "rate_limited",
    "invalid",
    "denied",
    "cancelled",
)
Mood = Literal["kind", "grim"]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A journal, and what the journal does not say."""

    plan: Plan
    entries: tuple[e.AnyEntry, ...]
    held: tuple[frozenset[str], ...]
    """For each entry: the tools that admission held back when it was decided."""
    hang: str
    """What it looked like when nothing could happen any more; empty: the run has ended."""

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(repr(self))

    @override
    def __repr__(self) -> str:
        told = "\n  ".join(f"{n}: {_short(entry)}" for n, entry in enumerate(self.entries))
        steps = "\n  ".join(map(repr, self.plan.steps))
        plan = structs.replace(self.plan, steps=())
        return f"{plan}\n  {steps}\n  {told}\n  {self.hang}"


def _short(entry: e.AnyEntry) -> str:
    if isinstance(entry, e.RunStarted):
        return "RunStarted"
    fields = {name: getattr(entry, name) for name in entry.__struct_fields__}
    plain = (NOTHING, e.NULL, ARGS, OUTPUT, None, "")
    shown = {
        name: each
        for name, each in fields.items()
        if name not in {"at", "digest"} and each not in plain
    }
    return f"{type(entry).__name__} {shown}"


class Printer(Protocol):
    """What Hypothesis prints with."""

    def text(self, text: str) -> None: ...


class World:
    """One run, and everything around it."""

    def __init__(
        self,
        choose: Choice,
        plan: Plan,
        tools: Mapping[str, ToolSpec],
        *,
        later: Sequence[Step] | None = None,
        verbs: bool = False,
    ) -> None:
        """`verbs`: single steps are stopped, taken back, tried again, and run out of time."""
        self._choose = choose
        self._verbs = verbs
        self._later = list(later or ())
        """Steps that an open run is still to be given."""
        self.snapshot = Snapshot()
        self.entries: list[e.AnyEntry] = []
        self.now = BEGIN
        self._held: list[frozenset[str]] = []
        self._holding: set[str] = set()
        self._asked = 0
        self._hang = ""
        self._mood: Mood = "kind"
        self._choosy = self._pick(3) == 2
        """Whether admission and resolving get in the way at all."""
        self._luck = (5, 2, 1)[self._pick(3)]
        """How many calls succeed for each that does not."""
        self.note(
            e.RunStarted(
                at=self.now,
                run="r1",
                plan=plan,
                inputs=Raw(b"{}"),
                tools=dict(tools),
                seed="seed",
                format=FORMAT,
                core=e.CORE_VERSION,
                flags=e.FLAGS,
                open=later is not None,
            )
        )

    def copy_some(self) -> None:
        """As a fork does: some steps, each with all that it needs, were done by another run."""
        copied: set[str] = set()
        for planned in sorted(self.snapshot.graph.steps.values(), key=lambda planned: planned.rank):
            whole = planned.step.for_each is None and copied.issuperset(planned.needs)
            if whole and self._pick(2):
                outcomes: list[e.Copied] = ["succeeded", "succeeded", "skipped"]
                if planned.step.on_failure != "fail":
                    outcomes.append("failed")
                outcome = outcomes[self._pick(len(outcomes))]
                self.note(e.StepCopied(at=self.now, step=planned.id, outcome=outcome, reason="so"))
                copied.add(planned.id)

    # What is asked of it

    def history(self) -> History:
        return History(
            plan=self.snapshot.graph.plan,
            entries=tuple(self.entries),
            held=tuple(self._held),
            hang=self._hang,
        )

    def live(self, moves: int) -> None:
        """Let things happen, as they come."""
        self.advance()
        for _ in range(moves):
            if self.snapshot.ended:
                return
            self.happen()
            # Sometimes more has arrived before anything is decided again.
            if self._pick(5) < 4:
                self.advance()

    def live_on(self, moves: int) -> None:
        """After the end: doubts may still be answered, and everything may be taken back."""
        if self._pick(2):
            for question in list(self.snapshot.questions.values()):
                self.answer(question)
        to = self._some_step() if self._pick(3) == 2 else None
        if self._verbs and self._pick(3):
            verb: RequestKind = "undo_step" if self._pick(2) else "retry"
            ended = {StepState.SUCCEEDED} if verb == "undo_step" else fold_again.BADLY
            self.ask(verb, step=self._some_step(*ended))
        else:
            self.ask("undo", step=to)
        if not self.snapshot.ended:
            self.live(moves)

    def settle(self) -> None:
        """From here on the world answers, always in the same mood, until the run has ended."""
        self._choosy = False
        self._mood = "grim" if self._pick(4) == 3 else "kind"
        for _ in range(PATIENCE):
            self.advance()
            if self.snapshot.ended or not self._answer_something():
                break
        if not self.snapshot.ended:
            self._hang = f"it hangs, {self.snapshot.state}, with {self.snapshot.unfinished} open"

    def _answer_something(self) -> bool:
        s = self.snapshot
        if s.paused:
            self.ask("resume")
        elif s.active:
            self.end(next(iter(s.active)))
        elif s.timers or s.deadlines:
            self.fire()
        elif s.questions:
            self.answer(next(iter(s.questions.values())))
        elif s.open and not s.ended:
            self.add_some(len(self._later))
            self.ask("seal")
        else:
            return False
        return True

    def add_some(self, count: int) -> None:
        """Give an open run the next of its steps, one by one."""
        for _ in range(min(count, len(self._later))):
            step: dict[str, Json] = to_builtins(self._later[0])
            if not self.ask("add", steps=[step]):
                return
            self._later.pop(0)

    # The driver

    def note(self, entry: e.AnyEntry) -> None:
        fold.apply(self.snapshot, entry)
        self.entries.append(entry)
        self._held.append(frozenset(self._holding))

    def advance(self) -> None:
        """As `RunLoop._advance`."""
        self._holding = set()
        moved = True
        while moved:
            moved = False
            held = len(self._holding)
            for command in decide(self.snapshot, self._holding):
                entry = self.entry_of(command)
                if entry is not None:
                    self.note(entry)
                    moved = True
                starting = isinstance(command, (c.StartAttempt, c.RefuseStep))
                refused = isinstance(entry, e.StepRefused) and (starting or self.snapshot.stopping)
                if len(self._holding) > held or refused or isinstance(entry, e.StepCached):
                    moved = True
                    break

    def entry_of(self, command: c.Command) -> e.AnyEntry | None:
        """As `Performer.entry_of`."""
        if isinstance(command, c.StartAttempt):
            return self._start(command)
        if isinstance(command, (c.ExpandStep, c.DecideStep, c.AskStep)):
            return self._refusal(command.step) if self._hinders() else self._settle(command)
        return self._plainly(command)

    def _plainly(self, command: c.Command) -> e.AnyEntry | None:
        match command:
            case c.SkipStep(step=step, reason=reason):
                return e.StepDecided(at=self.now, step=step, verdict="skip", reason=reason)
            case c.RefuseStep(step=step, error=error):
                return e.StepRefused(at=self.now, step=step, error=error)
            case c.StartUndo(step=step, attempt=attempt):
                undo = self.snapshot.steps[step].undo
                assert undo is not None, f"{step} owes nothing"
                assert not undo.error, f"{step} cannot be undone"
                if self._hinders():
                    error = e.Failure(error_class="invalid", message="It cannot be resolved.")
                    return e.UndoEnded(
                        at=self.now, step=step, attempt=attempt, outcome="failed", error=error
                    )
                return e.UndoStarted(
                    at=self.now, step=step, attempt=attempt, tool=undo.tool, args=ARGS
                )
            case c.EndRun(state=state, cause=cause):
                digest = self.snapshot.digest()
                return e.RunEnded(at=self.now, state=state, cause=cause, digest=digest)
            case _:
                return None

    def _settle(self, command: c.ExpandStep | c.DecideStep | c.AskStep) -> e.AnyEntry:
        step = self.snapshot.steps[command.step]
        if isinstance(command, c.ExpandStep):
            items = step.planned.step.for_each
            assert isinstance(items, list)
            return e.StepExpanded(at=self.now, step=step.key, count=len(items))
        if isinstance(command, c.AskStep):
            return self._question(step, command)
        if step.planned.step.when is not None and self._pick(3) == 2:
            return e.StepDecided(at=self.now, step=step.key, verdict="skip", reason="when")
        touches = ("x", "y", "z")[self._pick(3) :][:2] if step.planned.dynamic_touches else None
        return e.StepDecided(at=self.now, step=step.key, verdict="run", touches=touches)

    def _question(self, step: StepRun, command: c.AskStep) -> e.AnyEntry:
        choices = {
            "question": step.planned.step.choices,
            "approval": (fold.APPROVE, fold.DENY),
            "doubt": requests.doubt_choices(step),
        }
        return e.QuestionAsked(
            at=self.now,
            step=step.key,
            question=f"{step.key}#{step.questions + 1}",
            ask=command.ask,
            text="?",
            choices=choices[command.ask],
            digest=DIGEST if command.ask == "approval" else "",
            args=ARGS,
        )

    def _start(self, command: c.StartAttempt) -> e.AnyEntry | None:
        step = self.snapshot.steps[command.step]
        planned = step.planned
        if self._hinders():
            self._holding.add(planned.tool)
            if self._pick(2) or step.reason == BREAKER:
                return None
            return e.StepDelayed(at=self.now, step=step.key, reason=BREAKER)
        if self._hinders():
            return self._refusal(step.key)
        if planned.step.cache and not step.attempts and self._pick(3) == 2:
            return e.StepCached(
                at=self.now, step=step.key, key="k", source="r0", source_step="s", output=OUTPUT
            )
        undo = None
        if planned.undo_tool is not None:
            own = planned.step.undo
            needs_output = isinstance(own, Undo) and "id" in own.args
            undo = e.UndoCall(tool=planned.undo_tool, args=ARGS, needs_output=needs_output)
        return e.AttemptStarted(
            at=self.now,
            step=step.key,
            attempt=command.attempt,
            args=ARGS,
            undo=undo,
            reserved=planned.reserve,
        )

    def _refusal(self, step: StepKey) -> e.AnyEntry:
        error = e.Failure(error_class="invalid", message="It cannot be resolved.")
        return e.StepRefused(at=self.now, step=step, error=error)

    def _hinders(self) -> bool:
        return self._choosy and self._pick(8) == 7

    # The world

    def happen(self) -> None:
        """One thing: mostly what the run waits for, sometimes something else."""
        self.now += timedelta(seconds=1)
        s = self.snapshot
        if self._verbs and self._pick(3):
            verbs = self._on_one_step()
            verbs[self._pick(len(verbs))]()
            return
        if self._pick(8) == 7:
            rarely: list[Callable[[], object]] = [
                self.crash,
                lambda: self.ask("pause"),
                lambda: self.ask("resume"),
                lambda: self.ask("cancel"),
                lambda: self.ask("undo"),
                lambda: self.ask("undo", step=self._some_step()),
                self.spend_seconds,
                self.remark,
                lambda: self.add_some(1 + self._pick(2)),
                lambda: self._later or self.ask("seal"),
            ]
            rarely[self._pick(len(rarely))]()
            return
        waits = len(s.active) + bool(s.timers or s.deadlines) + len(s.questions)
        if not waits:
            self.ask("resume")
            self.add_some(1 + self._pick(3))
            return
        which = self._pick(waits)
        if which < len(s.active):
            self.end(list(s.active)[which])
        elif which < len(s.active) + len(s.questions):
            self.answer(list(s.questions.values())[which - len(s.active)])
        else:
            self.fire()

    def end(self, key: StepKey) -> None:
        """An attempt, or an undo, ends in one of the ways there are."""
        if self._is_undo(key):
            self._end_undo(key)
            return
        step = self.snapshot.steps[key]
        outcome, error = self._outcome(step)
        undo = step.undo
        if undo is not None and outcome == "succeeded":
            broken = self._mood == "kind" and self._choosy and self._pick(10) == 9
            undo = structs.replace(undo, resolved=True, error="null" if broken else "")
        self.note(
            e.AttemptEnded(
                at=self.now,
                step=key,
                attempt=step.attempts,
                outcome=outcome,
                output=OUTPUT if outcome == "succeeded" else e.NULL,
                error=error,
                cost=self._cost(step.planned.reserve.minus(step.planned.undo_reserve)),
                undo=undo,
                abandoned=outcome == "cancelled" and self._pick(4) == 3,
                kept=self._kept(step),
            )
        )

    def _outcome(self, step: StepRun) -> tuple[e.Outcome, e.Failure | None]:
        if self._mood == "grim":
            return "failed", e.Failure(error_class="fatal", message="No.")
        if self._pick(self._luck + 1) < self._luck:
            return "succeeded", None
        nothing = bool(self._pick(2))
        if (self.snapshot.stopping or step.told) and self._pick(3):
            stopped = e.Failure(error_class="cancelled", message="Told.", nothing_happened=nothing)
            return "cancelled", stopped
        kind = CLASSES[self._pick(len(CLASSES))]
        after = 2.0 if kind == "rate_limited" else None
        return "failed", e.Failure(
            error_class=kind, message="It broke.", retry_after=after, nothing_happened=nothing
        )

    def _end_undo(self, key: StepKey) -> None:
        step = self.snapshot.steps[key]
        error = None
        if self._mood == "grim" or self._pick(4) == 3:
            kind = "fatal" if self._mood == "grim" else CLASSES[self._pick(2)]
            error = e.Failure(error_class=kind, message="It stays.")
        self.note(
            e.UndoEnded(
                at=self.now,
                step=key,
                attempt=step.undo_attempts,
                outcome="failed" if error else "succeeded",
                error=error,
                cost=self._cost(step.planned.undo_reserve),
            )
        )

    def _kept(self, step: StepRun) -> Cost:
        """What the undo of a sub-plan may cost: part of what it could have spent."""
        most = step.planned.reserve.usd if step.planned.is_child and step.undo else 0.0
        return Cost(usd=0.1) if most > 0.2 and self._pick(2) else NOTHING

    def _cost(self, ceiling: Cost) -> Cost:
        if ceiling == NOTHING:
            return NOTHING
        return (Cost(usd=0.1), ceiling, NOTHING, ceiling.plus(Cost(usd=2)))[self._pick(4)]

    def crash(self) -> None:
        """As `RunLoop.recover`: what had started and not ended is lost."""
        self.now += timedelta(seconds=30)
        if self.snapshot.ran_at is not None:
            self.note(e.RunRecovered(at=self.now))
        for key in list(self.snapshot.active):
            step = self.snapshot.steps[key]
            if step.planned.is_child:
                continue  # it has a journal of its own, and is waited for again
            if self._is_undo(key):
                self.note(
                    e.UndoEnded(at=self.now, step=key, attempt=step.undo_attempts, outcome="lost")
                )
            else:
                self.note(
                    e.AttemptEnded(at=self.now, step=key, attempt=step.attempts, outcome="lost")
                )

    def fire(self) -> None:
        """The next timer, as `RunLoop._fire`."""
        s = self.snapshot
        key, due = min([*s.deadlines.items(), *s.timers.items()], key=lambda pair: pair[1])
        self.now = max(self.now, due)
        step = s.steps[key]
        attempt = 0 if key in s.deadlines else step.undo_attempts or step.attempts
        self.note(e.TimerFired(at=self.now, step=key, attempt=attempt))

    def answer(self, question: Question) -> None:
        answers: tuple[Json, ...] = question.choices or ("anything",)
        self.ask("answer", step=question.step, answer=answers[self._pick(len(answers))])

    def ask(
        self,
        kind: RequestKind,
        *,
        step: str | None = None,
        answer: Json = None,
        steps: list[dict[str, Json]] | None = None,
    ) -> bool:
        """Ask something of the run; whether it was allowed."""
        self._asked += 1
        request = Request(
            id=f"q{self._asked}",
            run="r1",
            kind=kind,
            by="ann",
            step=step,
            answer=answer,
            steps=steps or [],
        )
        try:
            entry = requests.entry_of(self.snapshot, request, self.now)
        except RequestRefusedError:
            return False
        if entry is not None:
            self.note(entry)
        return True

    def _on_one_step(self) -> list[Callable[[], object]]:
        return [
            lambda: self.ask("retry", step=self._some_step(*fold_again.BADLY)),
            lambda: self.ask("stop", step=self._some_step()),
            lambda: self.ask("undo_step", step=self._some_step(StepState.SUCCEEDED)),
            self.expire,
            self.let_go_on,
            self.let_go_on,
        ]

    def let_go_on(self) -> None:
        """What is going on ends, so that there is something to take back and to try again."""
        if self.snapshot.active:
            self.end(next(iter(self.snapshot.active)))

    def expire(self) -> None:
        """The next step whose time is over, as `Spans` does it."""
        s = self.snapshot
        if not s.spans or s.ran_at is None:
            return
        key, due = min(s.spans.items(), key=lambda pair: pair[1])
        left = due - s.seconds(self.now)
        self.now += timedelta(seconds=max(left, 0.0) + 0.001)
        self.note(v.StepExpired(at=self.now, step=key))

    def spend_seconds(self) -> None:
        """As `Spans.watch_run`."""
        s = self.snapshot
        budget = s.graph.plan.budget
        if budget and budget.seconds and not (s.stopping or s.is_undoing or s.ended):
            self.note(e.SecondsSpent(at=self.now, seconds=budget.seconds))

    def remark(self) -> None:
        """Entries that change nothing."""
        running = [key for key in self.snapshot.active if not self._is_undo(key)]
        if running:
            attempt = self.snapshot.steps[running[0]].attempts
            self.note(e.CheckpointSaved(at=self.now, step=running[0], attempt=attempt, data=OUTPUT))
        else:
            self.note(e.ProblemNoted(at=self.now, message="It was slow."))

    def _is_undo(self, key: StepKey) -> bool:
        return self.snapshot.steps[key].state is StepState.UNDOING

    def _some_step(self, *states: StepState) -> str:
        """One of them; of those in these states, if there is any."""
        keys = [key for key, step in self.snapshot.steps.items() if step.state in states]
        keys = keys or list(self.snapshot.steps)
        return keys[self._pick(len(keys))] if keys else "nobody"

    def _pick(self, count: int) -> int:
        return self._choose.below(count)


def walk(history: History) -> Iterator[tuple[int, Snapshot, e.AnyEntry]]:
    """Each entry with the snapshot as it was before it."""
    snapshot = Snapshot()
    for number, entry in enumerate(history.entries):
        if number:
            yield number, snapshot, entry
        fold.apply(snapshot, entry)


def node_of(snapshot: Snapshot, key: str) -> PlannedStep:
    """The plan's step behind a key."""
    return snapshot.graph.steps[step_of(key)]
