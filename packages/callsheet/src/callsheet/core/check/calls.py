"""Calls: the tool that a step means, and the arguments it means by the names it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core import patch
from callsheet.core.check.fitting import fitting
from callsheet.core.plan.agent import agent_key, agent_plan
from callsheet.core.plan.mend.desk import write
from callsheet.core.plan.mend.names import name_for, tool_for
from callsheet.core.plan.mend.suspicion import is_suspicious
from callsheet.core.plan.plan import Undo
from callsheet.core.plan.subplan import child_plan, is_child
from callsheet.core.problem import one_of, show
from callsheet.core.schema.shape import at
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.plan.toolspec import Tools, ToolSpec
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

_MAX_TOOLS_TOLD = 20


class Calls:
    """Looks tools up. One that is not there is told, and taken for the one that is nearest."""

    def __init__(self, tools: Tools, report: Report) -> None:
        self._tools = tools
        self._report = report
        self._specs: dict[str, ToolSpec | None] = {}
        self._names: Sequence[str] | None = None
        """Asked for once: a tenant's are picked from all there are."""

    def known(self, name: str | None) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool."""
        if name is None:
            return None
        if name not in self._specs:
            self._specs[name] = self._tools.spec(name)
        return self._specs[name]

    def is_child(self, step: Step, children: Mapping[str, Plan]) -> bool:
        """Whether a step is a run of its own."""
        if is_child(step, children):
            return True
        spec = self.known(step.tool) if agent_key(step) else None
        return spec is not None and spec.agent is not None

    def child(self, step: Step, children: Mapping[str, Plan]) -> Plan | None:
        """The plan of a step that is; agents are asked for where nobody has gathered them."""
        found = child_plan(step, children)
        key = agent_key(step) if found is None and step.plan is None else None
        return agent_plan(key, self._tools) if key else found

    def tool(self, name: str | None, place: Place, given: Mapping[str, Json]) -> ToolSpec | None:
        """The tool that a step names, or seems to mean; None: nothing is like it."""
        spec = self.known(name)
        if spec is not None or name is None:
            return spec
        if self._names is None:
            self._names = self._tools.names()
        names = self._names
        may_guess = self._report.may_guess(len(names))
        found = tool_for(name, names, self._tools.spec, given) if may_guess else None
        what = f"there is no tool {show(name)}"
        if found is not None:
            operation = patch.replace(place, found[0]) if found[1] else None
            self._report.error(place, what, write(field("tool", found[0])), patch=operation)
            if not found[1]:
                self._report.doubt((*place[:-1], "args"))
            return self.known(found[0])
        fix = ""
        if len(names) <= _MAX_TOOLS_TOLD:
            told = f"The tools are {one_of(names)}." if names else "No tools are registered."
            fix = self._report.once(told)
        self._report.error(place, what, fix or "`callsheet tools` lists those there are.")
        return None

    def with_names(
        self, step: Step, spec: ToolSpec | None, undo: ToolSpec | None, place: Place
    ) -> Step:
        """The step, with its arguments under the names that its tool takes."""
        args = self._renamed(step.args, spec, (*place, "args"))
        if args is not step.args:
            step = structs.replace(step, args=args)
        own = step.undo
        if isinstance(own, Undo) and undo is not None:
            args = self._renamed(own.args, undo, (*place, "undo", "args"))
            if args is not own.args:
                step = structs.replace(step, undo=structs.replace(own, args=args))
        return step

    def _renamed(
        self, args: dict[str, Json], spec: ToolSpec | None, place: Place
    ) -> dict[str, Json]:
        properties = spec.input_schema.get("properties") if spec else None
        if not isinstance(properties, dict) or args.keys() <= properties.keys():
            return args
        assert spec is not None
        if spec.input_schema.get("additionalProperties", True) is not False:
            return args
        return self._named(args, spec, properties, place)

    def _named(
        self,
        args: dict[str, Json],
        spec: ToolSpec,
        properties: dict[str, Json],
        place: Place,
    ) -> dict[str, Json]:
        required = spec.input_schema.get("required")
        missing = (
            [str(each) for each in required if each not in args]
            if isinstance(required, list)
            else []
        )
        free = [name for name in properties if name not in args]
        built: dict[str, Json] = {}
        strange = [name for name in args if name not in properties]
        for name, value in args.items():
            found = name_for(name, free) if name not in properties else None
            if name not in properties and found is None and len(strange) == len(missing) == 1:
                # The one that is left for the one that is missing.
                found = missing[0], False
            if found is None:
                built[name] = value
                continue
            new, certain = found
            free.remove(new)
            built[new] = value
            what = f"there is no {show(name)}"
            operation = patch.move((*place, name), (*place, new)) if certain else None
            listed = self._report.once(f"{spec.name} takes {one_of(properties)}.")
            # What holds references is looked at later, and shown then.
            is_shown = not is_suspicious(value)
            fits = fitting(at(spec.input_schema, (new,)), value) if is_shown else None
            shown = fits[0] if fits and fits[1] else value
            fix = write(field(new, shown)) if is_shown else f"Write `{new}:` instead of `{name}:`."
            fix = f"{fix} {listed}".strip()
            self._report.error((*place, name), what, fix, patch=operation)
            self._report.moved((*place, new), (*place, name))
            if not certain:
                self._report.doubt((*place, new))
        return built
