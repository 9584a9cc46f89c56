"""Who may go next: ready steps by priority and plan order, and who is first to touch what.

Both are heaps with lazy deletion, so that a change costs what it touches and never the whole plan.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from callsheet.core.steprun import StepRun, StepState

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

_Place = tuple[int, int, int, int]


class ReadyQueue:
    """Ready steps, one heap per tool, so that a tool at its limit can be passed over whole."""

    __slots__ = ("_heaps",)

    def __init__(self) -> None:
        self._heaps: dict[str, list[tuple[_Place, StepRun]]] = {}

    def push(self, step: StepRun) -> None:
        """Add a step that has become ready."""
        node = step.node
        step.ticket += 1
        index = -1 if step.index is None else step.index
        place = (-node.step.priority, node.order, index, step.ticket)
        heappush(self._heaps.setdefault(node.queue, []), (place, step))

    def best(self, held: Collection[str], wanted: int) -> Iterator[StepRun]:
        """At most so many ready steps, best first, leaving out tools that are held."""
        taken: list[tuple[_Place, StepRun]] = []
        heaps = [heap for tool, heap in self._heaps.items() if tool not in held]
        while len(taken) < wanted:
            heaps = [heap for heap in heaps if _clean(heap)]
            if not heaps:
                break
            heap = heaps[0] if len(heaps) == 1 else min(heaps, key=_first)
            taken.append(heappop(heap))
        for place, step in taken:
            heappush(self._heaps[step.node.queue], (place, step))
        return (step for _, step in taken)

    def __bool__(self) -> bool:
        return any(_clean(heap) for heap in self._heaps.values())


def _first(heap: list[tuple[_Place, StepRun]]) -> _Place:
    return heap[0][0]


def _clean(heap: list[tuple[_Place, StepRun]]) -> bool:
    # A step that was started and became ready again has a newer ticket: the old one is void.
    while heap and not _valid(*heap[0]):
        heappop(heap)
    return bool(heap)


def _valid(place: _Place, step: StepRun) -> bool:
    return step.state is StepState.READY and place[3] == step.ticket


class TouchQueues:
    """For each key that is touched, the steps that touch it and are not final, in rank order.

    Only the first of a queue may run. Because ranks follow dependencies, the step of lowest rank
    that is not final never waits for one behind it: there is no deadlock.
    """

    __slots__ = ("_queues",)

    def __init__(self) -> None:
        self._queues: dict[str, list[tuple[tuple[int, int], StepRun]]] = {}

    def enter(self, step: StepRun) -> None:
        """Take a place in the queue of each key the step touches."""
        place = (step.node.rank, -1 if step.index is None else step.index)
        for key in step.touches:
            heappush(self._queues.setdefault(key, []), (place, step))

    def is_first(self, step: StepRun) -> bool:
        """Whether it is first in all its queues."""
        return all(self._head(key) is step for key in step.touches)

    def leave(self, step: StepRun, then: Callable[[StepRun], None]) -> None:
        """The step is final (or stands no longer for itself); tell whoever is first now."""
        for key in step.touches:
            head = self._head(key)
            if head is not None and head is not step:
                then(head)

    def _head(self, key: str) -> StepRun | None:
        queue = self._queues.get(key)
        while queue and (queue[0][1].final or queue[0][1].items is not None):
            heappop(queue)
        return queue[0][1] if queue else None
