"""Calls drawn from entries: also those that never began, or whose beginning nobody saw."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import Raw, structs

from callsheet.core.past.attempts import attempts_of
from callsheet.core.past.calls import Call, Calls
from callsheet.core.plan.plan import Cost, Plan, Step
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import entries as e
from callsheet.core.run.graph import Graph
from callsheet.insight.tally import tally_of

pytestmark = pytest.mark.requirement("E20")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TOOLS = {
    "book": ToolSpec(name="book", effect="write", undo="unbook", version="3"),
    "unbook": ToolSpec(name="unbook", effect="write", idempotent=True),
    "look": ToolSpec(name="look"),
}
PLAN = Plan(steps=(Step(id="a", tool="book"), Step(id="b", tool="look", for_each=[1, 2])))
STARTED = e.RunStarted(
    at=NOON,
    run="r",
    plan=PLAN,
    inputs=Raw(b"{}"),
    tools=TOOLS,
    seed="r",
    format=1,
    core=1,
    flags=(),
)


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def begun(step: str, at: float = 0, attempt: int = 1) -> e.AttemptStarted:
    return e.AttemptStarted(at=later(at), step=step, attempt=attempt, args=Raw(b"{}"))


def ended(
    step: str, at: float, outcome: e.Outcome, error: e.Failure | None = None, attempt: int = 1
) -> e.AttemptEnded:
    return e.AttemptEnded(
        at=later(at), step=step, attempt=attempt, outcome=outcome, error=error, cost=Cost(usd=1)
    )


def counted(*entries: e.AnyEntry) -> list[Call]:
    calls = Calls()
    return [call for call in map(calls.take, (STARTED, *entries)) if call is not None]


def test_a_call_is_told_when_it_begins_and_when_it_ends() -> None:
    start, end = counted(begun("b[1]", 1), ended("b[1]", 3, "succeeded"))
    assert (start.tool, start.step, start.outcome, start.seconds) == ("look", "b[1]", None, None)
    assert (end.outcome, end.seconds, end.error_class, end.cost) == (
        "succeeded",
        2,
        "",
        Cost(usd=1),
    )


@pytest.mark.parametrize(("outcome", "word"), [("cancelled", "cancelled"), ("lost", "lost")])
def test_what_was_stopped_or_lost_has_no_time_of_its_own(outcome: e.Outcome, word: str) -> None:
    error = e.Failure(error_class="cancelled", message="") if outcome == "cancelled" else None
    *_, end = counted(begun("b[0]", 1), ended("b[0]", 3, outcome, error))
    assert (end.seconds, end.error_class) == (None, word)


def test_an_undo_that_could_not_be_started_is_a_failed_call_of_the_undo_tool() -> None:
    error = e.Failure(error_class="invalid", message="null")
    *_, undo = counted(
        begun("a"),
        ended("a", 1, "succeeded"),
        e.UndoEnded(at=later(2), step="a", attempt=1, outcome="failed", error=error),
    )
    assert (undo.tool, undo.undo, undo.started_at, undo.seconds) == ("unbook", True, None, None)
    assert not undo.in_doubt


def test_an_undo_that_could_not_be_started_is_an_attempt_without_a_length() -> None:
    error = e.Failure(error_class="invalid", message="null")
    never = e.UndoEnded(at=later(2), step="a", attempt=1, outcome="failed", error=error)
    *_, undo = attempts_of([STARTED, begun("a"), ended("a", 1, "succeeded"), never])
    assert (undo.undo, undo.outcome) == (True, "failed")
    assert undo.started_at == undo.ended_at == later(2)


def test_a_run_whose_beginning_nobody_saw_is_known_by_its_graph() -> None:
    calls = Calls.of_graph(Graph(PLAN, TOOLS))
    call = calls.take(ended("a", 5, "lost"))
    assert call is not None
    assert (call.tool, call.version, call.effect) == ("book", "3", "write")
    assert (call.in_doubt, call.seconds) == (True, None)


def test_a_step_counts_once_however_often_it_was_tried_and_not_if_it_was_cancelled() -> None:
    error = e.Failure(error_class="transient", message="")
    found = tally_of(
        [
            STARTED,
            begun("b[0]"),
            ended("b[0]", 1, "failed", error),
            begun("b[0]", 2, attempt=2),
            ended("b[0]", 3, "succeeded", attempt=2),
            begun("b[1]"),
            ended("b[1]", 4, "cancelled"),
            begun("a", 4),
        ]
    )
    look = found["look"]
    assert (look.calls, look.retries, look.steps, look.steps_succeeded) == (3, 1, 1, 1)
    assert look.observed().retried == 0.5
    assert look.cost == Cost(usd=3)
    assert "book" not in found, "it goes on"


def test_calls_that_cost_nothing_are_part_of_what_a_call_costs() -> None:
    free = e.AttemptEnded(at=later(1), step="b[1]", attempt=1, outcome="succeeded")
    entries: list[e.AnyEntry] = [STARTED, begun("b[0]"), ended("b[0]", 1, "succeeded")]
    entries += [begun("b[1]"), free]
    cost = tally_of(entries)["look"].observed().cost
    assert cost is not None
    assert (cost.low.usd, cost.expected.usd, cost.high.usd) == (0.0, 0.5, 1.0)


def test_an_answer_out_of_the_cache_is_counted_and_is_no_call() -> None:
    cached = e.StepCached(at=NOON, step="b[0]", key="k", source="r0", source_step="x")
    found = tally_of([STARTED, cached])["look"]
    assert (found.cached, found.calls, found.steps) == (1, 0, 0)
    assert found.observed().seconds is None


def test_a_forecast_is_given_what_one_in_ten_undercuts_and_one_in_ten_exceeds() -> None:
    entries: list[e.AnyEntry] = [STARTED]
    for number in range(1, 11):
        cost = Cost(usd=number / 10)
        end = e.AttemptEnded(
            at=later(number), step="b[0]", attempt=number, outcome="succeeded", cost=cost
        )
        entries += [begun("b[0]", attempt=number), end]
    seen = tally_of(entries)["look"].observed()
    assert seen.seconds is not None
    assert seen.seconds.low == pytest.approx(1, rel=0.05)
    assert seen.seconds.expected == pytest.approx(5, rel=0.05)
    assert seen.seconds.high == pytest.approx(9, rel=0.05)
    assert seen.cost is not None
    assert seen.cost.low.usd == pytest.approx(0.1, rel=0.05)
    assert seen.cost.expected.usd == pytest.approx(0.55)
    assert seen.cost.high.usd == pytest.approx(0.9, rel=0.05)


def test_only_an_undo_that_succeeds_takes_back_and_a_sub_plan_is_no_tool() -> None:
    inner = Plan(steps=(Step(id="x", tool="look"),))
    plan = Plan(steps=(Step(id="a", tool="book"), Step(id="c", plan=inner)))
    error = e.Failure(error_class="transient", message="")
    entries: list[e.AnyEntry] = [
        structs.replace(STARTED, plan=plan),
        begun("a"),
        ended("a", 1, "succeeded"),
        begun("c"),
        ended("c", 1, "failed", error),
        e.UndoStarted(at=later(2), step="a", attempt=1, tool="unbook", args=Raw(b"{}")),
        e.UndoEnded(at=later(3), step="a", attempt=1, outcome="failed", error=error),
    ]
    found = tally_of(entries)
    assert sorted(found) == ["book", "unbook"]
    assert (found["book"].undone, found["unbook"].undos) == (0, 1)
    entries += [
        e.UndoStarted(at=later(4), step="a", attempt=2, tool="unbook", args=Raw(b"{}")),
        e.UndoEnded(at=later(5), step="a", attempt=2, outcome="succeeded"),
    ]
    assert tally_of(entries)["book"].undone == 1
