"""The commands that look and change nothing: `runs`, `show`, `journal`, `watch`, `replay`."""

from __future__ import annotations

import asyncio
import difflib
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
import typer

import callsheet
from callsheet.cli.home import Where, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, RunName, age_of, now
from callsheet.cli.output import FAILED, Output
from callsheet.cli.place import Place
from callsheet.errors import InputError, StoreMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet import Engine, Result
    from callsheet.cli.attend import Parting
    from callsheet.types import ReplayReport, RunHead

_AFTER = Annotated[
    int, typer.Option("--after", min=0, metavar="N", help="Start after this entry number.")
]


State: TypeAlias = Literal[
    "open",
    "pending",
    "running",
    "waiting",
    "paused",
    "interrupted",
    "undoing",
    "succeeded",
    "failed",
    "cancelled",
    "undone",
    "stuck",
]
_ENDED = frozenset({"succeeded", "failed", "cancelled", "undone", "stuck"})


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs are to be listed."""

    limit: int
    state: State | None
    plan: str | None
    since: str | None
    key: str | None
    tenant: str | None
    children: bool
    turns: bool

    def leaves_out(self, head: RunHead) -> bool:
        """Whether it is the turn of a conversation that has ended: there is one for each word."""
        if self.turns or self.plan is not None or self.key is not None:
            return False
        is_turn = head.name == "turn" and (head.subject or "").startswith("conversation:")
        return is_turn and head.ended is not None


def runs(
    *,
    limit: Annotated[int, typer.Option(min=1, help="How many, at most.")] = 50,
    state: Annotated[
        State | None, typer.Option(help="Only runs in this state; `open`: not ended.")
    ] = None,
    plan: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only runs of this plan.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="AGE|TIME", help="Only those started since: 2h, 7d, 2026-05-01."),
    ] = None,
    key: Annotated[str | None, typer.Option(help="Only those started with this key.")] = None,
    tenant: Annotated[str | None, typer.Option(help="Only those of this tenant.")] = None,
    children: Annotated[
        bool, typer.Option("--children", help="Also the runs of sub-plans.")
    ] = False,
    turns: Annotated[
        bool, typer.Option("--turns", help="Also the turns of conversations that have ended.")
    ] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first."""
    asked = _Asked(
        limit=limit,
        state=state,
        plan=plan,
        since=since,
        key=key,
        tenant=tenant,
        children=children,
        turns=turns,
    )
    with Output(as_json=as_json) as out:
        listed = asyncio.run(_runs(home, asked))
        if as_json:
            out.data(listed)
        elif not listed:
            none = "There are no runs in" if asked == _ALL else "No run fits in"
            out.remark(f"{none} {str(home)!r}{' yet' if asked == _ALL else ''}.")
        else:
            from callsheet.cli.show.lists import runs_table

            out.show(runs_table(listed, out.console.width))
            for line in _missing(listed, Where(home=home)):
                out.remark(line)


def _missing(listed: list[dict[str, Any]], where: Where) -> Iterator[str]:
    """What interrupted runs need that is not there any more."""
    for run in listed:
        if missing := run.get("missing"):
            again = where.command("resume", run["run"])
            yield f"{run['run']} misses {'; '.join(missing)}. To resume it with them: {again}"


_ALL = _Asked(
    limit=50,
    state=None,
    plan=None,
    since=None,
    key=None,
    tenant=None,
    children=False,
    turns=False,
)


async def _runs(home: Place, asked: _Asked) -> list[dict[str, Any]]:
    ended = asked.state if asked.state in _ENDED else None
    since = _moment(asked.since) if asked.since else None
    found: list[dict[str, Any]] = []
    try:
        async with looking(home) as engine:
            before = None
            while len(found) < asked.limit:
                heads = await engine.runs(
                    limit=asked.limit,
                    before=before,
                    open_only=asked.state is not None and ended is None,
                    state=ended,
                    plan=asked.plan,
                    since=since,
                    key=asked.key,
                    tenant=asked.tenant,
                    top_level=not asked.children,
                )
                for head in heads:
                    if asked.leaves_out(head):
                        continue
                    run = await _listed(engine, head)
                    found += [run] if _is_so(run, asked.state) else []
                if len(heads) < asked.limit:
                    break
                before = heads[-1].run
    except StoreMissingError:
        if isinstance(home.opened, Path) and home.opened.exists():
            raise  # there is something else
        return []  # nobody has started anything there
    return found[: asked.limit]


def _is_so(run: dict[str, Any], state: State | None) -> bool:
    if state is None or state == "open" or state in _ENDED:
        return True
    if state in ("paused", "interrupted"):
        return bool(run[state])
    return bool(run["state"] == state)


def _moment(text: str) -> datetime:
    """A time: so long ago, or a date, in this zone unless it says another.

    Raises:
        InputError: it is neither.
    """
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        return now() - age_of("--since", text)


async def _listed(engine: Engine, head: RunHead) -> dict[str, Any]:
    if head.ended is not None:
        return head.to_json()
    handle = await engine.get(head.run)
    status = await handle.status()
    told = head.to_json(state=status.state, paused=status.paused, interrupted=status.interrupted)
    if not status.interrupted or status.damaged:
        return told
    from callsheet.cli.provided import missing

    recorded = await handle.provisions()
    lacking = missing(recorded) if recorded else []
    return {**told, "missing": lacking} if lacking else told


def show(
    run: RunName,
    step: Annotated[
        str | None,
        typer.Argument(
            metavar="[STEP]", help="Only this step, with its attempts; in a sub-plan: outer/inner."
        ),
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show a run, or one step of it in detail.

    A run: its steps, its output, its problems, its open questions. A step: its arguments, its
    attempts and their errors, with the place in the tool where they were raised, and its output.
    """
    with Output(as_json=as_json) as out:
        asyncio.run(_show(out, home, run) if step is None else _show_step(out, home, run, step))


async def _show(out: Output, home: Place, run: str) -> None:
    async with looking(home) as engine:
        result = await (await engine.find(run)).status()
    if out.as_json:
        out.data(result.to_json())
        return
    from callsheet.cli.show.view import closing, questions_of, table_of

    where = Where(home=home)
    out.show(table_of(result, out.console), "", *closing(result, after_table=True))
    for line in questions_of(result, where):
        out.remark(line)
    if result.interrupted:
        again = where.command("resume", result.run, tools=True)
        out.remark(f"No process is driving it. To resume it: {again}")


async def _show_step(out: Output, home: Place, run: str, step: str) -> None:
    async with looking(home) as engine:
        handle = await engine.find(run)
        result = await handle.status()
        *outer, key = step.split("/")
        for name in outer:
            child = result.steps[_known(result, name)].child
            if not child:
                raise InputError(
                    f"Step {name!r} of run {handle.id!r} is no sub-plan that has begun."
                )
            handle = await engine.get(child)
            result = await handle.status()
        _known(result, key)
        attempts = [each for each in await handle.attempts() if each.step == key]
        entries = [
            callsheet.Event(run=handle.id, seq=seq, entry=entry).to_json()
            for seq, entry in enumerate(await handle.journal(), 1)
        ]
        chosen = [entry for entry in entries if entry.get("step") == key]
        if child := result.steps[key].child:
            # Who did it is written in the run that the step is: it is the step that is asked about.
            chosen += [
                callsheet.Event(run=handle.id, seq=0, entry=entry).to_json()
                for entry in await (await engine.get(child)).journal()
            ]
    from callsheet.cli.show.step import step_json, step_lines

    found = step_json(result, key, attempts, entries, chosen)
    if out.as_json:
        out.data(found)
    else:
        out.show(*step_lines(found, result.at))


def _known(result: Result, step: str) -> str:
    if step not in result.steps:
        near = difflib.get_close_matches(step, result.steps, n=1)
        names = [key for key in result.steps if "[" not in key]
        hint = f"Did you mean {near[0]!r}?" if near else f"It has: {', '.join(names)}."
        raise InputError(f"Run {result.run!r} has no step {step!r}. {hint}")
    return step


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
        handle = await engine.find(run)
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
            handle = await engine.find(run)
            telling = None
            if out.as_json:
                telling = group.create_task(_tell(out, engine, handle.id, after))
            parting = await stay(out, engine, handle, interrupts, where)
            if telling is not None and parting.reason != "ended":
                telling.cancel()
            return parting


async def _tell(out: Output, engine: Engine, run: str, after: int) -> None:
    async for told in (await engine.get(run)).events(after=after):
        if isinstance(told, callsheet.Event):
            out.data(told.to_json())


def replay(run: RunName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Replay a run from its journal, and compare.

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
        return await engine.replay((await engine.find(run)).id)


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
