"""Laws of taking back: in which order, how often, and what a run that has ended may still owe."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from tests.property.strategies import histories
from tests.property.world import History, walk

from callsheet.core.ids import StepKey, step_of
from callsheet.core.run import entries as e
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun

# A hundred histories for each law.
pytestmark = pytest.mark.slow


def built_on(before: Snapshot, step: StepRun, starts: list[StepKey]) -> set[StepKey]:
    """Who depended on a step, or touched its key after it."""
    found = {
        other.key
        for other in before.steps.values()
        if step.planned.id in before.graph.ancestors(other.planned.id)
    }
    if step.key in starts:
        for key in starts[starts.index(step.key) + 1 :]:
            if set(step.touches) & set(before.steps[key].touches):
                found.add(key)
    return found


@pytest.mark.requirement("E9", "undo:reverse-order", "undo:to-keeps-what-it-needed")
@given(histories())
def test_an_effect_is_undone_after_everything_that_was_built_on_it(history: History) -> None:
    starts: list[StepKey] = []
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted) and entry.attempt == 1:
            starts.append(StepKey(entry.step))
        if isinstance(entry, e.UndoStarted):
            step = before.steps[StepKey(entry.step)]
            for key in built_on(before, step, starts):
                other = before.steps[key]
                assert not other.owes, f"{entry.step} is undone before {key}"
                assert key not in before.active


@pytest.mark.requirement("undo:to-keeps-what-it-needed")
@given(histories())
def test_what_is_to_be_kept_and_what_it_needed_is_not_undone(history: History) -> None:
    to: str | None = None
    for _, before, entry in walk(history):
        if isinstance(entry, e.UndoRequested):
            to = entry.to
        if isinstance(entry, e.UndoStarted) and to is not None and before.saga:
            assert entry.step != to
            assert step_of(entry.step) not in before.graph.ancestors(step_of(to))


@pytest.mark.requirement("E9", "undo:at-most-once")
@given(histories())
def test_an_effect_is_taken_back_at_most_once(history: History) -> None:
    undone: Counter[str] = Counter()
    for _, before, entry in walk(history):
        if isinstance(entry, e.UndoStarted):
            assert not undone[entry.step], f"{entry.step} was undone before"
            assert before.steps[StepKey(entry.step)].owes
        if isinstance(entry, e.UndoEnded) and entry.outcome == "succeeded":
            undone[entry.step] += 1


@pytest.mark.requirement("failure:undo-takes-back-what-is-owed", "cancel:undo-goes-through")
@given(histories())
def test_a_run_that_takes_back_owes_nothing_at_its_end_unless_it_is_stuck(history: History) -> None:
    for number, before, entry in walk(history):
        if isinstance(entry, e.RunEnded) and before.saga and entry.state != "stuck":
            kept = before.saga.keep
            owing = [key for key, step in before.steps.items() if step.owes]
            assert all(key in kept for key in owing), number


@pytest.mark.requirement("E9", "doubt:undone-without-output-or-stuck")
@given(histories())
def test_a_stuck_run_says_which_step_and_why(history: History) -> None:
    after: Snapshot | None = None
    for _, before, entry in walk(history):
        if isinstance(entry, e.RunEnded) and entry.state == "stuck":
            guilty = [
                key
                for key, step in before.steps.items()
                if step.undo_impossible or step.state is StepState.UNDO_FAILED
            ]
            assert guilty
            after = before
    if after is not None and after.ended == "stuck":
        told = {step for step, _ in after.problems}
        assert told & set(after.steps)


@pytest.mark.requirement("undo:recovered-errors-undo-nothing")
@given(histories())
def test_nothing_is_undone_in_a_run_that_goes_forward_unless_a_person_says_so(
    history: History,
) -> None:
    asked: set[str] = set()
    for _, before, entry in walk(history):
        if isinstance(entry, e.AnswerRecorded) and bytes(entry.answer) == b'"undo"':
            asked.add(entry.step)
        if isinstance(entry, e.UndoStarted) and not before.saga:
            assert entry.step in asked
