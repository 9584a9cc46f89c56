"""The shot list: shots that tile their beats. Times are frames."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from callsheet import Artifact
from callsheet_studio.base.time import Rate
from callsheet_studio.model.base import Data, Graphic, Inferred, Source

Size = Literal["EWS", "WS", "FS", "MWS", "MS", "MCU", "CU", "ECU"]
Kind = Literal["standard", "INSERT", "OTS", "POV", "TWO_SHOT"]
Angle = Literal["eye", "high", "low", "overhead", "dutch"]
Move = Literal[
    "static",
    "pan",
    "tilt",
    "dolly",
    "truck",
    "crane",
    "arc",
    "handheld",
    "zoom",
    "push",
    "whip",
    "rack",
]
Direction = Literal["", "left", "right", "up", "down", "in", "out", "near_to_far", "far_to_near"]


class Movement(Data):
    """What the camera does."""

    kind: Move
    direction: Direction = ""


class Composition(Data):
    """How the picture is built."""

    thirds: str
    """Where the subject is: `left`, `right`, `centre`, `lower_left` …"""
    focal_point: str
    depth_of_field: Literal["deep", "medium", "shallow"]
    headroom: str
    lead_room: str
    screen_direction: Literal["left_to_right", "right_to_left", "neutral"]


class Lighting(Data):
    """How it is lit."""

    preset: str
    """A name of the library."""
    time_of_day: str
    mood: str
    key: str
    practicals: tuple[str, ...]


class Setting(Data):
    """Where it is."""

    place: str
    """A set of the library, or the user's own words."""
    interior: bool
    props: tuple[str, ...]
    dressing: str
    heading: str = ""
    """The slug line of a script that somebody has written, word for word."""


class Complexity(Data):
    """How hard it is to make."""

    score: int = Field(ge=1, le=10)
    motion: int = Field(ge=1, le=10)
    vfx: int = Field(ge=0, le=10)
    compositing: int = Field(ge=0, le=10)


class Board(Data):
    """What its storyboard frame shows."""

    description: str
    prompt: str
    image: str | None = None


class Figure(Data):
    """Somebody who is seen: the same name has the same look in every shot."""

    name: str
    look: str
    """Wardrobe and features in words; a reference for drawings and models."""


class Shot(Data):
    """One picture of the film, from cut to cut."""

    id: str
    """`3B`: scene number and letter."""
    scene: int
    beat: str
    """The beat's id."""
    order: int
    """Among all shots, from 1."""
    start: int
    end: int
    size: Size
    kind: Kind = "standard"
    subject: str
    figures: tuple[str, ...] = ()
    """Names of those who are seen."""
    action: str
    things: tuple[str, ...] = ()
    """What it is a picture of, as the library calls it, with its state: `phone:broken`."""
    graphic: Graphic | None = None
    """A number or a process that it shows as such."""
    chosen: bool = False
    """Whether its picture was chosen for its words; else its action says what is seen."""
    angle: Angle
    bearing: int = Field(ge=-180, lt=180)
    """Degrees of the camera around the subject, from the front; sign is the side of the line."""
    movement: Movement
    lens_mm: int
    composition: Composition
    lighting: Lighting
    set: Setting
    complexity: Complexity
    dialogue: str | None = None
    voiceover: str | None = None
    """The words of the beat that are spoken in it."""
    on_screen_text: str | None = None
    lip_sync: bool = False
    """Whether somebody is seen speaking."""
    sound: str
    transition: str
    """Into this shot: `cut`, `dissolve`, `fade_in`, `fade_out` (at the end of the last)."""
    setup: str
    """Shots with the same one are made together: same place, light and camera side."""
    notes: str = ""
    storyboard: Board
    picture: Artifact | None = None
    """The user's own: what is seen, instead of a drawing."""
    references: tuple[str, ...] = ()
    source: Source = "offline"
    """Who has decided how it is filmed."""
    source_step: str = "shots"
    """The step of the run that has."""

    @property
    def frames(self) -> int:
        """How long it is."""
        return self.end - self.start


class ShotList(Data):
    """A whole film in shots."""

    title: str
    fps: int | str
    frames: int
    figures: tuple[Figure, ...]
    shots: tuple[Shot, ...]
    inferred: tuple[Inferred, ...] = ()

    @property
    def rate(self) -> Rate:
        """Its clock."""
        return Rate.of(self.fps)
