"""The stages of filming that do not draw, as tools: takes, film, board, checks, page.

All are reads of their arguments and cached by them: one changed shot is one shot's work.
"""

from __future__ import annotations

from importlib import import_module
from threading import Thread
from typing import Any

from callsheet import Artifact, SyncContext, tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.base.time import Rate
from callsheet_studio.draw.sheet import SheetData
from callsheet_studio.film.check.expected import FilmReport
from callsheet_studio.film.check.looking import Look
from callsheet_studio.film.check.sound import Track, check_track
from callsheet_studio.film.filming import Files, Filmed, Posted
from callsheet_studio.film.sounds import Captions, Mix, Placing, SoftCaptions
from callsheet_studio.film.takes import TakeData, takes
from callsheet_studio.film.teaser import make_teaser
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList

LOUDNESS = -16.0
"""LUFS: what the web expects."""
_VERSION = edition("film")


class Named(Data):
    """A take, and the shot that it is."""

    name: str
    take: TakeData


@tool("studio.takes", version=_VERSION, effect="read")
def plan_takes(
    shots: ShotList, brief: Brief, captions: tuple[CaptionLine, ...]
) -> tuple[Named, ...]:
    """Work out what each shot is filmed from."""
    found = takes(shots, brief, captions)
    # What puts the film together is large, and while others film there is time to import it.
    Thread(target=import_module, args=("av",), daemon=True).start()
    return tuple(
        Named(name=shot.id, take=take) for shot, take in zip(shots.shots, found, strict=True)
    )


@tool("studio.film", version=_VERSION, timeout="10m", effect="read")
def film(
    filmed: tuple[Filmed, ...],
    sound: Artifact,
    shots: ShotList,
    captions: SoftCaptions,
    language: str,
    ctx: SyncContext,
) -> Files:
    """Put shots, sound and captions together."""
    from callsheet_studio.film.assemble import Chapter, Reel, assemble

    reel = Reel(
        segments=[ctx.load(each.segment) for each in filmed],
        sound=ctx.load(sound),
        rate=shots.rate.fps,
        frames=shots.frames,
        captions=captions.lines,
        shows_captions=captions.shown,
        chapters=[Chapter(shot.id, shot.start, shot.end) for shot in shots.shots],
        title=shots.title,
        language=language,
    )
    return {"film.mp4": ctx.store(or_invalid(assemble, reel), name="film.mp4")}


@tool("studio.track", version=_VERSION, timeout="10m", effect="read")
def listen(sound: Artifact, frames: int, fps: str, ctx: SyncContext) -> Track:
    """Listen to the sound as whoever gets it would, and measure it."""
    return check_track(ctx.file(sound), frames, Rate.of(fps), LOUDNESS)


@tool("studio.check", version=_VERSION, timeout="10m", effect="read")
def check(  # noqa: PLR0913, PLR0917 -- it compares the film with all of it
    film: Files,
    filmed: tuple[Filmed, ...],
    shots: ShotList,
    brief: Brief,
    captions: Captions,
    placing: Placing,
    mixed: Mix,
    track: Track,
    ctx: SyncContext,
) -> FilmReport:
    """Look at the film as whoever gets it would, and measure it."""
    from callsheet_studio.film.check.expected import expected_of
    from callsheet_studio.film.check.finished import Piece, Recording, check_film
    from callsheet_studio.sound.check import find_masking

    expected = expected_of(shots, brief, captions.lines, loudness=LOUDNESS)
    texts = tuple(text for each in filmed for text in each.texts)
    expected = expected.model_copy(update={"texts": texts})
    pieces = [
        Piece(ctx.load(each.segment), Look(each.looks, ctx.load(each.ends))) for each in filmed
    ]
    recording = Recording(ctx.load(mixed.sound), track)
    found = or_invalid(check_film, ctx.file(film["film.mp4"]), expected, pieces, recording)
    # What is written in every shot is told once.
    unwritten = dict.fromkeys(wrong for each in filmed for wrong in (*each.unwritten, *each.wrong))
    masked = find_masking(mixed.report["speech_over_music"])
    wrong = (
        *captions.violations,
        *placing.violations,
        *unwritten,
        *masked,
        *found.violations,
    )
    return found.model_copy(update={"violations": wrong})


@tool("studio.posted", version=_VERSION, effect="read")
def plan_poster(shots: ShotList, brief: Brief) -> Posted:
    """Choose what is on the poster."""
    from callsheet_studio.draw.style import style_of
    from callsheet_studio.film.poster import poster_of
    from callsheet_studio.film.takes import film_size

    chosen = poster_of(shots, brief.message.core)
    return Posted(poster=chosen, style=style_of(brief), size=film_size(brief))


@tool("studio.teaser_files", version=_VERSION, effect="read")
def teaser_files(filmed: tuple[Filmed, ...], ctx: SyncContext) -> Files:
    """A teaser that moves."""
    teaser = or_invalid(make_teaser, [ctx.load(each.clip) for each in filmed])
    return {"teaser.webp": ctx.store(teaser, name="teaser.webp")}


@tool("studio.board_files", version=_VERSION, effect="read")
def board_files(
    filmed: tuple[Filmed, ...], shots: ShotList, script: Script, brief: Brief, ctx: SyncContext
) -> Files:
    """The storyboard: as PDF, in the shot list, and frame by frame."""
    from callsheet_studio.documents.board import board_pdf
    from callsheet_studio.documents.shots import shots_pdf

    pictures = {each.name: ctx.load(each.thumbnail) for each in filmed}
    files = {
        "storyboard.pdf": board_pdf(shots, brief, pictures),
        "shots-with-frames.pdf": shots_pdf(shots, script, brief, pictures),
    }
    made = {name: ctx.store(data, name=name) for name, data in files.items()}
    return made | {f"storyboard/{each.name}.png": each.board for each in filmed}


@tool("studio.take_files", version=_VERSION, effect="read")
def take_files(filmed: tuple[Filmed, ...]) -> Files:
    """What an editor or a model goes on with: each shot as a clean frame and as a clip."""
    frames = {f"frames/{each.name}.png": each.frame for each in filmed}
    return frames | {f"clips/{each.name}.mp4": each.segment for each in filmed}


@tool("studio.sheet", version=_VERSION, effect="read")
def plan_sheet(shots: ShotList, language: str) -> SheetData:
    """Work out what stands on a sheet with all frames."""
    from callsheet_studio.documents.board import sheet_of

    return sheet_of(shots, language)


@tool("studio.page", version=_VERSION, effect="read")
def page(  # noqa: PLR0913, PLR0917 -- the page shows all of it
    brief: Brief,
    script: Script,
    shots: ShotList,
    files: list[dict[str, Any] | None],
    checks: dict[str, Any],
    ctx: SyncContext,
    plan: ProductionPlan | None = None,
) -> Files:
    """Everything on one page."""
    from callsheet_studio.documents.page import Shown, index_page
    from callsheet_studio.draw.style import style_of

    names = [name for group in files if group for name in group]
    shown = Shown(brief=brief, script=script, shots=shots, plan=plan)
    accent = style_of(brief).accent
    found = [
        Violation.model_validate(each)
        for stage in checks.values()
        for kind in ("violations", "continuity")
        for each in stage.get(kind, ())
    ]
    made = index_page(shown, accent=accent, files=names, found=found, seen=checks.get("pictures"))
    return {"index.html": ctx.store(made, name="index.html")}
