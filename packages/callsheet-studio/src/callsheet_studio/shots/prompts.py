"""What a storyboard frame shows in words, and the prompt that a model is given for the shot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.library import (
    angles,
    compositions,
    kinds,
    movements,
    place_in,
    presets,
    sizes,
)
from callsheet_studio.model.shots import Board
from callsheet_studio.shots.scenes import names_any
from callsheet_studio.shots.wording import at_time, german, sentence

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import Composition, Movement
    from callsheet_studio.shots.camera import Frame
    from callsheet_studio.shots.cast import Cast
    from callsheet_studio.shots.scenes import Scene

_MEDIUM = {
    "live_action": "live action, photographic",
    "animation": "flat-colour animation with soft light",
    "mixed": "live action with drawn elements",
}
_ASIDE = re.compile(r"\s*\([^()]*\)")
_ENDS = re.compile(r"(?<=[.!?\u2026])\s+")
_COURSES = {
    ("push", "in"): ("a step wider", "as the {size}"),
    ("push", "out"): ("as the {size}", "a step wider"),
    ("dolly", "in"): ("a step wider", "as the {size}"),
    ("dolly", "out"): ("as the {size}", "a step wider"),
    ("zoom", "in"): ("a step wider", "as the {size}"),
    ("zoom", "out"): ("as the {size}", "a step wider"),
    ("tilt", "up"): ("low", "on the subject"),
    ("tilt", "down"): ("high", "on the subject"),
    ("crane", "up"): ("at eye level", "above the subject"),
    ("crane", "down"): ("above the subject", "at eye level"),
    ("rack", "near_to_far"): ("sharp in front", "sharp behind"),
    ("rack", "far_to_near"): ("sharp behind", "sharp in front"),
}
"""What is seen first and last, by the movement."""
_HEX = re.compile(r"[0-9a-fA-F]{6}")
_COLOURS = {
    "black": (16, 16, 16),
    "white": (245, 245, 245),
    "grey": (128, 128, 128),
    "red": (200, 30, 40),
    "rust": (175, 80, 50),
    "orange": (245, 150, 60),
    "amber": (255, 190, 30),
    "cream": (245, 235, 215),
    "brown": (110, 75, 55),
    "olive": (110, 115, 50),
    "green": (50, 140, 80),
    "mint": (150, 220, 190),
    "teal": (20, 110, 130),
    "sky blue": (110, 180, 230),
    "deep blue": (15, 60, 100),
    "slate": (45, 55, 70),
    "violet": (110, 70, 160),
    "pink": (235, 130, 160),
}


def board(frame: Frame, scene: Scene, composed: Composition, brief: Brief, cast: Cast) -> Board:
    """The words of a storyboard frame, without those that the brief avoids."""
    return Board(
        description=_description(frame, brief.content.language),
        prompt=_prompt(frame, scene, composed, brief, cast),
    )


def _description(frame: Frame, language: str) -> str:
    size, kind, angle = sizes()[frame.size], kinds()[frame.kind], angles()[frame.angle]
    names = [entry.name_de if german(language) else entry.name for entry in (size, kind, angle)]
    told = names[:1] if frame.kind == "standard" else [names[1], names[0]]
    told += names[2:] if frame.angle != "eye" else []
    head = ", ".join(told)
    return f"{head[:1].upper()}{head[1:]}. {sentence(frame.moment.text)}"


def _prompt(frame: Frame, scene: Scene, composed: Composition, brief: Brief, cast: Cast) -> str:
    glass = f"{frame.lens_mm} mm lens, {composed.depth_of_field} depth of field"
    parts = [
        _subject(frame, cast, scene),
        f"Place: {_place(scene)}.",
        f"Light: {presets()[scene.preset].key}, {presets()[scene.preset].mood}.",
        f"{glass}, {angles()[frame.angle].name}, {compositions()[composed.thirds].name}.",
        f"Camera: {camera_words(frame.movement)}.",
        _style(brief),
        "No text, no captions, no logos in the picture.",
    ]
    parts[5:5] = [_course(frame)]
    first, *others = [part for part in parts if part]
    kept = [part for part in others if not names_any(part, brief.message.must_avoid)]
    return " ".join([first, *kept])


def _subject(frame: Frame, cast: Cast, scene: Scene) -> str:
    size, kind = sizes()[frame.size].name, kinds()[frame.kind].name
    head = size if frame.kind == "standard" else f"{kind}, {size}"
    looks = " ".join(_look(name, cast.look(name)) for name in frame.moment.figures)
    act = one_act(frame)
    if not frame.moment.main and scene.entry.interior != scene.interior:
        act = f"the {_named(scene)}"  # what the set would show is somewhere else
    told = f"{head[:1].upper()}{head[1:]}: {sentence(act)}"
    return f"{told} {looks}" if looks else told


def one_act(frame: Frame) -> str:
    """What happens in it: one thing, and of those it shows. How they look is said beside it."""
    told = [part for part in _ENDS.split(_ASIDE.sub("", frame.moment.text)) if part.strip()]
    shown = [part for part in told if names_any(part, frame.moment.figures)]
    return (shown or told or [frame.moment.text])[0].strip()


def _course(frame: Frame) -> str:
    """How the shot begins and ends, where the camera changes what is seen."""
    told = _COURSES.get((frame.movement.kind, frame.movement.direction))
    size = sizes()[frame.size].name
    return f"It begins {told[0]} and ends {told[1]}.".format(size=size) if told else ""


def _look(name: str, look: str) -> str:
    return f"{look}." if look.startswith(name) else f"{name}: {look}."


def _place(scene: Scene) -> str:
    """In the author's words where there are any; what a set looks like only if it is that set."""
    entry = scene.entry
    inside = "interior" if scene.interior else "exterior"
    told = f"{_named(scene)}, {inside} {at_time(scene.time)}"
    return f"{told}, {entry.dressing}" if entry.interior == scene.interior else told


def _named(scene: Scene) -> str:
    name = (place_in(scene.heading).lower() if scene.heading else "") or scene.place
    return name.replace("_", " ")


def camera_words(movement: Movement) -> str:
    """A movement as one says it: `slow push in`, `truck left`."""
    name = movements()[movement.kind].name
    direction = movement.direction.replace("_", " ")
    return f"{name} {direction}".strip() if movement.kind != "static" else "locked off"


def _style(brief: Brief) -> str:
    style = brief.style
    told = [_MEDIUM[style.medium], style.look, style.mood]
    palette = " and ".join(f"{colour_name(colour)} {colour}" for colour in style.palette[:3])
    told += [f"palette of {palette}"] if palette else []
    return f"Style: {', '.join(part for part in told if part)}."


def colour_name(colour: str) -> str:
    """The everyday name of a colour that is written as `#0b3c5d`; nothing if it is not."""
    digits = colour.removeprefix("#")
    if not _HEX.fullmatch(digits):
        return ""
    found = [int(digits[i : i + 2], 16) for i in (0, 2, 4)]
    return min(
        _COLOURS,
        key=lambda name: sum((a - b) ** 2 for a, b in zip(_COLOURS[name], found, strict=True)),
    )
