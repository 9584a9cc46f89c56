"""Calls of given lengths into lanes that are alike, the longest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Item = TypeVar("Item")


def packed(items: Iterable[Item], lanes: int, length: Callable[[Item], int]) -> list[list[Item]]:
    """Each into the lane that is free first. Good, but not always the best there is."""
    found: list[list[Item]] = [[] for _ in range(lanes)]
    loads = [0] * lanes
    for item in sorted(items, key=length, reverse=True):
        first = loads.index(min(loads))
        found[first].append(item)
        loads[first] += length(item)
    return found
