"""A tool by its name, with arguments as its schema wants them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

import msgspec

from callsheet.agents.language import amount
from callsheet.agents.language.phrase import unquoted
from callsheet.core.value import Json

if TYPE_CHECKING:
    from callsheet.agents.model import Offered

_CALL: Final = (
    r"(?:(?:call|run|use|invoke|start|execute|rufe?|benutze?|nutze?|verwende|starte|führe?)\s+"
    r"(?:mal\s+|bitte\s+)?(?:the\s+tool\s+|das\s+werkzeug\s+|the\s+|das\s+)?)?"
)
_NAMED: Final = re.compile(
    _CALL + r"(?P<tool>[a-z][\w-]*(?:\.[\w-]+)*)(?:\s+(?:tool|werkzeug))?(?P<rest>[\s,:({].*)?",
    re.IGNORECASE | re.DOTALL,
)
_VALUE: Final = r"""(?P<value>"[^"]*"|'[^']*'|„[^“]*“|[^,;\s]+)"""
_PAIR: Final = re.compile(
    rf"(?:--)?(?P<name>[a-z_]\w*)\s*(?:=|:)\s*{_VALUE}(?:\s*(?:,|;|and\b|und\b|\Z)\s*|\s+)",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(rf"--(?P<name>[a-z]\w*)\s+{_VALUE}(?:\s+|\Z)", re.IGNORECASE)
_VALUES: Final = re.compile(rf"{_VALUE}(?:\s*,\s*|\s+|\Z)")
_FLAGS: Final = {
    each: flag
    for flag, words in ((True, "true yes on ja an"), (False, "false no off nein aus"))
    for each in words.split()
}


class Meant(msgspec.Struct, frozen=True):
    """A tool that is to be called, with these arguments."""

    tool: str
    args: dict[str, Json]


class Misfit(msgspec.Struct, frozen=True):
    """A tool that is named, with arguments that it does not take."""

    why: str


def named(said: str, offered: dict[str, Offered]) -> Meant | Misfit | None:
    """`wait {"seconds": 4}`, `call wait with seconds=1`, `wait 2 s`, `wait --seconds 2`."""
    found = _NAMED.fullmatch(said)
    if found is None or found["tool"] not in offered:
        return None
    tool = offered[found["tool"]]
    rest = re.sub(r"\A[\s,:]*(?:with|mit|auf)?\b\s*", "", found["rest"] or "", flags=re.IGNORECASE)
    given = _arguments(rest.strip(), tool)
    if given is None:
        return None
    return fitted(tool, given) or Misfit(f"{tool.name} takes {takes(tool)}")


def _arguments(rest: str, tool: Offered) -> dict[str, Json] | None:
    """What follows a tool's name, as arguments; None: it is something else."""
    if not rest:
        return {}
    if rest[:1] == "{":
        try:
            read: Json = json.loads(rest)
        except ValueError:
            return None
        return read if isinstance(read, dict) else None
    inner = rest[1:-1] if rest[:1] == "(" and rest[-1:] == ")" else rest
    return (
        _pairs(inner, _PAIR)
        or _pairs(inner, _OPTION)
        or _by_name(inner, tool)
        or _in_order(inner, tool)
    )


def _pairs(inner: str, pattern: re.Pattern[str]) -> dict[str, Json] | None:
    pairs = list(pattern.finditer(inner))
    if not pairs or _bare("".join(pair[0] for pair in pairs)) != _bare(inner):
        return None
    return {pair["name"]: unquoted(pair["value"]) for pair in pairs}


def _bare(text: str) -> str:
    return "".join(text.split())


def _by_name(inner: str, tool: Offered) -> dict[str, Json] | None:
    """`path a.txt and text "x"`: the names of arguments, each before its value."""
    names = "|".join(map(re.escape, _properties(tool)))
    if not names:
        return None
    pattern = re.compile(
        rf"(?:the\s+|den\s+|die\s+|das\s+)?(?P<name>{names})\s+{_VALUE}(?:\s*(?:,|and\b|und\b|\Z)\s*|\s+)",
        re.IGNORECASE,
    )
    return _pairs(inner, pattern)


def _in_order(inner: str, tool: Offered) -> dict[str, Json] | None:
    """`wait 2 s`, `orders.place tea 3`: what is required, one after the other."""
    wanted = required(tool)
    if len(wanted) == 1:
        return {wanted[0]: unquoted(inner)}
    values = [unquoted(each["value"]) for each in _VALUES.finditer(inner)]
    return dict(zip(wanted, values, strict=True)) if 1 < len(values) == len(wanted) else None


def fitted(tool: Offered, given: dict[str, Json]) -> Meant | None:
    """Arguments as the tool's schema wants them; None: they do not fit."""
    known = _properties(tool)
    args: dict[str, Json] = {}
    for name, value in given.items():
        if name not in known:
            return None
        fitting = _as(known[name], name, value)
        if fitting is None:
            return None
        args[name] = fitting
    return Meant(tool.name, args) if {*required(tool)} <= args.keys() else None


def _as(schema: Json, name: str, value: Json) -> Json:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if not isinstance(value, str) or kind == "string" or not isinstance(kind, str):
        return value
    if kind in ("number", "integer"):
        found = amount.seconds(value) if "second" in name else amount.number(value)
        return None if found is None or (kind == "integer" and found != int(found)) else found
    if kind == "boolean":
        return _FLAGS.get(value.lower())
    try:
        read: Json = json.loads(value)
    except ValueError:
        return None
    return read


def _properties(tool: Offered) -> dict[str, Json]:
    properties = tool.schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def required(tool: Offered) -> list[str]:
    """The arguments that have to be given."""
    wanted = tool.schema.get("required")
    return [str(each) for each in wanted] if isinstance(wanted, list) else []


def takes(tool: Offered) -> str:
    """The arguments of a tool, for people."""
    needed = set(required(tool))
    shown = [name if name in needed else f"{name} (optional)" for name in _properties(tool)]
    return ", ".join(shown) or "no arguments"
