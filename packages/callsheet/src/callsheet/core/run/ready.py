"""Who may go next: ready steps by priority and plan order, and who is first to touch what.

Both are heaps with lazy deletion, so that a change costs what it touches and never the whole plan.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from callsheet.core.run.step import READY, StepRun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_Place = tuple[int, int, int, int]
_Heap = list[tuple[_Place, StepRun]]


class ReadyQueue:
    """Ready steps, one heap per tool, so that a tool at its limit can be passed over whole."""

    __slots__ = ("_heaps",)

    def __init__(self) -> None:
        self._heaps: dict[str, _Heap] = {}

    def push(self, step: StepRun) -> None:
        """Add a step that has become ready."""
        planned = step.planned
        step.ticket += 1
        index = -1 if step.index is None else step.index
        place = (-planned.step.priority, planned.order, index, step.ticket)
        heappush(self._heaps.setdefault(planned.tool, []), (place, step))

    def offer(
        self,
        held: Collection[str],
        most: int,
        take: Callable[[StepRun], bool],
        slotless: str = "",
    ) -> None:
        """Offer ready steps, best first, until so many are taken or nobody is left.

        Tools that are held are left out; when a step is not taken, its tool is passed over: those
        behind it want much the same. Those of `slotless` are not counted, and offered to the last.
        Nothing is removed: a step leaves when it is not ready.
        """
        taken: list[tuple[_Heap, tuple[_Place, StepRun]]] = []
        uncounted = self._heaps.get(slotless)
        heaps = [heap for tool, heap in self._heaps.items() if tool not in held and _clean(heap)]
        left = most
        while heaps:
            if not left:
                heaps = [heap for heap in heaps if heap is uncounted]
                if not heaps:
                    break
            heap = heaps[0] if len(heaps) == 1 else min(heaps, key=_first)
            is_taken = take(heap[0][1])
            left -= is_taken and heap is not uncounted
            if is_taken and len(heap) > 1:
                # Out of the way of those behind it, and back when this is over.
                taken.append((heap, heappop(heap)))
                if _clean(heap):
                    continue
            heaps = [other for other in heaps if other is not heap]
        for heap, place in taken:
            heappush(heap, place)

    def has(self, wanted: Callable[[StepRun], bool]) -> bool:
        """Whether the first of any tool is wanted."""
        return any(_clean(heap) and wanted(heap[0][1]) for heap in self._heaps.values())


def _first(heap: _Heap) -> _Place:
    return heap[0][0]


def _clean(heap: _Heap) -> bool:
    # A step that was started and became ready again has a newer ticket: the old one is void.
    while heap:
        place, step = heap[0]
        if step.state is READY and place[3] == step.ticket:
            return True
        heappop(heap)
    return False


class TouchQueues:
    """For each key that is touched, the steps that touch it and are not final, in rank order.

    Only the first of a queue may run, and whoever has begun is first until it is final: keys that
    become known late may bring in a step of lower rank. There is no deadlock: who has begun holds
    all its keys, and else the step of lowest rank never waits for one behind it.
    """

    __slots__ = ("_holders", "_queues")

    def __init__(self) -> None:
        self._queues: dict[str, list[tuple[tuple[int, int], StepRun]]] = {}
        self._holders: dict[str, StepRun] = {}

    def enter(self, step: StepRun) -> None:
        """Take a place in the queue of each key the step touches."""
        place = (step.planned.rank, -1 if step.index is None else step.index)
        for key in step.touches:
            first = self._first(key)
            heappush(self._queues.setdefault(key, []), (place, step))
            if first is not None and first is not self._first(key):
                first.ticket += 1  # it is not ready any more, and told when it is again

    def come_back(self, step: StepRun) -> None:
        """A step that was final is to run again: it waits for its keys like any other."""
        before = [(key, self._first(key)) for key in step.touches]
        step.final = False
        place = (step.planned.rank, -1 if step.index is None else step.index)
        for key, first in before:
            heappush(self._queues.setdefault(key, []), (place, step))
            if first is not None and first is not self._first(key):
                first.ticket += 1  # it is not ready any more, and told when it is again

    def hold(self, step: StepRun) -> None:
        """The step has begun to touch its keys."""
        for key in step.touches:
            self._holders[key] = step

    def is_first(self, step: StepRun) -> bool:
        """Whether it is first in all its queues."""
        return not step.touches or all(self._first(key) is step for key in step.touches)

    def leave(self, step: StepRun, then: Callable[[StepRun], None]) -> None:
        """The step is final (or stands no longer for itself); tell whoever is first now."""
        for key in step.touches:
            first = self._first(key)
            if first is not None and first is not step:
                then(first)

    def _first(self, key: str) -> StepRun | None:
        holder = self._holders.get(key)
        if holder is not None and not holder.final:
            return holder
        queue = self._queues.get(key)
        while queue and (queue[0][1].final or queue[0][1].items is not None):
            heappop(queue)
        return queue[0][1] if queue else None
