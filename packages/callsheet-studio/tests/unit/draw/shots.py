"""A shot to draw, and others like it."""

from __future__ import annotations

from typing import Any

from callsheet_studio.draw.style import FilmStyle
from callsheet_studio.library import sets
from callsheet_studio.model.shots import (
    Board,
    Complexity,
    Composition,
    Figure,
    Lighting,
    Movement,
    Setting,
    Shot,
)

STYLE = FilmStyle(("#0b3c5d", "#f2a65a"), "#f2a65a", title="Two Boats", brand="Harbor", seed="s")
MARA = Figure(name="Mara", look="navy jacket, dark bob, 41")
TEO = Figure(name="Teo", look="olive parka, grey beard")
SMALL = (320, 180)


def a_shot(**changes: Any) -> Shot:
    """Mara on the coast, in a wide shot, with changes to the shot and its parts."""
    place = changes.pop("place", "coast")
    entry = sets().get(place)
    composed = {
        "thirds": changes.pop("thirds", "left"),
        "screen_direction": changes.pop("way", "left_to_right"),
        "depth_of_field": changes.pop("focus", "deep"),
    }
    lighting = Lighting(
        preset=changes.pop("preset", "soft_day"), time_of_day="day", mood="", key="", practicals=()
    )
    told: dict[str, Any] = {
        "id": "1A",
        "scene": 1,
        "beat": "1.1",
        "order": 1,
        "start": 0,
        "end": 96,
        "size": "WS",
        "subject": "Mara",
        "figures": ("Mara",),
        "action": "Mara stands and looks ahead.",
        "angle": "eye",
        "bearing": 35,
        "movement": Movement(kind="push", direction="in"),
        "lens_mm": 28,
        "composition": Composition(focal_point="", headroom="", lead_room="", **composed),
        "lighting": lighting,
        "set": Setting(
            place=place, interior=entry.interior if entry else False, props=(), dressing=""
        ),
        "complexity": Complexity(score=1, motion=1, vfx=0, compositing=0),
        "sound": "",
        "transition": "cut",
        "setup": "1",
        "storyboard": Board(description="", prompt=""),
    }
    return Shot.model_validate(told | changes)


def a_card(**changes: Any) -> Shot:
    """The last shot of a film: its name and what to do."""
    told = {
        "subject": "Harbor",
        "figures": (),
        "place": "abstract",
        "preset": "studio",
        "thirds": "lower_centre",
        "action": "End card: Harbor, try it free.",
        "on_screen_text": "Try Harbor free\nfor 30 days",
        "bearing": 0,
    }
    return a_shot(**(told | changes))
