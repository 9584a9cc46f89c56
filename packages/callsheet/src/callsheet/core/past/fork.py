"""Forking: a new run that begins with what another has done, up to a step that is done again.

Pure. What does not depend on the step is copied as it ended; the step, and all that is built on it,
is the new run's to do. The copies are not its to take back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import StepId, StepKey, item_key, step_of
from callsheet.core.past.outputs import Outputs, take_in
from callsheet.core.plan.artifact import artifacts_in
from callsheet.core.run import entries as e
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import StepState
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from msgspec import Raw

    from callsheet.core.plan.plan import Plan
    from callsheet.core.run.graph import Graph
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json


_BADLY: dict[StepState, e.Copied] = {
    StepState.FAILED: "failed",
    StepState.CANCELLED: "cancelled",
}


class RepeatedWrite(msgspec.Struct, frozen=True, kw_only=True):
    """A write that the run has done and its fork does again, under a key of its own."""

    step: str
    tool: str
    idempotent: bool
    """Whether its tool, or its step, says that it may be repeated."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        return {"step": self.step, "tool": self.tool, "idempotent": self.idempotent}


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """What a forked run begins with."""

    plan: Plan
    started: e.RunStarted
    """Of the run it is forked from."""
    open: bool
    copies: tuple[e.AnyEntry, ...]
    repeats: tuple[RepeatedWrite, ...]
    """What was done, and has not been taken back, and is done again."""


def fork_of(
    entries: Sequence[e.AnyEntry], step: str, args: Mapping[str, Json] | None, at: datetime
) -> Fork:
    """A run's fork at a step, or at one item of it; `args` stand over those of the plan.

    Raises:
        InputError: there is no such step; or an item cannot have arguments of its own.
    """
    started = entries[0]
    assert isinstance(started, e.RunStarted), "the journal's own promise"
    snapshot = Snapshot()
    outputs = Outputs(snapshot)
    take_in(snapshot, outputs, entries)
    if StepKey(step) not in snapshot.steps:
        known = ", ".join(snapshot.graph.steps)
        raise InputError(f"There is no step {step!r} in run {started.run!r}; there are: {known}.")
    if args and "[" in step:
        raise InputError(f"{step!r} is one item: change the arguments of {step_of(step)!r}.")
    steps = tuple(
        structs.replace(planned.step, args={**planned.step.args, **args})
        if args and planned.id == step
        else planned.step
        for planned in snapshot.graph.steps.values()
    )
    copies = tuple(_Copies(snapshot, outputs.raw, entries, step=step, at=at).made())
    return Fork(
        plan=structs.replace(
            # What a run gives that has grown was said when it was sealed.
            started.plan,
            steps=steps,
            output=started.plan.output if snapshot.output is None else snapshot.output,
        ),
        # With the saved plans of steps that were added later, too, as they were then.
        started=structs.replace(started, children=dict(snapshot.graph.children)),
        open=snapshot.open and not snapshot.ended,
        copies=copies,
        repeats=tuple(_repeated(snapshot, copies)),
    )


def _repeated(s: Snapshot, copies: Sequence[e.AnyEntry]) -> Iterator[RepeatedWrite]:
    copied = {copy.step for copy in copies if isinstance(copy, e.StepCopied)}
    for key, step in s.steps.items():
        is_there = step.done or step.maybe
        if step.planned.writes and is_there and key not in copied and not step.is_list:
            # A sub-plan is repeated whole; whether its writes may be, nobody says.
            idempotent = step.planned.repeatable and not step.planned.is_child
            yield RepeatedWrite(step=key, tool=step.planned.tool, idempotent=idempotent)


def _downstream(graph: Graph, step: StepId) -> set[StepId]:
    found = {step}
    todo = [step]
    while todo:
        for dependent in graph.steps[todo.pop()].dependents:
            if dependent not in found:
                found.add(dependent)
                todo.append(dependent)
    return found


class _Copies:
    """The entries that say in the new run what the other has done."""

    def __init__(
        self,
        snapshot: Snapshot,
        outputs: Mapping[str, Raw],
        entries: Sequence[e.AnyEntry],
        *,
        step: str,
        at: datetime,
    ) -> None:
        self._snapshot = snapshot
        self._at = at
        self._again = step
        self._outputs = outputs
        self._expanded = {
            entry.step: entry for entry in entries if isinstance(entry, e.StepExpanded)
        }
        origin = step_of(step)
        self._left_out = _downstream(snapshot.graph, origin)
        if step != origin:
            # Of the list, only this item is done again.
            self._left_out.discard(origin)

    def made(self) -> Iterator[e.AnyEntry]:
        """In the order of dependence, so that each finds what it needs.

        What did not end well is done again, so what was built on that is, too.
        """
        whole: set[StepId] = set()
        for planned in sorted(
            self._snapshot.graph.steps.values(), key=lambda planned: planned.rank
        ):
            if planned.id not in self._left_out and whole.issuperset(planned.needs):
                entries, is_whole = self._copy(self._snapshot.steps[StepKey(planned.id)])
                yield from entries
                if is_whole:
                    whole.add(planned.id)

    def _copy(self, step: StepRun) -> tuple[list[e.AnyEntry], bool]:
        """What is copied of a step, and whether that is all of it."""
        expanded = self._expanded.get(step.key)
        if expanded is None:
            copied = self._copy_one(step)
            return ([copied], True) if copied else ([], False)
        items = [self._snapshot.steps[item_key(step.key, index)] for index in range(expanded.count)]
        found = [self._copy_one(item) for item in items if item.key != self._again]
        copies = [copied for copied in found if copied is not None]
        entries: list[e.AnyEntry] = [structs.replace(expanded, at=self._at), *copies]
        return entries, len(copies) == len(items)

    def _copy_one(self, step: StepRun) -> e.StepCopied | None:
        if step.state is StepState.SUCCEEDED:
            output = self._outputs.get(step.key, e.NULL)
            found = artifacts_in(value.decode(output))
            return e.StepCopied(
                at=self._at, step=step.key, outcome="succeeded", output=output, artifacts=found
            )
        if step.state is StepState.SKIPPED:
            reason = step.reason or step.blocked_by
            return e.StepCopied(at=self._at, step=step.key, outcome="skipped", reason=reason)
        if step.planned.step.on_failure == "fail":
            return None
        outcome = _BADLY.get(step.state)
        # What was cancelled with its run is done again; what somebody has stopped is not.
        with_its_run = outcome == "cancelled" and not (step.told or step.copied)
        if outcome is None or with_its_run:
            return None
        return e.StepCopied(
            at=self._at,
            step=step.key,
            outcome=outcome,
            reason=step.error.message if step.error else "",
            error=step.error,
            maybe=step.maybe or step.unclear,
        )
