"""The index of runs, derived from entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.core.index.heads import Change, Ending, change_of, content_of
from callsheet.testing.contracts.samples import (
    a_plan,
    at,
    ended,
    noted,
    run_id,
    started,
    undo_requested,
)

if TYPE_CHECKING:
    from callsheet.core.run.entries import AnyEntry

RUN = run_id(1)


def test_most_entries_change_nothing() -> None:
    assert change_of(RUN, [noted(), noted()], after=1) == Change()
    assert change_of(RUN, [], after=0) == Change()


def test_the_last_word_about_the_end_counts() -> None:
    change = change_of(RUN, [ended(), undo_requested(), ended("undone", seconds=9)], after=1)
    assert change.ending == Ending("undone", at(9))
    assert change_of(RUN, [ended(), undo_requested()], after=1).ending == Ending(None, None)


def test_a_change_is_applied_to_the_head_before_it() -> None:
    begun = change_of(RUN, [started(RUN)], after=0).apply(None)
    assert begun is not None
    assert begun.ended is None
    over = change_of(RUN, [ended("failed")], after=1).apply(begun)
    assert over is not None
    assert (over.run, over.ended) == (RUN, "failed")
    assert change_of(RUN, [noted()], after=2).apply(over) == over


@pytest.mark.parametrize(
    ("entries", "after"),
    [
        ([noted()], 0),
        ([ended()], 0),
        ([noted(), started(RUN)], 0),
        ([started(run_id(2))], 0),
        ([started(RUN), started(RUN)], 0),
        ([started(RUN)], 1),
    ],
)
def test_a_beginning_that_is_none_is_a_fault(entries: list[AnyEntry], after: int) -> None:
    change = change_of(RUN, entries, after=after)
    assert change.fault is not None
    assert (change.started, change.ending) == (None, None)


@pytest.mark.requirement("E18")
def test_content_is_plan_and_inputs_and_nothing_else() -> None:
    one = started(RUN, inputs={"a": 1, "b": [2]}, key="k")
    same = started(run_id(2), inputs={"b": [2], "a": 1}, key="l", tenant="t")
    assert content_of(one) == content_of(same)
    assert content_of(one) != content_of(started(RUN, inputs={"a": 1}))
    assert content_of(one) != content_of(
        started(RUN, inputs={"a": 1, "b": [2]}, plan=a_plan(tool="other"))
    )
