"""Laws of the end: every run has one, it follows from what happened, and everything is final."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.property.strategies import histories
from tests.property.world import History, walk

from callsheet.core import entries as e
from callsheet.core import fold
from callsheet.core.decide import decide
from callsheet.core.ids import StepKey
from callsheet.core.steprun import StepState

# A hundred histories for each law.
pytestmark = pytest.mark.slow

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
            assert decide(before), f"nothing could happen before {entry}"


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
        elif isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
            open_.remove(entry.step)
        elif isinstance(entry, e.RunEnded):
            assert not open_


@pytest.mark.requirement("states:ended-is-absorbing")
@given(histories())
def test_an_ended_run_offers_nothing_and_only_an_undo_opens_it(history: History) -> None:
    for _, before, entry in walk(history):
        if before.ended:
            assert decide(before) == []
            assert isinstance(entry, (e.UndoRequested, e.AnswerRecorded))


def test_the_table() -> None:
    """Stands here so that the law below can be read next to it."""
    assert {state for state, _ in TABLE} == {"succeeded", "failed", "cancelled", "undone", "stuck"}


TABLE = (
    ("succeeded", "nothing failed that counts"),
    ("failed", "a failure; nothing is owed, or the policy keeps it"),
    ("cancelled", "a cancel; nothing is owed, or the policy keeps it"),
    ("undone", "something was taken back, or was asked to be"),
    ("stuck", "something is owed and cannot be taken back"),
)


@given(histories())
def test_the_end_of_a_run_follows_from_what_happened_to_it(history: History) -> None:
    cancelled = requested = stopped = undone = False
    failures: list[str] = []
    for _, before, entry in walk(history):
        if isinstance(entry, e.CancelRequested):
            cancelled = True
        elif isinstance(entry, e.UndoRequested):
            requested = True
        elif isinstance(entry, e.SecondsSpent):
            stopped = True
        elif isinstance(entry, e.UndoEnded) and entry.outcome == "succeeded" and before.saga:
            undone = True
        elif isinstance(entry, e.RunEnded):
            failures = [
                key
                for key, step in before.steps.items()
                if step.state in (StepState.FAILED, StepState.UNDONE, StepState.UNDO_FAILED)
                and step.node.step.on_failure == "fail"
            ]
            stopped = stopped or (before.stopping is not None and before.stopping.kind == "budget")
            _judge(entry, before.saga is not None, failures, locals())


def _judge(
    entry: e.RunEnded, took_back: bool, failures: list[str], seen: dict[str, object]
) -> None:
    wrong = seen["cancelled"] or seen["requested"] or seen["stopped"] or failures
    match entry.state:
        case "succeeded":
            assert not wrong
        case "failed":
            assert failures or seen["stopped"]
            assert not seen["undone"]
        case "cancelled":
            assert seen["cancelled"]
            assert not seen["undone"]
        case "undone":
            assert took_back
            assert seen["undone"] or seen["requested"]
        case "stuck":
            assert wrong or not took_back


@pytest.mark.requirement("E3")
@given(histories())
def test_a_run_that_did_not_end_well_has_a_cause(history: History) -> None:
    for entry in history.entries:
        if isinstance(entry, e.RunEnded):
            assert (entry.cause is None) == (entry.state == "succeeded")
            if entry.cause is not None and entry.cause.step is not None:
                assert StepKey(entry.cause.step) in fold.fold(history.entries).steps
