"""Reading plans: YAML, JSON, mappings and Python objects become the same model, or one error.

The error lists every problem, each with its place, what is wrong and what to write. Whether what a
plan says makes sense (its tools, references, types) is `check`'s business.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import msgspec

from callsheet.core import ids
from callsheet.core.plan import fields
from callsheet.core.plan.document import locate, plain, read_text
from callsheet.core.plan.plan import (
    FORMAT,
    Approval,
    InDoubt,
    OnCancel,
    OnFailure,
    Plan,
    StepOnFailure,
)
from callsheet.core.problem import Place, Report, one_of, refusal_of, show, spell
from callsheet.core.schema.shape import KINDS
from callsheet.core.schema.validate import problem_of_schema, problems_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.value import Json

MAX_STEPS = 50_000
MAX_CONCURRENCY = 10_000
MAX_ATTEMPTS = 100

_MOST = 2**53
_INPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")
_TOOL_NAME = re.compile(r"[^\s${}]{1,200}\Z")
_SAVED_PLAN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[1-9][0-9]{0,8})?\Z")
_CALLS = ("tool", "ask", "plan")


def read_plan(
    source: str | bytes | Mapping[str, object] | Plan, *, name: str | None = None
) -> Plan:
    """The plan that a text in YAML or JSON, a mapping or a `Plan` built in Python stands for.

    All of them are validated and normalised alike: equal plans have equal digests, however they
    were written. `name` is the plan's name if it has none of its own.

    Raises:
        PlanError: everything that is wrong with it.
    """
    report = Report()
    text: str | None = None
    found: object = source
    if isinstance(source, (str, bytes)):
        text, found = read_text(source, report)
    built = _read(report, plain(found, report), name)
    if not report.failed:
        return msgspec.convert(built, Plan)
    raise refusal_of(report.ordered if text is None else locate(report.ordered, text))


def _read(report: Report, found: Json, name: str | None) -> Json:
    if found is None:
        report.error((), "the document is empty", "A plan begins with `callsheet: 1`.")
        return None
    if not isinstance(found, dict):
        fields.wrong(report, (), found, "a mapping", "A plan begins with `callsheet: 1`.")
        return None
    if found.get("name") is None:
        found = {**found, "name": name or "plan"}
    if "callsheet" not in found:
        fix = f"Write `callsheet: {FORMAT}` at the top."
        report.error(("callsheet",), "the version of the format is missing", fix)
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
    return found


def _inputs(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, dict):
        fields.wrong(report, place, found, "a mapping", "Write `inputs: {city: {type: string}}`.")
        return found
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
        fix = f"Write `{{type: …}}` with one of {one_of(KINDS)}."
        fields.wrong(report, place, schema, "a JSON Schema", fix)
        return schema
    problem = problem_of_schema(schema)
    if problem:
        report.error(place, problem)
    elif "default" in schema:
        for inside, what in problems_of(schema, schema["default"]):
            report.error((*place, "default", *inside), what)
    return schema


def _steps(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, list):
        fields.wrong(report, place, found, "a list", "Write `- id: …` for each step.")
        return found
    if len(found) > MAX_STEPS:
        what = f"a plan has at most {MAX_STEPS:,} steps, not {len(found):,}"
        report.error(place, what, "Split the plan, or use for_each.")
        return found
    seen: dict[str, int] = {}
    built = [_one_step(report, (*place, index), step) for index, step in enumerate(found)]
    for index, step in enumerate(found):
        name = step.get("id") if isinstance(step, dict) else None
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            what = f"the id {show(name)} is already used by {spell((*place, seen[name]))}"
            report.error((*place, index, "id"), what, "Give each step an id of its own.")
    return built


def _one_step(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, dict):
        calls = [word for word in _CALLS if found.get(word) is not None]
        if not calls:
            what = "it has neither `tool` nor `ask` nor `plan`"
            report.error(place, what, "Write `tool: <name>`.")
        elif len(calls) > 1:
            words = " and ".join(f"`{word}`" for word in calls)
            report.error(place, f"it has both {words}", "Make a step of each.")
        if isinstance(sub := found.get("plan"), dict) and sub.get("name") is None:
            # So that its run can be told from others in a list.
            found = {**found, "plan": {**sub, "name": found.get("id")}}
    return _step(report, place, found)


def _sub_plan(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, dict):
        # It stands in a plan that says so already.
        return _plan(report, place, {"callsheet": FORMAT, **found})
    return _saved_plan(report, place, found)


def _cache(report: Report, place: Place, found: Json) -> Json:
    return found if isinstance(found, bool) else fields.duration()(report, place, found)


def _id(report: Report, place: Place, found: Json) -> Json:
    fix = "Write a small letter, then small letters, digits and _."
    return fields.matching(ids.STEP_ID, "a step id", fix)(report, place, found)


def _retry(report: Report, place: Place, found: Json) -> Json:
    if isinstance(found, int) and not isinstance(found, bool):
        return {"attempts": _attempts(report, place, found)}
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
        return found
    return _undo_record(report, place, found)


def _for_each(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, (list, str)):
        fields.wrong(report, place, found, "a list or a reference", "Write ${steps.<id>.<list>}.")
    return found


def _when(report: Report, place: Place, found: Json) -> Json:
    if not isinstance(found, str):
        fields.wrong(report, place, found, "a reference", "Write ${steps.<id> == 'x'}.")
    return found


_tool = fields.matching(_TOOL_NAME, "the name of a tool", "Write it as in `flights.book`.")
_name = fields.matching(
    ids.PLAN_NAME, "a name for a plan", "Write letters, digits, `.`, `_` and `-`: at most 100."
)
_saved_plan = fields.matching(
    _SAVED_PLAN, "a saved plan", "Write its name, `name@version`, or the plan itself."
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
        "args": fields.mapping,
        "choices": fields.texts(fields.text),
        "needs": fields.texts(_id),
        "when": _when,
        "for_each": _for_each,
        "retry": _retry,
        "timeout": fields.duration(),
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
