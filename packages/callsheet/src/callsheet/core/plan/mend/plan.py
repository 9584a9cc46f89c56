"""Mending plans: the outermost shape, the plan's own fields, its inputs; then its steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from callsheet.core import ids, patch
from callsheet.core.plan.mend import values
from callsheet.core.plan.mend.branches import Branches
from callsheet.core.plan.mend.calls import FIELDS as STEP_FIELDS
from callsheet.core.plan.mend.desk import Desk, says, target_of
from callsheet.core.plan.mend.edges import conditions_in, edges_in
from callsheet.core.plan.mend.groups import (
    condition_of,
    is_group,
    items_of,
    steps_key,
    steps_of_groups,
    steps_of_jobs,
)
from callsheet.core.plan.mend.inputs import InputMender, as_schemas, inputs_inside, with_flags
from callsheet.core.plan.mend.names import bare, field_for
from callsheet.core.plan.mend.shapes import FIELDS, Shapes, are_steps
from callsheet.core.plan.mend.states import without_branches
from callsheet.core.plan.mend.steps import StepMender
from callsheet.core.plan.mend.suspicion import is_suspicious
from callsheet.core.plan.mend.synonyms import (
    BUDGET,
    DEFAULTS,
    EDGES,
    FINAL,
    HINTS,
    PLAN,
    PLAN_FAILURE,
    PLAN_NOISE,
    PLAN_WRAPPERS,
    SAYINGS,
    STEP,
    STEP_NOISE,
    TRIGGERS,
)
from callsheet.core.plan.plan import FORMAT
from callsheet.core.yaml.flow import field

if TYPE_CHECKING:
    from callsheet.core.plan.mend.conversions import Names
    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.problem import Place, Report
    from callsheet.core.value import Json

_BUDGET_FIELDS = frozenset(("usd", "credits", "tokens", "calls", "seconds"))
_MOST_EDGES = 20
"""Of those that are told one by one."""
_BOX = frozenset(("value", "description", "sensitive"))
_VERSION = re.compile(r"v?1(?:\.0)*\Z")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def mend_plan(found: Json, report: Report, tools: Tools | None) -> tuple[Json, Names]:
    """What was probably meant by a document, and what its steps are called in it.

    Containers are changed in place; what is as it should be is left alone.
    """
    return _Mender(Desk(found, report), tools).mend(found)


class _Mender:
    def __init__(self, desk: Desk, tools: Tools | None) -> None:
        self._desk = desk
        self._steps = StepMender(desk, tools)
        self._inputs = InputMender(desk)
        self._branches = Branches(desk, self._steps)
        self._shapes = Shapes(desk, self._steps.is_tool)

    def mend(self, found: Json) -> tuple[Json, Names]:
        found = self._shapes.unwrapped(found)
        if not isinstance(found, dict):
            return found, self._steps.names
        if not found.keys() <= FIELDS:
            self._rename_fields(found)
        self._mend_version(found)
        self._mend_values(found)
        if found.get("inputs") is not None:
            self._inputs.mend(found)
        if isinstance(found.get("steps"), dict):
            self._list_steps(found)
        steps = found.get("steps")
        if isinstance(steps, list) and any(map(is_group, steps)):
            steps = self._flatten(found, steps)
        if isinstance(steps, list):
            self._unkey_steps(steps)
            self._spread(found, steps)
            edges = next(
                (name for name in found if bare(name) in EDGES and name not in FIELDS), None
            )
            self._steps.mend(steps, ("steps",), self._branches.resolve)
            if edges is not None:
                self._connect(found, edges, steps)
            self._finish(found, steps)
        return found, self._steps.names

    # The plan's own fields

    def _rename_fields(self, found: Mapping) -> None:
        for name in [name for name in found if name not in FIELDS]:
            new = self._target(found, name)
            short = bare(name)
            may_guess = self._desk.report.may_guess(len(FIELDS))
            near = field_for(name, FIELDS) if may_guess else None
            asked = inputs_inside(found[name]) if short in TRIGGERS else None
            if asked is not None and found.get("inputs") is None:
                # What a run is started with stands in what starts it.
                self._desk.convert(found, (), name, "inputs", asked)
            elif new and (found.get(new) is None or new == "inputs"):
                self._rename_field(found, name, new)
            elif name.startswith(("x-", "x_")):
                self._desk.leave_out(found, (), name, why="Nothing here reads it.")
            elif near and found.get(near[0]) is None and short not in HINTS:
                self._desk.rename(found, (), name, near[0], certain=near[1])
            elif short not in DEFAULTS | EDGES:  # told when the steps are known
                self._leave_out(found, name, short)

    def _leave_out(self, found: Mapping, name: str, short: str) -> None:
        if short in PLAN_NOISE:
            why = (
                "Steps run in parallel as far as possible." if short.startswith("parallel") else ""
            )
            self._desk.leave_out(found, (), name, why=why)
        elif short in HINTS:
            self._desk.leave_out(found, (), name, why=HINTS[short], certain=False)

    def _merge_inputs(self, found: Mapping, name: str) -> None:
        """More inputs under another name."""
        more, known = with_flags(as_schemas(found[name], plain=True), found), found["inputs"]
        if isinstance(more, dict) and isinstance(known, dict):
            self._desk.merge(found, (), name, "inputs", {**more, **known})

    def _target(self, found: Mapping, name: str) -> str:
        new, said = target_of(PLAN, name)[0], found[name]
        if not new and "steps" not in found and are_steps(said):
            return "steps"
        if new == "steps" and isinstance(said, list) and said and not _holds_steps(said):
            return ""  # names of stages, say
        if bare(name) == "metadata" and isinstance(said, dict):
            return "name" if isinstance(said.get("name") or said.get("generateName"), str) else ""
        if new == "steps" and not isinstance(said, (list, dict)):
            # `workflow: backup` is a name, `workflow: [...]` are the steps.
            return "name" if bare(name) in PLAN_WRAPPERS and isinstance(said, str) else ""
        if new == "budget" and isinstance(said, str):
            return "budget" if values.money(said) is not None else ""
        return new

    def _rename_field(self, found: Mapping, name: str, new: str) -> None:
        said = found[name]
        if new == "inputs" and found.get("inputs") is not None:
            self._merge_inputs(found, name)
        elif new == "name" and isinstance(said, dict):
            said = said.get("name") or said.get("generateName")
            self._desk.convert(found, (), name, new, _plan_name(str(said)))
        elif new == "callsheet":
            self._desk.convert(found, (), name, new, FORMAT)
        elif new == "output" and (one := _only(said)) and ids.STEP_ID.match(one):
            self._desk.convert(found, (), name, new, f"${{steps.{one}}}")
        elif new == "name" and isinstance(said, str) and not ids.PLAN_NAME.match(said):
            self._desk.convert(found, (), name, new, _plan_name(said))
        elif new == "inputs" and as_schemas(said, plain=True) != said:
            meant = with_flags(as_schemas(said, plain=True), found)
            self._desk.convert(found, (), name, new, meant)
        else:
            self._desk.rename(found, (), name, new)

    def _mend_version(self, found: Mapping) -> None:
        if "callsheet" not in found:
            what = "`callsheet: 1`, the version of the format, is missing"
            self._desk.add(found, (), "callsheet", FORMAT, what)
            return
        said = found["callsheet"]
        is_wrong = said != FORMAT or isinstance(said, (bool, float))
        if is_wrong and _VERSION.match(str(said)):
            self._desk.convert(found, (), "callsheet", "callsheet", FORMAT)

    def _mend_values(self, found: Mapping) -> None:
        name = found.get("name")
        if isinstance(name, str) and name and not ids.PLAN_NAME.match(name) and _plan_name(name):
            self._desk.convert(found, (), "name", "name", _plan_name(name))
        failure = found.get("on_failure")
        if isinstance(failure, str) and bare(failure) in PLAN_FAILURE:
            self._desk.convert(found, (), "on_failure", "on_failure", PLAN_FAILURE[bare(failure)])
        budget = found.get("budget")
        if isinstance(budget, dict):
            if not budget.keys() <= _BUDGET_FIELDS:
                self._mend_budget(budget)
        elif budget is not None and values.money(budget) is not None:
            self._desk.convert(found, (), "budget", "budget", {"usd": values.money(budget)})
        self._mend_output(found)
        self._mend_concurrency(found)

    def _mend_concurrency(self, found: Mapping) -> None:
        many = found.get("concurrency")
        if isinstance(many, str) and values.number(many) is None:
            self._desk.leave_out(found, (), "concurrency", why="It is a number of calls.")
        if isinstance(many, dict):
            counts = [
                each
                for each in many.values()
                if isinstance(each, int) and not isinstance(each, bool)
            ]
            if len(counts) == 1:
                self._desk.convert(found, (), "concurrency", "concurrency", counts[0])
            else:
                why = "Or write how many calls may run at once: `concurrency: 8`."
                self._desk.begin()
                del found["concurrency"]
                self._desk.tell(
                    ("concurrency",), "it must be a number of calls", f"Leave it out. {why}"
                )

    def _mend_output(self, found: Mapping) -> None:
        output = found.get("output")
        if isinstance(output, dict) and output and all(map(_is_boxed, output.values())):
            whole: Json = {name: cast("Mapping", each)["value"] for name, each in output.items()}
            self._desk.convert(found, (), "output", "output", whole)

    def _mend_budget(self, budget: Mapping) -> None:
        for name in [name for name in budget if name not in _BUDGET_FIELDS]:
            new, conversion = target_of(BUDGET, name)
            if not new or new in budget:
                continue
            said = budget[name]
            meant = said
            if conversion == "duration":
                meant = values.duration(said)
            elif conversion == "minutes":
                meant = values.counted(said, "m")
            elif new == "usd":
                meant = values.money(said)
            if meant == said:
                self._desk.rename(budget, ("budget",), name, new)
            elif meant is not None:
                self._desk.convert(budget, ("budget",), name, new, meant)

    # Steps

    def _list_steps(self, found: Mapping) -> None:
        steps = found["steps"]
        assert isinstance(steps, dict)
        if not steps or not all(isinstance(each, dict) for each in steps.values()):
            return
        jobs = cast("dict[str, Mapping]", steps)
        is_nested = all(steps_key(job) is not None for job in jobs.values())
        working, idle = (jobs, []) if is_nested else without_branches(jobs)
        listed = steps_of_jobs(jobs) if is_nested else _steps_by_id(working)
        self._relist(found, listed)
        for name in idle:
            what = "a plan has no steps that only choose or end: each step has its own `when`"
            self._desk.tell(("steps", name), what, "Leave it out.")
        for name in jobs if is_nested else ():
            # What a job gives is what its last step gives.
            last = [step.get("id") for way, step in listed if way[0] == name][-1:]
            for each in last:
                self._steps.names.ids.setdefault(name, str(each))
        if is_nested:
            self._tell_jobs(jobs)

    def _flatten(self, found: Mapping, steps: list[Json]) -> list[Json]:
        """Groups of steps have no place in a list of steps: what follows one waits for it."""
        self._desk.begin()
        listed, names, said = steps_of_groups(steps)
        for name, last in names.items():
            self._steps.names.ids.setdefault(name, last)
        for way in said:
            fix = "Leave it out. Write it at each of the steps that it is meant for."
            self._desk.tell(("steps", *way), "there are no groups in a plan", fix)
        return self._relist(found, listed)

    def _relist(self, found: Mapping, listed: list[tuple[Place, Mapping]]) -> list[Json]:
        what = "the steps are a list, in the order of the plan"
        fix = f"Write `- id: {listed[0][1].get('id')}` and so on, as a list." if listed else ""
        whole: list[Json] = [step for _, step in listed]
        self._desk.tell(("steps",), what, fix, patch.replace(("steps",), whole))
        for index, (way, _) in enumerate(listed):
            self._desk.report.moved(("steps", index), ("steps", *way))
        found["steps"] = whole
        return whole

    def _tell_jobs(self, jobs: dict[str, Mapping]) -> None:
        """What a job says beside its steps and needs is gone with it."""
        for name, job in jobs.items():
            for key in job:
                if key in (steps_key(job), "name") or target_of(STEP, key)[0] == "needs":
                    continue
                if key == "needs":
                    continue
                why = HINTS.get(bare(key), "")
                if job[key] == condition_of(job) or (
                    key in items_of(job)
                    and len(cast("list[Json]", job[steps_key(job) or key])) == 1
                ):
                    why = "Its steps have it now."
                elif target_of(STEP, key)[0] or key in STEP_FIELDS:
                    why = "Write it at each of its steps that it is meant for."
                fix = f"Leave it out. {why}".strip()
                self._desk.tell(("steps", name, key), "there are no jobs in a plan", fix)

    def _spread(self, found: Mapping, steps: list[Json]) -> None:
        """What is said once for all steps is said by each."""
        name = next((each for each in found if bare(each) in DEFAULTS), None)
        if name is None:
            return
        said = found[name]
        self._desk.begin()
        del found[name]
        meant = self._steps.terms(said) if isinstance(said, dict) else {}
        told = ", ".join(f"`{field(key, each)}`" for key, each in meant.items())
        fix = "Leave it out. Each step says it for itself" + (f": {told}." if told else ".")
        changed: list[Json] = [
            {**{key: each for key, each in meant.items() if not says(step, key)}, **step}
            if isinstance(step, dict)
            else step
            for step in steps
        ]
        self._desk.tell(
            (name,), f"there is no field {name!r}", fix, patch.remove((name,)) if told else None
        )
        if told:
            here = ("steps",)
            first = f"Write {told} at the steps that it is meant for."
            self._desk.tell(
                here,
                "each step has its own retries and timeouts",
                first,
                patch.replace(here, changed),
            )
            steps[:] = changed

    def _unkey_steps(self, steps: list[Json]) -> None:
        """`- search: {tool: …}` is `- id: search` and the rest."""
        for index, step in enumerate(steps):
            if not isinstance(step, dict) or len(step) != 1:
                continue
            ((name, inside),) = step.items()
            if (
                isinstance(inside, dict)
                and not target_of(STEP, name)[0]
                and name not in ("tool", "plan", "id")
            ):
                whole: dict[str, Json] = {**({} if "id" in inside else {"id": name}), **inside}
                way = ("steps", index)
                fix = f"Write `id: {name}`, and its other fields beside it."
                self._desk.tell(
                    (*way, name), "a step says its id itself", fix, patch.replace(way, {**whole})
                )
                steps[index] = whole
                for key in inside:
                    self._desk.report.moved((*way, key), (*way, name, key))

    def _connect(self, found: Mapping, name: str, steps: list[Json]) -> None:
        """Edges of a graph are needs of its steps."""
        self._desk.begin()
        edges = found.pop(name)
        aliases = self._steps.names.ids
        known = [
            (aliases[a], aliases[b]) for a, b in edges_in(edges) if a in aliases and b in aliases
        ]
        told = ", ".join(f"`needs: [{a}]` at {b!r}" for a, b in known[:_MOST_EDGES])
        told += ", …" if len(known) > _MOST_EDGES else ""
        fix = (
            f"Leave it out, and write {told}."
            if told
            else "Leave it out. Write `needs` at the steps."
        )
        self._desk.tell(
            (name,), "dependencies belong in the steps, as `needs`", fix, patch.remove((name,))
        )
        by_id = {
            step.get("id"): index for index, step in enumerate(steps) if isinstance(step, dict)
        }
        for first, second in known:
            self._steps.precede(steps, ("steps",), by_id[second], first)
        for second, said in conditions_in(edges):
            self._branches.meet(steps, aliases.get(second, second), said)

    def _return(self, found: Mapping, steps: list[Json], way: Place, name: str) -> None:
        last = steps[-1]
        assert isinstance(last, dict)
        what, fix = "what a plan gives is its output", "Write `output:` at the end of the plan."
        here = (*way, name)
        self._desk.tell(here, what, fix, patch.move(here, ("output",)))
        self._desk.tell(way, "a plan ends with its last step", "Leave it out.", patch.remove(way))
        found["output"] = last[name]
        self._desk.report.moved(("output",), here)
        steps.pop()

    def _finish(self, found: Mapping, steps: list[Json]) -> None:
        """A last step that only answers is the plan's output."""
        last = steps[-1] if steps else None
        if not isinstance(last, dict) or found.get("output") is not None or not steps[1:]:
            return
        tool = last.get("tool")
        way = ("steps", len(steps) - 1)
        if (said := _returned(last)) is not None:
            self._return(found, steps, way, said)
            return
        if _only_says(last):
            what = "it calls nothing: a plan ends with its last step"
            self._desk.tell(way, what, "Leave it out.", patch.remove(way))
            steps.pop()
            return
        if not isinstance(tool, str) or bare(tool) not in FINAL or not self._steps.lacks(tool):
            return
        args = last.get("args")
        answer: Json = (
            next(iter(args.values())) if isinstance(args, dict) and len(args) == 1 else args
        )
        shown = str(answer)
        name = next((known for known in self._steps.names.ids if known in shown), "")
        output = f"${{steps.{self._steps.names.ids[name]}}}" if name else "…"
        fix = f"Write `output: {output}` at the end of the plan, and leave this step out."
        self._desk.tell(
            (*way, "tool"),
            f"there is no tool {tool!r}: what a plan gives is its output",
            fix,
            patch.move(way, ("output",)),
        )
        operation = patch.replace(("output",), answer)
        self._desk.tell(way, "a plan ends with its last step", "Leave it out.", operation)
        found["output"] = answer
        self._desk.report.moved(("output",), (*way, "args"))
        steps.pop()


def _returned(step: Mapping) -> str | None:
    """The field of a last step that says what the plan gives; None: it has none."""
    own = [name for name in step if name != "id" and bare(name) not in STEP_NOISE]
    is_said = len(own) == 1 and bare(own[0]) in FINAL and is_suspicious(step[own[0]])
    return own[0] if is_said else None


def _only_says(step: Mapping) -> bool:
    """Whether a step is what a model says at the end, and calls nothing."""
    said = {
        name: each
        for name, each in step.items()
        if name not in ("id", "needs") and each is not None and bare(name) not in STEP_NOISE
    }
    return bool(step.keys() - {"id"}) and all(
        isinstance(each, str) and bare(name) in FINAL | SAYINGS for name, each in said.items()
    )


def _steps_by_id(jobs: dict[str, Mapping]) -> list[tuple[Place, Mapping]]:
    return [
        ((name,), {**({} if "id" in each else {"id": name}), **each}) for name, each in jobs.items()
    ]


def _only(said: Json) -> str:
    """The one name that is said, alone or in a list; "": there is none, or there are several."""
    one = said[0] if isinstance(said, list) and len(said) == 1 else said
    return one if isinstance(one, str) else ""


def _plan_name(said: str) -> str:
    return _NOT_IN_NAMES.sub("-", said).strip("-._")[:100]


def _holds_steps(said: list[Json]) -> bool:
    return any(isinstance(each, (dict, list)) for each in said)


def _is_boxed(said: Json) -> bool:
    return isinstance(said, dict) and "value" in said and said.keys() <= _BOX
