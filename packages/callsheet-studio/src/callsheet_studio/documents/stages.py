"""The stages that write things down, as tools; and the one that takes an editor's cut over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from callsheet import Artifact, SyncContext, tool
from callsheet_studio import documents
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.documents.pieces import STEMS
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList

if TYPE_CHECKING:
    from collections.abc import Mapping

Files = dict[str, Artifact]

_VERSION = edition("documents")


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


@tool("studio.recut", version=_VERSION, effect="read")
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


@tool("studio.reword", version=_VERSION, effect="read")
def reword(script: Script, text: str) -> Script:
    """Take our screenplay over as somebody has changed it."""
    return or_invalid(documents.reworded, script, text)


@tool("studio.script_files", version=_VERSION, effect="read")
def script_files(script: Script, brief: Brief, ctx: SyncContext) -> Files:
    """The script as JSON, Markdown and Fountain, and its captions."""
    made = documents.script_files(script, brief) | documents.caption_files(script, brief)
    return _stored(made, ctx)


@tool("studio.shot_files", version=_VERSION, effect="read")
def shot_files(shots: ShotList, script: Script, brief: Brief, ctx: SyncContext) -> Files:
    """The shot list as JSON, CSV and PDF."""
    return _stored(documents.shot_files(shots, script, brief), ctx)


@tool("studio.timeline_files", version=_VERSION, effect="read")
def timeline_files(
    shots: ShotList, script: Script, brief: Brief, ctx: SyncContext, linked: bool = False
) -> Files:
    """The planned cut for editing programs: OTIO, EDL, FCP7 XML, FCPXML.

    Args:
        shots: in their order.
        script: whose words are notes.
        brief: how large pictures are.
        ctx: where the files go.
        linked: whether clips and stems of the film lie beside it.
    """
    media = {shot.id: f"clips/{shot.id}.mp4" for shot in shots.shots} if linked else {}
    stems = STEMS if linked else {}
    made = documents.timeline_files(shots, script, brief, media=media, stems=stems)
    return _stored(made, ctx)


@tool("studio.plan_files", version=_VERSION, effect="read")
def plan_files(
    plan: ProductionPlan,
    shots: ShotList,
    brief: Brief,
    ctx: SyncContext,
    marked: tuple[str, ...] = (),
) -> Files:
    """The production plan as JSON, Markdown and render call sheet.

    Args:
        plan: with what each shot is made.
        shots: all of them, with their prompts.
        brief: what it may cost.
        ctx: where the files go.
        marked: offers that nobody here can order.
    """
    return _stored(documents.plan_files(plan, shots, brief, marked), ctx)


def _stored(files: Mapping[str, bytes], ctx: SyncContext) -> Files:
    return {name: ctx.store(data, name=name) for name, data in files.items()}
