"""Tools that ask something of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.errors import RequestPendingError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.handed import must_be_allowed, must_reach_no_secret
from callsheet.serve.mcp.schemas import FLAG, INPUTS, KEY, RUN, RUN_VIEW, TEXT, takes
from callsheet.serve.mcp.view import told_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Call
    from callsheet.serve.mcp.schemas import Schema
    from callsheet.serve.mcp.told import Told

_RECORDED = "The request is recorded. It takes effect when a process drives the run."


async def asked(call: Call, run: Run, request: Awaitable[None]) -> Told:
    """Ask; a request that nobody can serve yet is recorded, and that is said."""
    try:
        await request
    except RequestPendingError:
        # Its own words may name a process of this machine.
        return await told_of(call.door, run, note=_RECORDED)
    return await told_of(call.door, run)


def _cancel(call: Call, run: Run) -> Awaitable[None]:
    """Stop it, or one step of it."""
    reason, step = call.args.get("reason", ""), call.args.get("step")
    if step is not None:
        return run.stop(step, reason=reason, by=call.client)
    return run.cancel(reason=reason, by=call.client)


def _undo(call: Call, run: Run) -> Awaitable[None]:
    """Take back what is owed."""
    return run.undo(call.args.get("to"), only=call.args.get("only"), by=call.client)


async def _add(call: Call, run: Run) -> None:
    """Add steps to an open run; they are held to what the door allows, as a plan is."""
    steps: list[dict[str, Any]] = call.args["steps"]
    await must_be_allowed(call.door, steps)
    await run.add(steps, by=call.client)


async def fork(call: Call) -> Told:
    """A new run that does one step again."""
    await must_reach_no_secret(call.door, await call.run(), call.args.get("args"))
    run = await call.begin(
        lambda key: call.door.tenant.fork(
            call.args["run"],
            call.args["step"],
            call.args.get("args"),
            key=key,
            repeat_writes=call.args.get("repeat_writes", False),
        )
    )
    return await told_of(call.door, run)


def _verb(
    name: str,
    about: str,
    ask: Callable[[Call, Run], Awaitable[None]],
    *required: str,
    destructive: bool = False,
    **fields: Schema,
) -> Row:
    """A tool that asks one thing of a run, and tells how it stands then."""

    async def do(call: Call) -> Told:
        run = await call.run()
        return await asked(call, run, ask(call, run))

    return Row(
        name=name,
        about=about,
        takes=takes("run", *required, run=RUN, **fields),
        gives=RUN_VIEW,
        do=do,
        destructive=destructive,
        idempotent=not destructive,
    )


ROWS = (
    _verb(
        "run_pause",
        "Start nothing more in a run; what runs may finish.",
        lambda call, run: run.pause(by=call.client),
    ),
    _verb(
        "run_resume",
        "Go on with a paused run, or with one that nobody drives.",
        lambda call, run: run.resume(by=call.client),
    ),
    _verb(
        "run_cancel",
        "Stop a run. What it did is taken back if its plan says so: run_wait until then. "
        "With `step`, stop that step alone.",
        _cancel,
        step=TEXT,
        reason=TEXT,
        destructive=True,
    ),
    _verb(
        "run_undo",
        "Take back what a run has done, the last first; `to` keeps that step and what it "
        "needed, `only` takes back that step alone.",
        _undo,
        to=TEXT,
        only=TEXT,
        destructive=True,
    ),
    _verb(
        "run_retry",
        "Try a step again that failed or was stopped, in a run with on_failure: continue.",
        lambda call, run: run.retry(call.args["step"], by=call.client),
        "step",
        step=TEXT,
        destructive=True,
    ),
    _verb(
        "run_add",
        "Add steps to an open run. They may refer to each other and to those that are there.",
        _add,
        "steps",
        steps={"type": "array", "items": {"type": "object"}},
        destructive=True,
    ),
    _verb(
        "run_seal",
        "Add no more steps: the run ends when those it has are done.",
        lambda call, run: run.seal(by=call.client),
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
