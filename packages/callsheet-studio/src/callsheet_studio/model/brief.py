"""The brief (VRD): what somebody wants to be filmed. Complete: what was missing is inferred."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Literal

from pydantic import Field

from callsheet import Artifact
from callsheet_studio.base.time import Rate
from callsheet_studio.model.base import Data, Inferred

FilmType = Literal[
    "explainer", "product_demo", "social_ad", "testimonial", "brand_story", "general"
]
Aspect = Literal["16:9", "9:16", "1:1", "4:5"]
CaptionWay = Literal["burned", "soft", "both", "none"]
Medium = Literal["live_action", "animation", "mixed"]
Quality = Literal["high", "balanced", "budget"]
Structure = Literal["three_part", "three_act", "eight_part", "ad"]


class Project(Data):
    """What it is for."""

    title: str
    context: str = ""
    due: date | None = None


class Purpose(Data):
    """Why it is made."""

    objective: str = ""
    challenges: tuple[str, ...] = ()
    kpis: tuple[str, ...] = ()


class Audience(Data):
    """Whom it is made for."""

    who: str = ""
    role: str = ""
    knowledge: str = ""
    pain_points: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()


class Message(Data):
    """What it must say."""

    core: str
    supporting: tuple[str, ...] = ()
    cta: str
    must_include: tuple[str, ...] = ()
    must_avoid: tuple[str, ...] = ()
    brand: str = ""
    logo: Artifact | None = None
    """The user's own, on the end card."""


class OwnShot(Data):
    """A shot that the brief prescribes. What it leaves open is chosen."""

    action: str
    seconds: float | None = None
    size: str | None = None
    angle: str | None = None
    movement: str | None = None
    subject: str | None = None
    place: str | None = None
    time_of_day: str | None = None
    voiceover: str | None = None
    dialogue: str | None = None
    on_screen_text: str | None = None
    picture: Artifact | None = None
    """The user's own: what is seen, instead of a drawing."""


class Content(Data):
    """What it consists of."""

    type: FilmType
    duration: float
    """Seconds."""
    language: str
    """`en`, `de`; another one only with an own script."""
    structure: Structure
    script: str | None = None
    """The user's own: Fountain, narration or two columns, word for word."""
    shots: tuple[OwnShot, ...] | None = None
    pronunciation: dict[str, str] | None = None
    """How names are said, as they would be spelled."""


class Style(Data):
    """How it feels."""

    tone: str
    mood: str
    look: str = ""
    setting: str = ""
    """Where it plays, and when, in the brief's own words."""
    palette: tuple[str, ...] = ()
    medium: Medium


class Delivery(Data):
    """The form it is handed over in."""

    aspect: Aspect
    resolution: str
    """`1280x720`."""
    fps: str
    """As in `Rate.of`: `24`, `29.97`, `24000/1001`."""
    platform: str = ""
    captions: CaptionWay | None = None
    """In the picture, to be switched on in a player, or both, which is the usual way."""

    @property
    def burns_captions(self) -> bool:
        """Whether they are in the picture."""
        return self.captions in {None, "both", "burned"}

    @property
    def has_soft_captions(self) -> bool:
        """Whether a player can show them."""
        return self.captions in {None, "both", "soft"}


class Constraints(Data):
    """What the production may take."""

    max_cost_usd: float | None = None
    deadline: float | None = None
    """Seconds."""
    quality: Quality
    region: str = ""
    licences: str = "any"


class Direction(Data):
    """What the clarifying questions ask about and no other section says."""

    midpoint_emotion: str
    act2_emphasis: str
    visual_metaphors: str = ""


class Brief(Data):
    """A brief with nothing left open."""

    project: Project
    purpose: Purpose = Purpose()
    audience: Audience = Audience()
    message: Message
    content: Content
    style: Style
    delivery: Delivery
    constraints: Constraints
    direction: Direction
    inferred: tuple[Inferred, ...] = Field(default=())

    @property
    def rate(self) -> Rate:
        """The project's clock."""
        return Rate.of(self.delivery.fps)

    @property
    def frames(self) -> int:
        """How long the film is, exactly."""
        return self.rate.frames(self.content.duration)

    @property
    def digest(self) -> str:
        """Tells it from every brief that says something else."""
        # A brief that says no setting is the one that it was before briefs could say one.
        style = set() if self.style.setting else {"setting"}
        told = self.model_dump_json(exclude={"inferred": True, "style": style})
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def identity(self) -> str:
        """Which film it is, whatever it says: all chance in script, shots, picture and sound.

        What chance decides follows from this and from what the choice is about. So who changes
        a message, a shot or the call to action gets everything else as it was.
        """
        film = (self.project.title, self.message.brand, self.content.type, self.content.language)
        return hashlib.sha256("\n".join(film).encode()).hexdigest()


class BriefQuestion(Data):
    """A clarifying question. Every answer changes the film."""

    key: Literal[
        "core_message",
        "tone",
        "cta",
        "midpoint_emotion",
        "act2_emphasis",
        "visual_metaphors",
    ]
    priority: Literal["high", "medium", "low"]
    kind: Literal["text", "choice"]
    text: str
    options: tuple[str, ...] = ()
    default: str
    hint: str = ""
