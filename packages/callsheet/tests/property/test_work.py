"""The cost of one entry is proportional to what it touches, never to the size of the plan.

Counted in calls and in memory, not in time: the same entry, and the decision after it, in a plan of
a hundred and in one of ten thousand steps.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from tests.unit.core.story import Story, failure

from callsheet.core.plan.plan import Budget, Plan, Step
from callsheet.core.run.decide import decide

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# The large plans are built once for each case.
pytestmark = pytest.mark.slow

SMALL, LARGE = 100, 10_000


def fan_out(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look") for n in range(size)))
    story.start(*(f"s{n}" for n in range(8)))
    return story, lambda: story.end("s3")


def chain(size: int) -> tuple[Story, Callable[[], object]]:
    steps = [Step(id=f"s{n}", tool="look", needs=(f"s{n - 1}",) * (n > 0)) for n in range(size)]
    story = Story(*steps).does("s0", "s1").start("s2")
    return story, lambda: story.end("s2")


def fan_in(size: int) -> tuple[Story, Callable[[], object]]:
    names = tuple(f"s{n}" for n in range(size))
    story = Story(*(Step(id=name, tool="look") for name in names), Step(id="z", needs=names))
    story.start("s0")
    return story, lambda: story.end("s0")


def items(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(Step(id="e", tool="look", for_each=[0])).expand("e", size)
    story.start("e[0]", "e[1]")
    return story, lambda: story.end("e[1]")


def one_key(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look", touches=("x",)) for n in range(size)))
    story.start("s0")
    return story, lambda: story.end("s0")


def failing(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look") for n in range(size)), on_failure="continue")
    story.start("s0")
    return story, lambda: story.end("s0", "failed", failure())


def retried(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look") for n in range(size)))
    story.fails("s0", failure("transient"))
    return story, lambda: story.fire("s0")


def short_of_money(size: int) -> tuple[Story, Callable[[], object]]:
    steps = [Step(id=f"s{n}", tool="pay") for n in range(size)]
    story = Story(*steps, budget=Budget(usd=4.0))
    story.start("s0", "s1", "s2", "s3")
    return story, lambda: story.end("s0")


def asking(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", ask="?") for n in range(size))).settle()
    return story, lambda: story.answer("s0", "yes")


def taking_back(size: int) -> tuple[Story, Callable[[], object]]:
    names = [f"s{n}" for n in range(size)]
    story = Story(*(Step(id=name, tool="make") for name in names)).does(*names).ends().undo()
    first = story.undos()[0]
    story.undo_start(first)
    return story, lambda: story.undo_end(first)


def growing(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look") for n in range(size)), grows=True)
    story.does("s0").start(*(f"s{n}" for n in range(1, 9)))
    return story, lambda: story.more(Step(id="z", tool="look", needs=("s0", "s1")))


def growing_idle(size: int) -> tuple[Story, Callable[[], object]]:
    names = [f"s{n}" for n in range(size)]
    story = Story(*(Step(id=name, tool="look") for name in names), grows=True).does(*names)
    return story, lambda: story.more(Step(id="z", tool="look", needs=("s5",)))


def cached(size: int) -> tuple[Story, Callable[[], object]]:
    story = Story(*(Step(id=f"s{n}", tool="look", cache=True) for n in range(size)))
    return story, lambda: story.cached("s0")


def child(size: int) -> tuple[Story, Callable[[], object]]:
    part = Plan(steps=(Step(id="x", tool="look"),))
    calls = (Step(id=f"s{n}", tool="look") for n in range(size))
    story = Story(Step(id="part", plan=part), *calls).start("part")
    return story, lambda: story.end("part")


CASES = [
    growing,
    growing_idle,
    cached,
    child,
    fan_out,
    chain,
    fan_in,
    items,
    one_key,
    failing,
    retried,
    short_of_money,
    asking,
    taking_back,
]


def calls_in(action: Callable[[], object]) -> int:
    count = 0

    def counting(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    # A collection in between would be counted: there are those who listen to it.
    gc.disable()
    sys.setprofile(counting)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def memory_of(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def work_of(size: int, case: Callable[[int], tuple[Story, Callable[[], object]]]) -> int:
    story, act = case(size)
    decide(story.s)

    def turn() -> None:
        act()
        decide(story.s)

    return calls_in(turn)


@pytest.mark.parametrize("case", CASES)
def test_an_entry_and_what_is_decided_after_it_cost_the_same_in_a_plan_of_any_size(
    case: Callable[[int], tuple[Story, Callable[[], object]]],
) -> None:
    assert work_of(LARGE, case) == work_of(SMALL, case)


@pytest.mark.parametrize("case", CASES)
def test_deciding_copies_nothing_that_grows_with_the_plan(
    case: Callable[[int], tuple[Story, Callable[[], object]]],
) -> None:
    story, act = case(LARGE)
    act()
    decide(story.s)
    # A list of the plan's steps would take 80 kB and more.
    assert memory_of(lambda: decide(story.s)) < 16_000
