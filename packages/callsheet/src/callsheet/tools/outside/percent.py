"""How far a program is, from what it prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet.ports import Context

_GROUPS = frozenset({"percent", "fraction", "done", "total", "message"})


class Percent(msgspec.Struct, frozen=True):
    """Looks for progress in lines."""

    pattern: re.Pattern[str]

    def tell(self, line: str, ctx: Context) -> None:
        """Say how far it is, if the line says so."""
        found = self.pattern.search(line)
        if found is None:
            return
        groups = found.groupdict()
        ctx.progress(_fraction(groups), (groups.get("message") or "").strip())


def percent_of(text: object) -> Percent | None:
    """A regular expression with named groups, compiled.

    Raises:
        ValueError: it is none, or names no progress.
    """
    if text is None:
        return None
    if not isinstance(text, str):
        raise ValueError("must be a regular expression")  # noqa: TRY004 -- as in all declarations
    try:
        pattern = re.compile(text)
    except re.error as exc:
        raise ValueError(f"is not a regular expression: {exc}") from exc
    groups = pattern.groupindex.keys() & _GROUPS
    if not groups or len(groups & {"done", "total"}) == 1:
        msg = (
            "must have a group (?P<percent>…), (?P<fraction>…), or (?P<done>…) and (?P<total>…), "
            "or (?P<message>…)"
        )
        raise ValueError(msg)
    return Percent(pattern)


def _fraction(groups: dict[str, str | None]) -> float | None:
    try:
        found = _ratio({name: float(text) for name, text in groups.items() if text and _is(name)})
    except (ValueError, ZeroDivisionError):
        return None
    # A NaN is no less than 0 and no more than 1 either.
    return found if found is None or 0 <= found <= 1 else None


def _is(name: str) -> bool:
    return name in _GROUPS and name != "message"


def _ratio(numbers: dict[str, float]) -> float | None:
    if "percent" in numbers:
        return numbers["percent"] / 100
    if "done" in numbers and "total" in numbers:
        return numbers["done"] / numbers["total"]
    return numbers.get("fraction")
