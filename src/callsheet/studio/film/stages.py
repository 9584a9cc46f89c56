"""The stages of filming as tools: takes, shots, film, board, poster, checks, page.

All are reads of their arguments and cached by them: one changed shot is one shot's work.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from callsheet import Artifact, SyncContext, tool
from callsheet.studio.carrying import or_invalid
from callsheet.studio.edition import edition
from callsheet.studio.film.check.expected import FilmReport
from callsheet.studio.film.takes import CaptionLine, TakeData, takes
from callsheet.studio.model.base import Data, Violation
from callsheet.studio.model.brief import Brief
from callsheet.studio.model.plan import ProductionPlan
from callsheet.studio.model.script import Script
from callsheet.studio.model.shots import ShotList

if TYPE_CHECKING:
    from collections.abc import Sequence

LOUDNESS = -16.0
"""LUFS: what the web expects."""
_VERSION = edition()
_CORES = os.cpu_count() or 1

Files = dict[str, Artifact]


class Named(Data):
    """A take, and the shot that it is."""

    name: str
    take: TakeData


class Filmed(Data):
    """One shot, made: the film of it, and its pictures."""

    name: str
    segment: Artifact
    board: Artifact
    thumbnail: Artifact


@tool("studio.takes", version=_VERSION)
def plan_takes(
    shots: ShotList, brief: Brief, captions: tuple[CaptionLine, ...]
) -> tuple[Named, ...]:
    """Work out what each shot is filmed from."""
    found = takes(shots, brief, captions)
    return tuple(
        Named(name=shot.id, take=take) for shot, take in zip(shots.shots, found, strict=True)
    )


@tool("studio.shoot", version=_VERSION, isolated=True, limit=_CORES, timeout="10m")
def shoot(take: TakeData, name: str, ctx: SyncContext) -> Filmed:
    """Draw a shot and film it."""
    import cv2

    from callsheet.studio.film.shoot import Shooting

    # One process for each core: more threads would only be in each other's way.
    cv2.setNumThreads(1)
    shot = take.shot.model_copy(update={"id": name})
    pictures = {each.digest: ctx.load(each) for each in take.pictures}
    shooting = Shooting(take.model_copy(update={"shot": shot}), pictures)
    drawing = or_invalid(lambda: shooting.drawing)
    return Filmed(
        name=name,
        segment=ctx.store(shooting.segment(), name=f"{name}.mp4"),
        board=ctx.store(drawing.annotated(), name=f"{name}-board.png"),
        thumbnail=ctx.store(drawing.thumbnail(640), name=f"{name}.jpg"),
    )


class LineData(Data):
    """All that the sound of a line depends on."""

    text: str
    speaker: str
    language: str
    pitch: int
    pace: int


class Placing(Data):
    """When the words of each beat are heard, and what does not fit."""

    heard: dict[str, tuple[float, float]]
    """Seconds of the film from and to, by the beat's id."""
    violations: tuple[Violation, ...]


class Captions(Data):
    """Captions as they are burned in, and as files."""

    lines: tuple[CaptionLine, ...]
    files: Files
    violations: tuple[Violation, ...]


class Mix(Data):
    """The sound of the film, and what was measured on it."""

    sound: Artifact
    report: dict[str, Any]


@tool("studio.lines", version=_VERSION)
def plan_lines(script: Script) -> tuple[LineData, ...]:
    """Work out what is spoken, and with which voice."""
    from callsheet.studio.sound.lines import lines_of, voices_for

    voices = voices_for(script)
    return tuple(
        LineData(
            text=line.text,
            speaker=line.speaker,
            language=script.language,
            pitch=voices[line.speaker].pitch,
            pace=script.words_per_minute,
        )
        for line in lines_of(script)
    )


@tool("studio.voice", version=_VERSION, timeout="10m")
def voice(line: LineData, ctx: SyncContext) -> Artifact:
    """Speak a line."""
    from callsheet.studio.sound.encode import packed
    from callsheet.studio.sound.voice import Voice, say

    who = Voice(line.speaker or "narrator", line.pitch)
    spoken = or_invalid(say, line.text, line.language, who, pace=line.pace)
    return ctx.store(packed(spoken), name="line.voice")


@tool("studio.place", version=_VERSION)
def place_voices(script: Script, voices: tuple[Artifact, ...], ctx: SyncContext) -> Placing:
    """Find each line its place."""
    from callsheet.studio.sound.samples import SAMPLE_RATE

    placed, wrong = _placed(script, voices, ctx)
    heard: dict[str, tuple[float, float]] = {}
    for each in placed:
        start = heard.get(each.line.beat, (each.at / SAMPLE_RATE, 0.0))[0]
        heard[each.line.beat] = (start, each.end / SAMPLE_RATE)
    return Placing(heard=heard, violations=wrong)


@tool("studio.captions", version=_VERSION)
def write_captions(script: Script, brief: Brief, placing: Placing, ctx: SyncContext) -> Captions:
    """Write the captions that follow the voices."""
    from callsheet.studio.documents import captions, check_captions
    from callsheet.studio.documents.captions import files_of
    from callsheet.studio.film.heard import heard_captions

    found = heard_captions(captions(script), script, placing.heard)
    files = files_of(found, script.rate, brief.delivery.aspect)
    return Captions(
        lines=tuple(CaptionLine(start=c.start, end=c.end, lines=c.lines) for c in found),
        files={name: ctx.store(data, name=name) for name, data in files.items()},
        violations=check_captions(found, script.rate),
    )


@tool("studio.mix", version=_VERSION, timeout="10m")
def mix_sound(script: Script, brief: Brief, voices: tuple[Artifact, ...], ctx: SyncContext) -> Mix:
    """Mix voices, music, places and effects."""
    from dataclasses import asdict

    from callsheet.studio.sound.encode import encode_aac
    from callsheet.studio.sound.mix import mix
    from callsheet.studio.sound.score import score_of

    placed, _ = _placed(script, voices, ctx)
    seed = int(brief.digest[:8], 16)
    score = score_of(script, brief.style.mood, brief.style.tone, seed=seed)
    mixed = mix(score, placed)
    with TemporaryDirectory(prefix="callsheet-sound-") as scratch:
        target = Path(scratch) / "sound.m4a"
        encode_aac(mixed.samples, target)
        return Mix(sound=ctx.store(target, name="sound.m4a"), report=asdict(mixed.report))


def _placed(script: Script, voices: Sequence[Artifact], ctx: SyncContext) -> Any:
    from callsheet.studio.sound.encode import unpacked
    from callsheet.studio.sound.lines import lines_of, place

    said = [
        (line, unpacked(ctx.load(each)))
        for line, each in zip(lines_of(script), voices, strict=True)
    ]
    return place(said, script.rate)


@tool("studio.film", version=_VERSION, timeout="10m")
def film(
    filmed: tuple[Filmed, ...],
    sound: Artifact,
    shots: ShotList,
    captions: tuple[CaptionLine, ...],
    language: str,
    ctx: SyncContext,
) -> Files:
    """Put shots, sound and captions together."""
    from callsheet.studio.film.assemble import Chapter, Reel, assemble

    reel = Reel(
        segments=[ctx.load(each.segment) for each in filmed],
        sound=ctx.load(sound),
        rate=shots.rate.fps,
        frames=shots.frames,
        captions=captions,
        chapters=[Chapter(shot.id, shot.start, shot.end) for shot in shots.shots],
        title=shots.title,
        language=language,
    )
    return {"film.mp4": ctx.store(or_invalid(assemble, reel), name="film.mp4")}


@tool("studio.check", version=_VERSION, isolated=True, timeout="10m")
def check(
    film: Files,
    shots: ShotList,
    brief: Brief,
    captions: Captions,
    placing: Placing,
    ctx: SyncContext,
) -> FilmReport:
    """Look at the film as whoever gets it would, and measure it."""
    from callsheet.studio.film.check import check_film, expected_of

    expected = expected_of(shots, brief, captions.lines, loudness=LOUDNESS)
    found = or_invalid(check_film, ctx.file(film["film.mp4"]), expected)
    return found.model_copy(update={"violations": (*placing.violations, *found.violations)})


@tool("studio.poster_files", version=_VERSION, isolated=True)
def poster_files(shots: ShotList, brief: Brief, ctx: SyncContext) -> Files:
    """A poster."""
    from callsheet.studio.draw.own import Own
    from callsheet.studio.draw.style import style_of
    from callsheet.studio.film.poster import make_poster, poster_of
    from callsheet.studio.film.takes import film_size

    data = poster_of(shots, brief.message.core)
    own = Own(ctx.load(data.shot.picture) if data.shot.picture else None)
    poster = make_poster(data, style_of(brief), film_size(brief), own)
    return {"poster.png": ctx.store(poster, name="poster.png")}


@tool("studio.teaser_files", version=_VERSION, isolated=True)
def teaser_files(filmed: tuple[Filmed, ...], ctx: SyncContext) -> Files:
    """A teaser that moves."""
    from callsheet.studio.film.poster import make_teaser

    teaser = or_invalid(make_teaser, [ctx.load(each.segment) for each in filmed])
    return {"teaser.webp": ctx.store(teaser, name="teaser.webp")}


@tool("studio.board_files", version=_VERSION, isolated=True)
def board_files(
    filmed: tuple[Filmed, ...], shots: ShotList, script: Script, brief: Brief, ctx: SyncContext
) -> Files:
    """The storyboard: as PDF, as one sheet, in the shot list, and frame by frame."""
    from callsheet.studio.documents.board import board_pdf, contact_sheet
    from callsheet.studio.documents.shots import shots_pdf

    pictures = {each.name: ctx.load(each.thumbnail) for each in filmed}
    files = {
        "storyboard.pdf": board_pdf(shots, brief, pictures),
        "storyboard.png": contact_sheet(shots, pictures),
        "shots-with-frames.pdf": shots_pdf(shots, script, brief, pictures),
    }
    made = {name: ctx.store(data, name=name) for name, data in files.items()}
    return made | {f"storyboard/{each.name}.png": each.board for each in filmed}


@tool("studio.page", version=_VERSION)
def page(  # noqa: PLR0913, PLR0917 -- the page shows all of it
    brief: Brief,
    script: Script,
    shots: ShotList,
    files: list[dict[str, Any] | None],
    checked: FilmReport,
    ctx: SyncContext,
    plan: ProductionPlan | None = None,
) -> Files:
    """Everything on one page."""
    from callsheet.studio.documents.page import Shown, index_page
    from callsheet.studio.draw.style import style_of

    names = [name for group in files if group for name in group]
    shown = Shown(brief=brief, script=script, shots=shots, plan=plan)
    accent = style_of(brief).accent
    made = index_page(shown, accent=accent, files=names, found=checked.violations)
    return {"index.html": ctx.store(made, name="index.html")}
