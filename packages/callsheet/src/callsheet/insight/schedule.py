"""How long work takes when so much of it goes on at once: the scheduler, played through.

A model of what the engine does: whatever is ready starts by priority, then in plan order, as long
as there is a place and what it touches is free. Nothing here knows of plans; it works on numbers.
"""

from __future__ import annotations

from collections import Counter, deque
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Work(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """One step: so many calls of so many seconds, after some others."""

    needs: tuple[int, ...] = ()
    """Places in the list of works, all before its own or after: there is no cycle."""
    calls: int = 1
    seconds: float = 0.0
    """Of one call."""
    priority: int = 0
    slot: bool = True
    """Whether a call takes one of the places; a question does not."""
    holds: tuple[str, ...] = ()
    """What a call keeps others from using: keys it touches, a tool with a limit."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How it went."""

    seconds: float
    most_at_once: int
    """Calls that took a place at the same time."""


def play(
    works: Sequence[Work], concurrency: int, limits: Mapping[str, int] | None = None
) -> Played:
    """Play it through. `limits` says how many calls may hold a thing at once; else one."""
    return _Stage(works, concurrency, limits or {}).play()


def longest_path(works: Sequence[Work]) -> tuple[float, list[int]]:
    """The chain that takes longest, however many places there are: its seconds, and its members.

    Of several, the one with most members: where no time is known, that is what is left to say.
    """
    ends: list[tuple[float, int]] = [(0.0, 0)] * len(works)
    before: list[int | None] = [None] * len(works)
    for index in _in_order(works):
        work = works[index]
        last = max(work.needs, key=lambda need: ends[need], default=None)
        before[index] = last
        seconds, members = ends[last] if last is not None else (0.0, 0)
        ends[index] = (seconds + (work.seconds if work.calls else 0.0), members + 1)
    at: int | None = max(range(len(works)), key=lambda index: ends[index], default=None)
    total = ends[at][0] if at is not None else 0.0
    chain = []
    while at is not None:
        chain.append(at)
        at = before[at]
    return total, chain[::-1]


def waves(works: Sequence[Work]) -> list[list[int]]:
    """Who could go on together: each in the first wave after all that it needs."""
    depth = [0] * len(works)
    found: list[list[int]] = []
    for index in _in_order(works):
        depth[index] = max((depth[need] + 1 for need in works[index].needs), default=0)
        while len(found) <= depth[index]:
            found.append([])
        found[depth[index]].append(index)
    return [sorted(wave) for wave in found]


def _dependents(works: Sequence[Work]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in works]
    for index, work in enumerate(works):
        for need in work.needs:
            found[need].append(index)
    return found


def _in_order(works: Sequence[Work]) -> list[int]:
    """Everything after what it needs."""
    dependents = _dependents(works)
    unmet = [len(work.needs) for work in works]
    order = [index for index, count in enumerate(unmet) if not count]
    for index in order:  # grows while it is walked
        for dependent in dependents[index]:
            unmet[dependent] -= 1
            if not unmet[dependent]:
                order.append(dependent)
    return order


class _Stage:
    """The state of a play: who is ready, who runs until when, who waits for what."""

    def __init__(self, works: Sequence[Work], concurrency: int, limits: Mapping[str, int]) -> None:
        self._works = works
        self._limits = limits
        self._free = concurrency
        self._places = concurrency
        self._dependents = _dependents(works)
        self._unmet = [len(work.needs) for work in works]
        self._left = [work.calls for work in works]
        self._ready: list[tuple[int, int, int]] = []
        """Priority (highest first), place in the plan, number of the call."""
        self._running: list[tuple[float, int, int]] = []
        self._held: Counter[str] = Counter()
        self._queues: dict[str, deque[tuple[int, int, int]]] = {}
        self._now = 0.0
        self._begun = self._most = 0

    def play(self) -> Played:
        self._arrive([index for index, count in enumerate(self._unmet) if not count])
        self._start()
        while self._running:
            self._now, _, index = heappop(self._running)
            self._end(index)
            # Whatever ends at the same time makes room before anything starts.
            while self._running and self._running[0][0] <= self._now:
                self._end(heappop(self._running)[2])
            self._start()
        return Played(seconds=self._now, most_at_once=self._most)

    def _arrive(self, arrived: list[int]) -> None:
        """All that these need is done; what has no calls is done at once."""
        while arrived:
            index = arrived.pop()
            work = self._works[index]
            if not work.calls:
                arrived += self._met_by(index)
            elif work.slot:
                for call in range(work.calls):
                    heappush(self._ready, (-work.priority, index, call))
            else:
                for _ in range(work.calls):
                    self._run(index)

    def _met_by(self, index: int) -> list[int]:
        met = []
        for dependent in self._dependents[index]:
            self._unmet[dependent] -= 1
            if not self._unmet[dependent]:
                met.append(dependent)
        return met

    def _start(self) -> None:
        while self._free and self._ready:
            ticket = heappop(self._ready)
            work = self._works[ticket[1]]
            full = next((name for name in work.holds if self._is_full(name)), None)
            if full is not None:
                self._queues.setdefault(full, deque()).append(ticket)
                # It may have been woken for something else that is free: the next takes that.
                self._wake(name for name in work.holds if not self._is_full(name))
                continue
            self._free -= 1
            self._held.update(work.holds)
            self._most = max(self._most, self._places - self._free)
            self._run(ticket[1])

    def _is_full(self, name: str) -> bool:
        return self._held[name] >= self._limits.get(name, 1)

    def _run(self, index: int) -> None:
        self._begun += 1
        heappush(self._running, (self._now + self._works[index].seconds, self._begun, index))

    def _end(self, index: int) -> None:
        work = self._works[index]
        if work.slot:
            self._free += 1
            self._held.subtract(work.holds)
            self._wake(work.holds)
        self._left[index] -= 1
        if not self._left[index]:
            self._arrive(self._met_by(index))

    def _wake(self, names: Iterable[str]) -> None:
        for name in names:
            if waiting := self._queues.get(name):
                heappush(self._ready, waiting.popleft())
