"""A phone at the ear: where the hand is that holds it, and how both are painted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.figures import limbs
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints

CALL = "call"
"""What a pose holds whose near hand has a phone at the ear."""
_SCREEN = "#bfe3f2"
_WRIST = (-0.07, 0.5)
"""From the middle of the phone."""
_FINE = 60
"""Pixels of a head from which single fingers are seen."""
_ADULT = 1.07
"""How large a head is beside which a phone is as large as it is: a child's phone is no larger."""


class _Held(msgspec.Struct, frozen=True):
    """A phone at a head whose crown is at (0, 0) and whose chin is at (0, 1)."""

    at: Point
    turn: float
    """Its foot goes to the mouth."""
    half: float
    """Of its width: from the front it is seen on its edge."""


_ASIDE = _Held((-0.4, 0.66), -0.14, 0.08)
_HELD = {"profile": _Held((-0.05, 0.64), -0.3, 0.115)}
"""By the view of a head."""


def wrist_of(view: str, size: float) -> Point:
    """Where the wrist is at a head of this view, which is so much larger than usual."""
    held, small = _HELD.get(view, _ASIDE), _ADULT / size
    cos, sin = math.cos(held.turn) * small, math.sin(held.turn) * small
    x, y = _WRIST
    return held.at[0] + x * cos - y * sin, held.at[1] + x * sin + y * cos


def paint_call(cut: Cut, who: Paints, view: str, size: float) -> None:
    """The phone and the hand around it, upon a head whose crown is at the origin."""
    held = _HELD.get(view, _ASIDE)
    with cut.moved(*held.at, turn=held.turn, scale=_ADULT / size):
        _phone(cut, who, held.half)
        _hand(cut, who, held.half)


def _phone(cut: Cut, who: Paints, half: float) -> None:
    """Its back; the screen is at the cheek, and lights it."""
    ink, glow = who.light.ink, mix(_SCREEN, who.light.glow, 0.3)
    cut.bloom(half, 0.0, 0.42, glow, 0.06 + 0.2 * who.light.dark)
    cut.flat(_slab(half + 0.014, 0.335), mix(ink, glow, 0.55), corners=_STRAIGHT)
    with cut.moved(-0.014, 0.0):
        cut.flat(_slab(half, 0.335), mix(ink, "#10131a", 0.4), corners=_STRAIGHT, rim=True)
        cut.oval(-half * 0.35, -0.25, 0.026, 0.03, clear(glow, 0.4))


def _slab(half: float, long: float) -> list[Point]:
    """A rectangle with rounded corners."""
    cut = 0.03
    return [
        (-half + cut, -long),
        (half - cut, -long),
        (half, -long + cut),
        (half, long - cut),
        (half - cut, long),
        (-half + cut, long),
        (-half, long - cut),
        (-half, -long + cut),
    ]


_STRAIGHT = tuple(range(8))


def _hand(cut: Cut, who: Paints, half: float) -> None:
    """Palm and knuckles behind the phone, the fingers around it."""
    back = -half - 0.06
    palm = [
        (_WRIST[0] + 0.085, _WRIST[1] + 0.03),
        (_WRIST[0] - 0.085, _WRIST[1] + 0.03),
        (back - 0.075, 0.26),
        (back - 0.085, 0.06),
        (back - 0.04, -0.13),
        (back + 0.07, -0.16),
        (-half * 0.2, 0.02),
        (0.01, 0.26),
    ]
    cut.part(palm, who.skin, corners=(0, 1), core=0.04)
    if cut.frame.size <= _FINE:
        fist = [(back, -0.15), (half - 0.01, -0.14), (half + 0.02, 0.0), (half, 0.24), (back, 0.26)]
        cut.part(fist, who.skin, core=0.03)
        return
    for number, y in enumerate((0.21, 0.105, 0.0, -0.105)):
        tip = (half + (0.0, 0.03, 0.035, 0.02)[number], y - 0.012)
        way = [(back - 0.02, y + 0.02), ((back + tip[0]) / 2, y - 0.015), tip]
        wide = (0.05, 0.056, 0.055, 0.052, 0.036)
        cut.part(limbs.outline(way, wide, wide), who.skin, core=0.02)
    for y in (0.155, 0.05, -0.055):
        cut.line([(back + 0.03, y), (half - 0.01, y - 0.02)], clear(who.skin.deep, 0.3), 0.01)
    cut.line(traced("-0.11,0.4 -0.02,0.35 0.0,0.29"), clear(who.skin.deep, 0.25), 0.012)
