"""What an outcome means: is the step done, tried again, failed, or in doubt."""

from __future__ import annotations

from datetime import timedelta
from math import isfinite
from typing import TYPE_CHECKING, Literal

from callsheet.core.ids import chance_of
from callsheet.core.run.graph import MAX_LOST

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Retry
    from callsheet.core.run.entries import AttemptEnded, Failure, UndoEnded
    from callsheet.core.run.step import StepRun

RETRYABLE = frozenset({"transient", "rate_limited", "timeout"})
UNDO_ATTEMPTS = 5
UNDO_MAX_LOST = 20
MAX_WAIT = 366 * 86_400.0
"""The longest that a tool can ask to be waited for."""

Verdict = Literal["succeeded", "retry", "failed", "doubt", "cancelled", "stopped"]


_TOLD: dict[str, Verdict] = {"stop": "stopped", "time": "failed"}
"""What becomes of a step that was told to stop while the run goes on: nothing more is tried."""


def judge(step: StepRun, entry: AttemptEnded, *, stopping: bool) -> Verdict:
    """What becomes of a step whose attempt has ended."""
    if entry.outcome == "succeeded":
        return "succeeded"
    if is_unknown(step, entry):
        return _judge_unknown(step, entry, stopping=stopping)
    if stopping:
        return "failed" if entry.outcome == "failed" else "cancelled"
    if step.told:
        return _TOLD[step.told]
    retryable = entry.error is None or entry.error.error_class in RETRYABLE
    return "retry" if retryable and _may_retry(step, entry) else "failed"


def _judge_unknown(step: StepRun, entry: AttemptEnded, *, stopping: bool) -> Verdict:
    doubt = step.planned.step.in_doubt
    if stopping or doubt == "ask":
        return "doubt"
    if step.told:
        return _TOLD[step.told]
    return "retry" if doubt == "retry" and _may_retry(step, entry) else "failed"


def may_have_happened(step: StepRun, entry: AttemptEnded) -> bool:
    """Whether the effect of a write may be there although the attempt did not succeed."""
    if not step.planned.writes or entry.outcome == "succeeded":
        return False
    return not (entry.error and entry.error.nothing_happened)


def is_unknown(step: StepRun, entry: AttemptEnded) -> bool:
    """Whether only a person can say what became of it."""
    return may_have_happened(step, entry) and not step.planned.repeatable


def is_unbegun(core: int, entry: AttemptEnded | UndoEnded) -> bool:
    """Whether a call was written down and then not made, or undid itself: it does not count.

    Journals of core 1 say it in the same words, and there it counts as lost.
    """
    nothing = entry.error is not None and entry.error.nothing_happened
    return nothing and entry.outcome == "lost" and core > 1


def _may_retry(step: StepRun, entry: AttemptEnded) -> bool:
    if entry.outcome == "lost":
        return step.lost <= MAX_LOST
    return tries_of(step) < step.planned.attempts + step.extra


def tries_of(step: StepRun) -> int:
    """How many attempts count."""
    return step.attempts - step.lost - step.unbegun


def retry_wait(seed: str, step: StepRun, failure: Failure | None) -> timedelta:
    """How long to wait before the next attempt: exponential, full jitter, from the seed."""
    tries = max(tries_of(step), 1)
    wait = _jittered(step.planned.retry, tries, chance_of(seed, step.key, step.attempts))
    return _at_least(wait, failure)


def undo_retries(step: StepRun, entry: UndoEnded) -> bool:
    """Whether an undo that ended badly is tried again.

    An undo has a key of its own and accepts that nothing was done, so repeating it is safe.
    """
    if entry.outcome == "lost":
        return step.undo_lost <= UNDO_MAX_LOST
    retryable = entry.error is None or entry.error.error_class in RETRYABLE
    return retryable and step.undo_tries < UNDO_ATTEMPTS


def undo_wait(seed: str, step: StepRun, failure: Failure | None) -> timedelta:
    """How long to wait before the next try of an undo."""
    chance = chance_of(seed, step.key, "undo", step.undo_attempts)
    tries = max(step.undo_tries, 1)
    return _at_least(_jittered(step.planned.retry, tries, chance), failure)


def _jittered(retry: Retry, tries: int, chance: float) -> float:
    longest = min(retry.backoff * 2.0 ** min(tries - 1, 30), retry.max_backoff)
    return longest * chance


def _at_least(wait: float, failure: Failure | None) -> timedelta:
    asked = failure.retry_after if failure and failure.retry_after else 0.0
    # What is no number in JSON (NaN, infinity) is not there when the journal is read again.
    return timedelta(seconds=max(wait, min(asked, MAX_WAIT) if isfinite(asked) else 0.0))
