"""The calls of a run, one by one, each with its tool: drawn from the entries as they come.

For whoever counts calls: statistics (over journals) and telemetry (over the feed).
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core.ids import step_of
from callsheet.core.plan.plan import NOTHING, Cost, Plan
from callsheet.core.plan.subplan import SUB_PLAN, is_child
from callsheet.core.plan.toolspec import Effect
from callsheet.core.run import entries as e
from callsheet.core.run.entries import Failure, Outcome
from callsheet.core.run.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.core.plan.plan import Step
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.graph import PlannedStep


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, or one attempt of an undo; without an outcome while it goes on."""

    tool: str
    version: str
    effect: Effect
    step: str
    attempt: int
    undo: bool
    started_at: datetime | None
    """None: it had begun before anybody counted, or never did."""
    ended_at: datetime | None = None
    outcome: Outcome | None = None
    error: Failure | None = None
    cost: Cost = NOTHING
    in_doubt: bool = False
    """Whether only a person can say what became of it."""

    @property
    def error_class(self) -> str:
        """What went wrong in one word: a class of error, `lost`, or nothing."""
        if self.error is not None:
            return self.error.error_class
        return "lost" if self.outcome == "lost" else ""

    @property
    def is_unbegun(self) -> bool:
        """Whether it was not made after all, because the engine closed first."""
        return self.outcome == "lost" and self.error is not None

    @property
    def seconds(self) -> float | None:
        """How long it took, if that was its own doing: not stopped, not lost in a crash."""
        if self.started_at is None or self.ended_at is None:
            return None
        if self.outcome not in ("succeeded", "failed"):
            return None
        return max((self.ended_at - self.started_at).total_seconds(), 0.0)


class Calls:
    """Turns the entries of one run into calls."""

    __slots__ = ("_children", "_going", "_graph", "_steps", "_tools")

    def __init__(self) -> None:
        self._steps: dict[str, Step] = {}
        self._tools: dict[str, ToolSpec] = {}
        self._children: dict[str, Plan] = {}
        self._graph: Graph | None = None
        """Made when it is first asked what a failure means: most runs need none."""
        self._going: dict[tuple[str, bool], Call] = {}

    @classmethod
    def of_graph(cls, graph: Graph) -> Calls:
        """Those of a run that has begun before anybody counted."""
        calls = cls()
        steps = [planned.step for planned in graph.steps.values()]
        calls._introduce(steps, graph.tools, graph.children)
        return calls

    def _introduce(
        self, steps: Iterable[Step], tools: Mapping[str, ToolSpec], children: Mapping[str, Plan]
    ) -> None:
        self._steps.update((step.id, step) for step in steps)
        self._tools.update(tools)
        self._children.update(children)
        self._graph = None

    def take(self, entry: e.AnyEntry) -> Call | None:
        """Take an entry into account; returns the call that it begins or ends, if it is one's."""
        if isinstance(entry, e.AttemptStarted):
            return self._begin(entry, self.tool_of(entry.step))
        if isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
            return self._end(entry)
        if isinstance(entry, e.UndoStarted):
            return self._begin(entry, entry.tool)
        if isinstance(entry, e.RunStarted):
            self._introduce(entry.plan.steps, entry.tools, entry.children)
        elif isinstance(entry, e.StepsAdded):
            self._introduce(entry.steps, entry.tools, entry.children)
        return None

    def tool_of(self, step: str) -> str:
        """The tool of a step, or of an item of it; empty for a step that calls none."""
        found = self._steps.get(step_of(step))
        if found is None:
            return ""
        return SUB_PLAN if is_child(found, self._children) else found.tool or ""

    def _begin(self, entry: e.AttemptStarted | e.UndoStarted, tool: str) -> Call:
        undo = isinstance(entry, e.UndoStarted)
        call = self._call(entry.step, tool, entry.attempt, undo=undo, at=entry.at)
        self._going[entry.step, undo] = call
        return call

    def _end(self, entry: e.AttemptEnded | e.UndoEnded) -> Call:
        undo = isinstance(entry, e.UndoEnded)
        call = self._going.pop((entry.step, undo), None)
        if call is None:
            tool = self._planned(entry.step).undo_tool if undo else self.tool_of(entry.step)
            call = self._call(entry.step, tool or "", entry.attempt, undo=undo, at=None)
        return structs.replace(
            call,
            ended_at=entry.at,
            outcome=entry.outcome,
            error=entry.error,
            cost=entry.cost,
            in_doubt=not undo and entry.outcome != "succeeded" and self._is_unknown(entry),
        )

    def _call(self, step: str, tool: str, attempt: int, *, undo: bool, at: datetime | None) -> Call:
        spec = self._tools.get(tool)
        return Call(
            tool=tool,
            version=spec.version if spec else "",
            effect=spec.effect if spec else "read",
            step=step,
            attempt=attempt,
            undo=undo,
            started_at=at,
        )

    def _is_unknown(self, entry: e.AttemptEnded | e.UndoEnded) -> bool:
        if entry.error is not None and entry.error.nothing_happened:
            return False
        planned = self._planned(entry.step)
        return planned.writes and not planned.repeatable

    def _planned(self, step: str) -> PlannedStep:
        if self._graph is None:
            plan = Plan(steps=tuple(self._steps.values()))
            self._graph = Graph(plan, self._tools, self._children)
        return self._graph.steps[step_of(step)]
