"""Values as others write them, and what they are in a plan; None: it cannot be told."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from callsheet.core.plan.mend.names import bare

if TYPE_CHECKING:
    from callsheet.core.value import Json

_AMOUNT = re.compile(
    r"(\d+(?:\.\d+)?)\s*(milliseconds?|millis|msec|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)\Z",
    re.IGNORECASE,
)  # fmt: skip
_OURS = re.compile(r"[0-9]+(?:\.[0-9]+)?\s*(?:ms|s|m|h|d)\Z")
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?\Z", re.IGNORECASE)
_PARTS = re.compile(
    r"(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+(?:\.\d+)?)\s*s)?\Z"
)
"""`1h30m`, `10m0s`."""
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})\Z")
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
_YES = frozenset(("yes", "true", "on", "required", "always", "manual", "human", "1"))
_NO = frozenset(("no", "false", "off", "never", "none", "0"))
_MONEY = re.compile(r"\$?\s*(\d+(?:\.\d+)?)\s*(?:usd|dollars?|\$)?\Z", re.IGNORECASE)


def duration(value: Json) -> Json:
    """`2 minutes`, `PT30S`, `00:05:00`, `{minutes: 5}` as a plan writes it; numbers as they are."""
    if isinstance(value, dict) and len(value) == 1:
        ((unit, count),) = value.items()
        return duration(f"{count} {unit}") if isinstance(count, (int, float)) else None
    if isinstance(value, str):
        return _duration_in(value.strip())
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _duration_in(text: str) -> Json:
    if found := _AMOUNT.match(text):
        unit = found[2].lower()
        return f"{found[1]}{'ms' if unit.startswith(('ms', 'milli')) else unit[0]}"
    if (found := _ISO.match(text)) and any(found.groups()):
        return _spelled(*(float(part or 0) for part in found.groups()))
    if (found := _PARTS.match(text)) and any(found.groups()):
        return _spelled(*(float(part or 0) for part in found.groups()))
    if found := _CLOCK.match(text):
        return _spelled(0, float(found[1] or 0), float(found[2]), float(found[3]))
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None


def is_foreign_duration(text: str) -> bool:
    """Whether a text is a duration that a plan writes otherwise."""
    return not _OURS.match(text.strip()) and duration(text) is not None


def _spelled(days: float, hours: float, minutes: float, seconds: float) -> str:
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if total and total % size == 0:
            return f"{total / size:g}{unit}"
    return f"{total:g}s"


def counted(value: Json, unit: str) -> Json:
    """So many of a unit: 5 and `m` are `5m`."""
    if isinstance(value, str):
        value = number(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return f"{value:g}{unit}"


def flag(value: Json) -> Json:
    """True or false, also in words."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (str, int)):
        word = bare(str(value))
        return True if word in _YES else False if word in _NO else None
    return None


def number(value: Json) -> Json:
    """A number, also in quotes."""
    if isinstance(value, bool) or not isinstance(value, str):
        return None if isinstance(value, bool) else value
    text = value.strip().replace(",", "")
    if text.lower() in _NUMBERS:
        return _NUMBERS.index(text.lower())
    if re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    return (
        float(text) if re.fullmatch(r"[-+]?\d*\.\d+(?:e[-+]?\d+)?", text, re.IGNORECASE) else None
    )


def plain(text: str) -> Json:
    """A value in a call as code spells it: a number, or a text with or without quotes."""
    found = number(text)
    return text.strip("'\"") if found is None else found


def money(value: Json) -> Json:
    """An amount in USD, also as `$5`."""
    if isinstance(value, str):
        found = _MONEY.match(value.strip())
        return (float(found[1]) if "." in found[1] else int(found[1])) if found else None
    return None if isinstance(value, bool) or not isinstance(value, (int, float)) else value


def texts(value: Json) -> Json:
    """A list of texts; a single one may hold several, separated by commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list):
        return [str(each) if isinstance(each, (int, float)) else each for each in value]
    return None


def choices(value: Json) -> Json:
    """The answers there are, also as `yes/no` and `yes|no`."""
    if (
        isinstance(value, str)
        and "," not in value
        and (parts := re.split(r"\s*[/|]\s*", value))[1:]
    ):
        return [part for part in parts if part]
    if isinstance(value, dict):
        return list(value)
    return texts(value)


def parsed(value: Json) -> Json:
    """A mapping that was written as text in JSON."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            found: Json = json.loads(value)
        except ValueError:
            return value
        return found
    return value


def pairs(value: Json) -> Json:
    """A mapping that was written as a list of pairs, or as `a=1 b=2`."""
    if isinstance(value, list) and value:
        if all(isinstance(each, str) and _PAIR.match(each) for each in value):
            return {each.partition("=")[0].strip(): _bare(each) for each in map(str, value)}
        named = [each for each in value if isinstance(each, dict) and _KEYS[0] in each]
        if len(named) == len(value) and all(len(each.keys() & _VALUES) == 1 for each in named):
            return {
                str(each["name"]): next(each[key] for key in each if key in _VALUES)
                for each in named
            }
    if isinstance(value, str) and (found := _ASSIGNED.findall(value)):
        whole = " ".join(f"{name}={said}" for name, said in found)
        if "".join(whole.split()) == "".join(value.split()):
            return {name: _bare(f"={said}") for name, said in found}
    return value


def _bare(each: str) -> Json:
    said = each.partition("=")[2].strip()
    counted = number(said)
    return said.strip("'\"") if counted is None or not said else counted


_PAIR = re.compile(r"\s*[A-Za-z_]\w*=", re.ASCII)
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\{\{.*?\}\}|\S+)")
_KEYS = ("name",)
_VALUES = frozenset(("value", "valuefrom", "default"))
