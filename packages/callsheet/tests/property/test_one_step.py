"""Laws of one step: whatever is stopped, taken back, tried again or out of time, the run holds."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import histories
from tests.property.test_replay import again, inside
from tests.property.world import History, node_of, walk

from callsheet.core.past.replay import replay
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run import verbs as v
from callsheet.core.run.decide import decide
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from callsheet.core.ids import StepKey
    from callsheet.core.run.snapshot import Snapshot

pytestmark = [
    pytest.mark.slow,  # a hundred histories for each law
    pytest.mark.requirement("E27"),
]
REOPENING = (e.UndoRequested, e.AnswerRecorded, v.RunReopened, v.StepUndoRequested)
FINAL = {
    StepState.SUCCEEDED,
    StepState.FAILED,
    StepState.SKIPPED,
    StepState.CANCELLED,
    StepState.IN_DOUBT,
    StepState.UNDONE,
    StepState.UNDO_FAILED,
}


@pytest.mark.requirement("E3", "states:every-step-is-final")
@given(histories(verbs=True))
def test_every_run_ends_and_every_step_of_it_is_final(history: History) -> None:
    assert not history.hang
    ended = fold.fold(history.entries)
    assert not ended.active
    assert not ended.spans
    for key, step in ended.steps.items():
        assert ended.state_of(step) in FINAL, f"{key} is {ended.state_of(step)}"


@pytest.mark.requirement("E12", "replay:byte-identical")
@given(histories(verbs=True), st.data())
def test_it_replays_the_same_whole_or_cut_in_two(history: History, data: st.DataObject) -> None:
    report = replay(history.entries)
    assert report.same, report.difference
    cut = data.draw(st.integers(1, len(history.entries)))
    whole = fold.fold(history.entries)
    both = fold.fold(again(history.entries[cut:]), fold.fold(again(history.entries[:cut])))
    assert both.encode() == whole.encode()
    assert (*inside(both), both.spans, both.halting) == (*inside(whole), whole.spans, whole.halting)


@given(histories(verbs=True))
def test_a_run_that_goes_on_always_waits_for_something(history: History) -> None:
    for _, before, entry in walk(history):
        waits = before.active or before.timers or before.deadlines or before.questions
        if not (before.ended or before.paused or waits):
            idle = before.open and before.state == "waiting"
            assert decide(before) or idle, f"nothing could happen before {entry}"


@pytest.mark.requirement("states:ended-is-absorbing")
@given(histories(verbs=True))
def test_an_ended_run_is_opened_by_undo_and_retry_alone(history: History) -> None:
    for _, before, entry in walk(history):
        if before.ended:
            assert decide(before) == []
            assert isinstance(entry, REOPENING)


@pytest.mark.requirement("step:stop", "step:within", "step:retry")
@given(histories(verbs=True))
def test_what_was_stopped_or_is_out_of_time_starts_no_more_unless_it_is_tried_again(
    history: History,
) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted):
            step = before.steps[_key(before, entry.step)]
            assert not step.told
            assert not step.final


@pytest.mark.requirement("step:stop")
@given(histories(verbs=True))
def test_to_stop_a_step_never_stops_the_run(history: History) -> None:
    for number, before, entry in walk(history):
        if isinstance(entry, v.StopRequested):
            after = fold.fold(history.entries[: number + 1])
            assert after.stopping is before.stopping is None
            assert after.failed == before.failed


@pytest.mark.requirement("step:undo")
@given(histories(verbs=True))
def test_what_is_taken_back_alone_had_nothing_built_on_it(history: History) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, v.StepUndoRequested):
            for name in node_of(before, entry.step).dependents:
                step = before.steps[_key(before, name)]
                assert step.final or before.ended
                assert step.state is not StepState.SUCCEEDED


@pytest.mark.requirement("step:undo", "undo:at-most-once")
@given(histories(verbs=True))
def test_each_effect_is_taken_back_at_most_once(history: History) -> None:
    undone: set[str] = set()
    for _, _before, entry in walk(history):
        if isinstance(entry, e.UndoStarted):
            assert entry.step not in undone
        elif isinstance(entry, e.UndoEnded) and entry.outcome == "succeeded":
            undone.add(entry.step)


@pytest.mark.requirement("order:touches-never-overlap")
@given(histories(verbs=True))
def test_steps_that_touch_one_thing_never_overlap(history: History) -> None:
    running: dict[str, set[str]] = defaultdict(set)
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted):
            for key in before.steps[_key(before, entry.step)].touches:
                assert not running[key] - {entry.step}, f"{entry.step} beside {running[key]}"
                running[key].add(entry.step)
        elif isinstance(entry, e.AttemptEnded):
            for each in running.values():
                each.discard(entry.step)


@pytest.mark.requirement("step:outcomes", "order:starts-after-needs")
@given(histories(verbs=True))
def test_a_step_starts_when_what_it_watches_is_final_however_that_ended(history: History) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted) and entry.attempt == 1:
            for name in node_of(before, entry.step).watches:
                assert before.steps[_key(before, name)].final


@pytest.mark.requirement("step:outcomes")
@given(histories(verbs=True))
def test_nothing_is_skipped_because_of_what_it_only_watches(history: History) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, e.StepDecided) and entry.reason.startswith("needs "):
            blocker = entry.reason.split("'")[1].partition("[")[0]
            assert blocker not in node_of(before, entry.step).watches


def _key(snapshot: Snapshot, name: str) -> StepKey:
    return next(key for key in snapshot.steps if key == name)
