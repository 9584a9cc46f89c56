"""Patches: single operations of RFC 6902 on plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.core.problem import Place
    from callsheet.core.value import Json


def pointer(way: Place) -> str:
    """A way as a JSON pointer."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in way)


def move(before: Place, now: Place) -> dict[str, Json]:
    """What stands at one place stands at another."""
    return {"op": "move", "from": pointer(before), "path": pointer(now)}


def replace(way: Place, value: Json) -> dict[str, Json]:
    """Something else stands there."""
    return {"op": "replace", "path": pointer(way), "value": value}


def add(way: Place, value: Json) -> dict[str, Json]:
    """Something stands there that did not."""
    return {"op": "add", "path": pointer(way), "value": value}


def remove(way: Place) -> dict[str, Json]:
    """Nothing stands there."""
    return {"op": "remove", "path": pointer(way)}


def patched(document: Json, operation: dict[str, Json]) -> Json:
    """The document after an operation; containers are changed in place.

    Raises:
        LookupError: there is nothing at the place that it speaks of.
    """
    path = _parts(operation["path"])
    match operation["op"]:
        case "remove":
            _take(document, path)
            return document
        case "move":
            before = _parts(operation["from"])
            holder = _at(document, before[:-1])
            if isinstance(holder, dict) and path and before[:-1] == path[:-1]:
                _rename(holder, before[-1], path[-1])
                return document
            return _put(document, path, _take(document, _parts(operation["from"])), fresh=True)
        case "add":
            return _put(document, path, operation["value"], fresh=True)
        case _:
            return _put(document, path, operation["value"], fresh=False)


def _rename(holder: dict[str, Json], old: str, new: str) -> None:
    """In the place of the old one: a person reads it."""
    if old not in holder:
        raise LookupError(old)
    items = [(new if name == old else name, each) for name, each in holder.items() if name != new]
    holder.clear()
    holder.update(items)


def _parts(text: Json) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in str(text).split("/")[1:]]


def _take(document: Json, path: list[str]) -> Json:
    holder = _at(document, path[:-1])
    if isinstance(holder, dict):
        return holder.pop(path[-1])
    if isinstance(holder, list):
        return holder.pop(int(path[-1]))
    raise LookupError(path)


def _put(document: Json, path: list[str], value: Json, *, fresh: bool) -> Json:
    if not path:
        return value
    holder = _at(document, path[:-1])
    if isinstance(holder, dict) and (fresh or path[-1] in holder):
        holder[path[-1]] = value
    elif isinstance(holder, list) and fresh:
        holder.insert(len(holder) if path[-1] == "-" else int(path[-1]), value)
    elif isinstance(holder, list):
        holder[int(path[-1])] = value
    else:
        raise LookupError(path)
    return document


def _at(document: Json, path: list[str]) -> Json:
    for part in path:
        if isinstance(document, dict):
            document = document[part]
        elif isinstance(document, list):
            document = document[int(part)]
        else:
            break
    else:
        return document
    raise LookupError(path)
