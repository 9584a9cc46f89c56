"""The commands about the tool stack: `stack list|show|import`."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from callsheet.apps.command import (
    DEFAULT_HOME,
    AsJson,
    Home,
    Output,
    Where,
    driving,
    looking,
)
from callsheet.errors import InputError, StoreMissingError

if TYPE_CHECKING:
    from callsheet.apps.command import Place
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.stack import Change, Changes
    from callsheet_studio.stack.known import KnownStack

_AsOf: TypeAlias = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="As it was known on a day.")
]
_MOST_LISTED = 40
"""Changes that are listed one by one."""


def shelf() -> typer.Typer:
    """The commands of `callsheet stack`."""
    app = typer.Typer(no_args_is_help=True, help="Keep what films can be made with, and its price.")
    app.command("list")(list_)
    app.command()(show)
    app.command("import")(import_)
    return app


def list_(
    *,
    category: Annotated[
        Literal["video", "image", "voice", "music", "sfx", "render"] | None,
        typer.Option(help="Only these."),
    ] = None,
    capability: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="As in lip_sync, sound, i2v, 1080p or 9:16."),
    ] = None,
    shot: Annotated[
        Literal["EWS", "WS", "FS", "MWS", "MS", "MCU", "CU", "ECU"] | None,
        typer.Option(help="What suits shots of this size."),
    ] = None,
    complexity: Annotated[
        int | None, typer.Option(metavar="1-10", help="What suits shots as hard as this.")
    ] = None,
    as_of: _AsOf = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List stack tools: what they make, what they cost at least, how people rate them."""
    with Output(as_json=as_json) as out:
        known = asyncio.run(_known(home, _day(as_of)))
        stack = known.stack
        from callsheet_studio.stack.queries import matching

        tools = matching(
            stack, category=category, capability=capability, shot=shot, complexity=complexity
        )
        if as_json:
            listed = [tool.model_dump(mode="json") for tool in tools]
            out.data({**known.origin(), "tools": listed})
            return
        from callsheet_studio.cli.prices import tools_table

        if tools:
            out.show(tools_table(tools, stack.as_of, out.console.width))
        else:
            out.remark("No stack tool is like that.")
        _say_origin(out, known)


def show(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The id of a stack tool.")],
    as_of: _AsOf = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show all that is known of a stack tool: offers, lengths, quality, limits, changes."""
    with Output(as_json=as_json) as out:
        known = asyncio.run(_known(home, _day(as_of), tool))
        from callsheet_studio.stack import details

        stack, changes = known.stack, known.changes
        found = details(stack, tool)
        if as_json:
            told = [change.model_dump(mode="json") for change in changes]
            whole = {"tool": found.model_dump(mode="json"), "changes": told}
            out.data({**known.origin(), **whole})
            return
        from callsheet_studio.cli.prices import tool_view

        out.show(*tool_view(found, changes, stack.as_of, out.console.width))
        _say_origin(out, known)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tool stack as JSON.")],
    dry_run: Annotated[bool, typer.Option(help="Only say what would change.")] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Make a file the tool stack, and say what changed.

    A file with any fault is refused whole. What was known before is kept: `--as-of` shows it.
    """
    with Output(as_json=as_json) as out:
        from callsheet_studio.stack import load_stack

        stack = load_stack(file)
        act = _compare(home, stack) if dry_run else _replace(home, stack)
        done = asyncio.run(act)
        offers = sum(len(tool.offers) for tool in stack.tools)
        if as_json:
            told = [change.model_dump(mode="json") for change in done.changes]
            counts = {"tools": len(stack.tools), "offers": offers}
            out.data({"as_of": str(stack.as_of), **counts, "changes": told, "dry_run": dry_run})
            return
        _show_changes(out, done.changes)
        what = f"{_count(len(stack.tools), 'stack tool')} with {_count(offers, 'offer')}"
        what += f", as of {stack.as_of}"
        if done.changes:
            out.show(f"{'Would import' if dry_run else 'Imported'} {what}.")
        else:
            out.show(f"Nothing {'would change' if dry_run else 'has changed'}: {what}.")


def _show_changes(out: Output, changes: tuple[Change, ...]) -> None:
    if len(changes) > _MOST_LISTED:
        counts = Counter(change.kind.replace("_", " ") for change in changes)
        out.show(", ".join(f"{kind}: {count}" for kind, count in counts.items()))
    elif changes:
        from callsheet_studio.cli.prices import change_columns, drawn

        out.show(drawn(change_columns(changes), out.console.width))


# The stack of a home


async def _known(home: Place, day: date | None, tool: str | None = None) -> KnownStack:
    """The stack of a home, or the one that is shipped."""
    from callsheet_studio.stack.known import KnownStack
    from callsheet_studio.studio import Studio

    if home.may_exist():
        try:
            async with looking(home) as engine:
                return await Studio(engine).stack(day, tool=tool)
        except StoreMissingError:
            pass
    return KnownStack.starting(day)


async def _replace(home: Place, stack: Stack) -> Changes:
    from callsheet_studio.studio import Studio

    async with driving(Where(home=home), create=True) as engine:
        return await Studio(engine).replace_stack(stack)


async def _compare(home: Place, stack: Stack) -> Changes:
    from callsheet_studio.stack import Changes, changes_between
    from callsheet_studio.studio import Studio

    if home.may_exist():
        try:
            async with looking(home) as engine:
                return await Studio(engine).replace_stack(stack, dry_run=True)
        except StoreMissingError:
            pass
    return Changes(number=None, changes=changes_between(None, stack))


# Words


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--as-of {text!r} is not a date. Write it as in 2026-11-15.") from None


def _say_origin(out: Output, known: KnownStack) -> None:
    if not known.is_imported:
        out.remark(f"Starting data of {known.stack.as_of}; nothing was imported here.", "dim")


app = shelf()
"""What the entry point names."""
