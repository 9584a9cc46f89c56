"""The commands that look and change nothing: `runs`, `show`, `journal`, `watch`, `replay`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

import callsheet
from callsheet.cli.home import Where, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, RunName
from callsheet.cli.output import FAILED, Output
from callsheet.cli.place import Place

if TYPE_CHECKING:
    from callsheet import Engine
    from callsheet.cli.attend import Parting
    from callsheet.types import ReplayReport, RunHead

_AFTER = Annotated[
    int, typer.Option("--after", min=0, metavar="N", help="Begin after the entry of this number.")
]


def runs(
    limit: Annotated[int, typer.Option(min=1, help="How many, at most.")] = 50,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first."""
    with Output(as_json=as_json) as out:
        listed = asyncio.run(_runs(home, limit))
        if as_json:
            out.data(listed)
        elif not listed:
            out.remark(f"There are no runs in {str(home)!r} yet.")
        else:
            from callsheet.cli.show.lists import runs_table

            out.show(runs_table(listed))


async def _runs(home: Place, limit: int) -> list[dict[str, Any]]:
    async with looking(home) as engine:
        return [await _listed(engine, head) for head in await engine.runs(limit=limit)]


async def _listed(engine: Engine, head: RunHead) -> dict[str, Any]:
    if head.ended is not None:
        return head.to_json()
    run = await engine.get(head.run)
    status = await run.status()
    interrupted = status.interrupted or not await run.is_driven()
    return head.to_json(state=status.state, paused=status.paused, interrupted=interrupted)


def show(run: RunName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Show a run as it stands.

    Its steps, its output, its problems, its open questions.
    """
    with Output(as_json=as_json) as out:
        asyncio.run(_show(out, home, run))


async def _show(out: Output, home: Place, run: str) -> None:
    async with looking(home) as engine:
        handle = await engine.get(run)
        result = await handle.status()
        is_driven = await handle.is_driven() and not result.interrupted
    if out.as_json:
        out.data(result.to_json())
        return
    from callsheet.cli.show.view import closing, questions_of, table_of

    where = Where(home=home)
    out.show(table_of(result, out.console), "", *closing(result, after_table=True))
    for line in questions_of(result, where):
        out.remark(line)
    if not result.state.ended and not is_driven:
        again = where.command("resume", run, tools=True)
        out.remark(
            f"No process drives it now. To go on: {again}, with the --tools it was started with"
        )


def journal(
    run: RunName, after: _AFTER = 0, home: Home = DEFAULT_HOME, as_json: AsJson = False
) -> None:
    """Print everything that has happened in a run, in order."""
    with Output(as_json=as_json) as out:
        entries = asyncio.run(_journal(home, run, after))
        if as_json:
            out.data(entries)
            return
        from callsheet.cli.show.lists import journal_table

        out.show(journal_table(entries))


async def _journal(home: Place, run: str, after: int) -> list[dict[str, Any]]:
    async with looking(home) as engine:
        handle = await engine.get(run)
        entries = await handle.journal(after=after)
    return [
        callsheet.Event(run=handle.id, seq=seq, entry=entry).to_json()
        for seq, entry in enumerate(entries, after + 1)
    ]


def watch(
    run: RunName, after: _AFTER = 0, home: Home = DEFAULT_HOME, as_json: AsJson = False
) -> None:
    """Watch a run that another process drives.

    Until it ends; exits as that run would. With --json, one line for each entry, and at last the
    result. Ctrl-C stops watching only.
    """
    with Output(as_json=as_json) as out:
        where = Where(home=home)
        parting = out.run(_watch(out, where, run, after))
        from callsheet.cli.closing import part

        raise typer.Exit(part(out, parting, where))


async def _watch(out: Output, where: Where, run: str, after: int) -> Parting:
    from callsheet.cli.attend import Interrupts, children, stay

    with Interrupts() as interrupts:
        async with looking(where.home) as engine, children() as group:
            handle = await engine.get(run)
            telling = None
            if out.as_json:
                telling = group.create_task(_tell(out, engine, run, after))
            parting = await stay(out, engine, handle, interrupts, where)
            if telling is not None and parting.reason != "ended":
                telling.cancel()
            return parting


async def _tell(out: Output, engine: Engine, run: str, after: int) -> None:
    async for told in (await engine.get(run)).events(after=after):
        if isinstance(told, callsheet.Event):
            out.data(told.to_json())


def replay(run: RunName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Decide a run again from its journal, and compare.

    Exits with 0 if all is the same, with 1 if it differs, and shows the first difference. Needs no
    tools and calls none.
    """
    with Output(as_json=as_json) as out:
        report = asyncio.run(_replay(home, run))
        if as_json:
            out.data(report.to_json())
        else:
            _show_replay(out, report)
        raise typer.Exit(0 if report.same else FAILED)


async def _replay(home: Place, run: str) -> ReplayReport:
    async with looking(home) as engine:
        return await engine.replay(run)


def _show_replay(out: Output, report: ReplayReport) -> None:
    from rich.text import Text

    if report.difference is None:
        out.show(
            Text.assemble(
                ("✓ identical", "green"),
                f"  {report.entries} entries, snapshot {report.digest[:16]}",
            )
        )
        return
    difference = report.difference
    out.show(
        Text.assemble(("✗ different", "bold red"), f"  at entry {difference.seq}: "),
        Text(difference.what),
        *(Text(line, _DIFF.get(line[:1], "")) for line in difference.diff.splitlines()),
    )


_DIFF = {"+": "green", "-": "red", "@": "cyan"}
