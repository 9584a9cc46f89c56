"""What is handed in at a door, checked where it comes in.

A type is only a promise. Whatever is not what it should be is refused here, by the name of the
argument and before anything is written: an entry that cannot be read back can never be mended.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from callsheet.core import value
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.core.value import Json

T = TypeVar("T")


def text(name: str, found: object) -> str:
    """Text that can be written down.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(found, str):
        raise wrong(name, "a string", found)
    plain = found if type(found) is str else str.__str__(found)
    if value.problem_of(plain):
        raise InputError(f"{name} holds half a surrogate pair, which is no text: {plain[:80]!a}.")
    return plain


def text_or_none(name: str, found: object) -> str | None:
    """The same, or None.

    Raises:
        InputError: it is something else.
    """
    return None if found is None else text(name, found)


def sought(name: str, found: object) -> str:
    """Text that something is looked up by. A NUL is spelled out: nothing is called like that.

    Raises:
        InputError: it is something else.
    """
    return text(name, found).replace("\0", "\\0")


def name_or_none(name: str, found: object) -> str | None:
    """Text that something is found by, or None.

    Raises:
        InputError: it is something else, or has a NUL in it, which no database keeps.
    """
    plain = text_or_none(name, found)
    if plain is not None and "\0" in plain:
        raise InputError(f"{name} has a NUL character in it. Leave it out.")
    return plain


def flag(name: str, found: object) -> bool:
    """True or False.

    Raises:
        InputError: it is something else, although it may count as one.
    """
    if not isinstance(found, bool):
        raise wrong(name, "True or False", found)
    return found


def whole(name: str, found: object, *, least: int = 0) -> int:
    """A whole number that is not too small.

    Raises:
        InputError: it is something else.
    """
    if isinstance(found, bool) or not isinstance(found, int):
        raise wrong(name, "a whole number", found)
    if not least <= found <= value.MAX_INTEGER:
        raise InputError(f"{name} must be {least} or more, and not over 2^63.")
    return int(found)


def whole_or_none(name: str, found: object, *, least: int = 0) -> int | None:
    """The same, or None.

    Raises:
        InputError: it is something else.
    """
    return None if found is None else whole(name, found, least=least)


def number(name: str, found: object) -> float:
    """A finite number that is not negative.

    Raises:
        InputError: it is something else.
    """
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise wrong(name, "a number", found)
    if not (0 <= found < math.inf):
        raise InputError(f"{name} must be a finite number, not negative.")
    try:
        return float(found)
    except OverflowError:
        raise InputError(f"{name} must be a finite number, not negative.") from None


def duration(name: str, found: object) -> timedelta:
    """A time span.

    Raises:
        InputError: it is something else.
    """
    return of_type(name, found, timedelta, "a timedelta")


def of_type(name: str, found: object, kind: type[T] | tuple[type[T], ...], called: str) -> T:
    """Something of a type.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(found, kind):
        raise wrong(name, called, found)
    return found


def json(name: str, found: object) -> Json:
    """A JSON value; a copy, so that nobody can change it any more.

    Raises:
        InputError: it is something else; says what.
    """
    problem = value.problem_of(found)
    if problem is not None:
        raise InputError(f"{name} is no JSON value: it is or holds something {problem}.")
    try:
        return value.decode(value.encode(found))
    except (TypeError, ValueError, RecursionError) as exc:
        raise InputError(f"{name} is no JSON value: {exc}.") from exc


def mapping(name: str, found: object) -> dict[str, Json]:
    """A mapping of names to JSON values.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(found, Mapping):
        raise wrong(name, "a mapping", found)
    plain = json(name, dict(found))
    return plain if isinstance(plain, dict) else {}


def wrong(name: str, wanted: str, found: object) -> InputError:
    """Something is not what it should be."""
    return InputError(f"{name} must be {wanted}, not {type(found).__name__}.")
