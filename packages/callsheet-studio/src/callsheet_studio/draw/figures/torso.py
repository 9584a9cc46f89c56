"""Neck, shoulders and chest, as bare of details as a tailor's dummy.

From the hips at 0 up to the neck at -2.36; one is the height of the head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.look import Look
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone

CROWN = -3.42
"""Where the top of the head is, above the hips."""
HEMS = {
    "jacket": 0.28, "denim": 0.02, "suit": 0.42, "cardigan": 0.3, "parka": 0.7, "coat": 1.75,
    "lab_coat": 1.25, "hi_vis": 0.2, "dress": 0.2, "shirt": 0.2, "scrubs": 0.3, "blanket": 0.4,
}  # fmt: skip
"""How far below the hips a top reaches."""
UNDERNEATH = frozenset({"apron", "hi_vis", "waistcoat"})
"""Tops whose sleeves are those of what is worn under them."""
SHORT = frozenset({"tshirt", "scrubs", "dress"})


class Measures(msgspec.Struct, frozen=True):
    """Half widths."""

    shoulder: float
    chest: float
    waist: float
    hip: float
    neck: float


def measures_of(look: Look) -> Measures:
    """The widths of a body."""
    man = look.form == "man"
    more = {"slim": -0.05, "broad": 0.09}.get(look.build, 0.0)
    if look.age == "child":
        return Measures(0.68 + more / 2, 0.57, 0.53, 0.54, 0.18)
    if man:
        return Measures(0.83 + more, 0.66 + more, 0.55 + more * 1.3, 0.53 + more, 0.205 + more / 4)
    return Measures(0.69 + more * 0.8, 0.55 + more, 0.45 + more * 1.2, 0.57 + more, 0.16)


def bend(turn: float, x: float, y: float) -> Point:
    """A chest that is turned half away."""
    return x * (1 - 0.09 * turn) + 0.13 * turn * max(1 - (x / 0.95) ** 2, 0.0), y


def front(body: Measures, hem: float, *, loose: float = 0.0) -> list[Point]:
    """The outline of a top from the front, down to its hem."""
    half = [
        (body.neck + 0.02, -2.4),
        (body.shoulder * 0.54, -2.29),
        (body.shoulder * 0.88, -2.13),
        (body.shoulder, -1.9),
        (body.chest + 0.05 + loose, -1.5),
        ((body.chest + body.waist) / 2 + 0.03 + loose, -1.08),
        (body.waist + 0.03 + loose, -0.72),
        (body.hip + 0.03 + loose, -0.12),
        (body.hip + 0.07 + loose + 0.06 * hem, hem),
    ]
    return [*half, *((-x, y) for x, y in reversed(half))]


def profile(look: Look, hem: float, *, loose: float = 0.0) -> list[Point]:
    """The outline of a top from the side, turned to the right."""
    man = look.form == "man"
    more = {"slim": -0.04, "broad": 0.12}.get(look.build, 0.0) + loose
    size = 0.92 if look.age == "child" else 1.0
    front_side = [
        (0.12, -2.34),
        (0.3, -2.02),
        ((0.4 if man else 0.44) + more, -1.52),
        ((0.38 if man else 0.33) + more, -1.05),
        (0.32 + more * 1.3, -0.6),
        (0.33 + more, -0.1),
        (0.36 + more + 0.05 * hem, hem),
    ]
    back_side = [
        (-0.38 - more - 0.05 * hem, hem),
        (-0.43 - more, -0.06),
        (-0.28 - more, -0.66),
        (-0.32 - more, -1.1),
        (-0.43 - more, -1.68),
        (-0.36, -2.12),
        (-0.17, -2.44),
    ]
    return [(x * size, y) for x, y in (*front_side, *back_side)]


def paint_neck(cut: Cut, who: Paints, view: str) -> None:
    """Skin from the jaw to the collar, with the shadow of the head on it."""
    wide = measures_of(who.look).neck
    if view == "profile":
        flank = traced("-0.28,-2.9 -0.2,-2.55 -0.2,-2.2 0.16,-2.12 0.13,-2.35 0.15,-2.52 0.2,-2.66")
        cut.part(flank, who.skin, corners=(0,), core=0.05)
        under = traced("-0.15,-2.76 0.22,-2.66 0.15,-2.52 0.12,-2.38 -0.04,-2.42 -0.22,-2.58")
        cut.flat(under, clear(who.skin.deep, 0.55 + 0.2 * who.light.hard))
        return
    neck = [
        (-wide, -2.95),
        (-wide * 0.98, -2.55),
        (-wide * 1.25, -2.34),
        (-wide * 2.1, -2.2),
        (0.0, -1.9),
        (wide * 2.1, -2.2),
        (wide * 1.25, -2.34),
        (wide * 0.98, -2.55),
        (wide, -2.95),
    ]
    cut.part(neck, who.skin, corners=(0, 8), core=0.06)
    if view == "back":
        return
    lean = 0.05 if cut.light.side * (-1 if cut.flip else 1) < 0 else -0.05
    shade = [
        (-wide * 1.02, -2.85),
        (wide * 1.02, -2.85),
        (wide * 1.05, -2.38 + lean),
        (wide * 0.4, -2.3 + lean / 2),
        (-wide * 0.4, -2.3 - lean / 2),
        (-wide * 1.05, -2.38 - lean),
    ]
    cut.flat(shade, clear(who.skin.deep, 0.5 + 0.2 * who.light.hard), corners=(0, 1))
    bone = clear(who.skin.deep, 0.35)
    for side in (-1, 1):
        cut.line([(0.035 * side, -2.26), (0.16 * side, -2.3), (0.3 * side, -2.29)], bone, 0.016)


def head_of(look: Look) -> float:
    """How large the head is for the body: a child's is larger."""
    return 1.5 if look.age == "child" else 1.07


def hem_of(look: Look) -> float:
    """How far below the hips the top of a look reaches."""
    return HEMS.get(look.top, 0.12)


def sleeve_of(who: Paints) -> Tone:
    """What the arms are in."""
    return who.under if who.look.top in UNDERNEATH else who.cloth
