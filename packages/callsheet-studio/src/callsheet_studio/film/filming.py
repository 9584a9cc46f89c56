"""The stages that draw, as tools: shots, the poster, the sheet of all frames.

They run in worker processes, which import this and nothing of what the other stages are made from.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from callsheet import Artifact, SyncContext, tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.base.memory import begins_to_film, drawing_here, keep_for_next
from callsheet_studio.draw.sheet import SheetData, contact_sheet
from callsheet_studio.draw.style import FilmStyle
from callsheet_studio.film.check.looking import Looks, Watch, is_filmed
from callsheet_studio.film.poster import PosterData
from callsheet_studio.film.takes import TakeData
from callsheet_studio.film.teaser import Moments
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.captions import TextBox

if TYPE_CHECKING:
    from callsheet_studio.draw.frame import Drawing
    from callsheet_studio.film.shoot import Shooting

_VERSION = edition("draw")
_CORES = os.cpu_count() or 1

Files = dict[str, Artifact]


class Filmed(Data):
    """One shot, made: the film of it, and its pictures."""

    name: str
    segment: Artifact
    board: Artifact
    frame: Artifact
    """Its picture alone: no slate, no arrow, no thirds."""
    thumbnail: Artifact
    clip: Artifact
    """A few moments of it, small."""
    looks: Looks
    """What was seen in it when it was made."""
    ends: Artifact
    """Its first and its last picture, as they are compared with its neighbours'."""
    texts: tuple[TextBox, ...]
    """Where words are in it."""
    unwritten: tuple[Violation, ...]
    """What of them could not be written."""
    wrong: tuple[Violation, ...] = ()
    """What came back from a provider, or from the encoder, otherwise than it was ordered."""


class Posted(Data):
    """All that the poster is made from."""

    poster: PosterData
    style: FilmStyle
    size: tuple[int, int]


@tool("studio.shoot", version=_VERSION, isolated=True, limit=_CORES, timeout="10m", effect="read")
def shoot(take: TakeData, name: str, ctx: SyncContext) -> Filmed:
    """Draw a shot, film it, and look at it."""
    from callsheet_studio.base.fonts import check_fonts
    from callsheet_studio.film.shoot import Shooting

    _by_ourselves()
    begins_to_film()
    shot = take.shot.model_copy(update={"id": name})
    take = take.model_copy(update={"shot": shot})
    pictures = {each.digest: ctx.load(each) for each in take.pictures}
    or_invalid(check_fonts)
    with drawing_here():
        return filmed_of(Shooting(take, pictures), take, ctx)


def _by_ourselves() -> None:
    """One process for each core: more threads would only be in each other's way."""
    import cv2

    cv2.setNumThreads(1)
    keep_for_next()


def filmed_of(shooting: Shooting, take: TakeData, ctx: SyncContext) -> Filmed:
    """A shot as it was filmed, looked at and kept."""
    from callsheet_studio.film.check.letters import check_letters

    name = take.shot.id
    board, frame, small = _pictured(or_invalid(lambda: shooting.drawing))
    moments = Moments(take.shot.frames)
    watch = Watch(take.shot.frames, shooting.captions)
    segment = shooting.segment(lambda pictures: watch.seen(moments.seen(pictures)))
    look = watch.look()
    return Filmed(
        name=name,
        segment=ctx.store(segment, name=f"{name}.mp4"),
        board=ctx.store(board, name=f"{name}-board.png"),
        frame=ctx.store(frame, name=f"{name}.png"),
        thumbnail=ctx.store(small, name=f"{name}.jpg"),
        clip=ctx.store(moments.clip(), name=f"{name}.webp"),
        looks=look.looks,
        ends=ctx.store(look.ends, name=f"{name}.ends"),
        texts=shooting.texts,
        unwritten=check_letters(take, name),
        wrong=() if is_filmed(segment, look) else (_otherwise(name),),
    )


def _otherwise(name: str) -> Violation:
    return Violation(
        rule="film-pictures",
        where=name,
        message="What the encoder made of its pictures is something else.",
        fix="Make the film again.",
    )


def _pictured(drawing: Drawing) -> tuple[bytes, bytes, bytes]:
    return drawing.annotated(), drawing.clean(), drawing.thumbnail(640)


@tool("studio.poster_files", version=_VERSION, isolated=True, effect="read")
def poster_files(posted: Posted, ctx: SyncContext) -> Files:
    """A poster."""
    from callsheet_studio.draw.own import Own
    from callsheet_studio.film.poster import make_poster

    _by_ourselves()
    picture = posted.poster.shot.picture
    own = Own(ctx.load(picture) if picture else None)
    with drawing_here():
        made = make_poster(posted.poster, posted.style, posted.size, own)
    return {"poster.png": ctx.store(made, name="poster.png")}


@tool("studio.sheet_files", version=_VERSION, isolated=True, effect="read")
def sheet_files(filmed: tuple[Filmed, ...], sheet: SheetData, ctx: SyncContext) -> Files:
    """The storyboard on one sheet."""
    _by_ourselves()
    pictures = {each.name: ctx.load(each.thumbnail) for each in filmed}
    with drawing_here():
        made = contact_sheet(sheet, pictures)
    return {"storyboard.png": ctx.store(made, name="storyboard.png")}
