"""A run that is being followed: as its loop has it, or folded as its journal grows.

Of a run that is driven here, the loop holds the snapshot: it is looked at, at moments when all of
it is written. Of one that another process drives, what is new in the journal is read and folded,
never from the beginning again. With a run are followed those that its steps are, while they go on:
what they ask is asked in its name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import StepKey, child_run
from callsheet.core.past.outputs import Outputs, OutputsView, take_in
from callsheet.core.past.result import Result, RunProblem, damaged_result, result_of
from callsheet.core.run.entries import RunEnded
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import RunState, StepState
from callsheet.core.run.unknown import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.ids import RunId
    from callsheet.core.run.step import Question
    from callsheet.core.value import Json
    from callsheet.ports import Clock
    from callsheet.runtime.journal import WholeJournal
    from callsheet.runtime.loop import RunLoop

INSIDE = "/"
"""Between a step that is a run, and a step of that run: `clips/render`."""


class Moment(msgspec.Struct, frozen=True):
    """A run as it stood at one moment. Nothing in it changes when the run goes on."""

    length: int
    """How many entries it had."""
    result: Result
    is_moving: bool
    """Whether an attempt or an undo was going on."""
    children: tuple[StepKey, ...]
    """The steps that are runs and were going on."""
    is_still: bool
    """Whether nothing but those was going on, or about to."""


def moment_of(
    snapshot: Snapshot, outputs: Outputs | OutputsView, output: Json, clock: Clock
) -> Moment:
    """A run as it stands."""
    children: tuple[StepKey, ...] = ()
    is_still = False
    if snapshot.children:
        children = tuple(key for key in snapshot.active if snapshot.steps[key].planned.is_child)
        others = len(snapshot.active) > len(children) or snapshot.timers or snapshot.chores
        is_still = not (others or snapshot.stopping or snapshot.is_undoing) and not any(
            step.state is StepState.READY for step in snapshot.steps.values()
        )
    result = result_of(snapshot, outputs, output, clock.now())
    return Moment(snapshot.length, result, bool(snapshot.active), children, is_still)


class Runs(Protocol):
    """Where runs are found: in the loops that drive them, and in the journal."""

    journal: WholeJournal

    def loop_of(self, run: RunId) -> RunLoop | None:
        """The loop of a run that is being driven here."""
        ...


class Follower:
    """Says how a run stands, whoever drives it."""

    def __init__(self, run: RunId, runs: Runs, clock: Clock) -> None:
        self._run = run
        self._runs = runs
        self._clock = clock
        self._moment: Moment | None = None
        self._driven: _Driven | None = None
        self._read = _Read(run, runs.journal, clock)
        self._children: dict[StepKey, Follower] = {}
        """The runs that are steps of this one and go on."""

    async def catch_up(self) -> bool:
        """Take in what is new; says whether there was anything."""
        before = self._moment.length if self._moment else 0
        loop = self._runs.loop_of(self._run)
        if loop is not None and (self._driven is None or self._driven.loop is not loop):
            self._driven = _Driven(loop, self._clock)
        # One that has ended here is known to its end, although nobody drives it any more.
        found = await self._driven.moment(self._moment) if self._driven else None
        if found is None:
            self._driven = None
            found = await self._read.moment(self._moment)
        self._moment = found
        return await self._catch_up_inside() or (found is not None and found.length != before)

    async def _catch_up_inside(self) -> bool:
        going_on = self._moment.children if self._moment else ()
        followed = {
            key: self._children.get(key)
            or Follower(child_run(self._run, key), self._runs, self._clock)
            for key in going_on
        }
        changed = self._children.keys() != followed.keys()
        self._children = followed
        for child in followed.values():
            changed = await child.catch_up() or changed
        return changed

    @property
    def exists(self) -> bool:
        """Whether there is such a run."""
        return self._moment is not None

    @property
    def is_moving(self) -> bool:
        """Whether an attempt or an undo is going on."""
        return self._moment is not None and self._moment.is_moving

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended, or nobody can tell any more of it."""
        if self._moment is None:
            return False
        return self._moment.result.state.ended or bool(self._moment.result.damaged)

    def result(self, *, driven: bool = True) -> Result:
        """The run as it stood when it was last looked at; there must be one.

        One that is not `driven` stands as it was left.
        """
        assert self._moment is not None, "whoever asks has made sure"
        own = self._moment.result
        if not driven and not own.state.ended:
            own = self._read.left(own)
        if not self._children:
            return own
        state = RunState.WAITING if self.is_waiting else own.state
        return replace(own, questions=tuple(self.questions()), state=state)

    def questions(self) -> Iterator[Question]:
        """What is asked, by the run itself and by those inside."""
        if self._moment is not None:
            yield from self._moment.result.questions
        for key, child in self._children.items():
            for question in child.questions():
                step = f"{key}{INSIDE}{question.step}"
                yield structs.replace(question, step=step, id=f"{key}{INSIDE}{question.id}")

    @property
    def is_waiting(self) -> bool:
        """Whether nothing goes on, here and inside, before somebody answers."""
        if self._moment is None:
            return False
        if not self._children:
            return self._moment.result.state is RunState.WAITING
        return self._moment.is_still and all(child.is_waiting for child in self._children.values())


class _Driven:
    """A run that is driven here, as its loop has it."""

    def __init__(self, loop: RunLoop, clock: Clock) -> None:
        self.loop = loop
        self._clock = clock
        self._outputs = OutputsView(loop.snapshot, loop.outputs)

    async def moment(self, before: Moment | None) -> Moment | None:
        """The run as it stands; None: its loop cannot say, and the journal must."""
        loop = self.loop
        if loop.finished.is_set() and not loop.has_ended:
            return None

        def look() -> Moment:
            if before is not None and _is_old(before, loop.snapshot):
                return before
            return moment_of(loop.snapshot, self._outputs, loop.output, self._clock)

        return await loop.seen(look)


class _Read:
    """A run that another process drives, or nobody, as its journal tells it."""

    def __init__(self, run: RunId, journal: WholeJournal, clock: Clock) -> None:
        self._run = run
        self._journal = journal
        self._clock = clock
        self._snapshot = Snapshot()
        self._outputs = Outputs(self._snapshot)
        self._output: Json = None
        self._missing: list[RunProblem] = []
        """Values that are not where they were kept."""

    async def moment(self, before: Moment | None) -> Moment | None:
        """The run as it stands; None: there is no such run."""
        try:
            entries, missing = await self._journal.view(self._run, after=self._snapshot.length)
            take_in(self._snapshot, self._outputs, entries)
        except UNREADABLE:
            return await self._damaged()
        self._missing += [
            RunProblem(step=getattr(entry, "step", None), message=exc.message)
            for entry, exc in missing
        ]
        for entry in entries:
            if isinstance(entry, RunEnded):
                self._output = value.decode(entry.output)
        if not self._snapshot.length:
            return None
        if before is not None and _is_old(before, self._snapshot):
            return before
        return self._told(moment_of(self._snapshot, self._outputs, self._output, self._clock))

    def _told(self, moment: Moment) -> Moment:
        if not self._missing:
            return moment
        problems = (*moment.result.problems, *self._missing)
        cut_off = not moment.result.state.ended
        return structs.replace(
            moment, result=replace(moment.result, problems=problems, interrupted=cut_off)
        )

    async def _damaged(self) -> Moment | None:
        """The run as far as it can be read."""
        head = await self._journal.head(self._run)
        if head is None:
            return None
        entries, damage = await self._journal.readable(self._run)
        result = damaged_result(entries, damage, head, self._clock.now())
        return Moment(len(entries), result, is_moving=False, children=(), is_still=False)

    def left(self, result: Result) -> Result:
        """The run as its driver left it."""
        at = self._snapshot.last_at or result.at
        return replace(result, interrupted=True, at=at, seconds=self._snapshot.seconds(at))


def _is_old(moment: Moment, snapshot: Snapshot) -> bool:
    """Whether a moment says all there is to say: nothing has happened, and no time is counted."""
    return moment.length == snapshot.length and not snapshot.active
