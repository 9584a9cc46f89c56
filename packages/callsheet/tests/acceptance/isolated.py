"""Sync tools at the top of a module, where a worker process finds them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from callsheet import Step, SyncContext, tool
from callsheet.errors import PlanError, RequestRefusedError, TransientError


@tool("stubborn", effect="write", undo="unstubborn")
def stubborn(file: str) -> None:
    """Say which process it is, and never end."""
    Path(file).write_text(str(os.getpid()), "utf-8")
    while True:
        time.sleep(0.01)


@tool("unstubborn", effect="write", idempotent=True)
def unstubborn(args: dict[str, str], output: None, key: str) -> None:
    """Take it back."""
    del output, key
    Path(args["file"]).with_suffix(".undone").write_text(str(os.getpid()), "utf-8")


@tool("where", effect="write")
def where() -> int:
    """Say which process it is."""
    return os.getpid()


@tool("where_read", effect="read")
def where_read() -> int:
    """Say which process it is, as a read."""
    return os.getpid()


@tool("dies", effect="write")
def dies(file: str) -> None:
    """Have an effect, and die before anybody is told."""
    Path(file).write_text("happened", "utf-8")
    os._exit(3)


@tool("breaks", effect="read", isolated=True)
def breaks() -> int:
    """Raise what nobody expected."""
    numbers: dict[str, int] = {}
    return numbers["b"]  # in a process


@tool("plans", effect="read", isolated=True)
def plans(fail: bool, ctx: SyncContext) -> list[object]:
    """Add steps, have others follow, and say what it does, in a process of its own."""
    ctx.emit("I plan ")
    ctx.emit("in a process.")
    seconds = ctx.seconds
    ctx.add([{"id": "one", "tool": "where_read", "label": "call_1"}], checkpoint={"added": 1})
    refused = []
    for steps in ([{"id": "x", "tool": "nope"}], [{"id": "plan", "tool": "where_read"}]):
        try:
            ctx.add(steps)
        except PlanError as error:
            refused.append(error.message)
    if fail and ctx.attempt == 1:
        raise TransientError("again")
    ctx.add([{"id": "slow", "tool": "where_read", "needs": ["gate"]}, {"id": "gate", "ask": "?"}])
    for _ in range(2):
        ctx.stop("slow")
        ctx.stop("gate")
    for verb in (ctx.stop, ctx.undo):
        try:
            verb("plan")
        except RequestRefusedError as error:
            refused.append(error.message)
    ctx.then([Step(id="two", tool="where_read", needs=("one",))], seal=True)
    return [os.getpid(), seconds >= 0, refused, ctx.emitted, ctx.saved]


@tool("plans_in_a_thread", effect="read")
def plans_in_a_thread(ctx: SyncContext) -> str:
    """The same in a thread."""
    ctx.emit("In a thread.")
    ctx.add([{"id": "one", "tool": "where_read"}])
    ctx.then(seal=True)
    return ctx.emitted


@tool("speaks_too_much", effect="read", isolated=True)
def speaks_too_much(ctx: SyncContext) -> str:
    """Say more than anybody may."""
    for _ in range(11):
        ctx.emit("x" * 1_000_000)
    return "fine"
