"""The state of a run: what its entries add up to.

`fold.apply` changes it, one entry at a time; each change costs what it touches. Nobody else writes
to it. The driver and `decide` read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.ids import RunId, StepId, StepKey
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.commands import AskStep, DecideStep, ExpandStep, SkipStep
from callsheet.core.run.entries import CORE_VERSION, Cause, EndState, Failure
from callsheet.core.run.ready import ReadyQueue, TouchQueues
from callsheet.core.run.saga import Saga
from callsheet.core.run.step import (
    READY,
    SUCCEEDED,
    Question,
    RunState,
    StepRun,
    StepState,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.run.budget import Pot
    from callsheet.core.run.commands import Command
    from callsheet.core.run.graph import Graph
    from callsheet.core.value import Json

_UNSTARTED = frozenset({StepState.PENDING, StepState.READY, StepState.RETRYING, StepState.WAITING})


_NO_FAILURES = frozenset({StepState.SUCCEEDED, StepState.SKIPPED, StepState.CANCELLED})
"""A step that somebody has stopped is left out, like one that was skipped."""


class Ended(msgspec.Struct, frozen=True):
    """How a run had ended."""

    state: EndState
    cause: Cause | None


@dataclass(eq=False)
class Snapshot:
    """A run, folded. Begins empty; the first entry must be `RunStarted`."""

    run: RunId = field(init=False)
    seed: str = ""
    graph: Graph = field(init=False)
    pot: Pot = field(init=False)
    length: int = 0
    steps: dict[StepKey, StepRun] = field(default_factory=dict)
    unfinished: int = 0
    """Steps of the plan that are not final."""
    active: dict[StepKey, None] = field(default_factory=dict)
    """Attempts and undos that have started and not ended."""
    ready: ReadyQueue = field(default_factory=ReadyQueue)
    queues: TouchQueues = field(default_factory=TouchQueues)
    touched: dict[str, list[StepRun]] = field(default_factory=dict)
    """Per key, who touched it, in the order of their first starts."""
    chores: dict[StepKey, Command] = field(default_factory=dict)
    """What must be settled about steps before they can start; takes no slot."""
    amends: dict[StepKey, None] = field(default_factory=dict)
    """Undos that a person asked for while the run goes on."""
    timers: dict[StepKey, datetime] = field(default_factory=dict)
    deadlines: dict[StepKey, datetime] = field(default_factory=dict)
    """Until when questions may be answered."""
    spans: dict[StepKey, float] = field(default_factory=dict)
    """When steps have used up the time they have as a whole, in seconds that the run has run."""
    halting: dict[StepKey, None] = field(default_factory=dict)
    """Those of the active that are to be told to stop, while the run goes on."""
    questions: dict[StepKey, Question] = field(default_factory=dict)
    requests: set[str] = field(default_factory=set)
    adders: dict[StepId, StepKey] = field(default_factory=dict)
    """Of the steps that were added from inside, who has added them."""
    texts: dict[StepKey, int] = field(default_factory=dict)
    """How many characters steps have said."""
    chosen: dict[StepKey, str] = field(default_factory=dict)
    """Who answers in steps that are an agent's."""
    said: int = 0
    """How many messages agents have sent each other."""
    spoken: set[tuple[str, str, str, str]] = field(default_factory=set)
    """Them: in which step who has said what to whom. A later attempt does not say it again."""
    output: Json = None
    """What it gives, if whoever sealed it has said so."""
    core: int = CORE_VERSION
    """The version of the core that its journal was begun with."""
    flags: tuple[str, ...] = ()
    """What new runs do otherwise than old ones, and this one does."""
    paused: bool = False
    open: bool = False
    """Steps may be added: it does not end by itself."""
    children: int = 0
    """How many of the active are sub-plans; these hold no slot."""
    failed: Cause | None = None
    """The first failure that counts, whatever the policy makes of it."""
    stopping: Cause | None = None
    takes_back: bool = False
    """Whether a stopping run undoes what it owes."""
    keep: str | None = None
    saga: Saga | None = None
    reverting: Ended | None = None
    """How the run had ended, and ends again, when what one step did is taken back."""
    but_for_undo: Ended | None = None
    """How a run that is stuck had ended if the undo of a single step had not failed."""
    ended: EndState | None = None
    cause: Cause | None = None
    problems: list[tuple[str | None, str]] = field(default_factory=list)
    errors: dict[str, dict[str, int]] = field(default_factory=dict)
    """Per tool, how many attempts ended in each class of error."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    tenant: str = ""
    reserves: Cost = NOTHING
    """What it has set aside of its tenant's account, at its start."""
    is_child: bool = False
    at: datetime | None = None
    """When the entry was written that is being taken into account."""
    last_at: datetime | None = None
    """When the last entry was written."""
    ran: float = 0.0
    """Seconds spent running, up to `ran_at`."""
    ran_at: datetime | None = None
    """Since when it has been running; None while it is not."""

    # What it says about the run

    @property
    def state(self) -> RunState:
        """Where the run is."""
        if self.ended:
            return RunState(self.ended)
        if not self.length:
            return RunState.PENDING
        if self.is_undoing:
            return RunState.UNDOING
        return RunState.WAITING if self.is_waiting else RunState.RUNNING

    @property
    def is_undoing(self) -> bool:
        """Whether it takes back: all that is owed, or what one step did after the end."""
        return bool(self.saga or self.reverting)

    @property
    def is_waiting(self) -> bool:
        """Nothing can proceed until a person answers, or somebody adds a step."""
        busy = self.active or self.timers or self.chores or self.amends or self.stopping
        idle = bool(self.questions or self.open) and not busy
        return idle and not self.ready.has(self._can_go)

    def _can_go(self, step: StepRun) -> bool:
        """Whether it need not wait for somebody else's reservation."""
        return self.pot.fits(step.wanted) or not self.pot.may_fit_later(step.wanted)

    @property
    def free(self) -> int:
        """How many more calls may go on at once."""
        return self.graph.plan.concurrency + self.children - len(self.active)

    def seconds(self, now: datetime) -> float:
        """Time spent running, neither paused nor waiting."""
        since = (now - self.ran_at).total_seconds() if self.ran_at else 0.0
        return self.ran + max(since, 0.0)

    def state_of(self, step: StepRun) -> StepState:
        """Where a step is. What had not started when the run stopped is cancelled."""
        if self.stopping or self.is_undoing or self.ended:
            if step.state in _UNSTARTED:
                return StepState.CANCELLED
            if step.is_list and step.state is StepState.RUNNING and self._is_drained:
                return StepState.CANCELLED
        return step.state

    @property
    def _is_drained(self) -> bool:
        return bool(self.is_undoing or not self.active)

    @property
    def goes_forward(self) -> bool:
        """Whether steps may be settled and started at all."""
        return not (self.paused or self.stopping or self.is_undoing or self.ended)

    def may_start(self, step: StepRun) -> bool:
        """Whether `decide` may name this step to be started now."""
        return self.is_up(step) and self.pot.fits(step.wanted)

    def may_refuse(self, step: StepRun) -> bool:
        """Whether a step may fail now without being started: it, or a question about it, is up."""
        if step.key in self.chores:
            return self.goes_forward
        return self.is_up(step) and self._can_go(step)

    def is_up(self, step: StepRun) -> bool:
        """Whether it is to be started, if the budget allows it."""
        return (
            step.state is StepState.READY
            and self.goes_forward
            and not self.chores
            and (self.free > len(self.amends) or step.planned.is_child)
            and self.queues.is_first(step)
        )

    # How it changes; called by `fold` alone

    def needs_met(self, step: StepRun) -> None:
        """All its needs are final: it is skipped, expanded, decided, asked or ready."""
        planned = step.planned
        if step.blocked_by:
            self.chores[step.key] = SkipStep(step=step.key, reason=step.blocked_by)
        elif step.is_list and step.items is None:
            self.chores[step.key] = ExpandStep(step=step.key)
        elif planned.gated and not step.decided:
            self.chores[step.key] = DecideStep(step=step.key)
        elif planned.step.ask is not None:
            self.chores[step.key] = AskStep(step=step.key, ask="question")
        elif planned.asks and not step.approved:
            self.chores[step.key] = AskStep(step=step.key, ask="approval")
        else:
            self.make_ready(step)

    def enter(self, step: StepRun) -> None:
        """The step is one of the run's: it queues for what it touches."""
        self.steps[step.key] = step
        if step.planned.step.touches and not step.planned.dynamic_touches:
            step.touches = tuple(dict.fromkeys(step.planned.step.touches))
            self.queues.enter(step)

    def add(self, steps: Sequence[StepRun]) -> None:
        """Steps are new in a run that goes on: some of what they need may be final already."""
        for step in steps:
            self.enter(step)
            self.unfinished += 1
        for step in steps:
            for need in step.planned.needs:
                needed = self.steps[StepKey(need)]
                if needed.final:
                    self.tell(step, needed)

    def make_ready(self, step: StepRun) -> None:
        """It may start as soon as it is first to touch what it touches."""
        step.state = READY
        if step.planned.step.within is not None and step.key not in self.spans:
            self._count_down(step, step.planned.step.within)
        self.moved_up(step)

    def _count_down(self, step: StepRun, within: float) -> None:
        assert self.at is not None, "nothing becomes ready but by an entry"
        left = within if step.left is None else step.left
        self.spans[step.key] = self.seconds(self.at) + left

    def stop_clock(self, step: StepRun) -> None:
        """A person is asked about the step: until the answer, its time stands still."""
        due = self.spans.pop(step.key, None)
        if due is not None and self.at is not None:
            step.left = round(max(due - self.seconds(self.at), 0.0), 6)

    def moved_up(self, step: StepRun) -> None:
        """It has become first in a queue, perhaps in all."""
        if step.state is READY and self.queues.is_first(step):
            self.ready.push(step)

    def finish(self, step: StepRun, state: StepState) -> None:
        """The step is final: tell whoever waits for it."""
        step.state = state
        step.final = True
        if self.spans:
            self.spans.pop(step.key, None)
        if step.touches:
            self.queues.leave(step, self.moved_up)
        if step.index is None:
            self._pass_on(step)
        else:
            self._count_item(step)

    def fail(self, step: StepRun, failure: Failure, state: StepState = StepState.FAILED) -> None:
        """The step has failed for good: its own policy first, then the run's."""
        step.error = failure
        policy = step.planned.step.on_failure
        if policy == "fail":
            cause = Cause(kind="failure", step=step.key, message=failure.message)
            self.failed = self.failed or cause
            self.finish(step, state)
            if self.graph.plan.on_failure != "continue":
                self.stop(cause, takes_back=self.graph.plan.on_failure == "undo")
        else:
            self.problems.append((step.key, f"failed ({failure.error_class}): {failure.message}"))
            self.finish(step, state)

    def stop(self, cause: Cause, *, takes_back: bool) -> None:
        """Nothing more starts. The first cause stands."""
        if self.stopping or self.is_undoing:
            return
        self.stopping = cause
        self.takes_back = takes_back
        for key in (*self.chores, *self.questions):
            if self.steps[key].state is StepState.IN_DOUBT:
                self.leave_in_doubt(self.steps[key])
        self.chores.clear()
        self.deadlines.clear()
        self.questions.clear()
        self.spans.clear()
        self.halting.clear()
        # An undo is not cancelled: what a person wants taken back is.
        self.timers = {
            key: at for key, at in self.timers.items() if self.steps[key].state is StepState.UNDOING
        }
        self.drained()

    def leave_in_doubt(self, step: StepRun) -> None:
        """Nobody is asked while the run stops: what can be taken back is, the rest is stuck."""
        step.final = True
        self.problems.append((step.key, "its outcome is unknown"))

    def drained(self) -> None:
        """Once nothing is running any more, a run that takes back begins to."""
        if self.stopping and self.takes_back and not self.active and not self.saga:
            self.begin_undo()

    def begin_undo(self) -> None:
        """Work out what is owed and in which order it is taken back."""
        for key in (*self.amends, *self.timers):
            step = self.steps[key]
            step.state = SUCCEEDED if step.alone else StepState.IN_DOUBT
            step.alone = False
        self.amends.clear()
        self.timers.clear()
        self.questions.clear()
        self.saga = Saga(self.graph, self.steps, self.touched, self.keep)

    def _pass_on(self, step: StepRun) -> None:
        self.unfinished -= 1
        plainly = step.state is SUCCEEDED and not step.downstream
        for dependent in step.planned.dependents:
            waiter = self.steps[StepKey(dependent)]
            if plainly:
                waiter.unmet -= 1
            else:
                self.tell(waiter, step)
            if not waiter.unmet and not waiter.final:
                self.needs_met(waiter)

    def tell(self, waiter: StepRun, step: StepRun) -> None:
        """Something that a step waits for is final."""
        waiter.unmet -= 1
        if step.planned.id in waiter.planned.watches:
            return  # whatever became of it is what the waiter wants to know
        stops, doomed = _stops(step), dooms(step)
        waiter.downstream = waiter.downstream or doomed
        if stops and (doomed or not waiter.planned.step.run_if_skipped):
            waiter.blocked_by = waiter.blocked_by or f"needs {step.key!r}, which {stops}"

    def _count_item(self, item: StepRun) -> None:
        parent = self.steps[StepKey(item.planned.id)]
        parent.items_left -= 1
        # With `skip` and `ignore` the item is a null in the list, and the list is there.
        parent.items_bad = parent.items_bad or dooms(item)
        parent.items_stopped = parent.items_stopped or item.state is StepState.CANCELLED
        if not parent.items_left:
            self.finish(parent, _sum_of(parent))

    # How two of them are compared

    def view(self) -> dict[str, Json]:
        """The run as plain data."""
        return {
            "run": self.run,
            "length": self.length,
            "state": str(self.state),
            "paused": self.paused,
            "cause": msgspec.to_builtins(self.cause),
            "calls": self.pot.calls,
            "spent": msgspec.to_builtins(self.pot.spent),
            "reserved": msgspec.to_builtins(self.pot.reserved),
            "kept": msgspec.to_builtins(self.pot.kept),
            "ran": round(self.ran, 6),
            "errors": msgspec.to_builtins(self.errors),
            "problems": [f"{step}: {message}" for step, message in self.problems],
            "questions": {key: question.id for key, question in self.questions.items()},
            **self._verbs(),
            "steps": {
                key: {**step.view(), "state": str(self.state_of(step))}
                for key, step in self.steps.items()
            },
        }

    def _verbs(self) -> dict[str, Json]:
        """What single steps are told and left; nothing in runs of before there was any."""
        seen: dict[str, Json] = {}
        if self.spans:
            seen["spans"] = {key: round(due, 6) for key, due in self.spans.items()}
        if self.halting:
            seen["halting"] = list(self.halting)
        if self.reverting:
            seen["reverting"] = self.reverting.state
        if self.chosen:
            seen["chosen"] = {str(key): who for key, who in self.chosen.items()}
        if self.said:
            seen["said"] = self.said
        if self.output is not None:
            seen["output"] = self.output
        return seen

    def encode(self) -> bytes:
        """The run as bytes: equal runs, equal bytes."""
        return value.canonical(self.view())

    def digest(self) -> str:
        """The name of what `encode` gives."""
        return value.digest(self.view())


def _stops(step: StepRun) -> str:
    """Why the dependents of a final step are skipped; empty: they are not."""
    if step.state is StepState.SUCCEEDED:
        return ""
    if step.state is StepState.SKIPPED:
        return "was skipped"
    if step.planned.step.on_failure == "ignore":
        return ""
    if step.state is StepState.CANCELLED:
        return "was stopped"
    return "was undone" if step.alone else "failed"


def dooms(step: StepRun) -> bool:
    """Whether nothing below a final step runs, not even what runs if something was skipped."""
    if step.state in _NO_FAILURES or step.alone:
        return step.downstream
    return step.planned.step.on_failure == "fail"


def _sum_of(parent: StepRun) -> StepState:
    """What becomes of a list whose items are final. An item that was left out is a null in it."""
    if parent.items_bad:
        return StepState.FAILED
    is_stopped = parent.told == "stop" and parent.items_stopped
    return StepState.CANCELLED if is_stopped else SUCCEEDED
