"""Tools that ask something of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.errors import RequestPendingError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.handed import must_be_allowed, must_reach_no_secret
from callsheet.serve.mcp.schemas import FLAG, INPUTS, KEY, RUN, RUN_VIEW, TEXT, takes
from callsheet.serve.mcp.view import told_of

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Call
    from callsheet.serve.mcp.told import Told


async def asked(call: Call, run: Run, request: Awaitable[None]) -> Told:
    """Ask; a request that nobody can serve yet is recorded, and that is said."""
    try:
        await request
    except RequestPendingError as pending:
        return await told_of(call.door, run, note=pending.message)
    return await told_of(call.door, run)


async def pause(call: Call) -> Told:
    """Start nothing more."""
    run = await call.run()
    return await asked(call, run, run.pause(by=call.client))


async def resume(call: Call) -> Told:
    """Go on."""
    run = await call.run()
    return await asked(call, run, run.resume(by=call.client))


async def cancel(call: Call) -> Told:
    """Stop it, or one step of it."""
    run = await call.run()
    reason, step = call.args.get("reason", ""), call.args.get("step")
    if step is not None:
        return await asked(call, run, run.stop(step, reason=reason, by=call.client))
    return await asked(call, run, run.cancel(reason=reason, by=call.client))


async def undo(call: Call) -> Told:
    """Take back what is owed."""
    run = await call.run()
    to, only = call.args.get("to"), call.args.get("only")
    return await asked(call, run, run.undo(to, only=only, by=call.client))


async def retry(call: Call) -> Told:
    """Try a step again."""
    run = await call.run()
    return await asked(call, run, run.retry(call.args["step"], by=call.client))


async def add(call: Call) -> Told:
    """Add steps to an open run; they are held to what the door allows, as a plan is."""
    run = await call.run()
    steps: list[dict[str, Any]] = call.args["steps"]
    await must_be_allowed(call.door, steps)
    return await asked(call, run, run.add(steps, by=call.client))


async def seal(call: Call) -> Told:
    """Take no more steps."""
    run = await call.run()
    return await asked(call, run, run.seal(by=call.client))


async def fork(call: Call) -> Told:
    """A new run that does one step again."""
    call.door.may_start()
    await must_reach_no_secret(call.door, await call.run(), call.args.get("args"))
    run = await call.door.tenant.fork(
        call.args["run"],
        call.args["step"],
        call.args.get("args"),
        key=call.key,
        repeat_writes=call.args.get("repeat_writes", False),
    )
    call.door.started(run.id)
    return await told_of(call.door, run)


ROWS = (
    Row(
        name="run_pause",
        about="Start nothing more in a run; what runs may finish.",
        takes=takes("run", run=RUN),
        gives=RUN_VIEW,
        do=pause,
        idempotent=True,
    ),
    Row(
        name="run_resume",
        about="Go on with a paused run, or with one that nobody drives.",
        takes=takes("run", run=RUN),
        gives=RUN_VIEW,
        do=resume,
        idempotent=True,
    ),
    Row(
        name="run_cancel",
        about="Stop a run. What it did is taken back if its plan says so: run_wait until then. "
        "With `step`, stop that step alone.",
        takes=takes("run", run=RUN, step=TEXT, reason=TEXT),
        gives=RUN_VIEW,
        do=cancel,
        destructive=True,
    ),
    Row(
        name="run_undo",
        about="Take back what a run has done, the last first; `to` keeps that step and what it "
        "needed, `only` takes back that step alone.",
        takes=takes("run", run=RUN, to=TEXT, only=TEXT),
        gives=RUN_VIEW,
        do=undo,
        destructive=True,
    ),
    Row(
        name="run_retry",
        about="Try a step again that failed or was stopped, in a run with on_failure: continue.",
        takes=takes("run", "step", run=RUN, step=TEXT),
        gives=RUN_VIEW,
        do=retry,
        destructive=True,
    ),
    Row(
        name="run_add",
        about="Add steps to an open run. They may refer to each other and to those that are there.",
        takes=takes("run", "steps", run=RUN, steps={"type": "array", "items": {"type": "object"}}),
        gives=RUN_VIEW,
        do=add,
        destructive=True,
    ),
    Row(
        name="run_seal",
        about="Add no more steps: the run ends when those it has are done.",
        takes=takes("run", run=RUN),
        gives=RUN_VIEW,
        do=seal,
        idempotent=True,
    ),
    Row(
        name="run_fork",
        about="Start a new run that takes over what another has done and does one step, and what "
        "depends on it, again; `args` replace arguments of that step.",
        takes=takes(
            "run",
            "step",
            run=RUN,
            step=TEXT,
            args=INPUTS,
            key=KEY,
            repeat_writes={**FLAG, "description": "Do again also what is not idempotent."},
        ),
        gives=RUN_VIEW,
        do=fork,
        destructive=True,
    ),
)
