"""Laws of order: what starts when, over histories that the engine itself could have written."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from tests.property.strategies import histories
from tests.property.world import History, node_of, walk

from callsheet.core.ids import StepId, StepKey, index_of, step_of
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run.decide import decide
from callsheet.core.run.step import StepRun, StepState

if TYPE_CHECKING:
    from callsheet.core.run.graph import Graph
    from callsheet.core.run.snapshot import Snapshot

# A hundred histories for each law.
pytestmark = pytest.mark.slow

FAILED = (StepState.FAILED, StepState.UNDONE, StepState.UNDO_FAILED)


def lets_through(need: StepRun, step: StepRun) -> bool:
    """Whether a need has ended in such a way that the step may run."""
    if need.state is StepState.SUCCEEDED:
        return True
    if need.state is StepState.SKIPPED:
        return step.planned.step.run_if_skipped
    if need.state not in FAILED:
        return False
    policy = need.planned.step.on_failure
    return policy == "ignore" or (policy == "skip" and step.planned.step.run_if_skipped)


@pytest.mark.requirement("order:starts-after-needs", "order:skips-follow-skips")
@given(histories())
def test_a_step_starts_only_when_everything_it_needs_has_ended_well(history: History) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, (e.AttemptStarted, e.QuestionAsked, e.StepExpanded)):
            step = before.steps[StepKey(entry.step)]
            for name in step.planned.needs:
                need = before.steps[StepKey(name)]
                assert need.final, f"{entry.step} began while {name} was {need.state}"
                assert lets_through(need, step), f"{entry.step} began, {name} was {need.state}"


def dead_ends(before: Snapshot) -> set[StepId]:
    """The steps that have failed in a way that counts."""
    return {
        step.planned.id
        for step in before.steps.values()
        if step.state in FAILED and step.planned.step.on_failure == "fail"
    }


@pytest.mark.requirement("failure:continue-runs-the-rest")
@given(histories())
def test_nothing_downstream_of_a_failure_ever_starts(history: History) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted):
            needed = before.graph.ancestors(step_of(entry.step))
            assert not needed & dead_ends(before), f"{entry.step} began after a failure above it"


def place(step: StepRun) -> tuple[int, int, int]:
    index = -1 if step.index is None else step.index
    return -step.planned.step.priority, step.planned.order, index


def waiting_for_money(before: Snapshot) -> set[str]:
    """The tools of steps that could start, but for the budget."""
    return {
        step.planned.tool
        for step in before.steps.values()
        if before.is_up(step) and not before.may_start(step)
    }


@pytest.mark.requirement("E4", "order:priority-then-plan-order")
@given(histories())
def test_ready_steps_start_by_priority_and_then_in_the_order_of_the_plan(history: History) -> None:
    for number, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted):
            started = before.steps[StepKey(entry.step)]
            passed_over = {*history.held[number], *waiting_for_money(before)}
            for other in before.steps.values():
                if other.planned.tool not in passed_over and before.may_start(other):
                    assert place(started) <= place(other), f"{other.key} should have been first"


@pytest.mark.requirement("E4")
@given(histories())
def test_never_more_calls_go_on_than_the_plan_allows(history: History) -> None:
    going_on: set[str] = set()
    for _, before, entry in walk(history):
        step = getattr(entry, "step", None)
        if step is not None and node_of(before, step).is_child:
            continue  # sub-plans hold no slot
        if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
            assert entry.step not in going_on
            going_on.add(entry.step)
        elif isinstance(entry, e.AttemptEnded):
            going_on.remove(entry.step)
        elif isinstance(entry, e.UndoEnded):
            # One that cannot be resolved ends without a start.
            going_on.discard(entry.step)
        assert len(going_on) <= before.graph.plan.concurrency


def touches_of(graph: Graph, entry: e.StepDecided | e.AttemptStarted) -> tuple[str, ...]:
    return graph.steps[step_of(entry.step)].step.touches


@pytest.mark.requirement("order:touches-never-overlap")
@given(histories())
def test_two_steps_that_touch_one_thing_never_overlap(history: History) -> None:
    late: dict[str, tuple[str, ...]] = {}
    holds: dict[str, str] = {}
    for _, before, entry in walk(history):
        holds = {key: step for key, step in holds.items() if not before.steps[StepKey(step)].final}
        if before.stopping or before.saga:
            return
        if isinstance(entry, e.StepDecided) and entry.touches is not None:
            late[entry.step] = entry.touches
        if isinstance(entry, e.AttemptStarted):
            for key in late.get(entry.step) or touches_of(before.graph, entry):
                assert holds.setdefault(key, entry.step) == entry.step, f"{key} is held"


@pytest.mark.requirement("order:touches-never-overlap")
@given(histories())
def test_steps_that_touch_one_thing_keep_the_order_of_the_plan(history: History) -> None:
    last: dict[str, tuple[int, int]] = defaultdict(lambda: (-1, -1))
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted) and entry.attempt == 1:
            planned = node_of(before, entry.step)
            if not planned.dynamic_touches:
                rank = planned.rank, index_of(entry.step) or 0
                for key in planned.step.touches:
                    assert last[key] < rank, f"{entry.step} came late to {key}"
                    last[key] = rank


@pytest.mark.requirement("cancel:no-start-after-journalled", "failure:nothing-starts-after-it")
@given(histories())
def test_once_a_run_stops_no_attempt_is_offered_any_more(history: History) -> None:
    stopped = False
    for _, before, entry in walk(history):
        if stopped:
            assert not isinstance(entry, (e.AttemptStarted, e.QuestionAsked, e.StepExpanded))
            assert not any(isinstance(command, c.StartAttempt) for command in decide(before))
        if isinstance(entry, (e.CancelRequested, e.UndoRequested, e.SecondsSpent)):
            stopped = True
        stopped = stopped or before.stopping is not None


@pytest.mark.requirement("pause:nothing-starts", "pause:answers-and-timers-go-on")
@given(histories())
def test_while_a_run_is_paused_nothing_is_offered(history: History) -> None:
    paused = False
    for _, before, entry in walk(history):
        if paused and not (before.stopping or before.saga or before.ended):
            assert not isinstance(entry, (e.AttemptStarted, e.UndoStarted, e.QuestionAsked))
            assert all(isinstance(command, c.EndRun) for command in decide(before))
        if isinstance(entry, (e.RunPaused, e.RunResumed)):
            paused = isinstance(entry, e.RunPaused)


@pytest.mark.requirement("E8", "retry:attempts-by-effect")
@given(histories())
def test_no_step_has_more_attempts_than_it_is_allowed(history: History) -> None:
    tries: dict[str, int] = defaultdict(int)
    allowed: dict[str, int] = defaultdict(int)
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptStarted):
            tries[entry.step] += 1
            limit = node_of(before, entry.step).attempts + allowed[entry.step]
            assert tries[entry.step] <= limit
        elif isinstance(entry, e.AttemptEnded) and entry.outcome == "lost":
            tries[entry.step] -= 1
        elif isinstance(entry, e.AnswerRecorded) and bytes(entry.answer) == b'"did_not"':
            allowed[entry.step] += 1


@pytest.mark.requirement("retry:only-retryable-classes", "durability:finished-never-runs-again")
@given(histories())
def test_an_attempt_follows_only_one_that_may_be_repeated(history: History) -> None:
    last: dict[str, e.AttemptEnded] = {}
    told: set[str] = set()
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptEnded):
            last[entry.step] = entry
            told.discard(entry.step)
            if node_of(before, entry.step).step.in_doubt == "retry":
                told.add(entry.step)
        elif isinstance(entry, e.AnswerRecorded):
            told.add(entry.step)
        elif isinstance(entry, e.AttemptStarted) and entry.attempt > 1 and entry.step not in told:
            ended = last[entry.step]
            assert ended.outcome in ("failed", "lost")
            assert ended.error is None or ended.error.error_class in (
                "transient",
                "rate_limited",
                "timeout",
            )


@pytest.mark.requirement("E10", "doubt:never-blindly-repeated")
@given(histories())
def test_a_write_of_unknown_outcome_is_repeated_only_if_somebody_said_so(history: History) -> None:
    doubtful: set[str] = set()
    for _, before, entry in walk(history):
        if isinstance(entry, e.AttemptEnded):
            step = node_of(before, entry.step)
            known = entry.outcome == "succeeded" or (entry.error and entry.error.nothing_happened)
            if step.writes and not step.repeatable and not known:
                doubtful.add(entry.step)
        elif isinstance(entry, e.AnswerRecorded) and bytes(entry.answer) == b'"did_not"':
            doubtful.discard(entry.step)
        elif isinstance(entry, e.AttemptStarted) and entry.step in doubtful:
            assert node_of(before, entry.step).step.in_doubt == "retry"
