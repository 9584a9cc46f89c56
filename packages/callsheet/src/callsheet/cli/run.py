"""The commands that drive a run here: `run`, `resume`, `undo`, `retry`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from callsheet import Run
from callsheet.cli.arguments import Order, gather, gather_to_leave, load_all, with_its_tools
from callsheet.cli.home import Sync, Where, driving, looking
from callsheet.cli.options import (
    AsJson,
    Inputs,
    InputsFile,
    PlanName,
    RunName,
    Yes,
    who,
)
from callsheet.cli.output import FAILED, Output
from callsheet.cli.placed import placed
from callsheet.cli.provided import provided
from callsheet.errors import DrivenElsewhereError, InputError, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from callsheet import Engine, Result, Run
    from callsheet.cli.arguments import Given
    from callsheet.cli.attend import Parting

_MOST_AT_ONCE = 10_000


@placed
def run(
    plan: PlanName,
    *,
    inputs: Inputs = None,
    inputs_file: InputsFile = None,
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_AT_ONCE, help="How many calls run at the same time."),
    ] = None,
    sync: Annotated[
        Sync,
        typer.Option(
            help="Whether acknowledged entries survive a power cut (full) or the process (normal)."
        ),
    ] = "full",
    yes: Yes = False,
    key: Annotated[
        str | None, typer.Option(help="The same key and content is the same run.")
    ] = None,
    keep_open: Annotated[
        bool, typer.Option("--open", help="Let steps be added (`add`) until it is sealed (`seal`).")
    ] = False,
    tenant: Annotated[
        str, typer.Option(help="The tenant; one that has an account pays for the run.")
    ] = "default",
    leave: Annotated[
        bool,
        typer.Option("--leave", help="Only queue it: a process that has the tools starts it."),
    ] = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Run a plan, and follow it until it ends.

    Ctrl-C cancels it (and undoes what was done, if the plan says so); Ctrl-C again leaves it as
    it is, to be resumed.
    """
    where = with_its_tools(where, plan)
    order = Order(
        plan=plan,
        where=where,
        inputs=inputs or (),
        inputs_file=inputs_file,
        concurrency=concurrency,
        tenant=tenant,
    )
    terms = _Terms(sync=sync, yes=yes, key=key, open=keep_open, tenant=tenant)
    with Output(as_json=as_json) as out:
        if leave:
            left = out.run(_leave(order, terms))
            if as_json:
                out.data(left.to_json())
            else:
                again = where.command("watch", left.run)
                out.show(f"{left.run}: {left.state}. To follow it: {again}")
            return
        parting = out.run(_run(out, order, terms))
        raise typer.Exit(_part(out, parting, where))


class _Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How a plan is run."""

    sync: Sync
    yes: bool
    key: str | None
    open: bool
    tenant: str


async def _run(out: Output, order: Order, terms: _Terms) -> Parting:
    from callsheet.cli.attend import Interrupts, stay

    given = await gather(order)
    if not out.as_json:
        out.list_problems(given.warnings)
    with Interrupts() as interrupts:
        async with driving(order.where, given.room, create=True, sync=terms.sync) as engine:
            started = await _started(engine, order, given, terms)
            return await stay(out, engine, started, interrupts, order.where, yes=terms.yes)


async def _leave(order: Order, terms: _Terms) -> Result:
    plan, inputs = await gather_to_leave(order)
    async with looking(order.where.home) as engine:
        run = await engine.start(plan, inputs, key=terms.key, open=terms.open, tenant=terms.tenant)
        return await run.status()


async def _started(engine: Engine, order: Order, given: Given, terms: _Terms) -> Run:
    if not order.where.home.is_service:
        return await engine.start(
            given.checked, given.inputs, key=terms.key, open=terms.open, tenant=terms.tenant
        )
    if terms.tenant != "default":
        raise InputError("The service's key decides the tenant: leave out --tenant.")
    return await engine.start(given.plan, given.inputs, key=terms.key, open=terms.open)


@placed
def resume(
    run: RunName,
    *,
    yes: Yes = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Resume a paused or interrupted run.

    Follows it until it ends; of an ended run, prints the result. If another process
    drives it, that one goes on with it, and this one watches.
    """
    with Output(as_json=as_json) as out:
        parting = out.run(_resume(out, where, run, yes=yes))
        from callsheet.cli.apps import closing_of

        ends = closing_of(parting.result.plan) or _part
        raise typer.Exit(ends(out, parting, where))


async def _resume(out: Output, where: Where, run: str, *, yes: bool) -> Parting:
    from callsheet.cli.attend import Interrupts, stay

    where = await provided(out, where, run)
    tools = load_all(where.tools)
    with Interrupts() as interrupts:
        async with driving(where, tools) as engine:
            handle = await engine.find(run)
            run = handle.id
            state = (await handle.status()).state
            if not state.ended:  # else there is nothing to go on with: it is shown
                with suppress(DrivenElsewhereError):  # whoever drives it goes on with it
                    await engine.resume(run)
                # What was asked of it while nobody drove it may have ended it just now.
                with suppress(RequestRefusedError):
                    await handle.resume(by=who())
            return await stay(out, engine, handle, interrupts, where, yes=yes, resumed=True)


@placed
def undo(
    run: RunName,
    *,
    to: Annotated[
        str | None, typer.Option(metavar="STEP", help="Keep this step, and what it needed.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="STEP", help="Take back what this step did alone.")
    ] = None,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Undo what a run has done, in reverse order.

    With --only, undo one step alone. Exits with 0 when that is done.
    """
    with Output(as_json=as_json) as out:
        if only is not None and to is not None:
            raise InputError("Use either --to (what to keep) or --only (the one step to undo).")

        def ask(handle: Run) -> Awaitable[None]:
            return handle.undo(to, only=only, by=who())

        parting = out.run(_asked(out, where, run, ask, step=only))
        result = parting.result
        found = result.steps[only].state if only in result.steps else result.state
        if only is None or result.state.ended or out.as_json:
            code = _part(out, parting, where)
        else:
            out.show(f"{result.run}: {only} is {str(found).replace('_', ' ')}. The run continues.")
            code = FAILED
        raise typer.Exit(0 if found == "undone" else code)


@placed
def retry(
    run: RunName,
    step: Annotated[str, typer.Argument(metavar="STEP", help="The step (or item, rooms[2]).")],
    *,
    yes: Yes = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Retry a step that failed or was stopped.

    What was skipped because of it runs, too. In a run with `on_failure: continue`, also after it
    has ended `failed`. Follows the run until it ends.
    """
    with Output(as_json=as_json) as out:

        def ask(handle: Run) -> Awaitable[None]:
            return handle.retry(step, by=who())

        parting = out.run(_asked(out, where, run, ask, yes=yes))
        raise typer.Exit(_part(out, parting, where))


async def _asked(
    out: Output,
    where: Where,
    run: str,
    ask: Callable[[Run], Awaitable[None]],
    *,
    step: str | None = None,
    yes: bool = False,
) -> Parting:
    """Ask something of a run and stay with it; if others drive it, until `step` is over."""
    from callsheet.cli.attend import Interrupts, Parting, stay

    where = await provided(out, where, run)
    tools = load_all(where.tools)
    with Interrupts() as interrupts:
        async with driving(where, tools) as engine:
            handle = await engine.find(run)
            await ask(handle)
            if step is not None and not handle.is_driven_here:
                await handle.step(step).result()
                return Parting(reason="ended", result=await handle.status())
            return await stay(out, engine, handle, interrupts, where, yes=yes)


def _part(out: Output, parting: Parting, where: Where) -> int:
    from callsheet.cli.closing import part

    return part(out, parting, where)
