"""Tools that start runs and look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.runtime.feed import Event
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.handed import handed_in
from callsheet.serve.mcp.schemas import (
    FLAG,
    INPUTS,
    KEY,
    LISTED,
    LONGEST_WAIT,
    PLAN,
    RUN,
    RUN_VIEW,
    TEXT,
    WAIT,
    WHOLE,
    takes,
)
from callsheet.serve.mcp.told import MOST, Told, clipped, size_of
from callsheet.serve.mcp.view import told_of
from callsheet.serve.mcp.waiting import waited

if TYPE_CHECKING:
    from callsheet.core.index.heads import RunHead
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Call

_PAGE = 20
_MOST_LISTED = 100
_ROOM = MOST - 500
_LONG_TEXT, _LONG_LIST = 1_000, 20


async def begin(call: Call) -> tuple[Run, str]:
    """Start the run that a call asks for; durable when this returns. And what the plan was."""
    handed = await handed_in(call.door, call.args)
    inputs, is_open = call.args.get("inputs"), call.args.get("open", False)
    plan = handed.accepted()
    run = await call.begin(lambda key: call.door.tenant.start(plan, inputs, key=key, open=is_open))
    return run, handed.read_as


async def begun(call: Call) -> Run:
    """The same, for a task."""
    return (await begin(call))[0]


async def start(call: Call) -> Told:
    """Start a run, and perhaps wait a little."""
    run, read_as = await begin(call)
    seconds = call.args.get("wait_seconds", 0)
    result = await waited(call, run, seconds) if seconds else None
    return await told_of(call.door, run, result, read_as=read_as)


async def run_plan(call: Call) -> Told:
    """Start a run and stay with it, for as long as a client has patience."""
    run, read_as = await begin(call)
    result = await waited(call, run, LONGEST_WAIT)
    return await told_of(call.door, run, result, read_as=read_as)


async def status(call: Call) -> Told:
    """A run as it stands."""
    return await told_of(call.door, await call.run(), detail=call.args.get("steps"))


async def wait(call: Call) -> Told:
    """A run, after a while."""
    run = await call.run()
    return await told_of(call.door, run, await waited(call, run, call.args.get("seconds", 20)))


async def listed(call: Call) -> Told:
    """Runs, newest first."""
    limit = call.args.get("limit", _PAGE)
    heads = await call.door.tenant.runs(
        state=call.args.get("state"),
        plan=call.args.get("plan"),
        subject=call.args.get("subject"),
        key=call.args.get("key"),
        before=call.args.get("before"),
        top_level=True,
        limit=limit,
    )
    items: list[dict[str, Any]] = []
    for head in heads:
        item = await _listed(call, head)
        if size_of([*items, item]) > _ROOM:
            break
        items.append(item)
    more = len(items) < len(heads) or len(heads) == limit
    return Told(data={"items": items, "next": items[-1]["run"] if items and more else None})


async def _listed(call: Call, head: RunHead) -> dict[str, Any]:
    found: dict[str, Any] = head.to_json()
    if head.ended is None:
        status = await (await call.door.tenant.get(head.run)).status()
        found |= {"state": status.shown_state, "paused": status.paused}
    names = ("run", "plan", "state", "paused", "started_at", "ended_at", "key", "subject")
    return {name: found[name] for name in names if found[name] not in (None, False)}


async def events(call: Call) -> Told:
    """What has happened in a run, entry by entry."""
    run = await call.run()
    after: int = call.args.get("after", 0)
    entries = await run.journal(after)
    items: list[dict[str, Any]] = []
    size = 0
    for seq, entry in enumerate(entries[: call.args.get("limit", _PAGE)], after + 1):
        item = Event(run=run.id, seq=seq, entry=entry).to_json()
        if size_of(item) > _LONG_TEXT:
            item = clipped(item, _LONG_TEXT, _LONG_LIST)
        size += size_of(item)
        if items and size > _ROOM:
            break
        items.append(item)
    return Told(data={"items": items, "next": after + len(items)})


_LIMIT = {"type": "integer", "minimum": 1, "maximum": _MOST_LISTED}
_START = {
    "plan": PLAN,
    "plan_id": {"type": "string", "description": "A saved plan: name, or name@version."},
    "inputs": INPUTS,
    "key": KEY,
}

ROWS = (
    Row(
        name="run_start",
        about="Start a run of a plan and return at once (or after wait_seconds): it goes on by "
        "itself. Give a key, and starting again is the same run.",
        takes=takes(
            **_START,
            wait_seconds=WAIT,
            open={**FLAG, "description": "More steps may be added (run_add) until run_seal."},
        ),
        gives=RUN_VIEW,
        do=start,
        destructive=True,
    ),
    Row(
        name="run_plan",
        about="Run a plan to its end: a task where the client has tasks, else a call that waits "
        "at most 50 s and then answers with the run as it stands. Cancelling or losing the call "
        "does not cancel the run: run_cancel does.",
        takes=takes(**_START),
        gives=RUN_VIEW,
        do=run_plan,
        destructive=True,
        begins=begun,
    ),
    Row(
        name="run_status",
        about="A run as it stands: state, output, questions, what failed, what to do next.",
        takes=takes(
            "run",
            run=RUN,
            steps={
                "anyOf": [{"enum": ["failed", "all"]}, {"type": "array", "items": TEXT}],
                "description": "Steps to show in full.",
            },
        ),
        gives=RUN_VIEW,
        do=status,
        reads=True,
    ),
    Row(
        name="run_wait",
        about="Wait until a run has ended or needs a person, at most 50 s. Leaving does not "
        "cancel the run.",
        takes=takes("run", run=RUN, seconds=WAIT),
        gives=RUN_VIEW,
        do=wait,
        reads=True,
    ),
    Row(
        name="run_list",
        about="List runs, newest first; `next` is `before` of the next page.",
        takes=takes(state=TEXT, plan=TEXT, subject=TEXT, key=TEXT, before=TEXT, limit=_LIMIT),
        gives=LISTED,
        do=listed,
        reads=True,
    ),
    Row(
        name="run_events",
        about="What happened in a run, in order; `next` is `after` of the next page.",
        takes=takes("run", run=RUN, after=WHOLE, limit=_LIMIT),
        gives=LISTED,
        do=events,
        reads=True,
    ),
)
