"""The last stages of a production, as tools: the report, and handing all of it over.

`studio.deliver` alone writes into a directory; what the other stages make is data or artifacts.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from callsheet import Artifact, Context, tool
from callsheet.errors import InputError, InvalidError
from callsheet_studio.base.edition import edition
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList
from callsheet_studio.production import delivery
from callsheet_studio.production.report import report_on, with_film, with_pictures, with_writer
from callsheet_studio.production.reserving import reserved

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

T = TypeVar("T")

Object = dict[str, Any]
Files = dict[str, Artifact]

_VERSION = edition("documents")


@tool("studio.report", version=_VERSION, effect="read")
def report(  # noqa: PLR0913, PLR0917 -- it reports on all of it
    brief: Brief,
    script: Script,
    shots: ShotList | None = None,
    plan: ProductionPlan | None = None,
    film: Object | None = None,
    sound: Object | None = None,
    pictures: Object | None = None,
    writer: Object | None = None,
) -> Object:
    """Every check and number of a production."""
    told = with_writer(report_on(brief, script, shots, plan), writer or {}, script, shots)
    if film is None:
        return told
    told = with_film(told, film, sound or {})
    return told if pictures is None else with_pictures(told, pictures)


@tool("studio.withdraw", version=_VERSION, effect="write", idempotent=True, machine=True)
async def withdraw(args: Object, output: Object | None, ctx: Context) -> None:
    """Let a directory be as it was before a delivery."""
    if output is not None:
        before = {name: _artifact(item) for name, item in output["before"].items()}
        delivery.put_back(Path(args["out"]), await _loaded(before, ctx))


@tool(
    "studio.deliver",
    version=_VERSION,
    effect="write",
    idempotent=True,
    undo="studio.withdraw",
    machine=True,
)
async def deliver(
    out: str, files: list[Files | None], report: Object, ctx: Context, force: bool = False
) -> Object:
    """Write files into a directory, with a report that says which they are.

    Args:
        out: the directory; made if it is not there.
        files: artifacts by their names; what was skipped is null.
        report: becomes `report.json`.
        ctx: where the artifacts are.
        force: replace files that are not ours, too.
    """
    named = {name: item for group in files if group for name, item in group.items()}
    place = Path(out)
    try:
        delivery.check_names(place, named)
    except InputError as refusal:
        raise InvalidError(refusal.message) from refusal
    digests = {name: item.digest for name, item in named.items()}
    told = report | delivery.manifest(place, digests) | {"run": ctx.run}
    lacking = delivery.missing(place, digests)
    coming = await _together({name: ctx.load(named[name]) for name in lacking})
    coming[delivery.REPORT] = (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()
    before = ctx.saved
    if not isinstance(before, dict):
        # Kept before the first file is touched: a second attempt finds some of them changed.
        before = await _kept(delivery.contents(place, coming), ctx)
        await ctx.checkpoint(before)
    try:
        with reserved(place):
            changed = delivery.put(place, coming, force=force)
    except InputError as refusal:
        raise InvalidError(refusal.message) from refusal
    return {
        "out": out,
        "written": changed,
        "files": sorted((*named, delivery.REPORT)),
        "before": before,
    }


async def _kept(files: Mapping[str, bytes | None], ctx: Context) -> Object:
    there = {name: data for name, data in files.items() if data is not None}
    kept = await _together({name: ctx.store(data, name=name) for name, data in there.items()})
    return {name: kept[name].to_json() if name in kept else None for name in files}


async def _loaded(files: Mapping[str, Artifact | None], ctx: Context) -> dict[str, bytes | None]:
    there = {name: item for name, item in files.items() if item is not None}
    loaded = await _together({name: ctx.load(item) for name, item in there.items()})
    return {name: loaded.get(name) for name in files}


async def _together(calls: Mapping[str, Coroutine[Any, Any, T]]) -> dict[str, T]:
    """What each gives. All wait for the disk, and the disk can do more than one at a time."""
    try:
        async with asyncio.TaskGroup() as group:
            begun = {name: group.create_task(call) for name, call in calls.items()}
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    return {name: call.result() for name, call in begun.items()}


def _artifact(item: Object | None) -> Artifact | None:
    if item is None:
        return None
    return Artifact(digest=item["$artifact"], media_type=item["media_type"], size=item["size"])
