"""A run that is being followed: folded as its journal grows, never from the beginning again.

With it are followed the runs that its steps are, while they go on: what they ask is asked in its
name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core import value
from callsheet.core.entries import RunEnded
from callsheet.core.ids import StepKey, child_run
from callsheet.core.snapshot import Snapshot
from callsheet.core.steprun import RunState, StepState
from callsheet.runtime.outputs import Outputs, take_in
from callsheet.runtime.result import Result, result_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from callsheet.core.ids import RunId
    from callsheet.core.steprun import Question
    from callsheet.core.value import Json
    from callsheet.runtime.vault import Vault

INSIDE = "/"
"""Between a step that is a run, and a step of that run: `clips/render`."""


class Follower:
    """Reads what is new in a journal, whoever writes it, and says how the run stands."""

    def __init__(self, run: RunId, journal: Vault) -> None:
        self._run = run
        self._journal = journal
        self._snapshot = Snapshot()
        self._outputs = Outputs(self._snapshot)
        self._output: Json = None
        self._children: dict[StepKey, Follower] = {}
        """The runs that are steps of this one and go on."""

    async def catch_up(self) -> bool:
        """Take in what is new; says whether there was anything."""
        entries = await self._journal.read(self._run, after=self._snapshot.length)
        take_in(self._snapshot, self._outputs, entries)
        for entry in entries:
            if isinstance(entry, RunEnded):
                self._output = value.decode(entry.output)
        return await self._catch_up_inside() or bool(entries)

    async def _catch_up_inside(self) -> bool:
        if not self._snapshot.children:
            self._children.clear()
            return False
        going_on = [key for key in self._snapshot.active if self._snapshot.steps[key].node.is_child]
        followed = {
            key: self._children.get(key) or Follower(child_run(self._run, key), self._journal)
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
        return self._snapshot.length > 0

    @property
    def is_moving(self) -> bool:
        """Whether an attempt or an undo is going on."""
        return bool(self._snapshot.active)

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended."""
        return self._snapshot.ended is not None

    def result(self, now: datetime) -> Result:
        """The run as it stood when the journal was last looked at."""
        own = result_of(self._snapshot, self._outputs, self._output, now)
        if not self._children:
            return own
        state = RunState.WAITING if self.is_waiting else own.state
        return replace(own, questions=tuple(self.questions()), state=state)

    def questions(self) -> Iterator[Question]:
        """What is asked, by the run itself and by those inside."""
        yield from self._snapshot.questions.values()
        for key, child in self._children.items():
            for question in child.questions():
                step = f"{key}{INSIDE}{question.step}"
                yield structs.replace(question, step=step, id=f"{key}{INSIDE}{question.id}")

    @property
    def is_waiting(self) -> bool:
        """Whether nothing goes on, here and inside, before somebody answers."""
        snapshot = self._snapshot
        if not self._children:
            return self.exists and snapshot.state is RunState.WAITING
        others = len(snapshot.active) > len(self._children) or snapshot.timers or snapshot.chores
        if others or snapshot.stopping or snapshot.saga:
            return False
        ready = any(step.state is StepState.READY for step in snapshot.steps.values())
        return not ready and all(child.is_waiting for child in self._children.values())
