"""Edges of a graph in the ways of others: pairs, chains with arrows, connections by name."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.value import Json

_ARROW = re.compile(r"\s*(?:->|>>|=>|→|-->)\s*")
_FROM = ("from", "source", "start", "src", "upstream", "before")
_TO = ("to", "target", "end", "dst", "downstream", "after", "node", "then")
_IF = ("condition", "when", "if", "guard", "cond")
_DEEPEST = 6


def edges_in(found: Json) -> Iterator[tuple[str, str]]:
    """Which step comes before which, in whatever way that is written."""
    if isinstance(found, str):
        for line in re.split(r"[;\n]", found):
            yield from _chain(line)
    elif isinstance(found, list):
        yield from _listed(found)
    elif isinstance(found, dict):
        for first, inside in found.items():
            yield from ((first, second) for second in _ends(inside, 0))


def _listed(found: list[Json]) -> Iterator[tuple[str, str]]:
    if found[1:] and all(isinstance(each, str) and not _ARROW.search(each) for each in found):
        yield from _pairs([[str(each)] for each in found])
        return
    for each in found:
        yield from _edge(each) if isinstance(each, dict) else edges_in(each)


def conditions_in(found: Json) -> Iterator[tuple[str, Json]]:
    """The steps to which an edge leads on a condition, with that."""
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict):
            second = next((each[key] for key in _TO if isinstance(each.get(key), str)), None)
            said = next((each[key] for key in _IF if each.get(key) is not None), None)
            if second is not None and isinstance(said, (str, dict)):
                yield str(second), said


def _edge(found: dict[str, Json]) -> Iterator[tuple[str, str]]:
    first = next((found[key] for key in _FROM if key in found), None)
    second = next((found[key] for key in _TO if key in found), None)
    if first is None or second is None:
        yield from edges_in(found)
        return
    for one in _names(first):
        for other in _names(second):
            yield one, other


def _chain(text: str) -> Iterator[tuple[str, str]]:
    """`a >> b >> [c, d]`."""
    groups = [
        [name.strip(" '\"") for name in part.strip(" []()").split(",") if name.strip()]
        for part in _ARROW.split(text)
    ]
    yield from _pairs(groups)


def _pairs(groups: list[list[str]]) -> Iterator[tuple[str, str]]:
    for before, after in pairwise(groups):
        for one in before:
            for other in after:
                yield one, other


def _names(said: Json) -> list[str]:
    return [str(each) for each in said] if isinstance(said, list) else [str(said)]


def _ends(inside: Json, depth: int) -> Iterator[str]:
    """The names at the ends of connections, however deep they stand."""
    if isinstance(inside, str):
        yield inside
    elif depth > _DEEPEST:
        return
    elif isinstance(inside, list):
        for each in inside:
            yield from _ends(each, depth + 1)
    elif isinstance(inside, dict):
        named = next((inside[key] for key in _TO if isinstance(inside.get(key), str)), None)
        if named is not None:
            yield str(named)
        else:
            for each in inside.values():
                yield from _ends(each, depth + 1)
