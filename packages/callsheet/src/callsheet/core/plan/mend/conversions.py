"""Conversions: the values of a step's fields as others write them, and as a plan does."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from callsheet.core.plan.duration import seconds_in
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.desk import target_of
from callsheet.core.plan.mend.names import bare, tool_for
from callsheet.core.plan.mend.synonyms import RETRY, STEP, STEP_FAILURE
from callsheet.core.plan.plan import Retry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.plan.toolspec import Tools, ToolSpec
    from callsheet.core.problem import Report
    from callsheet.core.value import Json

Guess: TypeAlias = "tuple[Json, bool]"
"""A value, and whether it is certain; None: nothing should stand there."""

_CALL = re.compile(r"([A-Za-z][\w.-]*)\((.*)\)\Z", re.DOTALL)
"""A call as code spells it: `flights.cancel(id=${output.id})`."""
_PAIR = re.compile(r"\s*(\w+)\s*[=:]\s*([^,]+?)\s*(?:,|\Z)")
_MOST_ITEMS = 256
_NO_AXES = frozenset(("include", "exclude"))
_UNITS = {"seconds": "s", "minutes": "m", "hours": "h", "milliseconds": "ms"}


class Names(msgspec.Struct, frozen=True):
    """What the steps of a plan are called, here and where they come from."""

    ids: dict[str, str] = {}
    """Every name that a step may be referred to with, to its id."""
    items: dict[str, str] = {}
    """Step id to the name that its items have there."""


class Conversions:
    """Converts values, with the tools that are called and the names that steps have."""

    def __init__(self, tools: Tools | None, report: Report) -> None:
        self._tools = tools
        self._report = report
        self._tool_names: Sequence[str] | None = None
        """Asked for once: a tenant's are picked from all there are."""
        self.names = Names(ids={}, items={})
        self._special: dict[str, Callable[[Mapping, Json], Guess]] = {
            "tool": lambda _, said: self._only_tool(said),
            "args": self.args,
            "needs": lambda _, said: (self.needs(said), True),
            "undo": self.undo,
            "retries": lambda step, said: (_retry(step.get("retry"), said, 1), True),
            "attempts": lambda step, said: (_retry(step.get("retry"), said, 0), True),
            "backoff": lambda step, said: (_backoff(step.get("retry"), said), True),
            "policy": lambda _, said: (retry_policy(said), True),
            "restart": lambda _, said: (_restart(said), True),
        }

    def convert(self, step: Mapping, said: Json, new: str, conversion: str) -> Guess:
        """What a value is in the field it belongs to."""
        if conversion in self._special:
            return self._special[conversion](step, said)
        if conversion in _UNITS:
            return values.counted(said, _UNITS[conversion]), True
        if conversion in _SIMPLE:
            return _SIMPLE[conversion](said)
        if new == "on_failure" and isinstance(said, str):
            return STEP_FAILURE.get(bare(said), said), True
        return said, True

    def tool(self, name: str) -> str:
        """The tool that is meant, where that is certain; else the name as it is."""
        if self._tools is None or self._tools.spec(name) is not None:
            return name
        found = self._meant(name, self._tools)
        return found[0] if found and found[1] else name

    def _meant(
        self, name: str, tools: Tools, given: Collection[str] = ()
    ) -> tuple[str, bool] | None:
        if self._tool_names is None:
            self._tool_names = tools.names()
        if not self._report.may_guess(len(self._tool_names)):
            return None
        return tool_for(name, self._tool_names, tools.spec, given)

    def _only_tool(self, said: Json) -> Guess:
        one = said[0] if isinstance(said, list) and len(said) == 1 else said
        return (self.tool(one) if isinstance(one, str) else said), True

    def is_tool(self, name: str) -> bool:
        """Whether a name is certainly that of a tool."""
        return self._tools is not None and self._tools.spec(self.tool(name)) is not None

    def spec_of(self, name: str) -> ToolSpec | None:
        """The declaration of a tool of exactly this name."""
        return self._tools.spec(name) if self._tools is not None else None

    def lacks(self, name: str) -> bool:
        """Whether there is certainly no such tool."""
        return self._tools is not None and self._tools.spec(name) is None

    def spec(self, name: Json, given: Json = None) -> ToolSpec | None:
        """The declaration of the tool that is meant, certain or not."""
        if self._tools is None or not isinstance(name, str):
            return None
        spec = self._tools.spec(name)
        if spec is None:
            taken = tuple(given) if isinstance(given, dict) else ()
            found = self._meant(name, self._tools, taken)
            spec = self._tools.spec(found[0]) if found else None
        return spec

    def args(self, step: Mapping, said: Json) -> Guess:
        """Arguments without names are those that the tool takes, in its order."""
        said = values.pairs(values.parsed(said))
        spec = self.spec(tool_of(step))
        if isinstance(said, dict):
            return _unboxed(said, spec), True
        properties = spec.input_schema.get("properties") if spec else None
        if not isinstance(properties, dict) or said is None:
            return said, False
        given = said if isinstance(said, list) else [said]
        return dict(zip(properties, given, strict=False)), len(given) <= len(properties)

    def needs(self, said: Json) -> Json:
        """The ids of the steps that are named, in whatever way."""
        listed = values.texts([said] if isinstance(said, (int, float)) else said)
        if isinstance(said, dict):
            listed = list(said)
        if not isinstance(listed, list):
            return said
        named = [_named(each) for each in listed]
        return list(dict.fromkeys(self._step_named(each) for each in named if each))

    def _step_named(self, said: str) -> str:
        """The id that is meant, also by `sum.Succeeded` and `tool.name.id`."""
        ids = self.names.ids
        parts = said.split(".")
        return ids.get(said) or ids.get(parts[-1]) or ids.get(parts[0]) or said

    def undo(self, step: Mapping, said: Json) -> Guess:
        """A tool's name alone: the call that gets what it takes from the call it takes back."""
        if not isinstance(said, str) or said == "none":
            return said, True
        if bare(said).startswith("no") and self.spec(said) is None:
            return "none", False
        if called := _CALL.match(said.strip()):
            pairs = _PAIR.findall(called[2])
            is_whole = len(pairs) == len([each for each in called[2].split(",") if each.strip()])
            spelled = {each: values.plain(text) for each, text in pairs}
            return {"tool": self.tool(called[1]), "args": spelled}, is_whole
        name = self.tool(said)
        spec, own = self.spec(name), self.spec(tool_of(step), step.get("args"))
        if spec is None:
            return {"tool": name}, False
        meant = undo_call(spec, own)
        return (meant, True) if meant is not None else ({"tool": name}, False)


def _unboxed(said: Mapping, spec: ToolSpec | None) -> Json:
    """`arguments: {parameters: [{name: a, value: 1}]}` are the parameters alone."""
    if len(said) != 1 or spec is None:
        return said
    ((name, inside),) = said.items()
    properties = spec.input_schema.get("properties")
    meant = values.pairs(inside)
    is_box = target_of(STEP, name)[0] == "args" and isinstance(meant, dict)
    if is_box and isinstance(properties, dict) and name not in properties:
        return meant
    return said


def undo_call(spec: ToolSpec, own: ToolSpec | None) -> Json:
    """The call of an undo, with what the call it takes back knows; None: that is not enough."""
    wanted = spec.input_schema.get("required")
    args: dict[str, Json] = {}
    for each in wanted if isinstance(wanted, list) else []:
        found = _known_to_undo(str(each), own)
        if found is None:
            return None
        args[str(each)] = found
    return {"tool": spec.name, "args": args} if args else {"tool": spec.name}


def tool_of(step: Mapping) -> Json:
    """What a step calls, under whatever name it says so."""
    return step.get("tool") or next(
        (step[name] for name in step if target_of(STEP, name)[0] == "tool"), None
    )


def _known_to_undo(name: str, own: ToolSpec | None) -> str | None:
    for root, schema in (
        ("output", own and own.output_schema),
        ("args", own and own.input_schema),
    ):
        known = schema.get("properties") if schema else None
        if isinstance(known, dict) and name in known:
            return f"${{{root}.{name}}}"
    return f"${{{name}}}" if name in ("args", "output", "key") else None


def _named(said: Json) -> str:
    if isinstance(said, dict):
        keys = ("id", "step", "task", "name")
        return next((str(said[key]) for key in keys if key in said), "")
    return str(said) if said is not None else ""


def _retry(known: Json, said: Json, more: int) -> Json:
    count = values.number(said)
    if isinstance(count, bool) or not isinstance(count, int):
        return said if isinstance(said, dict) else None
    return {**known, "attempts": count + more} if isinstance(known, dict) else count + more


def retry_policy(said: Json) -> Json:
    """A list of rules is that of the first; there, attempts count what comes after the first."""
    if not isinstance(said, list) or not said or not isinstance(said[0], dict):
        return said
    made: dict[str, Json] = {}
    for name, each in said[0].items():
        new, conversion = target_of(RETRY, name)
        if new == "attempts" and isinstance(each, int) and not isinstance(each, bool):
            made[new] = each + 1
        elif conversion == "duration" and values.duration(each) is not None:
            made[new] = values.duration(each)
    return made or said[0]


def _restart(said: Json) -> Json:
    """`on-failure:3`: three times more."""
    found = re.fullmatch(r"on[-_ ]?failure(?::(\d+))?", str(said).strip())
    return int(found[1] or 2) + 1 if found else None


def _backoff(known: Json, said: Json) -> Json:
    wait = values.duration(said)
    if wait is None:
        return None
    before: dict[str, Json] = known if isinstance(known, dict) else {}
    if known is not None and not isinstance(known, dict):
        before = {"attempts": known}
    if "max_backoff" not in before and (seconds_in(wait) or 0) > Retry().max_backoff:
        # Else no wait would be longer than what is usual.
        return {**before, "backoff": wait, "max_backoff": wait}
    return {**before, "backoff": wait}


def _matrix(said: Json) -> Guess:
    inside = said.get("matrix", said) if isinstance(said, dict) else said
    if isinstance(inside, dict) and len(inside) == 1:
        return next(iter(inside.values())), True
    if isinstance(inside, dict) and all(isinstance(each, list) for each in inside.values()):
        whole = cast("dict[str, list[Json]]", inside)
        if prod(map(len, whole.values())) <= _MOST_ITEMS and not whole.keys() & _NO_AXES:
            # Each of one with each of the others, as mappings.
            return [dict(zip(whole, each, strict=True)) for each in product(*whole.values())], True
    return (inside if isinstance(inside, list) else None), True


def _negated(said: Json) -> Guess:
    """The opposite; conditions are rewritten when they are checked."""
    if not isinstance(said, str):
        return said, True
    text = said.strip()
    for start, end in (("${{", "}}"), ("{{", "}}"), ("${", "}")):
        if text.startswith(start) and text.endswith(end):
            text = text[len(start) : -len(end)].strip()
            break
    return f"!({text})", True


def _trigger(said: Json) -> Guess:
    runs = bare(str(said)).startswith(("alldone", "nonefailed", "always"))
    return (True if runs else None), False


_SIMPLE: dict[str, Callable[[Json], Guess]] = {
    "duration": lambda said: (values.duration(said), True),
    "ignore": lambda said: ("ignore" if values.flag(said) else None, True),
    "approval": lambda said: ("required" if values.flag(said) is not False else None, True),
    "flag": lambda said: (values.flag(said), True),
    "texts": lambda said: (values.texts(said), True),
    "choices": lambda said: (values.choices(said), True),
    "matrix": _matrix,
    "negated": _negated,
    "trigger": _trigger,
}
