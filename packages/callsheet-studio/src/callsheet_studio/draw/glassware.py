"""What stands on the benches of laboratories: flasks, cylinders, tubes, microscopes, bottles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.solid import Solid, Spot

_FLASK: tuple[Point, ...] = (
    (-0.032, -0.3),
    (0.032, -0.3),
    (0.026, -0.27),
    (0.026, -0.2),
    (0.11, -0.02),
    (0.1, 0.0),
    (-0.1, 0.0),
    (-0.11, -0.02),
    (-0.026, -0.2),
    (-0.026, -0.27),
)
_CYLINDER: tuple[Point, ...] = ((-0.04, -0.38), (0.04, -0.38), (0.036, 0.0), (-0.036, 0.0))
_BEAKER: tuple[Point, ...] = ((-0.08, -0.2), (0.08, -0.2), (0.074, 0.0), (-0.074, 0.0))
_FORMS = {"flask": (_FLASK, 0.11), "cylinder": (_CYLINDER, 0.22), "beaker": (_BEAKER, 0.1)}


def paint_glass(brush: Brush, light: Light, form: str, liquid: str) -> None:
    """A vessel around the point (0, 0) under its foot, in metres: "flask", "cylinder", "beaker"."""
    outline, level = _FORMS[form]
    white = mix(light.glow, "#ffffff", 0.4)
    with brush.inside(outline):
        brush.rect(-0.2, -0.5, 0.4, 0.5, clear(white, 0.2 - 0.1 * light.dark))
        deep = mix(liquid, light.ink, 0.18 + 0.3 * light.dark)
        stops = [(0.0, clear(mix(liquid, white, 0.25), 0.9)), (1.0, clear(deep, 0.95))]
        brush.rect(-0.2, -level, 0.4, level, brush.linear((0, -level), (0, 0), stops))
        brush.ellipse(0, -level, 0.12, 0.012, mix(liquid, white, 0.45))
        side = 1 if light.side > 0 else -1
        brush.rect(side * 0.035 - 0.007, -0.5, 0.014, 0.5, clear(white, 0.45))
        brush.rect(-side * 0.12 - 0.05, -0.5, 0.1, 0.5, clear(light.ink, 0.1))
    rim = clear(white, 0.75)
    brush.line((*outline, outline[0]), rim, 0.006)
    top = outline[0][1]
    brush.ellipse(0, top, outline[1][0] * 1.15, 0.009, rim)


def stand_glass(lab: Solid, foot: Spot, form: str, liquid: str, scale: float = 1.0) -> None:
    """A vessel on a bench, with its shadow and the colour it throws."""
    brush, light = lab.brush, lab.light
    with lab.plane(foot), brush.moved(scale=scale):
        away = -0.16 if light.side > 0 else 0.16
        brush.ellipse(away * 0.6, 0.0, 0.14, 0.025, clear(mix(light.ink, liquid, 0.4), 0.3))
        paint_glass(brush, light, form, mix(lab.tone(liquid, foot[2]), liquid, 0.4))
    if light.dark > 0.4:  # noqa: PLR2004 -- where it is dark, liquids shine
        brush.glow(*lab.at(foot[0], foot[1] + 0.08, foot[2]), lab.metre(foot[2]) * 0.4, liquid, 0.3)


def stand_rack(lab: Solid, foot: Spot, liquids: tuple[str, ...]) -> None:
    """Tubes in a rack."""
    brush, light = lab.brush, lab.light
    wood, white = lab.tone("#d8dde0", foot[2]), mix(light.glow, "#ffffff", 0.4)
    wide = 0.075 * len(liquids)
    with lab.plane(foot):
        for index, liquid in enumerate(liquids):
            x = -wide / 2 + 0.0375 + index * 0.075
            brush.rect(x - 0.018, -0.23, 0.036, 0.22, clear(white, 0.35), radius=0.018)
            brush.rect(
                x - 0.018,
                -0.14,
                0.036,
                0.13,
                mix(lab.tone(liquid, foot[2]), liquid, 0.5),
                radius=0.018,
            )
            brush.rect(x - 0.012, -0.22, 0.006, 0.19, clear(white, 0.7))
        for y, shade in ((-0.17, 0.06), (-0.03, 0.22)):
            brush.rect(
                -wide / 2 - 0.02, y, wide + 0.04, 0.03, light.shaded(wood, shade), radius=0.006
            )
        for x in (-wide / 2 - 0.02, wide / 2):
            brush.rect(x, -0.17, 0.02, 0.17, light.shaded(wood, 0.16))


def stand_microscope(lab: Solid, foot: Spot, accent: str) -> None:
    """Seen from the side, its eyepiece to the left."""
    brush, light, z = lab.brush, lab.light, foot[2]
    white, dark = lab.tone("#eceff0", z), light.shaded(lab.tone("#37434b", z), 0.25)
    stops = [(0.0, light.lit(white, 0.3)), (1.0, light.shaded(white, 0.3))]
    ends = ((-0.2, -0.5), (0.2, 0)) if light.side < 0 else ((0.2, -0.5), (-0.2, 0))
    body = brush.linear(*ends, stops)
    with lab.plane(foot), brush.moved(scale=1.15):
        brush.ellipse(0, 0, 0.2, 0.03, clear(light.ink, 0.3))
        brush.rect(-0.16, -0.05, 0.32, 0.05, body, radius=0.02)
        arm = (
            (0.05, -0.04),
            (0.14, -0.04),
            (0.17, -0.2),
            (0.14, -0.36),
            (0.02, -0.42),
            (0.0, -0.36),
            (0.08, -0.3),
            (0.1, -0.18),
        )
        brush.shape(arm, body, corners=(0, 1, 4, 5))
        brush.rect(-0.15, -0.17, 0.24, 0.025, dark, radius=0.006)
        with brush.moved(-0.04, -0.36, turn=-0.42):
            brush.rect(-0.035, -0.2, 0.07, 0.2, body, radius=0.012)
            brush.rect(-0.028, -0.25, 0.056, 0.07, dark, radius=0.012)
        brush.rect(-0.09, -0.37, 0.13, 0.07, body, radius=0.02)
        for x, turn in ((-0.05, 0.0), (0.0, -0.35)):
            with brush.moved(x, -0.31, turn=turn):
                brush.rect(-0.018, 0, 0.036, 0.09, dark, radius=0.008)
                brush.rect(-0.018, 0.03, 0.036, 0.014, lab.tone(accent, z))
        brush.circle(0.13, -0.14, 0.035, dark)
        brush.circle(-0.03, -0.065, 0.024, lighter(light.glow, 0.3))


def stand_bottle(lab: Solid, foot: Spot, colour: str, high: float) -> None:
    """A bottle of a chemist: broad shoulders, a cap, a label without words."""
    brush, light = lab.brush, lab.light
    tone = lab.tone(colour, foot[2])
    stops = [(0.0, light.lit(tone, 0.4)), (0.4, tone), (1.0, light.shaded(tone, 0.42))]
    ends = ((-0.07, 0), (0.07, 0)) if light.side < 0 else ((0.07, 0), (-0.07, 0))
    with lab.plane(foot):
        brush.rect(-0.07, -high, 0.14, high, brush.linear(*ends, stops), radius=0.025)
        brush.rect(-0.03, -high - 0.06, 0.06, 0.07, light.shaded(tone, 0.3))
        brush.rect(-0.036, -high - 0.085, 0.072, 0.04, lab.tone("#e8ecec", foot[2]), radius=0.008)
        brush.rect(
            -0.07, -high * 0.66, 0.14, high * 0.36, clear(lab.tone("#f4f2ea", foot[2]), 0.85)
        )
        brush.rect(-0.045, -high * 0.55, 0.07, 0.012, clear(light.ink, 0.4))
        brush.rect(-0.045, -high * 0.45, 0.05, 0.012, clear(light.ink, 0.25))
