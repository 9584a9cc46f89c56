"""What an outcome means, and how long to wait before the next try."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.unit.core.story import BEGIN, TOOLS, a_plan, failure

from callsheet.core.ids import StepKey
from callsheet.core.plan.plan import Retry, Step
from callsheet.core.run import entries as e
from callsheet.core.run import policy
from callsheet.core.run.graph import MAX_LOST, Graph
from callsheet.core.run.step import StepRun

if TYPE_CHECKING:
    from callsheet.errors import ErrorClass


def a_step(tool: str = "look", *, attempts: int = 1, lost: int = 0, **fields: object) -> StepRun:
    # The fields are those of a step, whatever they are.
    plan = a_plan(Step(id="a", tool=tool, **fields))  # type: ignore[arg-type]
    (planned,) = Graph(plan, TOOLS).steps.values()
    return StepRun(planned, StepKey("a"), 0, attempts=attempts, lost=lost)


def ended(outcome: e.Outcome = "failed", error: e.Failure | None = None) -> e.AttemptEnded:
    return e.AttemptEnded(at=BEGIN, step="a", attempt=1, outcome=outcome, error=error)


def undo_ended(outcome: e.Outcome, error: e.Failure | None = None) -> e.UndoEnded:
    return e.UndoEnded(at=BEGIN, step="a", attempt=1, outcome=outcome, error=error)


def judge(step: StepRun, entry: e.AttemptEnded, *, stopping: bool = False) -> policy.Verdict:
    return policy.judge(step, entry, stopping=stopping)


@pytest.mark.requirement("retry:only-retryable-classes", "E7")
@pytest.mark.parametrize(
    ("error_class", "verdict"),
    [
        ("transient", "retry"),
        ("rate_limited", "retry"),
        ("timeout", "retry"),
        ("invalid", "failed"),
        ("denied", "failed"),
        ("cancelled", "failed"),
        ("fatal", "failed"),
    ],
)
def test_only_the_first_three_classes_are_retried(error_class: ErrorClass, verdict: str) -> None:
    assert judge(a_step(), ended(error=failure(error_class))) == verdict
    assert judge(a_step("put"), ended(error=failure(error_class))) == verdict
    assert judge(a_step(), ended(error=failure(error_class)), stopping=True) == "failed"


def test_attempts_are_limited_and_lost_ones_do_not_count() -> None:
    transient = ended(error=failure("transient"))
    assert judge(a_step(attempts=2), transient) == "retry"
    assert judge(a_step(attempts=3), transient) == "failed"
    assert judge(a_step(attempts=5, lost=3), transient) == "retry"
    extra = a_step(attempts=3)
    extra.extra = 1
    assert judge(extra, transient) == "retry"
    assert judge(a_step(attempts=1), ended()) == "retry", "no error: nothing speaks against it"


def test_an_attempt_is_lost_only_so_often() -> None:
    assert judge(a_step(attempts=MAX_LOST, lost=MAX_LOST), ended("lost")) == "retry"
    assert judge(a_step(attempts=MAX_LOST + 1, lost=MAX_LOST + 1), ended("lost")) == "failed"
    assert judge(a_step(), ended("lost"), stopping=True) == "cancelled"


def test_a_lost_write_that_is_retried_in_doubt_is_lost_only_so_often_too() -> None:
    for lost, verdict in ((MAX_LOST, "retry"), (MAX_LOST + 1, "failed")):
        step = a_step("make", attempts=lost, lost=lost, in_doubt="retry")
        assert judge(step, ended("lost")) == verdict


@pytest.mark.requirement("doubt:never-blindly-repeated")
@pytest.mark.parametrize("outcome", ["failed", "lost", "cancelled"])
@pytest.mark.parametrize("stopping", [False, True])
def test_a_write_that_is_not_idempotent_is_in_doubt_unless_nothing_happened(
    outcome: e.Outcome, stopping: bool
) -> None:
    step = a_step("make", retry=Retry(attempts=3))
    assert judge(step, ended(outcome, failure("timeout")), stopping=stopping) == "doubt"
    assert policy.may_have_happened(step, ended(outcome))


@pytest.mark.requirement("doubt:not-done-is-retried")
def test_it_is_retried_when_the_error_says_that_nothing_happened() -> None:
    not_done = ended(error=failure("transient", nothing=True))
    assert judge(a_step("make", retry=Retry(attempts=3)), not_done) == "retry"
    assert judge(a_step("make"), not_done) == "failed", "other writes have one attempt"
    assert judge(a_step("make"), not_done, stopping=True) == "failed"
    assert not policy.may_have_happened(a_step("make"), not_done)


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
def test_a_plan_may_decide_about_a_doubt_beforehand() -> None:
    unknown = ended(error=failure("fatal"))
    assert judge(a_step("make", in_doubt="retry"), unknown) == "retry"
    assert judge(a_step("make", in_doubt="retry", attempts=3), unknown) == "failed"
    assert judge(a_step("make", in_doubt="fail"), unknown) == "failed"
    for beforehand in ("retry", "fail"):
        assert judge(a_step("make", in_doubt=beforehand), unknown, stopping=True) == "doubt"


def test_a_read_leaves_no_doubt() -> None:
    assert not policy.may_have_happened(a_step(), ended(error=failure("timeout")))
    assert not policy.may_have_happened(a_step("make"), ended("succeeded"))
    assert judge(a_step("make"), ended("succeeded")) == "succeeded"


def test_who_was_told_to_stop_is_cancelled_and_who_was_not_has_failed() -> None:
    told = ended("cancelled", failure("cancelled"))
    assert judge(a_step(), told, stopping=True) == "cancelled"
    # Nobody told it: a step that ends so must not be forgotten.
    assert judge(a_step(), told) == "failed"


@pytest.mark.requirement("retry:backoff-from-a-seed")
def test_backoff_doubles_up_to_a_limit_and_is_drawn_from_the_seed() -> None:
    retry = Retry(attempts=99, backoff=1.0, max_backoff=8.0)
    longest = [0.0] * 8
    for seed in map(str, range(200)):
        for tries in range(1, 8):
            step = a_step(retry=retry, attempts=tries)
            wait = policy.retry_wait(seed, step, None).total_seconds()
            assert wait == policy.retry_wait(seed, step, None).total_seconds()
            longest[tries] = max(longest[tries], wait)
    for tries, limit in enumerate([1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0], start=1):
        assert limit * 0.8 < longest[tries] < limit


def test_lost_attempts_do_not_lengthen_the_wait() -> None:
    retry = Retry(backoff=1.0, max_backoff=1000.0)
    waits = [
        policy.retry_wait(str(seed), a_step(retry=retry, attempts=9, lost=9), None).total_seconds()
        for seed in range(50)
    ]
    assert max(waits) < 1.0


@pytest.mark.requirement("retry:backoff-from-a-seed")
def test_retry_after_is_honoured_within_reason() -> None:
    step = a_step()
    asked = failure("rate_limited", retry_after=20.0)
    assert policy.retry_wait("seed", step, asked) == timedelta(seconds=20)
    assert policy.undo_wait("seed", step, asked) == timedelta(seconds=20)
    for_ever = failure("rate_limited", retry_after=1e300)
    assert policy.retry_wait("seed", step, for_ever) == timedelta(seconds=policy.MAX_WAIT)


@pytest.mark.parametrize("asked", [math.inf, math.nan, -5.0, 0.0])
def test_what_is_no_time_to_wait_is_as_if_it_were_not_there(asked: float) -> None:
    # Infinity and NaN become null in the journal: a run that is read again must wait as long.
    error = failure("rate_limited", retry_after=asked)
    assert policy.retry_wait("s", a_step(), error) == policy.retry_wait("s", a_step(), failure())


@pytest.mark.requirement("undo:at-most-once")
def test_an_undo_has_attempts_of_its_own() -> None:
    step = a_step("make", attempts=9)
    step.undo_attempts = 30
    step.undo_tries = policy.UNDO_ATTEMPTS - 1
    assert policy.undo_retries(step, undo_ended("failed", failure("transient")))
    assert policy.undo_retries(step, undo_ended("failed"))
    assert not policy.undo_retries(step, undo_ended("failed", failure("fatal")))
    step.undo_tries = policy.UNDO_ATTEMPTS
    assert not policy.undo_retries(step, undo_ended("failed", failure("transient")))
    step.undo_lost = policy.UNDO_MAX_LOST
    assert policy.undo_retries(step, undo_ended("lost"))
    step.undo_lost += 1
    assert not policy.undo_retries(step, undo_ended("lost"))
