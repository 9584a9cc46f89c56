"""The commands that keep a home in order: `gc`, `backup`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, age_of
from callsheet.cli.output import Output
from callsheet.cli.place import Place

if TYPE_CHECKING:
    from datetime import timedelta

    from callsheet.types import Collected, RunHead


def gc(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="As in 30d, 12h or 4w.")] = "30d",
    dry_run: Annotated[bool, typer.Option(help="Only list what would be deleted.")] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Delete old runs, starts that never began, and artifacts that nothing uses.

    Open runs and saved plans are kept, and artifacts of the last hour.
    """
    with Output(as_json=as_json) as out:
        age = age_of("--older-than", older_than)
        heads, collected = asyncio.run(_gc(home, age, dry_run=dry_run))
        if as_json:
            out.data({"deleted": [head.run for head in heads], **collected.to_json()})
            return
        for head in heads:
            out.show(f"{head.run}  {head.name}  {head.ended or 'refused'}")
        done = "would be deleted" if dry_run else "deleted"
        out.show(f"{_count(len(heads), 'run')} older than {older_than} {done}.")
        if collected.digests:
            from rich.filesize import decimal

            what = _count(len(collected.digests), "artifact")
            out.show(f"{what} that nothing refers to {done}: {decimal(collected.size)}.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


async def _gc(home: Place, age: timedelta, *, dry_run: bool) -> tuple[list[RunHead], Collected]:
    async with driving(Where(home=home)) as engine:
        heads = await engine.prune(age, dry_run=dry_run)
        return heads, await engine.collect(dry_run=dry_run)


def backup(
    target: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new directory, which opens as a home.")
    ],
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Copy a home consistently, while runs continue."""
    with Output(as_json=as_json) as out:
        asyncio.run(_backup(home, target))
        if as_json:
            out.data({"backup": str(target)})
        else:
            out.show(f"Copied {home} to {target}.")


async def _backup(home: Place, target: Path) -> None:
    async with looking(home, served=False) as engine:
        await engine.backup(target)
