"""Small parts that the tests of the sound are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from callsheet_studio.base.time import Rate
from callsheet_studio.model.script import (
    Audio,
    Beat,
    Emotion,
    Function,
    Making,
    Script,
    Visual,
    Words,
)
from callsheet_studio.sound.lines import Line, Placed
from callsheet_studio.sound.polish import LEVEL
from callsheet_studio.sound.samples import SAMPLE_RATE
from callsheet_studio.sound.score import Score
from callsheet_studio.sound.timing import Heard
from callsheet_studio.sound.voice import Spoken

RATE = Rate.of(24)


def tone(seconds: float, pitch: float = 220.0, level: float = LEVEL) -> Any:
    """A wave of one pitch, at a level of speech."""
    turn = np.arange(round(seconds * SAMPLE_RATE)) * (2 * math.pi * pitch / SAMPLE_RATE)
    return (np.sin(turn) * level * math.sqrt(2)).astype(np.float32)


def both(signal: Any) -> Any:
    return np.stack([signal, signal])


def murmur(seconds: float) -> Any:
    """Something with the spectrum and the pauses of speech."""
    chance = np.random.default_rng(3)
    noise = np.convolve(chance.standard_normal(round(seconds * SAMPLE_RATE)), np.ones(24), "same")
    beat = np.clip(np.sin(np.arange(noise.size) * (2 * math.pi * 3 / SAMPLE_RATE)) + 0.6, 0, None)
    said = noise * beat
    return (said / np.sqrt(np.mean(said**2)) * LEVEL).astype(np.float32)


def spoken(seconds: float, text: str = "All the words of a line.") -> Spoken:
    samples = murmur(seconds) if seconds else np.zeros(0, np.float32)
    words = len(text.split())
    return Spoken(text, samples, words, (Heard(text, 0.0, seconds),), "none", "narrator")


def line(start: int, end: int, beat: str = "1.1", speaker: str = "") -> Line:
    return Line(beat, speaker, "All the words of a line.", start, end)


def placed(at: float, seconds: float) -> Placed:
    return Placed(line(0, 240), spoken(seconds), round(at * SAMPLE_RATE))


def score(frames: int = 240, **changes: Any) -> Score:
    made: dict[str, Any] = {
        "frames": frames,
        "rate": RATE,
        "mood": "calm",
        "tempo": None,
        "seed": 0,
        "arc": ((0, 7.0),),
        "places": ((0, "harbour"),),
        "cues": (),
        "left_out": (),
    }
    return Score(**{**made, **changes})


def beat(number: int, start: int, end: int, **changes: Any) -> Beat:
    """A beat of the first scene, unless told otherwise."""
    words = Words(
        action="Boats move.",
        voiceover=changes.get("voiceover"),
        dialogue=changes.get("dialogue"),
    )
    scene = changes.get("scene", 1)
    return Beat(
        id=f"{scene}.{number}",
        scene=scene,
        order=number,
        start=start,
        end=end,
        question="What?",
        answer="That.",
        script=words,
        visual=Visual(
            size="WS",
            movement="static",
            location=changes.get("location", "harbour"),
            time_of_day="day",
            lighting="soft_day",
            keywords=(),
            complexity=3,
        ),
        audio=Audio(
            dialogue_present=words.dialogue is not None,
            effects=changes.get("effects", ()),
            music_mood=changes.get("music", "felt piano"),
            ambience="water",
        ),
        emotion=Emotion(
            character="calm", audience="calm", arc="up", intensity=changes.get("intensity", 5)
        ),
        function=Function(kind="setup", part="hook", conveys="That."),
        production=Making(complexity=3, vfx=(), custom_assets=(), category="stock", references=()),
    )


def script(*beats: Beat, language: str = "en") -> Script:
    return Script(
        title="Harbor",
        type="general",
        language=language,
        structure="three_part",
        fps=24,
        frames=beats[-1].end,
        words_per_minute=150,
        beats=beats,
    )
