"""The verbs that steer a run, from any terminal: `pause`, `cancel`, `answer`."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from callsheet import Run
from callsheet.cli.home import Where, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, RunName, who
from callsheet.cli.output import Output
from callsheet.cli.place import Place
from callsheet.errors import InputError, RequestPendingError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def pause(run: RunName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Pause a run: what is running may finish. `resume` continues it."""
    with Output(as_json=as_json) as out:
        steer(out, home, run, lambda handle: handle.pause(by=who()), "paused")


def cancel(
    run: RunName,
    reason: Annotated[str, typer.Option(help="Why; it is journalled.")] = "",
    step: Annotated[
        str | None,
        typer.Option(metavar="STEP", help="Stop only this step (or item, rooms[2]); go on."),
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Stop a run, or one step of it.

    Nothing more starts, what runs is told to stop, and what was done is undone if the plan says so.
    With --step the run goes on; what depends on the step is skipped.
    """
    with Output(as_json=as_json) as out:
        if step is None:
            steer(
                out, home, run, lambda handle: handle.cancel(by=who(), reason=reason), "cancelled"
            )
        else:

            def stop(handle: Run) -> Awaitable[None]:
                return handle.stop(step, by=who(), reason=reason)

            steer(out, home, run, stop, f"{step} is told to stop")


def answer(
    run: RunName,
    step: Annotated[str, typer.Argument(metavar="STEP", help="The step that asks.")],
    value: Annotated[
        str,
        typer.Argument(
            metavar="VALUE",
            help="The answer. Approval: approve, deny. Doubt: happened, did_not_happen, undo.",
        ),
    ],
    *,
    returned: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="With happened: what the call returned."),
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Answer a question, an approval or a doubt of a run."""
    with Output(as_json=as_json) as out:
        found = _json_of(returned)
        steer(
            out,
            home,
            run,
            lambda handle: handle.answer(step, value, output=found, by=who()),
            "answered",
        )


def _json_of(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError as error:
        raise InputError(
            f"--returned {text!r} is not JSON: {error}. Write text in quotes."
        ) from error


def steer(
    out: Output, home: Place, run: str, ask: Callable[[Run], Awaitable[None]], done: str
) -> None:
    """Ask something of a run and say what became of it; a request that waits is no failure."""
    run, why = asyncio.run(_asked(home, run, ask))
    if out.as_json:
        out.data({"run": run, "request": done, "served": why is None})
    elif why is None:
        out.show(f"{run}: {done}.")
    else:
        out.show(f"{run}: {why}")


async def _asked(
    home: Place, run: str, ask: Callable[[Run], Awaitable[None]]
) -> tuple[str, str | None]:
    """Ask; the run, and why a request is only recorded, or None if it has taken effect."""
    async with looking(home) as engine:
        handle = await engine.find(run)
        try:
            await ask(handle)
        except RequestPendingError as pending:
            if await handle.is_driven():
                return handle.id, pending.message
            # A doubt of a stuck run is answered before it is undone; it cannot be resumed.
            verb = "undo" if (await handle.status()).state.ended else "resume"
            line = Where(home=home).command(verb, handle.id)
            return handle.id, f"recorded. No process is driving it; it takes effect with: {line}"
    return handle.id, None
