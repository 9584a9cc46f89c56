"""Laws of open runs and forks: when a step came to be known changes nothing about its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.choice import Choice
from tests.unit.core.story import Story

from callsheet.core.plan.plan import Step
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.run.entries import Copied
    from callsheet.core.value import Json

# A hundred plans for each law.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E19")]

NAMES = tuple("abcdefghij")
BAD = frozenset("cfi")
"""Steps of these names fail."""
LISTS: tuple[Json, ...] = (None, None, [0, 1], [])
COPIED: dict[StepState, Copied] = {
    StepState.SUCCEEDED: "succeeded",
    StepState.SKIPPED: "skipped",
    StepState.FAILED: "failed",
}


@st.composite
def some_steps(draw: st.DrawFn) -> list[Step]:
    """Steps in an order in which each may be added after those before it."""
    choose = Choice(draw)
    steps = []
    for n, name in enumerate(NAMES[: choose.below(len(NAMES)) + 1]):
        steps.append(
            Step(
                id=name,
                tool=choose.of(("look", "make", "put")),
                needs=tuple(choose.some_of(NAMES[max(n - 4, 0) : n], 3)),
                for_each=choose.of(LISTS),
                touches=choose.of(((), ("x",), ("x", "y"))),
                on_failure=choose.of(("fail", "skip", "ignore")),
                run_if_skipped=choose.rarely(4),
                priority=choose.of((0, 1)),
            )
        )
    return steps


def turn(story: Story) -> bool:
    """Settle what must be, and carry out the best call that may be made; False: there is none."""
    story.settle()
    starts = story.starts()
    if not starts:
        return False
    key = starts[0]
    if key[0] in BAD:
        story.fails(key)
    else:
        story.does(key)
    return True


def finish(story: Story) -> Story:
    while turn(story):
        pass
    return story.ends()


def told(story: Story) -> dict[str, object]:
    return {
        "state": story.s.state,
        "steps": {key: story.state(key) for key in story.s.steps},
        "failed": story.s.failed is not None,
    }


def closed(steps: Sequence[Step]) -> dict[str, object]:
    return told(finish(Story(*steps, on_failure="continue")))


@given(some_steps(), st.data())
def test_a_run_that_was_given_its_steps_one_by_one_ends_like_one_that_had_them_all(
    steps: list[Step], data: st.DataObject
) -> None:
    choose = Choice(cast("st.DrawFn", data.draw))
    begun = choose.below(len(steps) + 1)
    story = Story(*steps[:begun], on_failure="continue", grows=True)
    for step in steps[begun:]:
        for _ in range(choose.below(4)):
            turn(story)
        story.more(step)
    story.seal()
    assert told(finish(story)) == closed(steps)


@given(some_steps(), st.data())
def test_an_open_run_that_has_nothing_to_do_waits_and_does_not_count_the_time(
    steps: list[Step], data: st.DataObject
) -> None:
    choose = Choice(cast("st.DrawFn", data.draw))
    begun = choose.below(len(steps) + 1)
    story = Story(*steps[:begun], on_failure="continue", grows=True)
    while turn(story):
        story.later()
    assert story.s.state == "waiting"
    assert not story.offered()
    ran = story.s.seconds(story.now)
    story.later(1000)
    assert story.s.seconds(story.now) == ran
    for step in steps[begun:]:
        story.more(step)
    story.seal()
    assert told(finish(story)) == closed(steps)
    assert story.s.seconds(story.now) == ran


@pytest.mark.requirement("replay:fork", "E12")
@given(some_steps(), st.data())
def test_a_run_that_took_over_part_of_another_ends_like_it(
    steps: list[Step], data: st.DataObject
) -> None:
    whole = finish(Story(*steps, on_failure="continue"))
    story = Story(*steps, on_failure="continue")
    copied: set[str] = set()
    for step in steps:
        outcome = COPIED.get(whole.state(step.id))
        done_well = outcome is not None and (outcome != "failed" or step.on_failure != "fail")
        whole_and_free = step.for_each is None and copied.issuperset(step.needs)
        if outcome and done_well and whole_and_free and data.draw(st.booleans()):
            story.copied(step.id, outcome)
            copied.add(step.id)
    finish(story)
    assert {key: story.state(key) for key in story.s.steps} == {
        key: whole.state(key) for key in whole.s.steps
    }
    assert story.s.state == whole.s.state
    owed = {key for key, step in story.s.steps.items() if step.owes}
    assert owed == {key for key, step in whole.s.steps.items() if step.owes} - copied
