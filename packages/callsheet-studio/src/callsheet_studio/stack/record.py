"""A record of a file, read key by key: what does not fit is noted, and reading goes on.

So whoever wrote the file is told everything at once, with the place. What stands in for a value
that does not fit is of the right kind, and never gets further than the list of faults.
"""

from __future__ import annotations

import math
import re
from datetime import date
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar, cast

from callsheet.errors import InputError
from callsheet.types import Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

T = TypeVar("T", bound=str)

MOST_SHOWN = 100
"""Faults that are listed one by one."""
LONGEST_TEXT = 4000
MOST = 1e9
"""No number of a tool stack is greater: not a price, not a count of votes."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_NAME = re.compile(r"[\w.][\w .-]{0,59}\Z")
_SHOWN = 60
_GREATEST = 10**18
"""Whole numbers up to which are numbers at all."""


class StackError(InputError):
    """A file that is no tool stack."""

    code = "stack"

    problems: tuple[Problem, ...]


class Faults(Problems):
    """What is wrong with a file."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self._where = where

    def note(self, place: str, what: str) -> None:
        """Something is wrong there. `what` also says what to write instead."""
        self.add(place or "the file", what)

    def settle(self) -> None:
        """Go on if nothing is wrong.

        Raises:
            StackError: every fault, with its place.
        """
        if not self.problems:
            return
        count = len(self.problems)
        lines = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if count > MOST_SHOWN:
            lines.append(f"and {count - MOST_SHOWN} more")
        heading = f"{self._where} is not a tool stack: {count} problem{'s' * (count > 1)}."
        message = "\n".join([heading, *(f"  {line}" for line in lines)])
        raise StackError(message, self.problems)


class Record:
    """A mapping of the file."""

    def __init__(
        self, data: object, place: str, faults: Faults, known: Collection[str] | None
    ) -> None:
        """Take a value as a mapping; keys other than the `known` ones (None: any) are faults."""
        self.place = place
        self._faults = faults
        if not isinstance(data, dict):
            faults.note(place, f"{shown(data)} is not a mapping. Write {{…}}.")
            data = {}
        self._data: Mapping[str, object] = data
        if known is not None:
            for key in data:
                if key not in known:
                    self._unknown(key, known)

    def _unknown(self, key: str, known: Collection[str]) -> None:
        near = get_close_matches(key, sorted(known), 1)
        hint = f"Did you mean {near[0]!r}?" if near else "Leave it out."
        self.fault(f"{shown(key)} is not a key of this. {hint}")

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def fault(self, what: str, key: str = "") -> None:
        """Something is wrong with it, or with the value of a key."""
        self._faults.note(self.at(key), what)

    def at(self, key: str) -> str:
        """The place of a key's value."""
        return f"{self.place}.{key}".strip(".") if key else self.place

    def get(self, key: str) -> object:
        """A value as it stands there; None if it does not."""
        return self._data.get(key)

    def keys(self) -> list[str]:
        """All keys, in the order of the file."""
        return list(self._data)

    def _missing(self, key: str, write: str) -> None:
        if key in self._data:
            self.fault(f"{shown(self._data[key])} does not fit. {write}", key)
        else:
            self.fault(f"is missing. {write}", key)

    # Values

    def text(self, key: str, *, needed: bool = False) -> str:
        """Words; empty if there are none."""
        value = self._data.get(key)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or (needed and not value.strip()):
            self._missing(key, "Write a text.")
            return ""
        return self._clean(value, key)

    def _clean(self, value: str, key: str) -> str:
        if _CONTROL.search(value) or len(value) > LONGEST_TEXT:
            self.fault(
                f"has characters that cannot be shown, or more than {LONGEST_TEXT}. Write plain "
                "text.",
                key,
            )
            return ""
        return value

    def texts(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        """A list of words."""
        value = self._data.get(key)
        if value is None and not needed:
            return ()
        if not isinstance(value, list) or (needed and not value):
            self._missing(key, "Write a list of texts.")
            return ()
        found = []
        for number, each in enumerate(value):
            place = f"{key}[{number}]"
            if isinstance(each, str) and each.strip():
                found.append(self._clean(each, place))
            else:
                self.fault(f"{shown(each)} is not a text. Write one, or leave it out.", place)
        return tuple(found)

    def number(self, key: str, *, least: float = 0, most: float = MOST) -> float | None:
        """A number within limits; None if there is none."""
        value = self._data.get(key)
        if value is None:
            return None
        if not is_number(value):
            self.fault(f"{shown(value)} is not a number. Write one, or null if unknown.", key)
            return None
        number = float(cast("float", value))
        if not least <= number <= most:
            self.fault(f"{shown(value)} is not between {least:g} and {most:g}.", key)
            return None
        return number

    def price(self, key: str) -> float:
        """An amount of USD, which has to be there."""
        value = self._data.get(key)
        if not is_number(value):
            self._missing(key, "Write the price in USD, as 0.12; leave the offer out if unknown.")
            return 0.0
        number = float(cast("float", value))
        if number < 0:
            self.fault(f"{shown(value)} is negative. Write what one unit costs, 0 if free.", key)
        elif number > MOST:
            self.fault(f"{shown(value)} is too much. Write USD for one unit.", key)
        else:
            return number
        return 0.0

    def count(self, key: str) -> int | None:
        """A whole number; None if there is none."""
        value = self._data.get(key)
        number = self.number(key)
        if number is None:
            return None
        if number != int(number):
            self.fault(f"{shown(value)} is not a whole number.", key)
        return int(number)

    def day(self, key: str) -> date:
        """A date, which has to be there."""
        found = self.day_or_none(key)
        if found is None and self._data.get(key) is None:
            self._missing(key, "Write the date it was read on, as 2026-11-15.")
        return found or date.min

    def day_or_none(self, key: str) -> date | None:
        """A date; None if there is none."""
        value = self._data.get(key)
        if value is None:
            return None
        found = day_of(value)
        if found is None:
            self.fault(f"{shown(value)} is not a date. Write it as 2026-11-15.", key)
        return found

    def choice(self, key: str, options: tuple[T, ...]) -> T:
        """One of a closed set."""
        value = self._data.get(key)
        for option in options:
            if value == option:
                return option
        self._missing(key, f"Write one of {', '.join(options)}.")
        return options[0]

    def truth(self, key: str) -> bool | None:
        """True or false; None if it is not told."""
        value = self._data.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.fault(f"{shown(value)} is neither true nor false.", key)
        return None

    # Records

    def record(self, key: str, known: Collection[str] | None) -> Record:
        """A mapping in it; empty if there is none."""
        value = self._data.get(key)
        return Record({} if value is None else value, self.at(key), self._faults, known)

    def records(
        self,
        key: str,
        known: Collection[str] | None,
        *,
        needed: bool = False,
        named: str = "",
    ) -> list[Record]:
        """A list of mappings in it; `named` is the key whose value tells people which is meant."""
        value = self._data.get(key)
        if value is None and not needed:
            return []
        if not isinstance(value, list):
            self._missing(key, "Write a list [{…}, …].")
            return []
        place = self.at(key)
        return [
            Record(each, f"{place}[{number}]{_name_in(each, named)}", self._faults, known)
            for number, each in enumerate(value)
        ]


def _name_in(data: object, key: str) -> str:
    """The name that a mapping has, to stand behind its place: ` (veo-3.1)`; or nothing."""
    name = data.get(key) if key and isinstance(data, dict) else None
    return f" ({name})" if isinstance(name, str) and _NAME.match(name) else ""


def is_number(value: object) -> bool:
    """Whether it is one, and finite: true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    # A whole number may have more digits than can be counted with.
    return math.isfinite(value) if isinstance(value, float) else abs(value) <= _GREATEST


def day_of(value: object) -> date | None:
    """The date that a text stands for."""
    if not isinstance(value, str):
        return None
    try:
        found = date.fromisoformat(value)
    except ValueError:
        return None
    return found if found.isoformat() == value else None


def shown(value: object) -> str:
    """A value for a message, in one short line."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
