"""Order: which step comes before which, and what it looks like when that cannot be said.

Works on ids alone. Never recursive, so the length of a chain does not matter.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def ranks(edges: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The position of each id when everything stands after what it needs.

    `edges` says what each id needs, in plan order; among those that could come next, the first in
    the plan does. Ids on a cycle, or behind one, have no position and are left out, and so are
    needs that are no ids.
    """
    place = {step: index for index, step in enumerate(edges)}
    names = list(edges)
    missing = [0] * len(names)
    dependents: list[list[int]] = [[] for _ in names]
    for index, needs in enumerate(edges.values()):
        known = {place[need] for need in needs if need in place}
        missing[index] = len(known)
        for need in known:
            dependents[need].append(index)
    free = [index for index, count in enumerate(missing) if not count]
    heapify(free)
    order: dict[str, int] = {}
    while free:
        index = heappop(free)
        order[names[index]] = len(order)
        for dependent in dependents[index]:
            missing[dependent] -= 1
            if not missing[dependent]:
                heappush(free, dependent)
    return order


def find_cycle(edges: Mapping[str, Collection[str]]) -> list[str] | None:
    """One cycle, from an id along what it needs back to itself (`[a, b, a]`), or None."""
    ordered = ranks(edges)
    if len(ordered) == len(edges):
        return None
    # Whoever has no position needs somebody who has none either, so that the way along such needs
    # never ends, and among finitely many ids must come back to where it has been.
    current = next(step for step in edges if step not in ordered)
    seen: dict[str, int] = {}
    path: list[str] = []
    while current not in seen:
        seen[current] = len(path)
        path.append(current)
        current = next(need for need in edges[current] if need in edges and need not in ordered)
    cycle = path[seen[current] :]
    # Begin with the one that stands first in the plan: the same cycle is always told alike.
    members = set(cycle)
    start = cycle.index(next(step for step in edges if step in members))
    return [*cycle[start:], *cycle[:start], cycle[start]]
