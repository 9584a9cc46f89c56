"""Mending steps: fields of other systems, ids that are none, calls in calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import ids, patch
from callsheet.core.mend import values
from callsheet.core.mend.desk import Desk, target_of, write
from callsheet.core.mend.names import bare, field_for, slug, tool_for
from callsheet.core.mend.synonyms import (
    HINTS,
    ITEM_NAMES,
    NEXT,
    PEOPLE,
    RETRY,
    RETRY_NOISE,
    STEP,
    STEP_FAILURE,
    STEP_NOISE,
    STEP_OUTPUT_NAMES,
    UNDO,
)
from callsheet.core.plan.plan import Step
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.mend.desk import Mapping
    from callsheet.core.plan.toolspec import Tools, ToolSpec
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

FIELDS = frozenset(Step.__struct_fields__)
_RETRY_FIELDS = frozenset(("attempts", "backoff", "max_backoff"))
_CALLS = ("tool", "ask", "plan")
_SECONDS = {"seconds": "s", "minutes": "m", "hours": "h", "milliseconds": "ms"}
_PLAIN = frozenset(("id", "tool", "args", "needs", "when", "for_each", "touches"))
"""Fields in whose values there is nothing to mend here but needs."""
_ALREADY = "The step says it already."


class Names(msgspec.Struct, frozen=True):
    """What the steps of a plan are called, here and where they come from."""

    ids: dict[str, str] = {}
    """Every name that a step may be referred to with, to its id."""
    items: dict[str, str] = {}
    """Step id to the name that its items have there."""


class StepMender:
    """Mends the steps of one plan."""

    def __init__(self, desk: Desk, tools: Tools | None) -> None:
        self._desk = desk
        self._tools = tools
        self.names = Names(ids={}, items={})

    def mend(self, steps: list[Json], way: Place) -> None:
        """Mend a list of steps: their ids first, so that what refers to them can be told."""
        found = [(index, each) for index, each in enumerate(steps) if isinstance(each, dict)]
        taken = {str(step["id"]) for _, step in found if _is_id(step.get("id"))}
        for index, step in found:
            # Nearly all of them are written as they should be.
            is_ours = step.keys() <= FIELDS
            if not is_ours or isinstance(step.get("tool"), dict):
                self._unfold(step, (*way, index))
            if is_ours and _is_id(step.get("id")):
                self.names.ids[str(step["id"])] = str(step["id"])
            else:
                self._identify(step, (*way, index), index, taken)
        for index, step in found:
            if not step.keys() <= FIELDS:
                self._rename_fields(step, (*way, index), steps)
            if not step.keys() <= _PLAIN or not isinstance(step.get("args", {}), dict):
                self._mend_values(step, (*way, index))
            elif isinstance(step.get("needs"), list):
                self._mend_needs(step, (*way, index))

    # Calls

    def _unfold(self, step: Mapping, way: Place) -> None:
        """`function: {name: …, arguments: …}` is a tool and its args."""
        for name in [
            name
            for name in step
            if bare(name)
            in ("function", "tool", "call", "toolcall", "action", "activity", "operator")
        ]:
            inside = step[name]
            if not isinstance(inside, dict):
                continue
            called = next(
                (
                    inside[key]
                    for key in ("name", "tool", "id", "type")
                    if isinstance(inside.get(key), str)
                ),
                None,
            )
            given = next(
                (key for key in inside if target_of(STEP, key)[0] == "args" or key == "args"), None
            )
            if called is None:
                return
            self._desk.begin()
            tool = self._tool(str(called), ())
            rest = {key: each for key, each in step.items() if key not in (name, "tool", "args")}
            step.clear()
            step.update({**{k: v for k, v in rest.items() if k == "id"}, "tool": tool})
            if given is not None:
                step["args"] = values.parsed(inside[given])
            step.update(rest)
            report = self._desk.report
            operation = patch.replace(way, {**step})
            self._desk.tell(
                (*way, name), "a tool is called by its name", write(field("tool", tool)), operation
            )
            if given is not None:
                before = (*way, name, given)
                self._desk.tell(
                    before,
                    "the arguments of a step are its `args`",
                    "Write `args:` in the step itself.",
                )
                report.moved((*way, "args"), before)
            report.moved((*way, "tool"), (*way, name))
            return

    def _tool(self, name: str, given: tuple[str, ...]) -> str:
        """The tool that is meant, where that is certain; else the name as it is."""
        if self._tools is None or self._tools.spec(name) is not None:
            return name
        found = tool_for(name, self._tools.names(), self._tools.spec, given)
        return found[0] if found and found[1] else name

    def _spec(self, name: Json, given: Json = None) -> ToolSpec | None:
        """The declaration of the tool that is meant, certain or not."""
        if self._tools is None or not isinstance(name, str):
            return None
        spec = self._tools.spec(name)
        if spec is None:
            taken = tuple(given) if isinstance(given, dict) else ()
            found = tool_for(name, self._tools.names(), self._tools.spec, taken)
            spec = self._tools.spec(found[0]) if found else None
        return spec

    # Ids

    def _identify(self, step: Mapping, way: Place, index: int, taken: set[str]) -> None:
        old = (
            "id" if "id" in step else next((n for n in step if target_of(STEP, n)[0] == "id"), None)
        )
        said = step.get(old) if old else None
        if old == "id" and _is_id(said):
            self._alias(step, str(said))
            return
        if isinstance(said, (str, int)) and not isinstance(said, bool) and slug_of(str(said)):
            new = _free(slug_of(str(said)), taken)
            self.names.ids.setdefault(str(said), new)
            if old != "id" and said == new:
                self._desk.rename(step, way, str(old), "id")
            else:
                self._convert_id(step, way, str(old), new)
        else:
            new = _free(_id_from(step, index), taken)
            if old is None:
                self._desk.add(step, way, "id", new, "it is missing")
            else:
                self._convert_id(step, way, old, new)
        taken.add(new)
        self._alias(step, new)

    def _convert_id(self, step: Mapping, way: Place, old: str, new: str) -> None:
        if old != "id":
            self._desk.convert(step, way, old, "id", new)
            return
        fix = f"{write(field('id', new))} An id is a lowercase letter, then lowercase letters, digits and _."
        what = "it is missing" if step["id"] is None else f"{step['id']!r} is not a step id"
        self._desk.tell((*way, "id"), what, fix, patch.replace((*way, "id"), new))
        step["id"] = new

    def _alias(self, step: Mapping, name: str) -> None:
        self.names.ids[name] = name
        for other in step:
            if other == "id" or other in FIELDS:
                continue
            said = step[other]
            if isinstance(said, str) and (
                bare(other) in STEP_OUTPUT_NAMES or target_of(STEP, other)[0] == "id"
            ):
                self.names.ids.setdefault(said, name)

    # Fields

    def _rename_fields(self, step: Mapping, way: Place, steps: list[Json]) -> None:
        for name in [name for name in step if name not in FIELDS]:
            self._rename_field(step, way, name, steps)

    def _rename_field(self, step: Mapping, way: Place, name: str, steps: list[Json]) -> None:
        new, conversion = target_of(STEP, name)
        short, said = bare(name), step[name]
        is_called = any(step.get(each) is not None for each in _CALLS) or any(
            target_of(STEP, other)[0] == "tool" for other in step if other != name
        )
        if short in ITEM_NAMES and isinstance(said, str):
            self.names.items[str(step["id"])] = said
            self._desk.leave_out(step, way, name, why="The item of a for_each is ${item}.")
        elif short in STEP_OUTPUT_NAMES and isinstance(said, str) and new != "args":
            self._desk.leave_out(step, way, name, why=f"What it gives is ${{steps.{step['id']}}}.")
        elif short in NEXT:
            self._next(step, way, name, steps)
        elif (
            short == "name"
            and not is_called
            and isinstance(said, str)
            and self._spec(said) is not None
        ):
            self._convert(step, way, name, "tool", "tool")
        elif new in ("id", "") or (new == "ask" and is_called and not _is_person(step)):
            self._unknown(step, way, name)
        elif (
            new == "choices"
            and step.get("tool") is not None
            and not _is_person(step)
            and "ask" not in step
        ):
            self._convert(step, way, name, "args", "args") if isinstance(
                said, dict
            ) and "args" not in step else self._unknown(step, way, name)
        elif step.get(new) is not None and not (new == "retry" and conversion == "backoff"):
            self._desk.leave_out(step, way, name, why=_ALREADY, certain=False)
        else:
            self._convert(step, way, name, new, conversion)

    def _unknown(self, step: Mapping, way: Place, name: str) -> None:
        short = bare(name)
        near = field_for(name, FIELDS) if short not in STEP_NOISE | HINTS.keys() else None
        if near and step.get(near[0]) is None:
            if near[1] and near[0] in ("on_failure", "timeout"):
                self._convert(step, way, name, near[0], "duration" if near[0] == "timeout" else "")
            else:
                self._desk.rename(step, way, name, near[0], certain=near[1])
        elif short in STEP_NOISE or (target_of(STEP, name)[0] == "id"):
            why = "Steps run at once as far as they can." if short == "parallel" else ""
            self._desk.leave_out(step, way, name, why=why)
        elif short in HINTS:
            self._desk.leave_out(step, way, name, why=HINTS[short], certain=False)

    def _convert(self, step: Mapping, way: Place, old: str, new: str, conversion: str) -> None:
        said = step[old]
        value, certain = self._converted(step, said, new, conversion)
        if value is None:
            self._desk.leave_out(
                step,
                way,
                old,
                why=HINTS.get(bare(old), ""),
                certain=said is None or conversion == "ignore",
            )
        elif value == said and type(value) is type(said):
            self._desk.rename(step, way, old, new)
        else:
            self._desk.convert(step, way, old, new, value, certain=certain)

    def _converted(self, step: Mapping, said: Json, new: str, conversion: str) -> tuple[Json, bool]:
        match conversion:
            case "tool":
                return (self._tool(said, ()) if isinstance(said, str) else said), True
            case "args":
                return self._args(step, said)
            case "needs":
                return self._needs(said), True
            case "undo":
                return self._undo(step, said)
            case "retries" | "attempts" | "backoff":
                return _retry(step.get("retry"), said, conversion), True
            case "duration":
                return values.duration(said), True
            case "seconds" | "minutes" | "hours" | "milliseconds":
                return values.counted(said, _SECONDS[conversion]), True
            case "ignore":
                return ("ignore" if values.flag(said) else None), True
            case "approval":
                return ("required" if values.flag(said) is not False else None), True
            case "flag":
                return values.flag(said), True
            case "texts":
                return values.texts(said), True
            case "matrix":
                return _matrix(said), True
            case "trigger":
                return (
                    True
                    if bare(str(said)).startswith(("alldone", "nonefailed", "always"))
                    else None
                ), False
            case "negated":
                # Conditions are rewritten when they are checked: this one the other way round.
                return (f"!({_inner(said)})" if isinstance(said, str) else said), True
            case _:
                return self._worded(new, said), True

    def _worded(self, new: str, said: Json) -> Json:
        if new == "on_failure" and isinstance(said, str):
            return STEP_FAILURE.get(bare(said), said)
        return said

    def _args(self, step: Mapping, said: Json) -> tuple[Json, bool]:
        said = values.parsed(said)
        if isinstance(said, dict):
            return said, True
        tool = step.get("tool") or next(
            (step[n] for n in step if target_of(STEP, n)[0] == "tool"), None
        )
        spec = self._spec(tool)
        properties = spec.input_schema.get("properties") if spec else None
        if not isinstance(properties, dict) or said is None:
            return said, False
        names = list(properties)
        given = said if isinstance(said, list) else [said]
        return dict(zip(names, given, strict=False)), len(given) <= len(names)

    def _needs(self, said: Json) -> Json:
        listed = values.texts([said] if isinstance(said, (int, float)) else said)
        if isinstance(said, dict):
            listed = list(said)
        if not isinstance(listed, list):
            return said
        named = [
            next((str(each[k]) for k in ("id", "step", "task", "name") if k in each), "")
            if isinstance(each, dict)
            else each
            for each in listed
        ]
        return list(
            dict.fromkeys(self.names.ids.get(str(each), str(each)) for each in named if each)
        )

    def _next(self, step: Mapping, way: Place, name: str, steps: list[Json]) -> None:
        listed = self._needs(step[name])
        after = [
            index
            for index, each in enumerate(steps)
            if isinstance(each, dict) and isinstance(listed, list) and each.get("id") in listed
        ]
        own = str(step["id"])
        why = f"Write `needs: [{own}]` at the step that follows."
        self._desk.leave_out(step, way, name, why=why, certain=bool(after) or not listed)
        for index in after:
            self.precede(steps, way[:-1], index, own)

    def precede(self, steps: list[Json], way: Place, index: int, first: str) -> None:
        """A step waits for another."""
        step = steps[index]
        assert isinstance(step, dict)
        name = next((n for n in step if n == "needs" or target_of(STEP, n)[0] == "needs"), None)
        known = self._needs(step[name]) if name else []
        if not isinstance(known, list) or first in known:
            return
        whole: Json = [*known, first]
        here = (*way, index, name or "needs")
        what = f"it comes after {first!r}, and does not say so"
        self._desk.tell(here, what, write(field("needs", whole)), patch.add(here, whole))
        step[name or "needs"] = whole

    # Values

    def _mend_values(self, step: Mapping, way: Place) -> None:
        if step.get("ask") is not None and _is_person(step):
            self._desk.begin()
            del step["tool"]
            why = "A question is `ask`, and no tool."
            self._desk.tell(
                (*way, "tool"),
                "a question calls no tool",
                f"Leave it out. {why}",
                patch.remove((*way, "tool")),
            )
        if isinstance(step.get("needs"), list):
            self._mend_needs(step, way)
        for name in ("timeout", "cache"):
            said = step.get(name)
            if isinstance(said, str) and not _DURATION.match(said.strip()):
                meant = values.duration(said)
                if meant is not None:
                    self._desk.convert(step, way, name, name, meant)
        failure = step.get("on_failure")
        if isinstance(failure, str) and bare(failure) in STEP_FAILURE:
            self._desk.convert(step, way, "on_failure", "on_failure", STEP_FAILURE[bare(failure)])
        approval = step.get("approval")
        if approval not in (None, "required") and values.flag(approval) is not None:
            if values.flag(approval):
                self._desk.convert(step, way, "approval", "approval", "required")
            else:
                self._desk.leave_out(step, way, "approval", why="Without it, nobody is asked.")
        args = step.get("args")
        if args is not None and not isinstance(args, dict):
            meant, certain = self._args(step, args)
            if isinstance(meant, dict):
                self._desk.convert(step, way, "args", "args", meant, certain=certain)
        retry = step.get("retry")
        if isinstance(retry, dict) and not retry.keys() <= _RETRY_FIELDS:
            self._mend_retry(retry, (*way, "retry"))
        self._mend_undo(step, way)

    def _mend_needs(self, step: Mapping, way: Place) -> None:
        needs = step["needs"]
        assert isinstance(needs, list)
        for index, need in enumerate(needs):
            meant = self.names.ids.get(str(need))
            if meant is not None and meant != need:
                here = (*way, "needs", index)
                self._desk.tell(
                    here, f"there is no step {need!r}", write(meant), patch.replace(here, meant)
                )
                needs[index] = meant

    def _mend_retry(self, retry: Mapping, way: Place) -> None:
        for name in [name for name in retry if name not in _RETRY_FIELDS]:
            new, conversion = target_of(RETRY, name)
            said = retry[name]
            if new and new not in retry:
                is_count = isinstance(said, int) and not isinstance(said, bool)
                value = (
                    said + 1
                    if conversion == "plus_one" and is_count and isinstance(said, int)
                    else said
                )
                value = values.duration(said) if conversion == "duration" else value
                if value == said:
                    self._desk.rename(retry, way, name, new)
                elif value is not None:
                    self._desk.convert(retry, way, name, new, value)
            elif bare(name) in RETRY_NOISE:
                self._desk.leave_out(retry, way, name, why="The wait doubles each time.")

    def _mend_undo(self, step: Mapping, way: Place) -> None:
        undo = step.get("undo")
        if isinstance(undo, dict):
            for name in [name for name in undo if name not in ("tool", "args")]:
                new, conversion = target_of(UNDO, name)
                if new and new not in undo:
                    self._convert(undo, (*way, "undo"), name, new, conversion)
        elif isinstance(undo, str) and undo != "none":
            meant, certain = self._undo(step, undo)
            if meant != undo:
                self._desk.convert(step, way, "undo", "undo", meant, certain=certain)

    def _undo(self, step: Mapping, said: Json) -> tuple[Json, bool]:
        if not isinstance(said, str) or said == "none":
            return said, True
        if bare(said).startswith("no") and self._spec(said) is None:
            return "none", False
        name = self._tool(said, ())
        spec, own = self._spec(name), self._spec(step.get("tool"), step.get("args"))
        if spec is None:
            return {"tool": name}, False
        wanted = spec.input_schema.get("required")
        args: dict[str, Json] = {}
        for each in wanted if isinstance(wanted, list) else []:
            for root, schema in (
                ("output", own and own.output_schema),
                ("args", own and own.input_schema),
            ):
                known = schema.get("properties") if schema else None
                if isinstance(known, dict) and each in known:
                    args[str(each)] = f"${{{root}.{each}}}"
                    break
            else:
                if each not in ("args", "output", "key"):
                    return {"tool": name}, False
                args[str(each)] = f"${{{each}}}"
        return ({"tool": name, "args": args} if args else {"tool": name}), True


_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h|d)\Z")


def _is_id(said: Json) -> bool:
    return isinstance(said, str) and bool(ids.STEP_ID.match(said))


def slug_of(said: str) -> str:
    """An id that is as near as can be to what was said."""
    plain = re.sub(r"[^a-z0-9]+", "_", said.lower()).strip("_")
    if re.search(r"[a-z][A-Z]", said):
        return slug(said)
    return plain if not plain or plain[0].isalpha() else f"step_{plain}"


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _id_from(step: Mapping, index: int) -> str:
    tool = step.get("tool") or next(
        (step[n] for n in step if target_of(STEP, n)[0] == "tool"), None
    )
    last = slug(str(tool).rpartition(".")[2]) if isinstance(tool, str) else ""
    return last or f"step_{index + 1}"


def _is_person(step: Mapping) -> bool:
    tool = step.get("tool")
    return isinstance(tool, str) and bare(tool) in PEOPLE


def _retry(known: Json, said: Json, conversion: str) -> Json:
    if conversion == "backoff":
        wait = values.duration(said)
        before: dict[str, Json] = (
            known if isinstance(known, dict) else {"attempts": known} if known else {}
        )
        return {**before, "backoff": wait} if wait is not None else None
    count = values.number(said)
    if not isinstance(count, int) or isinstance(count, bool):
        return said if isinstance(said, dict) else None
    return count + 1 if conversion == "retries" else count


def _matrix(said: Json) -> Json:
    inside = said.get("matrix", said) if isinstance(said, dict) else said
    if isinstance(inside, dict) and len(inside) == 1:
        return next(iter(inside.values()))
    return inside if isinstance(inside, list) else None


def _inner(text: str) -> str:
    stripped = text.strip()
    for start, end in (("${{", "}}"), ("{{", "}}"), ("${", "}")):
        if stripped.startswith(start) and stripped.endswith(end):
            return stripped[len(start) : -len(end)].strip()
    return stripped
