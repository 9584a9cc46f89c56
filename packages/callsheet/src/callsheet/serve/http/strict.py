"""JSON as it is meant: not too deep, no key twice, numbers that are numbers."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from callsheet.core import value
from callsheet.serve.problems import Refusal

DEEPEST = 64
_BRACKETS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_OPENING = (b"[", b"{")
_CLOSING = (b"]", b"}")


def read(body: bytes) -> Any:
    """What a body says.

    Raises:
        Refusal: it is no JSON, or JSON that means different things to different readers.
    """
    _must_be_flat(body)
    try:
        found = json.loads(
            body.decode(), object_pairs_hook=_once_each, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as exc:
        raise _unreadable(f"The body is not UTF-8: byte {exc.start} is wrong.") from exc
    except json.JSONDecodeError as exc:
        where = f"line {exc.lineno}, column {exc.colno}"
        raise _unreadable(f"The body is not JSON: {exc.msg}, at {where}.") from exc
    except ValueError as exc:  # an integer with more digits than Python reads
        raise _unreadable(f"The body is not JSON that can be read: {exc}.") from exc
    problem = value.problem_of(found)
    if problem is not None:
        raise _unreadable(f"The body has a value that is {problem}.")
    return found


def _must_be_flat(body: bytes) -> None:
    """See that it is not nested too deeply, before any of it is made."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return
    depth = 0
    for found in _BRACKETS.finditer(body):
        bracket = found[0]
        if bracket in _OPENING:
            depth += 1
            if depth > DEEPEST:
                raise _unreadable(f"The body is nested deeper than {DEEPEST} levels.")
        elif bracket in _CLOSING:
            depth -= 1


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = value.first_repeated(key for key, _ in pairs)
        raise _unreadable(f"The body has {str(twice)[:80]!r} twice in one object.")
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise _unreadable(f"The body has {text}, which is no number of JSON.")


def _unreadable(detail: str) -> Refusal:
    return Refusal(400, "body", detail)
