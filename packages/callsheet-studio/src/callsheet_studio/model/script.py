"""The script: ALT beats that tile the film. Times are frames."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from callsheet_studio.base.time import Rate
from callsheet_studio.model.base import Data, Graphic, Inferred, Source
from callsheet_studio.model.brief import FilmType, Structure

Part = Literal[
    # three parts, and the ends of all others
    "hook",
    "solution",
    "call_to_action",
    # three acts
    "setup",
    "confrontation",
    "resolution",
    # eight parts
    "inciting_event",
    "first_plot_point",
    "first_pinch_point",
    "midpoint",
    "second_pinch_point",
    "third_plot_point",
    "climax",
    # sections of an ad
    "pain_point",
    "product_reveal",
    "selling_point",
    "demo",
    "trust",
    "offer",
    # own scripts that follow no structure
    "own",
]


class Words(Data):
    """What is seen happening, said and read in a beat."""

    action: str
    dialogue: str | None = None
    """`NAME: words`, one line each."""
    voiceover: str | None = None
    on_screen_text: str | None = None
    """At most two lines of nine words."""


PictureKind = Literal[
    "product", "thing", "hand", "screen", "people", "place", "graphic", "fact", "card"
]


class Picture(Data):
    """What one shot of a beat shows: what its words ask for, as far as it can be drawn."""

    kind: PictureKind
    action: str
    """In words, for a crew."""
    said: str = ""
    """The words of the beat that it goes with; empty where nobody speaks."""
    things: tuple[str, ...] = ()
    """Of the library, with their states: `phone:broken`."""
    people: tuple[str, ...] = ()
    """Who is seen, by name or by what they are."""
    graphic: Graphic | None = None


class Visual(Data):
    """How it looks."""

    size: str
    movement: str
    location: str
    """A set of the library, as `harbour` or `office`, or the user's own words."""
    time_of_day: str
    lighting: str
    keywords: tuple[str, ...]
    complexity: int = Field(ge=1, le=10)
    heading: str | None = None
    """The slug line of a script that somebody has written, word for word."""
    pictures: tuple[Picture, ...] = ()
    """Its shots, where the words say what they show; else they follow from the action."""


class Audio(Data):
    """How it sounds."""

    dialogue_present: bool
    effects: tuple[str, ...]
    music_mood: str
    ambience: str


class Emotion(Data):
    """What is felt, on screen and in front of it."""

    character: str
    audience: str
    arc: str
    intensity: int = Field(ge=1, le=10)


class Function(Data):
    """Why the beat is there."""

    kind: str
    part: Part
    parts: tuple[Part, ...] = ()
    """All parts it serves, when parts too short for a beat of their own were merged."""
    conveys: str
    raises: str | None = None
    answers: str | None = None


class Making(Data):
    """What it takes to make."""

    complexity: int = Field(ge=1, le=10)
    vfx: tuple[str, ...]
    custom_assets: tuple[str, ...]
    category: str
    references: tuple[str, ...]


class Alternative(Data):
    """Another version of a beat, and when to take it."""

    id: str
    condition: str
    script: Words
    emotion: Emotion


class Beat(Data):
    """An atomic unit that does one thing: what must the audience know now?"""

    id: str
    """`2.3`: scene and order in it."""
    scene: int
    order: int
    """Among all beats, from 1."""
    start: int
    end: int
    question: str
    answer: str
    script: Words
    visual: Visual
    audio: Audio
    emotion: Emotion
    function: Function
    production: Making
    alternatives: tuple[Alternative, ...] = ()
    source: Source = "offline"
    source_step: str = "script"
    """The step of the run that has written it."""

    @property
    def frames(self) -> int:
        """How long it is."""
        return self.end - self.start


class Script(Data):
    """A whole film in beats."""

    title: str
    type: FilmType
    language: str
    structure: Structure | Literal["own"]
    fps: int | str
    """A number, or `24000/1001`."""
    frames: int
    words_per_minute: int
    beats: tuple[Beat, ...]
    inferred: tuple[Inferred, ...] = ()

    @property
    def rate(self) -> Rate:
        """Its clock."""
        return Rate.of(self.fps)
