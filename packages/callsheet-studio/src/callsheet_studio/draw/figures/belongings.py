"""What belongs to a pose: skirts, a stool, a table, a box, a phone, a laptop."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.figures import limbs
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.pose import Pose

_WOOD = "#a9795a"
_SCREEN = "#bfe3f2"
PHONES = {"phone": 0.25, "camera": 1.45}
"""Ways to hold a phone, and how far it is turned (radians)."""


def paint_skirt(cut: Cut, who: Paints, legs: Sequence[Sequence[Point]], *, sits: bool) -> None:
    """A skirt, the lower half of a dress, or shorts, over bare legs."""
    look = who.look
    tone = who.cloth if look.top == "dress" else who.legs
    (far_hip, far_knee, _), (near_hip, near_knee, _) = legs
    if sits or (look.bottom == "shorts" and look.top != "dress"):
        share = 0.96 if sits else 0.62
        for hip, knee in ((far_hip, far_knee), (near_hip, near_knee)):
            end = (hip[0] + (knee[0] - hip[0]) * share, hip[1] + (knee[1] - hip[1]) * share)
            middle = ((hip[0] + end[0]) / 2, (hip[1] + end[1]) / 2)
            wide = (0.34, 0.34, 0.33, 0.31, 0.3)
            cut.part(limbs.outline((hip, middle, end), wide, wide), tone, corners=(5, 6), core=0.08)
        return
    left, right = min(far_knee[0], near_knee[0]), max(far_knee[0], near_knee[0])
    waist, low = (far_hip[0] + near_hip[0]) / 2, max(far_knee[1], near_knee[1]) - 0.12
    top = far_hip[1]
    skirt = [
        (waist - 0.42, top - 0.75),
        (waist + 0.42, top - 0.75),
        (waist + 0.64, top - 0.05),
        (right + 0.44, low - 0.7),
        (right + 0.5, low),
        ((left + right) / 2, low + 0.08),
        (left - 0.48, low),
        (left - 0.42, low - 0.7),
        (waist - 0.66, top - 0.05),
    ]
    cut.part(skirt, tone, corners=(0, 1, 4, 6), core=0.1)
    fold = clear(tone.deep, 0.42)
    for share in (0.25, 0.52, 0.74):
        x = left - 0.4 + (right - left + 0.9) * share
        cut.line([(waist + (x - waist) * 0.45, top + 0.1), (x, low - 0.1)], fold, 0.026)


def paint_stool(cut: Cut, who: Paints, hips: Point) -> None:
    """Three legs and a round seat."""
    wood = who.tone(_WOOD)
    x, y = hips[0] - 0.02, hips[1] + 0.3
    for dx, foot in ((-0.42, -0.56), (0.0, 0.04), (0.42, 0.56)):
        leg = [
            (x + dx - 0.05, y),
            (x + dx + 0.05, y),
            (x + foot + 0.04, 0.0),
            (x + foot - 0.04, 0.0),
        ]
        cut.part(leg, wood, corners=(0, 1, 2, 3), core=0.03)
    cut.line([(x - 0.46, y * 0.4), (x + 0.46, y * 0.4)], wood.shade, 0.05)
    seat = [
        (x - 0.66, y - 0.02),
        (x, y - 0.08),
        (x + 0.66, y - 0.02),
        (x + 0.62, y + 0.12),
        (x - 0.62, y + 0.12),
    ]
    cut.part(seat, wood, core=0.04)


def paint_before(
    cut: Cut,
    who: Paints,
    pose: Pose,
    near_arm: Sequence[Point],
    table: float,
    *,
    own: bool,
) -> None:
    """What stands or is held before the chest: a table, a box."""
    if table:
        _table(cut, who, table, pose, own=own)
    if pose.holding == "box":
        _box(cut, who, near_arm[2])


def _table(cut: Cut, who: Paints, high: float, pose: Pose, *, own: bool) -> None:
    """A table before somebody, where the set has none; and what they work on."""
    start = pose.hips[0] + 0.72
    if own:
        wood = who.tone(_WOOD)
        rail = [
            (start + 0.2, -high + 0.1),
            (start + 2.5, -high + 0.1),
            (start + 2.5, -high + 0.44),
            (start + 0.2, -high + 0.44),
        ]
        cut.part(rail, wood, corners=(0, 1, 2, 3), core=0.06)
        for x in (start + 0.3, start + 2.4):
            leg = [(x - 0.12, -high), (x + 0.12, -high), (x + 0.08, 0.0), (x - 0.08, 0.0)]
            cut.part(leg, wood, corners=(0, 1, 2, 3), core=0.05)
        slab = [
            (start, -high),
            (start + 2.75, -high),
            (start + 2.75, -high + 0.16),
            (start, -high + 0.16),
        ]
        cut.part(slab, wood, corners=(0, 1, 2, 3), core=0.04)
        cut.line([(start + 0.03, -high), (start + 2.72, -high)], wood.lit, 0.03)
    if pose.holding == "bench":
        piece, steel = who.tone("#c99a64"), who.tone("#9aa4ad")
        x = start + 0.35
        cut.part(
            [(x, -high - 0.17), (x + 1.3, -high - 0.17), (x + 1.3, -high), (x, -high)],
            piece,
            corners=(0, 1, 2, 3),
            core=0.03,
        )
        cut.line([(x + 0.3, -high - 0.34), (x + 0.95, -high - 0.16)], steel.base, 0.06)


def _box(cut: Cut, who: Paints, wrist: Point) -> None:
    """A crate on the forearms."""
    card = who.tone("#c79a63")
    x, y = wrist[0] - 0.42, wrist[1] - 0.86
    face = [(x, y), (x + 1.2, y), (x + 1.2, y + 0.95), (x, y + 0.95)]
    cut.part(face, card, corners=(0, 1, 2, 3), core=0.06)
    cut.flat(
        [(x, y), (x + 1.2, y), (x + 1.1, y + 0.16), (x + 0.1, y + 0.16)],
        clear(card.lit, 0.7),
        corners=(0, 1, 2, 3),
    )
    tape = [(x + 0.5, y), (x + 0.7, y), (x + 0.7, y + 0.95), (x + 0.5, y + 0.95)]
    cut.flat(tape, clear(card.deep, 0.35), corners=(0, 1, 2, 3))


def paint_phone(cut: Cut, who: Paints, joints: Sequence[Point], held: str = "phone") -> None:
    """In the hand, lit; as one reads it, or takes a picture."""
    _, elbow, wrist = joints
    way = math.atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
    x, y = wrist[0] + math.cos(way) * 0.3, wrist[1] + math.sin(way) * 0.3
    with cut.moved(x, y, turn=PHONES[held]):
        body = traced("-0.1,-0.36 0.1,-0.36 0.1,0.16 -0.1,0.16")
        cut.flat(body, who.light.ink, corners=(0, 1, 2, 3), rim=True)
        cut.flat(
            traced("-0.105,-0.34 -0.06,-0.34 -0.06,0.14 -0.105,0.14"),
            mix(_SCREEN, who.light.glow, 0.3),
            corners=(0, 1, 2, 3),
        )
        finger = traced("-0.06,0 0.1,-0.06 0.15,0 0.12,0.1 -0.04,0.12")
        cut.part(finger, who.skin, core=0.02)
    cut.bloom(
        x - 0.15, y - 0.15, 0.7, mix(_SCREEN, who.light.glow, 0.3), 0.1 + 0.3 * who.light.dark
    )


def paint_laptop(cut: Cut, who: Paints, wrist: Point, high: float) -> None:
    """Open, seen from the side: its screen lights the face."""
    metal = who.tone("#8d969f")
    x = wrist[0] - 0.12
    cut.part(
        [(x, -high - 0.07), (x + 1.0, -high - 0.07), (x + 1.02, -high), (x - 0.02, -high)],
        metal,
        corners=(0, 1, 2, 3),
        core=0.02,
    )
    lid = [
        (x + 0.98, -high - 0.05),
        (x + 1.26, -high - 0.82),
        (x + 1.32, -high - 0.82),
        (x + 1.05, -high - 0.03),
    ]
    cut.part(lid, metal, corners=(0, 1, 2, 3), core=0.02)
    cut.line(
        [(x + 1.0, -high - 0.1), (x + 1.25, -high - 0.78)],
        lighter(mix(_SCREEN, who.light.glow, 0.3), 0.2),
        0.03,
    )
    cut.bloom(
        x + 0.85, -high - 0.5, 1.1, mix(_SCREEN, who.light.glow, 0.3), 0.12 + 0.35 * who.light.dark
    )
