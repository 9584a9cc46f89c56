"""A reader who does what problems say, to the letter, and nothing else.

Applies the remaining `fix` texts of a plan: "Write `needs: [search]`." writes it, "Leave it out."
removes what stands at the place, "Choose one: a, b." takes the first. It
understands nothing, so a text that merely sounds helpful helps nobody here.
"""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.problem import Problem
    from callsheet.core.value import Json

_PART = re.compile(r"\[(\d+)\]|\['([^']*)'\]|([^.\[\]]+)")
_WRITE = re.compile(r"Write `([^`]*)`|Write (\S.*?)\.(?:\s|$)", re.DOTALL)
_CHOOSE = re.compile(r"Choose one: ([^,]+?)(?:,|\.\Z)")
_FIELD = re.compile(r"([A-Za-z_][\w-]*): ?(.*)", re.DOTALL)


def obey(document: Json, problems: Iterable[Problem]) -> Json:
    """The document, with what the problems say done."""
    document = copy.deepcopy(document)
    errors = [each for each in problems if each.severity == "error"]
    # Whole items last, from the end: places are those of the document as it was told of.
    items = [each for each in errors if _is_item(each)]
    for problem in [*(each for each in errors if each not in items), *reversed(items)]:
        document = _obey(document, problem)
    return document


def _is_item(problem: Problem) -> bool:
    way = way_of(problem.place)
    return problem.fix.startswith("Leave it out") and bool(way) and isinstance(way[-1], int)


def way_of(place: str) -> list[str | int]:
    """A place as problems spell it, taken apart."""
    if place == "plan":
        return []
    found = _PART.findall(place)
    return [int(number) if number else quoted or name for number, quoted, name in found]


def _obey(document: Json, problem: Problem) -> Json:
    way = way_of(problem.place)
    if problem.fix.startswith("Leave it out"):
        _remove(document, way)
        return document
    if choice := _CHOOSE.match(problem.fix):
        # Told to choose, and not what: any of them is what was said.
        _set(document, way, _value(choice[1]))
        return document
    found = _WRITE.match(problem.fix)
    if found is None:
        return document
    written = found[1] if found[1] is not None else found[2]
    field = _FIELD.fullmatch(written)
    if field is None:
        _set(document, way, _value(written))
        return document
    name, text = field[1], field[2]
    holder = _at(document, way[:-1]) if way else document
    if not isinstance(holder, dict):
        holder = _at(document, way)
        way = [*way, name]
    if isinstance(holder, dict):
        if way and way[-1] != name:
            holder.pop(str(way[-1]), None)
        holder[name] = _value(text)
    return document


def _value(text: str) -> Json:
    try:
        found: Json = (
            yaml.load(text, Loader=yaml.BaseLoader) if text[:1] == "$" else yaml.safe_load(text)
        )
    except yaml.YAMLError:
        return text
    return found


def _at(document: Json, way: list[str | int]) -> Json:
    for part in way:
        if isinstance(document, dict) and isinstance(part, str):
            document = document.get(part)
        elif isinstance(document, list) and isinstance(part, int) and part < len(document):
            document = document[part]
        else:
            return None
    return document


def _set(document: Json, way: list[str | int], value: Json) -> None:
    holder = _at(document, way[:-1]) if way else None
    last = way[-1] if way else None
    match holder, last:
        case dict(), str():
            holder[last] = value
        case list(), int() if last < len(holder):
            holder[last] = value


def _remove(document: Json, way: list[str | int]) -> None:
    holder = _at(document, way[:-1]) if way else None
    if isinstance(holder, dict) and isinstance(way[-1], str):
        holder.pop(way[-1], None)
    elif isinstance(holder, list) and isinstance(way[-1], int) and way[-1] < len(holder):
        del holder[way[-1]]
