"""Mending steps: ids that are none, calls in calls, fields of other systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core import ids, patch
from callsheet.core.plan.mend.calls import FIELDS, CallMender, is_on_terms
from callsheet.core.plan.mend.conditions import condition_in
from callsheet.core.plan.mend.conversions import Conversions, Names, tool_of
from callsheet.core.plan.mend.desk import Desk, target_of, write
from callsheet.core.plan.mend.names import bare, field_for, slug, slug_of
from callsheet.core.plan.mend.stepvalues import StepValues, is_person
from callsheet.core.plan.mend.synonyms import (
    CATCHING,
    CLEANING,
    FINAL,
    HINTS,
    ITEM_NAMES,
    NEXT,
    STEP,
    STEP_NOISE,
    STEP_OUTPUT_NAMES,
)
from callsheet.core.problem import spell
from callsheet.core.yaml.flow import field, flow

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

_PLAIN = frozenset(("id", "tool", "args", "needs", "when", "for_each", "touches"))
"""Fields in whose values there is nothing to mend here but needs."""
_CALLS = ("tool", "ask", "plan", "agent")
_MAY_BE_TOOLS = frozenset(("name", "type", "kind", "title", "label"))
"""Fields that may say what is called, where nothing else does."""
_AFTER_FAILURE = frozenset(("allfailed", "onefailed", "failed", "onfailure"))
_NO_TOOLS = frozenset(("undo", "needs", "plan", "ask"))
"""Fields that name tools which are not the one that is called."""
_ALREADY = "The step has one already."
_COUNTED = ("step", "Step", "s", "S", "E", "task", "call", "result", "output", "step_", "task_")
"""What others put before the number of a step."""
_CONVERSIONS = {"timeout": "duration", "within": "duration", "retry": "policy"}
_NO_VARIABLES = "What a tool is given are its `args`."
_VARIABLES = frozenset(("env", "environment"))
"""Elsewhere the variables of a process: the arguments, where there are no others."""
_MOST_SHOWN = 32
"""Steps that one waits for and that are told, and patched, all together."""


class _Waits(msgspec.Struct, frozen=True):
    """What a step waits for; true as long as that very list stands in it."""

    step: Mapping
    """Held, so that nothing else has its identity."""
    field: str
    listed: list[Json]
    known: set[str]


class StepMender:
    """Mends the steps of one plan."""

    def __init__(self, desk: Desk, tools: Tools | None) -> None:
        self._desk = desk
        self._conversions = Conversions(tools, desk.report)
        self._calls = CallMender(desk, self._conversions)
        self._values = StepValues(desk, self._conversions)
        self._placed: tuple[list[Json], dict[str, list[int]]] = ([], {})
        self._waits: dict[int, _Waits] = {}
        """By the identity of the step."""

    @property
    def names(self) -> Names:
        """What the steps are called."""
        return self._conversions.names

    def is_tool(self, name: str) -> bool:
        """Whether a name is certainly that of a tool."""
        return self._conversions.is_tool(name)

    def terms(self, said: Mapping) -> Mapping:
        """What is said once for all steps, as the fields of a step; the rest is left out."""
        holder: Mapping = {}
        for name, each in said.items():
            new, conversion = target_of(STEP, name)
            if name in FIELDS and is_on_terms(name):
                holder[name] = each
            elif is_on_terms(name):
                value, _ = self._conversions.convert(holder, each, new, conversion)
                if value is not None:
                    holder[new] = value
        return holder

    def lacks(self, tool: str) -> bool:
        """Whether there is certainly no such tool."""
        return self._conversions.lacks(tool)

    def mend(
        self, steps: list[Json], way: Place, between: Callable[[list[Json]], None] | None = None
    ) -> None:
        """Mend a list of steps: their ids first, so that what refers to them can be told.

        `between` is called when the ids are known.
        """
        found = [(index, each) for index, each in enumerate(steps) if isinstance(each, dict)]
        taken = {str(step["id"]) for _, step in found if _is_id(step.get("id"))}
        seen: dict[str, int] = {}
        for index, step in found:
            self._name(step, (*way, index), seen, taken)
        if between is not None:
            between(steps)
        for index, step in found:
            here = (*way, index)
            self._leave_out_caller(step, here)
            strange = [name for name in step if name not in FIELDS]
            for name in strange:
                self._rename_field(step, here, name, steps)
            if strange or not step.keys() <= _PLAIN or not _is_plain(step):
                self._values.mend(step, here)
            elif isinstance(step.get("needs"), list):
                self._values.mend_needs(step, here)

    def _name(self, step: Mapping, way: Place, seen: dict[str, int], taken: set[str]) -> None:
        # Nearly all of them are written as they should be.
        is_ours, index = step.keys() <= FIELDS, way[-1]
        assert isinstance(index, int)
        tool = step.get("tool")
        if not is_ours or isinstance(tool, dict) or (isinstance(tool, str) and tool[-1:] in "])"):
            self._calls.mend(step, way)
        if is_ours and _is_id(step.get("id")):
            self.names.ids[str(step["id"])] = str(step["id"])
        else:
            self._identify(step, way, index, taken)
        if str(step["id"]) in seen:
            self._tell_apart(step, way, seen, taken)
        seen[str(step["id"])] = index

    def _leave_out_caller(self, step: Mapping, way: Place) -> None:
        """Elsewhere, `agent` says who calls the tool."""
        if isinstance(step.get("agent"), str) and step.get("tool") is not None:
            self._desk.leave_out(step, way, "agent")

    def precede(self, steps: list[Json], way: Place, index: int, first: str) -> None:
        """A step waits for another."""
        step = steps[index]
        assert isinstance(step, dict)
        before = self._waits.get(id(step))
        if before is None or step.get(before.field) is not before.listed:
            name = next((n for n in step if n == "needs" or target_of(STEP, n)[0] == "needs"), None)
            known = self._conversions.needs(step[name]) if name else []
            if not isinstance(known, list):
                return
            before = _Waits(step, name or "needs", [*known], {str(each) for each in known})
            self._waits[id(step)] = before
        if first in before.known:
            return
        before.known.add(first)
        before.listed.append(first)
        step[before.field] = before.listed
        here = (*way, index, before.field)
        operation = patch.add(here, before.listed)
        if len(before.listed) > _MOST_SHOWN:
            # Hundreds before one step: each adds itself, and none repeats all the others.
            operation = patch.add((*here, "-"), first)
        told = before.listed[: _MOST_SHOWN + 1]
        what = f"it comes after {first!r}: that is written as `needs`"
        self._desk.tell(here, what, write(field("needs", told)), operation)

    # Ids

    def _tell_apart(self, step: Mapping, way: Place, seen: dict[str, int], taken: set[str]) -> None:
        """Two steps of one id: the second gets another, and references mean the first."""
        old = str(step["id"])
        tool = tool_of(step)
        new = slug(tool.rpartition(".")[2]) if isinstance(tool, str) else ""
        new = _free(new or old, taken)
        taken.add(new)
        self._desk.begin()
        what = f"the id {old!r} is already used by {spell((*way[:-1], seen[old]))}"
        self._desk.tell((*way, "id"), what, f"{write(field('id', new))} References mean the first.")
        step["id"] = new
        self.names.ids[new] = new
        self._desk.report.doubt((*way, "id"))

    def _identify(self, step: Mapping, way: Place, index: int, taken: set[str]) -> None:
        old = "id" if "id" in step else _name_for_id(step, self.is_tool)
        said = step.get(old) if old else None
        if old == "id" and _is_id(said):
            self._alias(step, str(said))
            return
        is_name = isinstance(said, (str, int)) and not isinstance(said, bool)
        made = slug_of(str(said)) if is_name else ""
        new = _free(made or _id_from(step, index), taken)
        if made:
            self.names.ids.setdefault(str(said), new)
            if str(said).isdigit():
                for word in _COUNTED:
                    self.names.ids.setdefault(f"{word}{said}", new)
        if old is None:
            self._desk.add(step, way, "id", new, "it is missing")
        elif old != "id" and said == new:
            self._desk.rename(step, way, old, "id")
        else:
            self._convert_id(step, way, old, new)
        taken.add(new)
        self._alias(step, new)

    def _convert_id(self, step: Mapping, way: Place, old: str, new: str) -> None:
        if old != "id":
            self._desk.convert(step, way, old, "id", new)
            return
        rule = "An id is a lowercase letter, then lowercase letters, digits and _."
        what = "it is missing" if step["id"] is None else f"{step['id']!r} is not a step id"
        fix = f"{write(field('id', new))} {rule}"
        self._desk.tell((*way, "id"), what, fix, patch.replace((*way, "id"), new))
        step["id"] = new

    def _alias(self, step: Mapping, name: str) -> None:
        self.names.ids[name] = name
        for other, said in step.items():
            if other in FIELDS or not isinstance(said, str):
                continue
            if bare(other) in STEP_OUTPUT_NAMES or target_of(STEP, other)[0] == "id":
                self.names.ids.setdefault(said.removeprefix("$."), name)

    # Fields

    def _rename_field(self, step: Mapping, way: Place, name: str, steps: list[Json]) -> None:
        new, conversion = target_of(STEP, name)
        said = step[name]
        if self._is_aside(step, way, name, steps) or self._is_after_failure(step, way, name):
            return
        if self._is_tool_by_name(step, name):
            self._values.convert(step, way, name, "tool", "tool")
        elif self._is_beside(step, way, name, new):
            return
        elif new in ("id", "") or (new == "ask" and _is_called(step, name) and not is_person(step)):
            self._unknown(step, way, name)
        elif new == "choices" and step.get("ask") is None and _is_called(step, name):
            self._options(step, way, name, said)
        elif self._is_said_in_full(step, way, name, new):
            return
        elif step.get(new) is not None and not (new == "retry" and conversion == "backoff"):
            self._desk.leave_out(step, way, name, why=_ALREADY, certain=False)
        else:
            self._values.convert(step, way, name, new, conversion)

    def _is_beside(self, step: Mapping, way: Place, name: str, new: str) -> bool:
        """What is given to a process beside what it runs: arguments, where there are no others."""
        said = step[name]
        if new == "tool" and step.get("tool") is not None and isinstance(said, (list, dict)):
            if "args" not in step:
                self._values.convert(step, way, name, "args", "args")
            return True
        if bare(name) in _VARIABLES and (isinstance(said, str) or _has_args(step, name)):
            self._desk.leave_out(step, way, name, why=_NO_VARIABLES, certain=False)
            return True
        return False

    def _is_said_in_full(self, step: Mapping, way: Place, name: str, new: str) -> bool:
        """Rules, and what happens after a failure: more than a value."""
        said = step[name]
        if new == "on_failure" and isinstance(said, (dict, list)):
            self._desk.leave_out(step, way, name, why=HINTS["fallback"], certain=False)
            return True
        if new == "when" and isinstance(said, (dict, list)) and (text := condition_in(said)):
            self._desk.convert(step, way, name, new, text)
            return True
        if new == "run_if_skipped" and bare(str(said)) in _AFTER_FAILURE and "when" not in step:
            self._desk.convert(step, way, name, "when", "failure()", certain=False)
            return True
        return False

    def _is_aside(self, step: Mapping, way: Place, name: str, steps: list[Json]) -> bool:
        """Names for items and outputs, and what comes next: said elsewhere in a plan."""
        short, said = bare(name), step[name]
        if short in FINAL and not _is_called(step, name):
            return True  # what a plan gives: told when all of it is known
        if short in NEXT:
            self._next(step, way, name, steps)
            return True
        if not isinstance(said, str):
            return False
        if short in ITEM_NAMES:
            self.names.items[str(step["id"])] = said
            self._desk.leave_out(step, way, name, why="The item of a for_each is ${item}.")
            return True
        if short in STEP_OUTPUT_NAMES:
            self._desk.leave_out(step, way, name, why=f"What it gives is ${{steps.{step['id']}}}.")
            return True
        return False

    def _is_after_failure(self, step: Mapping, way: Place, name: str) -> bool:
        """What takes a call back, or follows its failure: never left out without a word."""
        short, said, own = bare(name), step[name], str(step["id"])
        is_undo = short in CLEANING and isinstance(said, str) and self.is_tool(said)
        if is_undo and step.get("undo") is None:
            meant, _ = self._conversions.undo(step, said)
            self._desk.convert(step, way, name, "undo", meant, certain=False)
            return True
        if short not in CLEANING | CATCHING or not isinstance(said, (dict, list, str)):
            return False
        why = self._instead(own, said)
        if why:
            self._desk.leave_out(step, way, name, why=why, certain=False)
        return bool(why)

    def _instead(self, own: str, said: Json) -> str:
        """What is written elsewhere for what follows a failure; "": it is not known."""
        when = f"${{outcomes.{own}.state == 'failed'}}"
        rest = "and `on_failure: ignore` here."
        first = said[0] if isinstance(said, list) and said else said
        if isinstance(first, dict):
            target = next((first[key] for key in first if bare(key) in NEXT), None)
            meant = self.names.ids.get(str(target))
            if meant is not None:
                return f"Write `{field('when', when)}` at {meant!r}, {rest}"
        call = self._call_in(first)
        if call is None:
            return ""
        made: Json = {"id": f"{own}_failed", **call, "when": when}
        return f"Write a step for it: `{flow(made)}`, {rest}"

    def _call_in(self, said: Json) -> Mapping | None:
        """The call that a value speaks of: a tool's name, a tool and args, or a tool as a key."""
        if isinstance(said, str):
            return {"tool": self._conversions.tool(said)} if self.is_tool(said) else None
        if not isinstance(said, dict):
            return None
        tool = tool_of(said)
        if isinstance(tool, str) and self.is_tool(tool):
            given = next(
                (said[k] for k in said if k == "args" or target_of(STEP, k)[0] == "args"), {}
            )
            return {"tool": self._conversions.tool(tool), "args": given}
        named = next((key for key in said if self.is_tool(key)), None)
        return {"tool": self._conversions.tool(named), "args": said[named]} if named else None

    def _is_tool_by_name(self, step: Mapping, name: str) -> bool:
        said = step[name]
        if not isinstance(said, str) or any(step.get(each) is not None for each in _CALLS):
            return False
        if bare(name) in _MAY_BE_TOOLS:
            is_meant = bare(name) == "type" and "." in said and " " not in said
            return not _is_called(step, name) and (is_meant or self._conversions.is_tool(said))
        if target_of(STEP, name)[0] in _NO_TOOLS or self._names_tool(step, name):
            return False
        # Whatever the field is called: it is the name of a tool, to the letter, or its address.
        is_address = ":" in said and " " not in said and self.is_tool(said)
        return is_address or self._conversions.spec_of(said) is not None

    def _names_tool(self, step: Mapping, name: str) -> bool:
        """Whether another field, which is there for it, has the name of a tool."""
        return any(
            target_of(STEP, other)[0] == "tool"
            and isinstance(said, str)
            and self._conversions.spec_of(said) is not None
            for other, said in step.items()
            if other != name
        )

    def _options(self, step: Mapping, way: Place, name: str, said: Json) -> None:
        if is_person(step):
            self._values.convert(step, way, name, "choices", "choices")
        elif isinstance(said, dict) and "args" not in step:
            self._values.convert(step, way, name, "args", "args")
        else:
            self._unknown(step, way, name)

    def _unknown(self, step: Mapping, way: Place, name: str) -> None:
        short = bare(name)
        is_noise = short in STEP_NOISE or target_of(STEP, name)[0] == "id"
        is_known = is_noise or short in HINTS
        may_guess = not is_known and self._desk.report.may_guess(len(FIELDS))
        near = field_for(name, FIELDS) if may_guess else None
        if near and step.get(near[0]) is None:
            if near[1]:
                conversion = _CONVERSIONS.get(near[0], "")
                self._values.convert(step, way, name, near[0], conversion)
            else:
                self._desk.rename(step, way, name, near[0], certain=False)
        elif is_noise:
            why = "Steps run in parallel as far as possible." if short == "parallel" else ""
            self._desk.leave_out(step, way, name, why=why)
        elif self._holds_args(step, name):
            self._values.convert(step, way, name, "args", "args")
        elif short in HINTS:
            self._desk.leave_out(step, way, name, why=HINTS[short], certain=False)

    def _holds_args(self, step: Mapping, name: str) -> bool:
        """Whether a mapping, whatever it is called, has the arguments of the tool in it."""
        said = step[name]
        spec = self._conversions.spec(tool_of(step))
        known = spec.input_schema.get("properties") if spec else None
        if not isinstance(said, dict) or not isinstance(known, dict) or _has_args(step, name):
            return False
        return bool(said.keys() & known.keys())

    def _next(self, step: Mapping, way: Place, name: str, steps: list[Json]) -> None:
        listed = self._conversions.needs(step[name])
        meant = listed if isinstance(listed, list) else []
        after = [index for each in meant for index in self._places(steps).get(str(each), ())]
        own = str(step["id"])
        why = f"Write `needs: [{own}]` at the step that follows."
        self._desk.leave_out(step, way, name, why=why, certain=bool(after) or not meant)
        for index in after:
            self.precede(steps, way[:-1], index, own)

    def _places(self, steps: list[Json]) -> dict[str, list[int]]:
        """Where the steps of an id stand in a list: looked up once, not for each that is named."""
        if self._placed[0] is not steps:
            found: dict[str, list[int]] = {}
            for index, each in enumerate(steps):
                if isinstance(each, dict):
                    found.setdefault(str(each.get("id")), []).append(index)
            self._placed = steps, found
        return self._placed[1]


def _is_id(said: Json) -> bool:
    return isinstance(said, str) and bool(ids.STEP_ID.match(said))


def _is_called(step: Mapping, name: str) -> bool:
    return any(step.get(each) is not None for each in _CALLS) or any(
        target_of(STEP, other)[0] == "tool" for other in step if other != name
    )


def _name_for_id(step: Mapping, is_tool: Callable[[str], bool]) -> str | None:
    named = [name for name in step if target_of(STEP, name)[0] == "id"]
    if named[1:]:
        # Where one of several is a tool, and nothing else is, it is the tool.
        called = any(target_of(STEP, name)[0] == "tool" or name in _CALLS for name in step)
        others = [name for name in named if called or not is_tool(str(step[name]))]
        named = others or named
    return named[0] if named else None


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _id_from(step: Mapping, index: int) -> str:
    named = next((name for name in step if bare(name) in STEP_OUTPUT_NAMES), None)
    said = step[named] if named else None
    if isinstance(said, str) and (own := slug_of(said)):
        return own  # what others refer to it by
    tool = tool_of(step)
    last = slug(tool.rpartition(".")[2]) if isinstance(tool, str) else ""
    return last or f"step_{index + 1}"


def _has_args(step: Mapping, name: str) -> bool:
    return any(
        other == "args" or target_of(STEP, other)[0] == "args" for other in step if other != name
    )


def _is_plain(step: Mapping) -> bool:
    return (
        isinstance(step.get("args", {}), dict)
        and isinstance(step.get("when", ""), str)
        and not isinstance(step.get("needs"), str)
    )
