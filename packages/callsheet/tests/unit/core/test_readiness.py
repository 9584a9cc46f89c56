"""Who may go next: by priority and plan order, and one at a time for what is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.core.story import TOOLS, Story, a_plan

from callsheet.core.ids import StepKey, item_key
from callsheet.core.plan.plan import Step
from callsheet.core.run.graph import Graph
from callsheet.core.run.ready import ReadyQueue, TouchQueues
from callsheet.core.run.step import StepRun, StepState

if TYPE_CHECKING:
    from collections.abc import Collection


def ready(*steps: Step) -> list[StepRun]:
    graph = Graph(a_plan(*steps), TOOLS)
    return [
        StepRun(
            planned, StepKey(planned.id), 0, state=StepState.READY, touches=planned.step.touches
        )
        for planned in graph.steps.values()
    ]


def a_queue(steps: list[StepRun]) -> ReadyQueue:
    queue = ReadyQueue()
    for step in steps:
        queue.push(step)
    return queue


def offered(
    queue: ReadyQueue, most: int = 99, held: Collection[str] = (), slotless: str = ""
) -> list[str]:
    found: list[str] = []

    def take(step: StepRun) -> bool:
        found.append(step.key)
        return True

    queue.offer(held, most, take, slotless)
    return found


@pytest.mark.requirement("order:priority-then-plan-order", "E4")
def test_what_needs_no_slot_is_offered_in_its_place_and_to_the_last() -> None:
    steps = ready(
        Step(id="a", tool="look"),
        Step(id="b", tool="watch"),
        Step(id="c", tool="watch", priority=5),
        Step(id="d", tool="make", priority=1),
        Step(id="e", tool="look", priority=-1),
        Step(id="f", tool="watch", priority=-2),
    )
    queue = a_queue(steps)
    assert offered(queue, slotless="watch") == ["c", "d", "a", "b", "e", "f"]
    assert offered(queue, most=1, slotless="watch") == ["c", "d", "b", "f"]
    assert offered(queue, most=2, slotless="watch") == ["c", "d", "a", "b", "f"]
    assert offered(queue, most=0, slotless="watch") == ["c", "b", "f"]
    assert offered(queue, most=1, held={"watch"}, slotless="watch") == ["d"]
    assert offered(queue, most=0, slotless="put") == []


@pytest.mark.requirement("order:priority-then-plan-order")
def test_the_best_come_first_and_stay_until_they_are_not_ready() -> None:
    steps = ready(
        Step(id="a", tool="look"),
        Step(id="b", tool="watch"),
        Step(id="c", tool="look", priority=5),
        Step(id="d", tool="watch", priority=-1),
    )
    queue = a_queue(steps[::-1])
    assert offered(queue) == ["c", "a", "b", "d"]
    assert offered(queue, most=2) == ["c", "a"]
    assert offered(queue, most=0) == []
    assert offered(queue, held={"look"}) == ["b", "d"]
    steps[2].state = StepState.RUNNING
    assert offered(queue) == ["a", "b", "d"]


def test_items_come_in_the_order_of_their_list() -> None:
    (parent,) = ready(Step(id="a", tool="look", for_each=[0, 0, 0]))
    items = [
        StepRun(parent.planned, item_key("a", n), 0, index=n, state=StepState.READY)
        for n in range(11)
    ]
    assert offered(a_queue(items[::-1])) == [f"a[{n}]" for n in range(11)]


def test_a_step_that_became_ready_twice_stands_there_once() -> None:
    steps = ready(Step(id="a", tool="look"), Step(id="b", tool="look"))
    queue = a_queue([*steps, steps[0]])
    assert offered(queue) == ["a", "b"]


def test_when_a_step_is_not_taken_its_tool_is_passed_over_and_others_are_not() -> None:
    steps = ready(
        Step(id="dear", tool="pay"),
        Step(id="dear_too", tool="pay"),
        Step(id="free", tool="look"),
    )
    queue = a_queue(steps)
    asked: list[str] = []

    def take(step: StepRun) -> bool:
        asked.append(step.key)
        return step.wanted.usd < 1

    queue.offer((), 99, take)
    assert asked == ["dear", "free"]
    assert offered(queue) == ["dear", "dear_too", "free"]


def test_it_can_be_asked_whether_anybody_could_go() -> None:
    (step,) = ready(Step(id="a", tool="look"))
    queue = a_queue([step])
    assert queue.has(lambda found: found is step)
    assert not queue.has(lambda _: False)
    step.state = StepState.RUNNING
    assert not queue.has(lambda _: True)
    assert offered(queue) == []


@pytest.mark.requirement("order:touches-never-overlap")
def test_only_the_first_may_go_and_the_next_is_told_when_it_is_final() -> None:
    first, second, other = ready(
        Step(id="a", tool="look", touches=("x", "y")),
        Step(id="b", tool="look", touches=("x",)),
        Step(id="c", tool="look", touches=("z",)),
    )
    queues = TouchQueues()
    for step in (second, other, first):
        queues.enter(step)
    assert [queues.is_first(step) for step in (first, second, other)] == [True, False, True]
    told: list[StepRun] = []
    queues.leave(first, told.append)
    assert told == [], "it is not final"
    first.final = True
    queues.leave(first, told.append)
    assert told == [second]
    assert queues.is_first(second)


def test_a_list_makes_room_for_its_items() -> None:
    parent, after = ready(
        Step(id="a", tool="look", touches=("x",), for_each=[0, 0]),
        Step(id="b", tool="look", touches=("x",)),
    )
    items = [
        StepRun(parent.planned, item_key("a", n), 0, index=n, touches=("x",)) for n in range(2)
    ]
    queues = TouchQueues()
    for step in (parent, after, *items[::-1]):
        queues.enter(step)
    assert queues.is_first(parent)
    parent.items = 2
    assert queues.is_first(items[0])
    items[0].final = items[1].final = True
    assert queues.is_first(after)


@pytest.mark.requirement("order:touches-never-overlap")
def test_whoever_has_begun_is_first_even_if_a_step_of_lower_rank_comes_late() -> None:
    late, running = ready(
        Step(id="a", tool="look", touches=("${inputs.key}",)),
        Step(id="b", tool="look", touches=("x",)),
    )
    queues = TouchQueues()
    queues.enter(running)
    queues.hold(running)
    late.touches = ("x",)
    queues.enter(late)
    assert not queues.is_first(late)
    assert queues.is_first(running), "it may be tried again: it holds its keys until it is final"
    running.final = True
    assert queues.is_first(late)


@pytest.mark.requirement("order:touches-never-overlap")
def test_a_step_that_comes_late_never_runs_beside_one_that_touches_the_same() -> None:
    story = Story(
        Step(id="first", tool="look"),
        Step(id="late", tool="look", needs=("first",), touches=("${inputs.key}",)),
        Step(id="early", tool="look", touches=("x",)),
        concurrency=4,
    )
    story.start("first", "early").end("first")
    story.decide("late", "run", "x", "x")
    assert story.starts() == []
    story.end("early", "failed", None)
    assert story.starts() == [], "it is tried again, and holds its key while it waits"
    story.fire("early").does("early")
    assert story.starts() == ["late"]


@pytest.mark.requirement("order:touches-never-overlap")
def test_a_step_that_comes_late_takes_the_place_of_one_that_was_ready() -> None:
    story = Story(
        Step(id="late", tool="look", touches=("${inputs.key}",)),
        Step(id="early", tool="look", touches=("x",)),
        concurrency=4,
    )
    story.decide("late", "run", "x")
    assert story.starts() == ["late"], "dependency order first, else plan order"
    story.does("late")
    assert story.starts() == ["early"]
