"""Laws of the end: every run has one, it follows from what happened, and everything is final."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from tests.property.strategies import histories
from tests.property.world import History, walk

from callsheet.core.ids import StepKey
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.decide import decide
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot

# A hundred histories for each law.
pytestmark = pytest.mark.slow

FAILED = (StepState.FAILED, StepState.UNDONE, StepState.UNDO_FAILED)
FINAL = {
    StepState.SUCCEEDED,
    StepState.FAILED,
    StepState.SKIPPED,
    StepState.CANCELLED,
    StepState.IN_DOUBT,
    StepState.UNDONE,
    StepState.UNDO_FAILED,
}


@pytest.mark.requirement("E3", "E11")
@given(histories())
def test_every_run_ends_as_long_as_the_world_answers(history: History) -> None:
    assert not history.hang


@given(histories())
def test_a_run_that_goes_on_always_waits_for_something(history: History) -> None:
    for _, before, entry in walk(history):
        waits = before.active or before.timers or before.deadlines or before.questions
        if not (before.ended or before.paused or waits):
            idle = before.open and before.state == "waiting"
            assert decide(before) or idle, f"nothing could happen before {entry}"


@pytest.mark.requirement("states:every-step-is-final", "cancel:every-attempt-gets-a-final-record")
@given(histories())
def test_every_step_of_an_ended_run_is_final(history: History) -> None:
    ended = fold.fold(history.entries)
    assert not ended.active
    for key, step in ended.steps.items():
        assert ended.state_of(step) in FINAL, f"{key} is {ended.state_of(step)}"


@pytest.mark.requirement("failure:running-attempts-are-drained")
@given(histories())
def test_every_attempt_that_started_has_ended_before_its_run_ends(history: History) -> None:
    open_: set[str] = set()
    for _, _before, entry in walk(history):
        if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
            open_.add(entry.step)
        elif isinstance(entry, e.AttemptEnded):
            open_.remove(entry.step)
        elif isinstance(entry, e.UndoEnded):
            # One that cannot be resolved ends without a start.
            open_.discard(entry.step)
        elif isinstance(entry, e.RunEnded):
            assert not open_


@pytest.mark.requirement("states:ended-is-absorbing")
@given(histories())
def test_an_ended_run_offers_nothing_and_only_an_undo_opens_it(history: History) -> None:
    for _, before, entry in walk(history):
        if before.ended:
            assert decide(before) == []
            assert isinstance(entry, (e.UndoRequested, e.AnswerRecorded))


@dataclass(slots=True)
class Seen:
    """What has happened to a run, as far as its end depends on it."""

    cancelled: bool = False
    requested: bool = False
    overspent: bool = False
    failures: list[str] = field(default_factory=list)
    taken_back: bool = False
    """Something was undone, at whatever time."""
    undone: bool = False
    """Something was undone because the run stopped."""

    def note(self, before: Snapshot, entry: e.AnyEntry) -> None:
        self.cancelled |= isinstance(entry, e.CancelRequested)
        self.requested |= isinstance(entry, e.UndoRequested)
        self.overspent |= before.stopping is not None and before.stopping.kind == "budget"
        if isinstance(entry, e.UndoEnded) and entry.outcome == "succeeded":
            self.taken_back = True
            self.undone |= before.saga is not None
        self.failures = [
            key
            for key, step in before.steps.items()
            if step.state in FAILED and step.planned.step.on_failure == "fail"
        ]

    @property
    def stopped(self) -> bool:
        return self.cancelled or self.requested or self.overspent


@given(histories())
def test_the_end_of_a_run_follows_from_what_happened_to_it(history: History) -> None:
    seen = Seen()
    for _, before, entry in walk(history):
        seen.note(before, entry)
        match entry:
            case e.RunEnded(state="succeeded"):
                assert not seen.stopped
                assert not seen.failures
            case e.RunEnded(state="failed"):
                assert seen.failures or seen.overspent
                assert not seen.undone
            case e.RunEnded(state="cancelled"):
                assert seen.cancelled
                assert not seen.undone
            case e.RunEnded(state="undone"):
                assert before.saga
                assert seen.taken_back or seen.requested
            case e.RunEnded(state="stuck"):
                assert any(step.owes or step.undo_impossible for step in before.steps.values())
            case _:
                pass


@pytest.mark.requirement("E3")
@given(histories())
def test_a_run_that_did_not_end_well_has_a_cause(history: History) -> None:
    for entry in history.entries:
        if isinstance(entry, e.RunEnded):
            assert (entry.cause is None) == (entry.state == "succeeded")
            if entry.cause is not None and entry.cause.step is not None:
                assert StepKey(entry.cause.step) in fold.fold(history.entries).steps
