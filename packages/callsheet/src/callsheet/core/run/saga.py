"""Taking back: which undo may begin, so that nothing is undone before what was built on it.

A step is undone after every step that depended on it, and after everything that later touched the
same key. Steps that owe nothing still stand in the order: they pass it on. Independent steps are
undone in parallel. An undo that fails holds back what it was built on: the run is then stuck.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from callsheet.core.run.step import StepRun, StepState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from callsheet.core.ids import StepId, StepKey
    from callsheet.core.run.graph import Graph


class Saga:
    """The undo phase of a run. Built in time linear in the run; then each undo costs itself."""

    __slots__ = (
        "_before",
        "_later",
        "_left",
        "_members",
        "_open",
        "_passed",
        "due",
        "keep",
        "stuck",
    )

    def __init__(
        self,
        graph: Graph,
        steps: Mapping[StepKey, StepRun],
        touched: Mapping[str, list[StepRun]],
        to: str | None,
    ) -> None:
        self.due: dict[StepKey, None] = {}
        """Undos that may begin now."""
        self.stuck: dict[StepKey, str] = {}
        """Steps that cannot be taken back, and why."""
        self._members: dict[StepId, list[StepRun]] = {}
        for step in steps.values():
            self._members.setdefault(step.planned.id, []).append(step)
        self._open = {step: len(members) for step, members in self._members.items()}
        """Per plan step: how many of its members are not settled."""
        self._left = {planned.id: len(planned.dependents) for planned in graph.steps.values()}
        """Per plan step: how many dependents are not settled."""
        self._before: dict[StepKey, list[StepRun]] = {}
        """Who touched a key just before this one did."""
        self._later: dict[StepKey, int] = {}
        """How many that touched a key just after this one are not settled."""
        self._passed: set[StepKey] = set()
        """Whose turn has come: each has it once."""
        self._link(touched.values())
        self.keep: Collection[StepKey] = self._built_on(to)
        """What is not taken back: a step that is to be kept, and all that it was built on."""
        self._release([step for planned, step in _pairs(self._members) if not self._left[planned]])

    def _link(self, touched: Iterable[list[StepRun]]) -> None:
        for order in touched:
            for earlier, later in pairwise(order):
                self._before.setdefault(later.key, []).append(earlier)
                self._later[earlier.key] = self._later.get(earlier.key, 0) + 1

    def _built_on(self, to: str | None) -> set[StepKey]:
        found: set[StepKey] = set()
        todo = [step for group in self._members.values() for step in group if step.is_part_of(to)]
        while todo:
            step = todo.pop()
            if step.key not in found:
                found.add(step.key)
                todo += self._before.get(step.key, ())
                for need in step.planned.needs:
                    todo += self._members[need]
        return found

    def settle(self, step: StepRun) -> None:
        """The step is taken back: what it was built on may follow."""
        self._release(self._settled(step))

    def _release(self, steps: list[StepRun]) -> None:
        todo = list(steps)
        while todo:
            step = todo.pop()
            if not self._turn_of(step):
                continue
            impossible = step.undo_impossible
            if step.key in self.keep or not (step.owes or impossible):
                todo += self._settled(step)
            elif impossible:
                self.stuck[step.key] = impossible
            else:
                self.due[step.key] = None

    def _turn_of(self, step: StepRun) -> bool:
        if step.key in self._passed or self._left[step.planned.id] or self._later.get(step.key):
            return False
        self._passed.add(step.key)
        return True

    def _settled(self, step: StepRun) -> list[StepRun]:
        """Count a step as settled; returns whoever may have become free by it."""
        freed = []
        for earlier in self._before.get(step.key, ()):
            self._later[earlier.key] -= 1
            freed.append(earlier)
        planned = step.planned
        self._open[planned.id] -= 1
        if not self._open[planned.id]:
            for need in planned.needs:
                self._left[need] -= 1
                if not self._left[need]:
                    freed += self._members[need]
        return freed


def _pairs(members: Mapping[StepId, list[StepRun]]) -> Iterable[tuple[StepId, StepRun]]:
    return [(planned, step) for planned, group in members.items() for step in group]


def was_undone(steps: Iterable[StepRun]) -> bool:
    """Whether anything was really taken back."""
    return any(step.state is StepState.UNDONE for step in steps)
