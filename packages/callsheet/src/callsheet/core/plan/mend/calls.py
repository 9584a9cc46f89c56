"""Mending calls: which tool a step calls, and with which arguments, wherever it says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.conversions import tool_of
from callsheet.core.plan.mend.desk import says, target_of, write
from callsheet.core.plan.mend.names import bare, name_for
from callsheet.core.plan.mend.synonyms import AROUND, ITERATORS, NESTED, STEP, STEP_NOISE
from callsheet.core.plan.plan import Step
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.plan.mend.conversions import Conversions
    from callsheet.core.plan.mend.desk import Desk, Mapping
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

_CALLED = re.compile(r"([A-Za-z][\w.-]*)[\[(](.*)[\])]\Z", re.DOTALL)
_PAIR = re.compile(r"(\w+)\s*=\s*(\$\{[^}]*\}|\"[^\"]*\"|'[^']*'|[^,]+?)\s*(?:,\s*|\Z)")
FIELDS = frozenset(Step.__struct_fields__)
_CALLS = ("tool", "ask", "plan", "agent")
_TERMS = frozenset(
    ("timeout", "within", "retry", "on_failure", "approval", "priority", "cache", "undo")
)


class CallMender:
    """Finds the call in a step, and puts it where it belongs."""

    def __init__(self, desk: Desk, conversions: Conversions) -> None:
        self._desk = desk
        self._conversions = conversions

    def mend(self, step: Mapping, way: Place) -> None:
        """Calls in calls, tools as keys, arguments beside the tool, terms inside of something."""
        self._spell_out(step, way)
        self._unfold(step, way)
        self._hoist(step, way)
        self._gather(step, way)

    def _gather(self, step: Mapping, way: Place) -> None:
        """`tool: mail.send` with `to: …` beside it: what the tool takes are its args."""
        spec = self._conversions.spec(tool_of(step), step.get("args"))
        known = spec.input_schema.get("properties") if spec else None
        if spec is None or not isinstance(known, dict) or says(step, "args"):
            return
        said = spec.input_schema.get("required")
        required = [str(each) for each in said] if isinstance(said, list) else []
        exact = [name for name in step if name not in FIELDS and name in known]
        if not exact or (required and not set(exact) & set(required)):
            return
        given = {**{name: step[name] for name in exact}, **_meant(step, exact, required)}
        self._desk.begin()
        rest = {name: each for name, each in step.items() if name not in given}
        step.clear()
        step.update({**rest, "args": dict(given)})
        told = ", ".join(f"`{name}:`" for name in given)
        what = "the arguments of a step are its `args`"
        fix = f"Write {told} below `args:`."
        first = next(iter(given))
        self._desk.tell((*way, first), what, fix, patch.replace(way, {**step}))
        for name in given:
            self._desk.report.moved((*way, "args", name), (*way, name))

    def _spell_out(self, step: Mapping, way: Place) -> None:
        """`tool: ocr.scan[path=/a.pdf]` is a tool and its args."""
        called = _CALLED.match(str(step.get("tool")).strip())
        if called is None or says(step, "args") or not self._conversions.is_tool(called[1]):
            return
        tool, inside = self._conversions.tool(called[1]), called[2].strip()
        pairs = _PAIR.findall(inside)
        named: Json = {name: values.plain(said) for name, said in pairs}
        is_named = "".join(f"{a}={b}" for a, b in pairs) == re.sub(
            r"\s*([=,])\s*", r"\1", inside
        ).replace(",", "")
        if inside and not (pairs and is_named):
            named = self._conversions.args({"tool": tool}, values.plain(inside))[0]
        if not isinstance(named, dict):
            return
        self._desk.begin()
        items = [(key, tool if key == "tool" else each) for key, each in step.items()]
        step.clear()
        step.update({**dict(items), "args": named})
        what = "a tool is called by its name, and what it is given are its args"
        fix = f"{write(field('tool', tool))} Its arguments are `{field('args', named)}`."
        self._desk.tell((*way, "tool"), what, fix, patch.replace(way, {**step}))

    def _unfold(self, step: Mapping, way: Place) -> None:
        """`function: {name: …, arguments: …}` is a tool and its args."""
        if self._unkey_tool(step, way):
            return
        for name, inside in step.items():
            if bare(name) not in NESTED or not isinstance(inside, dict):
                continue
            keys = [
                key for key in ("name", "tool", "id", "type") if isinstance(inside.get(key), str)
            ]
            if keys:
                self._flatten(step, way, name, self._conversions.tool(str(inside[keys[0]])))
            return

    def _unkey_tool(self, step: Mapping, way: Place) -> bool:
        """`mail.send: {to: …}` is a tool and its args."""
        if any(step.get(each) is not None for each in _CALLS):
            return False
        named = [
            name
            for name, inside in step.items()
            if name not in FIELDS
            and (
                self._conversions.spec_of(name) or ("." in name and self._conversions.is_tool(name))
            )
            and (inside is None or isinstance(inside, (dict, list, str)))
        ]
        if len(named) != 1:
            return False
        (name,) = named
        tool = self._conversions.tool(name)
        given, certain = self._conversions.args({"tool": tool}, step[name])
        self._desk.begin()
        items = [
            item
            for key, each in step.items()
            for item in (
                (("tool", tool), ("args", given if isinstance(given, dict) else {}))
                if key == name
                else ((key, each),)
            )
        ]
        step.clear()
        step.update(items)
        what = "a step says which tool it calls, and with which args"
        fix = f"{write(field('tool', tool))} Its arguments are `args:`."
        operation = patch.replace(way, {**step}) if certain or not given else None
        self._desk.tell((*way, name), what, fix, operation)
        self._desk.report.moved((*way, "args"), (*way, name))
        self._desk.report.moved((*way, "tool"), (*way, name))
        return True

    def _flatten(self, step: Mapping, way: Place, name: str, tool: str) -> None:
        self._desk.begin()
        inside = step[name]
        assert isinstance(inside, dict)
        given = next(
            (key for key in inside if target_of(STEP, key)[0] == "args" or key == "args"), None
        )
        rest = {key: each for key, each in step.items() if key not in (name, "tool", "args")}
        step.clear()
        step.update({**{key: each for key, each in rest.items() if key == "id"}, "tool": tool})
        if given is not None:
            step["args"] = values.parsed(inside[given])
        step.update(rest)
        what, fix = "a tool is called by its name", write(field("tool", tool))
        self._desk.tell((*way, name), what, fix, patch.replace(way, {**step}))
        if given is not None:
            before = (*way, name, given)
            what = "the arguments of a step are its `args`"
            self._desk.tell(before, what, "Write `args:` in the step itself.")
            self._desk.report.moved((*way, "args"), before)
        self._desk.report.moved((*way, "tool"), (*way, name))

    def _hoist(self, step: Mapping, way: Place) -> None:
        """`options: {timeout: …, retry: …}` are fields of the step itself."""
        for name in [name for name in step if name not in FIELDS]:
            inside = step[name]
            if not isinstance(inside, dict) or not self._is_around(step, name, inside):
                continue
            self._desk.begin()
            items = [
                item
                for key, each in step.items()
                for item in (inside.items() if key == name else ((key, each),))
                if key == name or item[0] not in inside
            ]
            told = ", ".join(
                f"`{target_of(STEP, key)[0] or key}:`"
                for key in inside
                if is_on_terms(key) or key in FIELDS
            )
            step.clear()
            step.update(items)
            what = "what it says belongs in the step itself"
            fix = f"Write {told} in the step, without `{name}:`."
            self._desk.tell((*way, name), what, fix, patch.replace(way, {**step}))
            for key in inside:
                self._desk.report.moved((*way, key), (*way, name, key))

    def _is_around(self, step: Mapping, name: str, inside: Mapping) -> bool:
        """Whether what a field holds are fields of the step."""
        if bare(name) in AROUND:
            return any(map(is_on_terms, inside))
        if bare(name) in ITERATORS and tool_of(step) is None:
            tool = tool_of(inside)
            return isinstance(tool, str) and self._conversions.is_tool(tool)
        is_strange = not target_of(STEP, name)[0] and bare(name) not in STEP_NOISE
        return is_strange and bool(inside) and all(map(is_on_terms, inside))


def is_on_terms(name: str) -> bool:
    """Whether a field says how a step is carried out, and not what it calls."""
    meant = name if name in FIELDS else target_of(STEP, name)[0]
    return meant in _TERMS


def _meant(step: Mapping, exact: list[str], required: list[str]) -> Mapping:
    """Other fields of a step that are surely arguments that are missing."""
    missing = [each for each in required if each not in exact]
    found: Mapping = {}
    for name in [name for name in step if name not in FIELDS and name not in exact]:
        is_strange = not target_of(STEP, name)[0] and bare(name) not in STEP_NOISE
        like = name_for(name, missing) if is_strange else None
        if like is not None and like[1]:
            found[name] = step[name]
            missing.remove(like[0])
    return found
