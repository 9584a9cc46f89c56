"""Fields: how each kind of value in a plan is read.

A reader is given the value and its place, reports what is wrong with it, and returns the normal
form: `retry: 3` and `retry: {attempts: 3}` become the same. After an error it returns what can
still be used, or None: then the rest is read and checked as if the field were not there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from callsheet.core import patch
from callsheet.core.plan.duration import MAX_SECONDS, seconds_in
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.names import closest, field_for
from callsheet.core.problem import Place, Report, one_of, show
from callsheet.core.schema.shape import kind_of
from callsheet.core.value import Json

if TYPE_CHECKING:
    import re

Reader: TypeAlias = Callable[[Report, Place, Json], Json]

_NAMES = {"string": "text", "object": "a mapping", "array": "a list", "null": "empty"}


def wrong(
    report: Report,
    place: Place,
    found: Json,
    wanted: str,
    fix: str = "",
    *,
    patch: dict[str, Json] | None = None,
) -> None:
    """Report a value of the wrong kind."""
    kind = kind_of(found)
    shown = "" if found is None else f" ({show(found)})"
    name = _NAMES.get(kind, f"a {kind}" if kind != "integer" else "an integer")
    report.error(place, f"it must be {wanted}, not {name}{shown}", fix, patch=patch)


def anything(_report: Report, _place: Place, found: Json) -> Json:
    """Any JSON value."""
    return found


def text(report: Report, place: Place, found: Json) -> Json:
    """Text that is not empty."""
    if not isinstance(found, str):
        scalar = found is not None and not isinstance(found, (list, dict))
        quoted = json.dumps(found) if scalar else ""
        meant = f'"{quoted}"' if quoted else ""
        operation = patch.replace(place, quoted) if quoted else None
        wrong(report, place, found, "text", f"Write `{meant}`." if meant else "", patch=operation)
        return quoted or None
    if not found.strip():
        report.error(place, "it is empty", "Leave it out, or write some text.")
        return None
    return found


def remark(report: Report, place: Place, found: Json) -> Json:
    """Text that may be empty."""
    if not isinstance(found, str):
        wrong(report, place, found, "text")
        return None
    return found


def flag(report: Report, place: Place, found: Json) -> Json:
    """True or false."""
    if not isinstance(found, bool):
        meant = values.flag(found)
        operation = patch.replace(place, meant) if meant is not None else None
        fix = f"Write `{show(meant)}`." if meant is not None else "Write `true` or `false`."
        wrong(report, place, found, "true or false", fix, patch=operation)
        return meant
    return found


def whole(least: int, most: int) -> Reader:
    """An integer within limits."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, int) or isinstance(found, bool):
            meant = values.number(found) if isinstance(found, str) else None
            operation = patch.replace(place, meant) if isinstance(meant, int) else None
            fix = f"Write `{meant}`." if isinstance(meant, int) else ""
            wrong(report, place, found, "an integer", fix, patch=operation)
            found = meant
        if not isinstance(found, int):
            return None
        if not least <= found <= most:
            nearest = min(max(found, least), most)
            what = f"it must be between {least:,} and {most:,}, not {found:,}"
            report.error(place, what, f"Write `{nearest}`.")
            return nearest
        return found

    return read


def amount(report: Report, place: Place, found: Json) -> Json:
    """A number that is not negative."""
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        meant = values.money(found)
        operation = patch.replace(place, meant) if meant is not None else None
        wrong(
            report,
            place,
            found,
            "a number",
            f"Write `{meant}`." if operation else "",
            patch=operation,
        )
        found = meant
    if not isinstance(found, (int, float)):
        return None
    if found < 0:
        report.error(place, f"it must not be negative, as {found} is", "Leave it out.")
        return None
    return float(found)


def duration(*, zero: bool = False) -> Reader:
    """Seconds, or text with a unit."""

    def read(report: Report, place: Place, found: Json) -> Json:
        seconds = seconds_in(found)
        if seconds is None:
            meant = values.duration(found)
            operation = patch.replace(place, meant) if meant is not None else None
            fix = f"Write `{meant}`." if operation else "Write 500ms, 30s, 5m, 1h or 1d."
            wrong(report, place, found, "a duration", fix, patch=operation)
            return seconds_in(meant)
        if not (0 < seconds <= MAX_SECONDS or (zero and seconds == 0)):
            report.error(place, f"{show(found)} is no duration to wait", "Write 500ms, 30s or 5m.")
            return None
        return seconds

    return read


def choice(*options: str) -> Reader:
    """One of a few words."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if found not in options:
            near = None
            if isinstance(found, str) and report.may_guess(len(options)):
                near = closest(found, options)
            meant = near[0] if near else options[0]
            what = f"it must be {' or '.join(options)}, not {show(found)}"
            operation = patch.replace(place, meant) if near and near[1] else None
            report.error(place, what, f"Write `{meant}`.", patch=operation)
            return meant if near else None
        return found

    return read


def texts(each: Reader) -> Reader:
    """A list of texts that are all different, or a single one."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if isinstance(found, str):
            only = each(report, place, found)
            return [only] if only is not None else None
        if not isinstance(found, list):
            wrong(report, place, found, "a list")
            return None
        built: dict[str, Json] = {}
        for index, item in enumerate(found):
            if isinstance(item, str) and item in built:
                here = (*place, index)
                operation = patch.remove(here) if index == len(found) - 1 else None
                report.error(
                    here, f"{show(item)} appears here twice", "Leave it out.", patch=operation
                )
            read_one = each(report, (*place, index), item)
            if isinstance(read_one, str):
                built[read_one] = None
        return list(built)

    return read


def matching(pattern: re.Pattern[str], wanted: str, fix: str) -> Reader:
    """Text of a certain form."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, str):
            wrong(report, place, found, wanted, fix)
            return None
        if not pattern.match(found):
            report.error(place, f"{show(found)} is not {wanted}", fix)
            return None
        return found

    return read


def mapping(report: Report, place: Place, found: Json) -> Json:
    """A mapping of anything."""
    if not isinstance(found, dict):
        wrong(
            report,
            place,
            found,
            "a mapping",
            "It has the names of the arguments, and their values.",
        )
        return None
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
            wrong(report, place, found, "a mapping", f"Its fields are {one_of(table)}.")
            return None
        built: dict[str, Json] = {}
        for name, each in found.items():
            reader = table.get(name)
            if reader is None:
                _refuse(report, (*place, name), name, table, later=name in later)
            elif each is None and name not in required:
                continue
            elif (made := reader(report, (*place, name), each)) is not None:
                built[name] = made
        for name in [name for name in required if name not in found]:
            report.error((*place, name), "it is missing", f"Write a `{name}`.")
        return built

    return read


def _refuse(
    report: Report, place: Place, name: str, known: Collection[str], *, later: bool
) -> None:
    if later:
        what = f"`{name}` is not available in this version"
        report.error(place, what, "Leave it out.", patch=patch.remove(place))
        return
    # The same list need not be read twice.
    listed = report.once(f"The fields are {one_of(known)}.")
    near = field_for(name, known) if report.may_guess(len(known)) else None
    fix = f"Did you mean {near[0]!r}?" if near else "Leave it out."
    report.error(place, f"there is no field {show(name)}", f"{fix} {listed}".strip())
