"""The stages of sound as tools: lines, the places of voices, captions that follow them, the mix.

All are reads of their arguments and cached by them: what is heard is not made again for a picture.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from callsheet import Artifact, SyncContext, tool
from callsheet_studio.base.edition import edition
from callsheet_studio.base.memory import trim
from callsheet_studio.base.time import Rate
from callsheet_studio.film.speaking import LineData
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList

if TYPE_CHECKING:
    from callsheet_studio.sound.lines import Line
    from callsheet_studio.sound.score import Score
    from callsheet_studio.sound.voice import Spoken

_VERSION = edition("sound")


class Placing(Data):
    """When the words of each beat are heard, and what does not fit."""

    heard: dict[str, tuple[float, float]]
    """Seconds of the film from and to, by the beat's id."""
    violations: tuple[Violation, ...]


class SoftCaptions(Data):
    """Captions that a player can show."""

    lines: tuple[CaptionLine, ...]
    shown: bool
    """Whether players show them without being asked: not if they are in the picture, too."""


class Captions(Data):
    """Captions as they are in the picture, in the file of the film, and as files of their own."""

    lines: tuple[CaptionLine, ...]
    burned: tuple[CaptionLine, ...]
    soft: SoftCaptions
    files: dict[str, Artifact]
    violations: tuple[Violation, ...]
    """If they are all that there is of the words."""


class Said(Data):
    """A line in its beat. Times are frames."""

    beat: str
    speaker: str
    text: str
    start: int
    end: int
    begins: int = 0
    """Where the shot begins that shows who says it."""


class ScoreData(Data):
    """All that the sound of a film depends on, but for its voices. Times are frames."""

    fps: str
    frames: int
    mood: str
    tempo: int | None
    seed: int
    arc: tuple[tuple[int, float], ...]
    places: tuple[tuple[int, str], ...]
    cues: tuple[tuple[int, str], ...]
    left_out: tuple[str, ...]
    lines: tuple[Said, ...]


class Mix(Data):
    """The sound of the film, and what was measured on it."""

    sound: Artifact
    report: dict[str, Any]
    gain: float = 1.0
    """With which its parts make it up."""


@tool("studio.lines", version=_VERSION, effect="read")
def plan_lines(script: Script, brief: Brief) -> tuple[LineData, ...]:
    """Work out what is spoken, and with which voice."""
    from callsheet_studio.sound.lines import heard_lines, voices_for
    from callsheet_studio.sound.saying import hints_in

    voices = voices_for(script)
    return tuple(
        LineData(
            text=line.text,
            speaker=line.speaker,
            language=script.language,
            pitch=voices[line.speaker].pitch,
            pace=script.words_per_minute,
            hints=hints_in(line.text, brief.content.pronunciation or {}),
        )
        for line in heard_lines(script)
    )


@tool("studio.place", version=_VERSION, effect="read")
def place_voices(
    lines: tuple[Said, ...], fps: str, voices: tuple[Artifact, ...], ctx: SyncContext
) -> Placing:
    """Find each line its place."""
    from callsheet_studio.sound.lines import place
    from callsheet_studio.sound.samples import SAMPLE_RATE

    rate = Rate.of(fps)
    placed, wrong = place(_heard(lines, voices, ctx), rate)
    heard: dict[str, tuple[float, float]] = {}
    for each in placed:
        start = heard.get(each.line.beat, (each.at / SAMPLE_RATE, 0.0))[0]
        heard[each.line.beat] = (start, each.end / SAMPLE_RATE)
    return Placing(heard=heard, violations=wrong)


def _heard(
    lines: tuple[Said, ...], voices: tuple[Artifact, ...], ctx: SyncContext
) -> list[tuple[Line, Spoken]]:
    """Each line, and how it is spoken."""
    from callsheet_studio.sound.encode import unpacked
    from callsheet_studio.sound.lines import Line

    pairs = zip(lines, voices, strict=True)
    return [(Line(**line.model_dump()), unpacked(ctx.load(each))) for line, each in pairs]


@tool("studio.captions", version=_VERSION, effect="read")
def write_captions(script: Script, brief: Brief, placing: Placing, ctx: SyncContext) -> Captions:
    """Write the captions that follow the voices."""
    from callsheet_studio.documents import captions
    from callsheet_studio.documents.captions import files_of
    from callsheet_studio.film.heard import heard_captions
    from callsheet_studio.sound.lines import check_voice

    found = heard_captions(captions(script), script, placing.heard)
    files = files_of(found, script.rate, brief.delivery.aspect)
    lines = tuple(CaptionLine(start=c.start, end=c.end, lines=c.lines) for c in found)
    is_burned, is_soft = brief.delivery.burns_captions, brief.delivery.has_soft_captions
    return Captions(
        lines=lines,
        burned=lines if is_burned else (),
        soft=SoftCaptions(lines=lines if is_soft else (), shown=not is_burned),
        files={name: ctx.store(data, name=name) for name, data in files.items()},
        violations=check_voice(script),
    )


@tool("studio.score", version=_VERSION, effect="read")
def plan_score(script: Script, brief: Brief, shots: ShotList | None = None) -> ScoreData:
    """Work out what is heard besides the words, and in which beat and shot those are."""
    from callsheet_studio.sound.lines import heard_lines, on_shots
    from callsheet_studio.sound.score import score_of

    seed = int(brief.identity[:8], 16)
    score = score_of(script, brief.style.mood, brief.style.tone, seed=seed)
    return ScoreData(
        fps=brief.delivery.fps,
        frames=score.frames,
        mood=score.mood,
        tempo=score.tempo,
        seed=score.seed,
        arc=score.arc,
        places=score.places,
        cues=score.cues,
        left_out=score.left_out,
        lines=tuple(
            Said.model_validate({name: getattr(each, name) for name in Said.model_fields})
            for each in on_shots(heard_lines(script), shots.shots if shots else ())
        ),
    )


def _score(score: ScoreData) -> Score:
    from callsheet_studio.sound.score import Score

    told = score.model_dump(exclude={"fps", "lines"})
    return Score(rate=Rate.of(score.fps), **told)


@tool("studio.mix", version=_VERSION, timeout="10m", effect="read")
def mix_sound(score: ScoreData, voices: tuple[Artifact, ...], ctx: SyncContext) -> Mix:
    """Mix voices, music, places and effects."""
    from msgspec.structs import asdict

    from callsheet_studio.sound.encode import encode_aac
    from callsheet_studio.sound.lines import place
    from callsheet_studio.sound.mix import mix

    whole = _score(score)
    mixed = mix(whole, place(_heard(score.lines, voices, ctx), whole.rate)[0])
    with TemporaryDirectory(prefix="callsheet-sound-") as scratch:
        target = Path(scratch) / "sound.m4a"
        encode_aac(mixed.samples, target, highest=whole.highest)
        # While shots are filmed, this process is to be small.
        trim()
        sound = ctx.store(target, name="sound.m4a")
        return Mix(sound=sound, report=asdict(mixed.report), gain=mixed.gain)


@tool("studio.stem_files", version=_VERSION, timeout="10m", effect="read")
def stem_files(
    score: ScoreData, voices: tuple[Artifact, ...], mix: Mix, ctx: SyncContext
) -> dict[str, Artifact]:
    """Voice, music and atmosphere as files of their own, each as long as the film."""
    from callsheet_studio.sound.encode import write_wav
    from callsheet_studio.sound.lines import place
    from callsheet_studio.sound.mix import stems

    whole = _score(score)
    placed = place(_heard(score.lines, voices, ctx), whole.rate)[0]
    files: dict[str, Artifact] = {}
    with TemporaryDirectory(prefix="callsheet-sound-") as scratch:
        for name, samples in stems(whole, placed, mix.gain):
            target = Path(scratch) / f"{name}.wav"
            write_wav(samples, target)
            files[f"stems/{name}.wav"] = ctx.store(target, name=f"{name}.wav")
            target.unlink()
    trim()
    return files
