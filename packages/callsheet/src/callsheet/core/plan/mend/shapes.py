"""The outermost shape of a document: plans inside other things, and what is no plan at all.

A list of plays, the messages of a model, a manifest around a `spec`, jobs without a list around
them, resources by their type: each becomes a mapping with `steps`, told once and with its patch.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias, cast

from callsheet.core import patch
from callsheet.core.plan.mend.desk import target_of, write
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.synonyms import (
    CALLS_OF_MODELS,
    ENVELOPES,
    HINTS,
    PLAN,
    PLAN_NOISE,
    PLAN_WRAPPERS,
    RESOURCES,
    STEP,
)
from callsheet.core.plan.plan import FORMAT, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.core.plan.mend.desk import Desk, Mapping
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

FIELDS = frozenset(Plan.__struct_fields__)
_LAYERS = 4
_DEEPEST = 7
_MOST = 1_000
"""Calls of a model that are looked for."""
_OF_STEPS = frozenset(("needs", "for_each"))
_NAME = re.compile(r"[A-Za-z][\w .-]*\Z")

Calls: TypeAlias = "list[tuple[Place, Mapping]]"


class Shapes:
    """Takes a plan out of what stands around it."""

    def __init__(self, desk: Desk, is_tool: Callable[[str], bool]) -> None:
        self._desk = desk
        self._is_tool = is_tool

    def unwrapped(self, found: Json) -> Json:
        """The plan in a document, as a mapping where there is one."""
        for _ in range(_LAYERS):
            meant = self._listed(found) if isinstance(found, list) else self._inside(found)
            if meant is None:
                return found
            found = meant
        return found

    # Lists

    def _listed(self, found: list[Json]) -> Json:
        if not found or not all(isinstance(each, dict) for each in found):
            return None
        plays = cast("list[Mapping]", found)
        if (calls := list(_calls_in(found, ()))) and not any(map(_is_step, plays)):
            return self._called(calls, {})
        if all(_has_steps(each) and not _is_step(each) for each in plays):
            return self._played(plays)
        whole: Json = {"callsheet": FORMAT, "steps": found}
        operation = patch.replace((), whole)
        fix = f"Write `callsheet: {FORMAT}` and `steps:` above them."
        self._desk.tell((), "a plan is a mapping, and this is a list of steps", fix, operation)
        self._tell_version()
        self._desk.report.moved(("steps",), ())
        return whole

    def _tell_version(self) -> None:
        what = "`callsheet: 1`, the version of the format, is missing"
        self._desk.tell(("callsheet",), what, write(f"callsheet: {FORMAT}"))

    def _played(self, plays: list[Mapping]) -> Json:
        """A list of plans: the only one, or all of them as jobs of one."""
        what = "a plan is one mapping, and this is a list"
        whole: dict[str, Json]
        if len(plays) == 1:
            whole = dict(plays[0])
            fix = "Write the fields of its only item at the top, without the dash."
            self._desk.tell((), what, fix, patch.replace((), {**whole}))
            for key in whole:
                self._desk.report.moved((key,), (0, key))
            return whole
        jobs: dict[str, Json] = {}
        for index, play in enumerate(plays):
            name = next((play[key] for key in play if target_of(PLAN, key)[0] == "name"), None)
            name = play.get("name", name)
            jobs[name if isinstance(name, str) and name not in jobs else f"part_{index + 1}"] = play
        whole = {"callsheet": FORMAT, "steps": jobs}
        fix = "Write `callsheet: 1` and `steps:` above, with the steps of all of them in one list."
        self._desk.tell((), what, fix, patch.replace((), {**whole}))
        for index, name in enumerate(jobs):
            self._desk.report.moved(("steps", name), (index,))
        return whole

    # Mappings

    def _inside(self, found: Json) -> Json:
        if not isinstance(found, dict) or "steps" in found:
            return None
        if (entry := self._entry(found)) is not None:
            return entry
        for name, inside in found.items():
            if isinstance(inside, dict) and self._is_around(found, name):
                return self._hoisted(found, name, inside)
        if _has_steps(found):
            return None
        for shape in (self._spoken, self._resources, self._jobs):
            meant = shape(found)
            if meant is not None:
                return meant
        return None

    def _is_around(self, found: Mapping, name: str) -> bool:
        """Whether the whole plan stands inside a field: by its name, or as nothing else has any."""
        inside = found[name]
        if not isinstance(inside, dict) or name in FIELDS:
            return False
        if bare(name) in PLAN_WRAPPERS and (_has_steps(inside) or _wraps(inside)):
            return True
        if not _has_steps(inside):
            return False
        # Jobs with steps of their own are steps, and known as such by their name.
        return not target_of(PLAN, name)[0] and isinstance(inside.get("steps"), list)

    def _hoisted(self, found: Mapping, name: str, inside: Mapping) -> Json:
        rest = {key: each for key, each in found.items() if key != name}
        whole = {**rest, **inside}
        fields = f"`callsheet: {FORMAT}`, `steps:`"
        fix = f"Write its fields at the top ({fields}), without `{name}:`."
        self._desk.begin()
        what = f"the plan stands inside {name!r}"
        self._desk.tell((name,), what, fix, patch.replace((), {**whole}))
        for key in inside:
            self._desk.report.moved((key,), (name, key))
        return whole

    def _entry(self, found: Mapping) -> Json:
        """Templates of which one has the steps: the others are what it calls."""
        listed = found.get("templates")
        if not isinstance(listed, list):
            return None
        first = found.get("entrypoint")
        named = [
            (index, each)
            for index, each in enumerate(listed)
            if isinstance(each, dict) and (_has_steps(each) or _wraps(each))
        ]
        chosen = [pair for pair in named if pair[1].get("name") == first] or named
        if not chosen:
            return None
        index, template = chosen[0]
        rest = {key: each for key, each in found.items() if key not in ("templates", "entrypoint")}
        whole = {**rest, **{key: each for key, each in template.items() if key != "name"}}
        self._desk.begin()
        what = f"the plan stands inside {str(template.get('name', 'templates'))!r}"
        fix = "Write its steps at the top, as `steps:`, without `templates:`."
        self._desk.tell(("templates",), what, fix, patch.replace((), {**whole}))
        for key in template:
            self._desk.report.moved((key,), ("templates", index, key))
        return whole

    def _spoken(self, found: Mapping) -> Json:
        """The messages of a model, with calls in them."""
        around = [key for key in found if bare(key) in ENVELOPES]
        calls = [each for key in around for each in _calls_in(found[key], (key,))]
        if not calls:
            return None
        rest = {key: each for key, each in found.items() if key not in around and key in FIELDS}
        return self._called(calls, rest, around[0])

    def _called(self, calls: Calls, rest: Mapping, around: str = "") -> Json:
        whole: dict[str, Json] = {
            "callsheet": FORMAT,
            **rest,
            "steps": [dict(call) for _, call in calls],
        }
        self._desk.begin()
        fix = "Write `callsheet: 1` and `steps:`, with one step for each call."
        here: Place = (around,) if around else ()
        what = "a plan is a mapping with `steps`, and this is what a model says"
        self._desk.tell(here, what, fix, patch.replace((), {**whole}))
        if "callsheet" not in rest:
            self._tell_version()
        for index, (way, call) in enumerate(calls):
            self._desk.report.moved(("steps", index), way)
            for key in call:
                self._desk.report.moved(("steps", index, key), (*way, key))
        return whole

    def _resources(self, found: Mapping) -> Json:
        """Resources by type and name: a type is a tool, a name is an id."""
        name = next((key for key in found if bare(key) in RESOURCES), None)
        kinds = found[name] if name else None
        if name is None or not isinstance(kinds, dict) or not all(map(self._is_tool, kinds)):
            return None
        made = [
            ((name, kind, own), {"id": own, "tool": kind, **_told_apart(args)})
            for kind, named in kinds.items()
            for own, args in (named.items() if isinstance(named, dict) else ())
            if isinstance(args, dict)
        ]
        if not made:
            return None
        steps: list[Json] = [step for _, step in made]
        whole = {key: steps if key == name else each for key, each in found.items()}
        whole = {"steps" if key == name else key: each for key, each in whole.items()}
        fix = f"Write `steps:` with `- id: {made[0][1]['id']}` and so on, as a list."
        what = "the steps of a plan are a list, each with its `tool` and its `args`"
        self._desk.begin()
        self._desk.tell((name,), what, fix, patch.replace((), {**whole}))
        for index, (way, _) in enumerate(made):
            for key in ("id", "tool"):
                self._desk.report.moved(("steps", index, key), way)
            self._desk.report.moved(("steps", index), way)
            self._desk.report.moved(("steps", index, "args"), way)
        return whole

    def _jobs(self, found: Mapping) -> Json:
        """Jobs with nothing around them: whatever is a mapping that calls something."""
        jobs = {
            key: each
            for key, each in found.items()
            if key not in FIELDS
            and isinstance(each, dict)
            and _is_step(each)
            and not target_of(PLAN, key)[0]
            and bare(key) not in PLAN_NOISE
            and bare(key) not in HINTS
            and _NAME.match(key)
        }
        if not jobs:
            return None
        rest = {key: each for key, each in found.items() if key not in jobs}
        whole: dict[str, Json] = {**rest, "steps": {**jobs}}
        told = ", ".join(map(repr, list(jobs)[:5]))
        what = f"the steps of a plan are a list, `steps`; here they stand at the top: {told}"
        self._desk.begin()
        self._desk.tell(
            (next(iter(jobs)),), what, "Write `steps:` above them.", patch.replace((), {**whole})
        )
        for key in jobs:
            self._desk.report.moved(("steps", key), (key,))
        return whole


def _told_apart(args: Mapping) -> Mapping:
    """What a resource says of itself stands among its arguments."""
    own = {key: each for key, each in args.items() if target_of(STEP, key)[0] in _OF_STEPS}
    return {"args": {key: each for key, each in args.items() if key not in own}, **own}


def _has_steps(inside: Mapping) -> bool:
    return any(
        (name == "steps" or target_of(PLAN, name)[0] == "steps") and _may_be_steps(each)
        for name, each in inside.items()
    )


def _may_be_steps(said: Json) -> bool:
    return isinstance(said, dict) or (
        isinstance(said, list) and all(isinstance(each, (dict, list)) for each in said)
    )


def _wraps(inside: Mapping) -> bool:
    """Whether the plan stands yet one level further down."""
    return any(
        isinstance(each, dict) and bare(name) in PLAN_WRAPPERS and _has_steps(each)
        for name, each in inside.items()
    )


def _is_step(each: Mapping) -> bool:
    return any(name in ("tool", "args") or target_of(STEP, name)[0] == "tool" for name in each)


def _calls_in(found: Json, way: Place) -> Iterator[tuple[Place, Mapping]]:
    """The calls that stand somewhere in what a model says, in their order."""
    if len(way) > _DEEPEST:
        return
    if isinstance(found, list):
        for index, each in enumerate(found[:_MOST]):
            yield from _calls_in(each, (*way, index))
    elif isinstance(found, dict):
        call = _call_in(found)
        if call is not None:
            yield (*way, *call[0]), call[1]
            return
        for key, each in found.items():
            yield from _calls_in(each, (*way, key))


def _call_in(found: Mapping) -> tuple[Place, Mapping] | None:
    """A call as it is, or inside of what is around it."""
    if found.get("type") in ("function_call", "tool_use", "tool_call") and "name" in found:
        return (), found
    nested = next((key for key in found if bare(key) in CALLS_OF_MODELS), None)
    inside = found[nested] if nested else None
    if nested is None or not isinstance(inside, dict) or "name" not in inside:
        return None
    # What is beside a function, its id, belongs to the call.
    return ((), found) if nested == "function" else ((nested,), inside)


def are_steps(said: Json) -> bool:
    """Whether each of them says what it calls, or with what: in a list, or by its name."""
    listed = list(said.values()) if isinstance(said, dict) else said
    return (
        isinstance(listed, list)
        and bool(listed)
        and all(isinstance(each, dict) and any(map(_is_of_call, each)) for each in listed)
    )


def _is_of_call(name: str) -> bool:
    return name in ("tool", "args") or target_of(STEP, name)[0] in ("tool", "args")
