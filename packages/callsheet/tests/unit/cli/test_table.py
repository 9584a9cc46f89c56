"""A run as a table: what is told of steps with many items."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from callsheet import Cost, Result, RunState, StepState
from callsheet.cli.show.table import rows_of
from callsheet.core.ids import RunId
from callsheet.types import StepResult

BEGAN = datetime(2026, 11, 15, 12, tzinfo=UTC)


def step(state: StepState, began: float | None = None, *, source: str = "") -> StepResult:
    at = None if began is None else BEGAN + timedelta(seconds=began)
    return StepResult(
        state=state, output=None, error=None, attempts=1, cost=Cost(), started_at=at, source=source
    )


def note(*items: StepResult, after: float) -> str:
    """What is told of a step with these items, so many seconds after it began."""
    told = {"filmed": step(StepState.RUNNING, 0)}
    told |= {f"filmed[{place}]": item for place, item in enumerate(items)}
    result = Result(
        run=RunId("r1"),
        plan="production",
        state=RunState.RUNNING,
        paused=False,
        cause=None,
        output=None,
        steps=told,
        cost=Cost(),
        at=BEGAN + timedelta(seconds=after),
        seconds=after,
        problems=(),
        errors={},
    )
    (row,) = rows_of(result, {})
    return row.note


DONE, NOW, NEXT = (
    step(StepState.SUCCEEDED, 0),
    step(StepState.RUNNING, 3),
    step(StepState.PENDING),
)


@pytest.mark.requirement("P11")
def test_the_rest_of_many_items_is_told_in_time() -> None:
    assert note(DONE, DONE, NOW, NEXT, after=6) == "about 6 s left"
    assert note(DONE, NOW, NEXT, NEXT, after=60) == "about 3m 00s left"


def test_nothing_is_told_before_anything_is_known_or_when_all_is_done() -> None:
    assert not note(NOW, NEXT, after=6)
    assert not note(DONE, DONE, after=6)


def test_items_that_were_made_in_another_run_do_not_make_it_look_faster() -> None:
    reused = step(StepState.SUCCEEDED, 0, source="r0")
    assert note(reused, reused, reused, DONE, NOW, after=6) == "about 6 s left"
