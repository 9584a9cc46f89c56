"""The stages of a production up to its plan, as tools: pure functions of their arguments.

What they make is data or artifacts; `studio.deliver` alone writes into a directory.
"""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from callsheet import Artifact, Context, InputError, InvalidError, SyncContext, tool
from callsheet.studio import delivery, documents
from callsheet.studio import script as scriptsmith
from callsheet.studio import shots as shotmaster
from callsheet.studio.brief import answered
from callsheet.studio.carrying import or_invalid
from callsheet.studio.edition import edition
from callsheet.studio.model.base import Data, Violation
from callsheet.studio.model.brief import Brief, Constraints
from callsheet.studio.model.plan import ProductionPlan
from callsheet.studio.model.script import Script
from callsheet.studio.model.shots import (
    Board,
    Composition,
    Lighting,
    Movement,
    Setting,
    ShotList,
)
from callsheet.studio.model.stack import Stack
from callsheet.studio.report import report_on, with_film
from callsheet.studio.reserving import reserved

# All at once and here: steps are run in threads, and two that begin to import modules which need
# each other may find one that is not whole.

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

T = TypeVar("T")

Object = dict[str, Any]
Files = dict[str, Artifact]

_VERSION = edition()


class Cutting(Data):
    """A timeline as it came back from an editor."""

    form: Literal["otio", "edl"]
    text: str


class Recut(Data):
    """A production as it was cut, and the rules that it breaks since."""

    script: Script
    shots: ShotList
    brief: Brief
    violations: tuple[Violation, ...]


class Asked(Data):
    """What the plan is made from: shots that say only what making them takes."""

    shots: ShotList
    brief: Brief


_BARE: Object = {
    **dict.fromkeys(("beat", "subject", "action", "sound", "transition", "setup", "notes"), ""),
    **dict.fromkeys(("dialogue", "voiceover", "on_screen_text")),
    "size": "MS",
    "kind": "standard",
    "angle": "eye",
    "bearing": 0,
    "movement": Movement(kind="static"),
    "lens_mm": 0,
    "composition": Composition(
        thirds="",
        focal_point="",
        depth_of_field="deep",
        headroom="",
        lead_room="",
        screen_direction="neutral",
    ),
    "lighting": Lighting(preset="", time_of_day="", mood="", key="", practicals=()),
    "set": Setting(place="", interior=False, props=(), dressing=""),
    "storyboard": Board(description="", prompt=""),
}
"""All of a shot that making it does not take: how hard it is, who is in it and how long it is say
that."""


@tool("studio.brief", version=_VERSION)
def settle_brief(brief: Brief, answers: dict[str, str | None]) -> dict[str, Brief]:
    """Put the answers to the clarifying questions into a brief.

    Returns it whole, and as those see it who write and shoot: without money and time, so that a
    change of budget does not write another script.
    """
    given = {key: answer for key, answer in answers.items() if answer and answer.strip()}
    whole = or_invalid(answered, brief, given)
    blank = {"constraints": Constraints(quality="balanced"), "inferred": ()}
    return {"whole": whole, "creative": whole.model_copy(update=blank)}


@tool("studio.script", version=_VERSION)
def write_script(brief: Brief) -> Script:
    """Write the script of a brief: beats that tile the film, checked."""
    return or_invalid(scriptsmith.write_script, brief)


@tool("studio.shots", version=_VERSION)
def plan_shots(script: Script, brief: Brief) -> ShotList:
    """Break a script into shots, with continuity."""
    return or_invalid(shotmaster.plan_shots, script, brief)


@tool("studio.recut", version=_VERSION)
def recut(script: Script, shots: ShotList, brief: Brief, cut: Cutting) -> Recut:
    """Take an editor's cut over: script and shots as long, and in the order, as they are there."""

    def take() -> Recut:
        timeline = documents.read_timeline(cut.text, cut.form, shots.rate)
        new_script, new_shots, broken = documents.retime(script, shots, timeline)
        content = brief.content.model_copy(
            update={"duration": new_shots.rate.seconds(new_shots.frames)}
        )
        return Recut(
            script=new_script,
            shots=new_shots,
            brief=brief.model_copy(update={"content": content}),
            violations=broken,
        )

    return or_invalid(take)


@tool("studio.asked", version=_VERSION)
def asked(shots: ShotList, brief: Brief) -> Asked:
    """Leave only what the plan is made from: another word or place does not plan again."""
    bare = tuple(shot.model_copy(update=_BARE) for shot in shots.shots)
    content = brief.content.model_copy(update={"script": None, "shots": None})
    return Asked(
        shots=shots.model_copy(update={"shots": bare, "inferred": ()}),
        brief=brief.model_copy(update={"content": content, "inferred": ()}),
    )


@tool("studio.plan", version=_VERSION, timeout="2m")
def solve(
    shots: ShotList, brief: Brief, stack: Stack, today: date, joins: bool = True
) -> ProductionPlan:
    """Choose with what each shot is made: the best there is for the money and the time.

    Args:
        shots: all of them.
        brief: what it may cost, and how good it must be.
        stack: what there is.
        today: the day.
        joins: whether a shot may be put together of several clips.
    """
    from callsheet.studio import solve as solver
    from callsheet.studio.solve.terms import Terms

    terms = Terms() if joins else Terms(most_clips=1)
    return or_invalid(solver.solve, shots, brief, stack, today, terms=terms)


@tool("studio.script_files", version=_VERSION)
def script_files(script: Script, brief: Brief, ctx: SyncContext) -> Files:
    """The script as JSON, Markdown and Fountain, and its captions."""
    made = documents.script_files(script, brief) | documents.caption_files(script, brief)
    return _stored(made, ctx)


@tool("studio.shot_files", version=_VERSION)
def shot_files(shots: ShotList, script: Script, brief: Brief, ctx: SyncContext) -> Files:
    """The shot list as JSON, CSV and PDF."""
    return _stored(documents.shot_files(shots, script, brief), ctx)


@tool("studio.timeline_files", version=_VERSION)
def timeline_files(shots: ShotList, script: Script, brief: Brief, ctx: SyncContext) -> Files:
    """The planned cut for editing programs: OTIO, EDL, FCP7 XML, FCPXML."""
    return _stored(documents.timeline_files(shots, script, brief), ctx)


@tool("studio.plan_files", version=_VERSION)
def plan_files(plan: ProductionPlan, shots: ShotList, brief: Brief, ctx: SyncContext) -> Files:
    """The production plan as JSON, Markdown and render call sheet."""
    return _stored(documents.plan_files(plan, shots, brief), ctx)


@tool("studio.report", version=_VERSION)
def report(
    brief: Brief,
    script: Script,
    shots: ShotList | None = None,
    plan: ProductionPlan | None = None,
    film: Object | None = None,
    sound: Object | None = None,
) -> Object:
    """Every check and number of a production."""
    told = report_on(brief, script, shots, plan)
    return told if film is None else with_film(told, film, sound or {})


@tool("studio.withdraw", version=_VERSION, effect="write", idempotent=True)
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


def _stored(files: Mapping[str, bytes], ctx: SyncContext) -> Files:
    return {name: ctx.store(data, name=name) for name, data in files.items()}


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
