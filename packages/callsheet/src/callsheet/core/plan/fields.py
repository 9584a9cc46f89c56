"""Fields: how each kind of value in a plan is read.

A reader is given the value and its place, reports what is wrong with it, and returns the normal
form: `retry: 3` and `retry: {attempts: 3}` become the same. What it returns after it has reported
an error does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from callsheet.core.problem import Place, Report, one_of, show
from callsheet.core.schema.shape import kind_of
from callsheet.core.value import Json

Reader: TypeAlias = Callable[[Report, Place, Json], Json]

MAX_SECONDS = 10 * 366 * 86_400.0

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h|d)\Z")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_NAMES = {"string": "text", "object": "a mapping", "array": "a list", "null": "empty"}


def wrong(report: Report, place: Place, found: Json, wanted: str, fix: str = "") -> None:
    """Report a value of the wrong kind."""
    kind = kind_of(found)
    shown = "" if found is None else f" ({show(found)})"
    name = _NAMES.get(kind, f"a {kind}" if kind != "integer" else "an integer")
    report.error(place, f"it must be {wanted}, not {name}{shown}", fix)


def anything(_report: Report, _place: Place, found: Json) -> Json:
    """Any JSON value."""
    return found


def text(report: Report, place: Place, found: Json) -> Json:
    """Text that is not empty."""
    if not isinstance(found, str):
        wrong(report, place, found, "text", "Put it into quotes." if found is not None else "")
    elif not found.strip():
        report.error(place, "it is empty", "Write some text, or leave the field out.")
    return found


def remark(report: Report, place: Place, found: Json) -> Json:
    """Text that may be empty."""
    if not isinstance(found, str):
        wrong(report, place, found, "text")
    return found


def flag(report: Report, place: Place, found: Json) -> Json:
    """True or false."""
    if not isinstance(found, bool):
        wrong(report, place, found, "true or false")
    return found


def whole(least: int, most: int) -> Reader:
    """An integer within limits."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, int) or isinstance(found, bool):
            wrong(report, place, found, "an integer")
        elif not least <= found <= most:
            report.error(place, f"it must be between {least:,} and {most:,}, not {found:,}")
        return found

    return read


def amount(report: Report, place: Place, found: Json) -> Json:
    """A number that is not negative."""
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        wrong(report, place, found, "a number")
        return found
    if found < 0:
        report.error(place, f"it must not be negative, as {found} is")
    return float(found)


def duration(*, zero: bool = False) -> Reader:
    """Seconds, or text with a unit."""

    def read(report: Report, place: Place, found: Json) -> Json:
        seconds = seconds_in(found)
        if seconds is None:
            wrong(report, place, found, "a duration", "Write 500ms, 30s, 5m, 1h or 1d.")
        elif not (0 < seconds <= MAX_SECONDS or (zero and seconds == 0)):
            report.error(place, f"{show(found)} is no duration to wait", "Write 500ms, 30s or 5m.")
        return seconds

    return read


def seconds_in(found: object) -> float | None:
    """The seconds that a number, or a text like `500ms`, stands for; None: it is no duration."""
    if isinstance(found, str):
        parts = _DURATION.match(found.strip())
        return round(float(parts[1]) * _UNITS[parts[2]], 9) if parts else None
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return float(found)


def choice(*options: str) -> Reader:
    """One of a few words."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if found not in options:
            similar = report.suggest(found, options) if isinstance(found, str) else ""
            what = f"it must be {' or '.join(options)}, not {show(found)}"
            report.error(place, what, similar or f"Write {options[0]}.")
        return found

    return read


def texts(each: Reader) -> Reader:
    """A list of texts that are all different, or a single one."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if isinstance(found, str):
            return [each(report, place, found)]
        if not isinstance(found, list):
            wrong(report, place, found, "a list")
            return found
        seen: set[str] = set()
        for index, item in enumerate(found):
            each(report, (*place, index), item)
            if isinstance(item, str) and item in seen:
                report.error((*place, index), f"{show(item)} stands here twice", "Remove one.")
            seen.add(str(item))
        return found

    return read


def matching(pattern: re.Pattern[str], wanted: str, fix: str) -> Reader:
    """Text of a certain form."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, str):
            wrong(report, place, found, wanted, fix)
        elif not pattern.match(found):
            report.error(place, f"{show(found)} is not {wanted}", fix)
        return found

    return read


def mapping(report: Report, place: Place, found: Json) -> Json:
    """A mapping of anything."""
    if not isinstance(found, dict):
        wrong(report, place, found, "a mapping", "Write `name: value` lines, or {}.")
    return found


def record(
    table: Mapping[str, Reader], *, later: Iterable[str] = (), required: Iterable[str] = ()
) -> Reader:
    """A mapping with known fields; a null is as if the field were not there.

    Fields named `later` are words of the format that this version does not carry out.
    """
    later, required = frozenset(later), tuple(required)

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, dict):
            wrong(report, place, found, "a mapping", f"Its fields: {one_of(table)}.")
            return found
        built: dict[str, Json] = {}
        for name, each in found.items():
            reader = table.get(name)
            if reader is None:
                _refuse(report, (*place, name), name, table, later=name in later)
            elif each is not None or name in required:
                built[name] = reader(report, (*place, name), each)
        for name in required:
            if name not in found:
                report.error((*place, name), "it is missing", f"Write `{name}: …`.")
        return built

    return read


def _refuse(report: Report, place: Place, name: str, known: Iterable[str], *, later: bool) -> None:
    if later:
        report.error(place, f"`{name}` is not available in this version", "Leave it out.")
        return
    similar = report.suggest(name, known)
    fix = f"{similar} The fields are {one_of(known)}.".strip()
    report.error(place, f"there is no field {show(name)}", fix)
