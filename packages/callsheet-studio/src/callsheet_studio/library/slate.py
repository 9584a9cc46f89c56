"""What stands on a frame's slate: size, lens, movement and length, as crews write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.base.time import Rate

if TYPE_CHECKING:
    from callsheet_studio.model.shots import Movement, Shot

_SIGNS = {"left": "L", "right": "R", "near_to_far": "FAR", "far_to_near": "NEAR"}
_GERMAN_SIZES = {
    "EWS": "W",
    "WS": "T",
    "FS": "HT",
    "MWS": "A",
    "MS": "HN",
    "MCU": "N",
    "CU": "G",
    "ECU": "D",
}
"""Weit, Totale, Halbtotale, Amerikanisch, Halbnah, Nah, Groß, Detail."""
_GERMAN_NAMES = {
    "POV": "SUBJEKTIVE",
    "TWO_SHOT": "ZWEIER",
    "high": "AUFSICHT",
    "low": "UNTERSICHT",
    "overhead": "DRAUFSICHT",
    "dutch": "GEKIPPT",
    "static": "STATIV",
    "pan": "SCHWENK",
    "tilt": "NEIGEN",
    "dolly": "FAHRT",
    "truck": "PARALLELFAHRT",
    "crane": "KRAN",
    "arc": "KREISFAHRT",
    "handheld": "HANDKAMERA",
    "push": "ZUFAHRT",
    "whip": "REISSSCHWENK",
    "rack": "SCHÄRFE",
}
_GERMAN_WAYS = {
    "left": "L",
    "right": "R",
    "up": "AUF",
    "down": "AB",
    "in": "HERAN",
    "out": "ZURÜCK",
    "near_to_far": "FERN",
    "far_to_near": "NAH",
}


def chips_of(shot: Shot, fps: str, language: str = "en") -> tuple[str, ...]:
    """Size and kind, lens, movement and length, in short; as crews of the language write them."""
    german = language[:2].lower() == "de"
    size = size_name(shot, language)
    if shot.angle != "eye":
        size += f" {_GERMAN_NAMES[shot.angle] if german else shot.angle.upper()}"
    seconds = f"{float(Rate.of(fps).seconds(shot.frames)):.1f} s"
    length = seconds.replace(".", ",") if german else seconds
    return size, f"{shot.lens_mm} mm", move_name(shot.movement, language), length


def size_name(shot: Shot, language: str = "en") -> str:
    """`MCU` or `CU INSERT`; in German `N` or `G INSERT`."""
    german = language[:2].lower() == "de"
    size = _GERMAN_SIZES[shot.size] if german else shot.size
    if shot.kind == "standard":
        return size
    kind = _GERMAN_NAMES.get(shot.kind, shot.kind) if german else shot.kind
    return f"{size} {kind.replace('_', ' ')}"


def move_name(movement: Movement, language: str = "en") -> str:
    """`PUSH IN`, `TRACK R`, as on a board; in German `ZUFAHRT`, `PARALLELFAHRT R`."""
    if language[:2].lower() == "de":
        kind = _GERMAN_NAMES.get(movement.kind, movement.kind)
        # What pushes in goes nowhere else.
        way = "" if movement.kind == "push" else _GERMAN_WAYS.get(movement.direction, "")
        return f"{kind} {way}".strip().upper()
    kind = {"truck": "track", "whip": "whip pan", "rack": "rack to"}.get(
        movement.kind, movement.kind
    )
    sign = _SIGNS.get(movement.direction, movement.direction)
    return f"{kind} {sign}".strip().upper()
