"""Reading plans: YAML, JSON, mappings and Python objects become the same model, or one error.

The error lists every problem, each with its place, what is wrong and what to write. Whether what a
plan says makes sense (its tools, references, types) is `check`'s business.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import msgspec

from callsheet.core import ids, patch
from callsheet.core.plan import fields
from callsheet.core.plan.document import locate, plain, read_text
from callsheet.core.plan.mend.conversions import Names
from callsheet.core.plan.mend.plan import mend_plan
from callsheet.core.plan.plan import (
    FORMAT,
    Approval,
    InDoubt,
    OnCancel,
    OnFailure,
    Plan,
    StepOnFailure,
)
from callsheet.core.problem import Place, Problem, Report, one_of, refusal_of, show, spell
from callsheet.core.schema.shape import KINDS
from callsheet.core.schema.validate import problem_of_schema, problems_of
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json

MAX_STEPS = 50_000
MAX_CONCURRENCY = 10_000
MAX_ATTEMPTS = 100
MAX_LABEL = 200

_MOST = 2**53
_INPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")
_TOOL_NAME = re.compile(r"[^\s${}]{1,200}\Z")
_SAVED_PLAN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[1-9][0-9]{0,8})?\Z")
_CALLS = ("tool", "ask", "plan", "agent")


def read_plan(
    source: str | bytes | Mapping[str, object] | Plan, *, name: str | None = None
) -> Plan:
    """The plan that a text in YAML or JSON, a mapping or a `Plan` built in Python stands for.

    All of them are validated and normalised alike: equal plans have equal digests, however they
    were written. `name` is the plan's name if it has none of its own.

    Raises:
        PlanError: everything that is wrong with it.
    """
    understood = understand(source, name=name)
    if understood.plan is not None and not understood.report.failed:
        return understood.plan
    raise refusal_of(understood.problems())


class Understood(msgspec.Struct, frozen=True, kw_only=True):
    """What a document says, as far as it can be told."""

    plan: Plan | None
    """What was probably meant, where the report has errors; None: nothing can be made of it."""
    names: Names
    """What its steps are called in it."""
    report: Report
    text: str | None

    def problems(self) -> tuple[Problem, ...]:
        """All of them, with their lines."""
        ordered = self.report.ordered
        return ordered if self.text is None else locate(ordered, self.text)


def understand(
    source: str | bytes | Mapping[str, object] | Plan,
    *,
    name: str | None = None,
    tools: Tools | None = None,
    lenient: bool = False,
    before: Names | None = None,
) -> Understood:
    """Read a plan as far as it can be, with everything that is wrong with it.

    With `tools`, what is missing in a call can be guessed. `lenient`: a fence and prose around a
    text are read past without a word. `before`: what its steps were called when it was written.
    """
    report = Report()
    text: str | None = None
    found: object = source
    names = Names()
    try:
        if isinstance(source, (str, bytes)):
            text, found = read_text(source, report, lenient=lenient)
        document = plain(found, report)
        if not isinstance(source, Plan):
            document, names = mend_plan(document, report, tools)
            for was, now in before.ids.items() if before is not None else ():
                names.ids.setdefault(was, now)
    except PlanError:
        # What could be said is in the report.
        return Understood(plan=None, names=names, report=report, text=text)
    built = _read(report, document, name)
    try:
        plan = msgspec.convert(built, Plan) if isinstance(built, dict) else None
    except msgspec.ValidationError:
        plan = None
        assert report.failed
    return Understood(plan=plan, names=names, report=report, text=text)


def _read(report: Report, found: Json, name: str | None) -> Json:
    if found is None:
        report.error((), "the document is empty", "A plan begins with `callsheet: 1`.")
        return None
    if not isinstance(found, dict):
        fields.wrong(report, (), found, "a mapping", "A plan begins with `callsheet: 1`.")
        return None
    if found.get("name") is None:
        found = {**found, "name": name or "plan"}
    return _plan(report, (), found)


def _version(report: Report, place: Place, found: Json) -> Json:
    fix = f"Write `callsheet: {FORMAT}`."
    if not isinstance(found, int) or isinstance(found, bool):
        fields.wrong(report, place, found, "the version of the format", fix)
    elif found > FORMAT:
        what = f"the plan is written for version {found} of the format, this is {FORMAT}"
        report.error(place, what, "Upgrade Callsheet.")
    elif found != FORMAT:
        report.error(place, f"there is no version {found} of the format", fix)
    return FORMAT


def _inputs(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, dict):
        fields.wrong(
            report, place, found, "a mapping", "Write {city: {type: string}}, with its inputs."
        )
        return None
    built: dict[str, Json] = {}
    for name, schema in found.items():
        if not _INPUT_NAME.match(name):
            what = f"{show(name)} is not a name for an input"
            report.error((*place, name), what, "Write a letter, then letters, digits and _.")
        built[name] = _input(report, (*place, name), schema)
    return built


def _input(report: Report, place: Place, schema: Json) -> Json:
    if isinstance(schema, str):
        schema = {"type": schema}
    if not isinstance(schema, dict):
        fix = f"Write {{type: …}} with one of {one_of(KINDS)}."
        fields.wrong(report, place, schema, "a JSON Schema", fix)
        return {}
    problem = problem_of_schema(schema)
    if problem:
        report.error(place, problem)
        return {}
    if "default" in schema:
        for inside, what in problems_of(schema, schema["default"]):
            report.error((*place, "default", *inside), what)
    return schema


def _steps(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, list):
        fields.wrong(report, place, found, "a list", "Write - id: … for each step.")
        return None
    if len(found) > MAX_STEPS:
        what = f"a plan has at most {MAX_STEPS:,} steps, not {len(found):,}"
        report.error(place, what, "Split the plan, or use for_each.")
        return None
    seen: dict[str, int] = {}
    built = [_one_step(report, (*place, index), step) for index, step in enumerate(found)]
    for index, step in enumerate(found):
        name = step.get("id") if isinstance(step, dict) else None
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            what = f"the id {show(name)} is already used by {spell((*place, seen[name]))}"
            report.error((*place, index, "id"), what, "Give each step an id of its own.")
    return built


def _one_step(report: Report, place: Place, found: Json) -> Json:
    calls: list[str] = []
    if isinstance(found, dict):
        calls = [word for word in _CALLS if found.get(word) is not None]
        if not calls:
            what = "it has neither `tool` nor `ask` nor `plan` nor `agent`"
            report.error(place, what, "Say which tool it calls.")
        elif len(calls) > 1:
            words = " and ".join(f"`{word}`" for word in calls)
            report.error(place, f"it has both {words}", "Make a step of each.")
        if isinstance(sub := found.get("plan"), dict) and sub.get("name") is None:
            # So that its run can be told from others in a list.
            found = {**found, "plan": {**sub, "name": found.get("id")}}
    built = _step(report, place, found)
    if not isinstance(built, dict):
        return _stand_in(place, {})
    if len([word for word in _CALLS if word in built]) != 1:
        return _stand_in(place, built)
    return {**built, "id": built.get("id", _stand_in(place, {})["id"])} if report.failed else built


def _stand_in(place: Place, built: dict[str, Json]) -> dict[str, Json]:
    """A step of which nothing is held against the plan: what it calls cannot be told."""
    kept: dict[str, Json] = {
        str(name): built[name] for name in ("id", "needs", "for_each") if name in built
    }
    return {"id": f"step_{place[-1]}", **kept, "ask": "?"}


def _sub_plan(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, dict):
        # It stands in a plan that says so already.
        built = _plan(report, place, {"callsheet": FORMAT, **found})
        return built if isinstance(built, dict) and "steps" in built else None
    return _saved_plan(report, place, found)


def _agent(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, str):
        return {"capability": _capability(report, place, found)}
    built = _agent_record(report, place, found)
    return built if isinstance(built, dict) and "capability" in built else None


def _cache(report: Report, place: Place, found: Json) -> Json:
    return found if isinstance(found, bool) else fields.duration()(report, place, found)


def _id(report: Report, place: Place, found: Json) -> Json:
    fix = "Write a lowercase letter, then lowercase letters, digits and _."
    return fields.matching(ids.STEP_ID, "a step id", fix)(report, place, found)


def _label(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, str) and not found:
        return None  # as in Python, where it is the default
    said = fields.text(report, place, found)
    if isinstance(said, str) and len(said) > MAX_LABEL:
        what = f"a label has at most {MAX_LABEL} characters, not {len(said):,}"
        report.error(place, what, "Shorten it.")
        return said[:MAX_LABEL]
    return said


def _retry(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, int) and not isinstance(found, bool):
        return {"attempts": _attempts(report, place, found)}
    if isinstance(found, bool):
        meant: Json = {} if found else {"attempts": 1}
        fields.wrong(
            report, place, found, "a number of attempts", "Write `3`." if found else "Write `1`."
        )
        return meant
    return _retry_record(report, place, found)


def _cost(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return {"usd": fields.amount(report, place, found)}
    return _cost_record(report, place, found)


def _undo(report: Report, place: Place, found: Json) -> Json:
    if found == "none":
        return found
    if isinstance(found, str):
        return {"tool": _tool(report, place, found)}
    if not isinstance(found, dict):
        fix = "Write {tool: …, args: {…}}, the name of a tool, or none."
        fields.wrong(report, place, found, "a call or `none`", fix)
        return None
    built = _undo_record(report, place, found)
    return built if isinstance(built, dict) and "tool" in built else None


def _for_each(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, (list, str)):
        fields.wrong(report, place, found, "a list or a reference", "Refer to the list of a step.")
        return None
    return found


def _when(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, str):
        if found is True:
            operation = patch.remove(place)
            report.error(
                place,
                "a condition that is always true has no effect",
                "Leave it out.",
                patch=operation,
            )
        else:
            fields.wrong(
                report,
                place,
                found,
                "a reference",
                "Compare something of a step, as in ${steps.a == 'x'}.",
            )
        return None
    return found


_tool = fields.matching(_TOOL_NAME, "the name of a tool", "It has no spaces, as in flights.book.")
_name = fields.matching(
    ids.PLAN_NAME, "a name for a plan", "Write letters, digits, `.`, `_` and `-`: at most 100."
)
_saved_plan = fields.matching(
    _SAVED_PLAN, "a saved plan", "Write its name, `name@version`, or the plan itself."
)
_capability = fields.matching(
    ids.CAPABILITY, "a capability", "Write lowercase words joined by dots, as in script.write."
)
_agent_record = fields.record(
    {
        "capability": _capability,
        "role": fields.matching(ids.CAPABILITY, "a role", "Write one lowercase word."),
        "chain": fields.texts(fields.text),
    },
    required=["capability"],
)
_whole = fields.whole(0, _MOST)
_attempts = fields.whole(1, MAX_ATTEMPTS)
_amounts: dict[str, fields.Reader] = {
    "usd": fields.amount,
    "credits": fields.amount,
    "tokens": _whole,
    "calls": _whole,
}
_cost_record = fields.record(_amounts)
_budget = fields.record({**_amounts, "seconds": fields.duration()})
_retry_record = fields.record(
    {
        "attempts": _attempts,
        "backoff": fields.duration(zero=True),
        "max_backoff": fields.duration(zero=True),
    }
)
_undo_record = fields.record({"tool": _tool, "args": fields.mapping}, required=["tool"])
_step = fields.record(
    {
        "id": _id,
        "tool": _tool,
        "ask": fields.text,
        "plan": _sub_plan,
        "agent": _agent,
        "args": fields.mapping,
        "choices": fields.texts(fields.text),
        "needs": fields.texts(_id),
        "when": _when,
        "for_each": _for_each,
        "retry": _retry,
        "timeout": fields.duration(),
        "within": fields.duration(),
        "undo": _undo,
        "approval": fields.choice(*get_args(Approval)),
        "priority": fields.whole(-_MOST, _MOST),
        "touches": fields.texts(fields.text),
        "idempotent": fields.flag,
        "destructive": fields.flag,
        "cost": _cost,
        "ceiling": _cost,
        "on_failure": fields.choice(*get_args(StepOnFailure)),
        "run_if_skipped": fields.flag,
        "in_doubt": fields.choice(*get_args(InDoubt)),
        "cache": _cache,
        "literal": fields.flag,
        "label": _label,
    },
    later=["queue"],
    required=["id"],
)
_plan = fields.record(
    {
        "callsheet": _version,
        "name": _name,
        "description": fields.remark,
        "inputs": _inputs,
        "budget": _budget,
        "on_failure": fields.choice(*get_args(OnFailure)),
        "on_cancel": fields.choice(*get_args(OnCancel)),
        "concurrency": fields.whole(1, MAX_CONCURRENCY),
        "steps": _steps,
        "output": fields.anything,
    },
    later=["queue"],
    required=["steps"],
)
