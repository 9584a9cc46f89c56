"""Mutants of steps from inside a step, and of what is asked about one step."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from callsheet.core.past import additions
from callsheet.core.run import entries as e
from callsheet.core.run.fold import HANDLERS
from callsheet.core.run.snapshot import Snapshot
from callsheet.runtime.context import CallContext
from callsheet.runtime.growth import Growth
from callsheet.testing.simulation.mutant import Mutant, instead, nothing

ENOUGH = 60
"""Stories within which each is caught."""


def _add_again(right: Any) -> Any:
    def entry(snapshot: Any, who: Any, addition: Any, *rest: Any) -> Any:
        known = snapshot.graph.steps
        steps = [
            {**step, "id": f"{step['id']}_again"} if step["id"] in known else step
            for step in addition.steps
        ]
        return right(snapshot, who, structs.replace(addition, steps=steps), *rest)

    return entry


def _then_at_once(right: Any) -> Any:
    async def then(self: Any, steps: Any = (), *, seal: bool = False) -> None:
        if steps:
            await self.add(steps)
        await right(self, (), seal=seal)

    return then


def _add_alone(right: Any) -> Any:
    async def add(self: Any, step: Any, attempt: Any, addition: Any, _checkpoint: Any) -> None:
        await right(self, step, attempt, addition)

    return add


def _count_from_the_question(right: Any) -> Any:
    def asked(s: Any, entry: Any) -> None:
        right(s, entry)
        step = s.steps[entry.step]
        if step.planned.step.within is not None and step.key not in s.spans:
            s._count_down(step, step.planned.step.within)  # noqa: SLF001 -- what is to be wrong

    return asked


MUTANTS_OF_PLANNING = (
    Mutant(
        "adds_again",
        "an attempt that is made again adds its steps again",
        ((additions, "entry_from_inside", _add_again),),
    ),
    Mutant(
        "follows_before_the_end",
        "what is to follow an attempt is written before it has ended",
        ((CallContext, "then", _then_at_once),),
    ),
    Mutant(
        "counts_waiting",
        "the time of a step goes on while a person is asked",
        (
            (Snapshot, "stop_clock", instead(nothing)),
            (HANDLERS, e.QuestionAsked, _count_from_the_question),  # type: ignore[arg-type]
        ),
    ),
    Mutant(
        "forgets_the_checkpoint",
        "steps are added, and the checkpoint with them is not saved",
        ((Growth, "add", _add_alone),),
    ),
)
