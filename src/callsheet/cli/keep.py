"""The commands that keep a home in order: `gc`, `backup`."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from callsheet import InputError
from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import Output

if TYPE_CHECKING:
    from callsheet import RunHead

_AGE = re.compile(r"(\d+)\s*([smhdw])")
_UNIT = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LONGEST = timedelta(weeks=5200)


def gc(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="As in 30d, 12h or 4w.")] = "30d",
    dry_run: Annotated[bool, typer.Option(help="Only say what would be deleted.")] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Delete runs that ended long ago.

    Open runs and saved plans are kept.
    """
    with Output(as_json=as_json) as out:
        heads = asyncio.run(_gc(home, _age(older_than), dry_run=dry_run))
        if as_json:
            out.data({"deleted": [head.run for head in heads], "dry_run": dry_run})
            return
        for head in heads:
            out.show(f"{head.run}  {head.name}  {head.ended}")
        count = f"{len(heads)} run{'s' if len(heads) != 1 else ''}"
        done = "would be deleted" if dry_run else "deleted"
        out.show(f"{count} older than {older_than} {done}.")


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise InputError(f"--older-than {text!r} is not an age. Write it as in 30d, 12h or 90m.")
    try:
        age = timedelta(**{_UNIT[found[2]]: int(found[1])})
    except OverflowError:
        return _LONGEST
    return min(age, _LONGEST)


async def _gc(home: Path, age: timedelta, *, dry_run: bool) -> list[RunHead]:
    async with driving(Where(home=home)) as engine:
        return await engine.prune(age, dry_run=dry_run)


def backup(
    target: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new directory, which opens as a home.")
    ],
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Write a consistent copy of a home, while runs go on in it."""
    with Output(as_json=as_json) as out:
        asyncio.run(_backup(home, target))
        if as_json:
            out.data({"backup": str(target)})
        else:
            out.show(f"Copied {home} to {target}.")


async def _backup(home: Path, target: Path) -> None:
    async with looking(home) as engine:
        await engine.backup(target)
