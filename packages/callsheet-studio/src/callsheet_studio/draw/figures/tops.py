"""What makes a top the top that it is, from the front: collars, ribs, pockets, bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.figures import torso
from callsheet_studio.draw.figures.cloth import paint_collar, paint_round
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone


def paint_jumper(cut: Cut, who: Paints) -> None:
    """A round collar and a ribbed hem: also for tops that nothing else is known of."""
    tone = who.cloth
    wide = torso.measures_of(who.look).neck
    neck = [(-wide - 0.03, -2.4), (-0.12, -2.25), (0.0, -2.2), (0.12, -2.25), (wide + 0.03, -2.4)]
    cut.line(neck, mix(tone.base, tone.shade, 0.6), 0.085)
    cut.line([(x, y + 0.045) for x, y in neck], clear(tone.deep, 0.45), 0.014)
    _rib(cut, tone, torso.hem_of(who.look))


def _rib(cut: Cut, tone: Tone, hem: float) -> None:
    cut.line(
        [(-0.58, hem - 0.12), (0.0, hem - 0.08), (0.58, hem - 0.12)], clear(tone.deep, 0.5), 0.02
    )


def _rollneck(cut: Cut, who: Paints) -> None:
    tone, wide = who.cloth, torso.measures_of(who.look).neck
    roll = [
        (-wide - 0.03, -2.52),
        (0.0, -2.46),
        (wide + 0.03, -2.52),
        (wide + 0.1, -2.34),
        (0.0, -2.12),
        (-wide - 0.1, -2.34),
    ]
    cut.part(roll, tone, core=0.05)
    cut.line(
        [(-wide - 0.05, -2.42), (0.0, -2.34), (wide + 0.05, -2.42)], clear(tone.deep, 0.5), 0.02
    )
    cut.line(
        [(-wide - 0.11, -2.33), (0.0, -2.11), (wide + 0.11, -2.33)], clear(tone.deep, 0.45), 0.02
    )
    _rib(cut, tone, torso.hem_of(who.look))


def _shirt(cut: Cut, who: Paints) -> None:
    tone = who.cloth
    open_at = [(-0.13, -2.34), (0.13, -2.34), (0.0, -1.97)]
    cut.flat(open_at, mix(who.skin.base, who.skin.deep, 0.3), corners=(0, 1, 2))
    shade = traced("-0.13,-2.4 0.13,-2.4 0.08,-2.2 -0.05,-2.1")
    cut.flat(shade, clear(who.skin.deep, 0.4), corners=(0, 1, 2))
    cut.line(
        [(0.0, -1.97), (0.015, -0.9), (0.02, torso.hem_of(who.look))], clear(tone.deep, 0.6), 0.018
    )
    cut.line(
        [(0.085, -1.9), (0.1, -0.9), (0.1, torso.hem_of(who.look))], clear(tone.deep, 0.3), 0.012
    )
    for y in (-1.75, -1.4, -1.05, -0.7, -0.35):
        cut.oval(0.05, y, 0.02, 0.02, clear(mix(tone.deep, who.white.base, 0.3), 0.95))
    paint_collar(cut, tone)
    cut.line(
        traced("0.24,-1.58 0.24,-1.3 0.38,-1.24 0.5,-1.3 0.5,-1.6 0.24,-1.58"),
        clear(tone.deep, 0.4),
        0.013,
    )


def _tshirt(cut: Cut, who: Paints) -> None:
    neck = traced("-0.26,-2.38 -0.15,-2.17 0,-2.09 0.15,-2.17 0.26,-2.38")
    cut.line(neck, mix(who.cloth.base, who.cloth.deep, 0.4), 0.05)


def _dress(cut: Cut, who: Paints) -> None:
    neck = traced("-0.3,-2.36 -0.2,-2.12 0,-2.02 0.2,-2.12 0.3,-2.36")
    cut.flat([*neck, (0.0, -2.3)], who.skin.base, corners=(0, 4))
    cut.line(neck, clear(who.cloth.lit, 0.8), 0.028)
    wide = torso.measures_of(who.look).waist + 0.05
    belt = [
        (-wide, -0.84),
        (0.0, -0.79),
        (wide, -0.84),
        (wide, -0.68),
        (0.0, -0.63),
        (-wide, -0.68),
    ]
    cut.flat(belt, clear(who.cloth.deep, 0.75), corners=(0, 2, 3, 5))


def paint_hood(cut: Cut, tone: Tone) -> None:
    """A hood that lies behind the neck."""
    hood = traced("-0.34,-2.26 -0.44,-2.44 -0.34,-2.62 0,-2.68 0.34,-2.62 0.44,-2.44 0.34,-2.26")
    cut.part(hood, tone, core=0.06)
    cut.flat(
        traced("-0.26,-2.36 -0.3,-2.5 0,-2.6 0.3,-2.5 0.26,-2.36 0,-2.2"), clear(tone.deep, 0.75)
    )


def _hoodie(cut: Cut, who: Paints) -> None:
    tone = who.cloth
    for side in (-1, 1):
        edge = [
            (0.2 * side, -2.5),
            (0.36 * side, -2.4),
            (0.32 * side, -2.2),
            (0.02 * side, -2.02),
            (0.05 * side, -2.14),
            (0.17 * side, -2.32),
        ]
        cut.part(edge, tone, corners=(0, 3), core=0.03, rim=False)
        cut.line(
            [(0.09 * side, -2.1), (0.11 * side, -1.85), (0.1 * side, -1.62)], who.white.shade, 0.024
        )
    pocket = traced("-0.34,-0.62 0.34,-0.62 0.46,-0.2 0.44,0.04 -0.44,0.04 -0.46,-0.2")
    cut.flat(pocket, clear(tone.deep, 0.28), corners=(0, 1, 3, 4))
    _rib(cut, tone, torso.hem_of(who.look))


def _apron(cut: Cut, who: Paints) -> None:
    """Over a shirt with its collar open."""
    shirt, tone = who.under, who.cloth
    paint_round(cut, shirt)
    wide = torso.measures_of(who.look).hip + 0.02
    for side in (-1, 1):
        strap = [(0.2 * side, -2.4), (0.28 * side, -2.36), (0.36 * side, -1.7), (0.28 * side, -1.7)]
        cut.flat(strap, tone.shade, corners=(0, 1, 2, 3))
    bib = [
        (-0.36, -1.74),
        (0.0, -1.7),
        (0.36, -1.74),
        (0.42, -1.2),
        (wide - 0.02, -0.78),
        (wide, -0.2),
        (wide + 0.06, 1.25),
        (-wide - 0.06, 1.25),
        (-wide, -0.2),
        (-wide + 0.02, -0.78),
        (-0.42, -1.2),
    ]
    cut.part(bib, tone, corners=(0, 2, 6, 7), core=0.06)
    cut.line([(-wide, -0.72), (0.0, -0.64), (wide, -0.72)], clear(tone.deep, 0.6), 0.04)
    pocket = traced("-0.26,-0.36 0.26,-0.36 0.25,0.1 -0.25,0.1")
    cut.flat(pocket, clear(tone.deep, 0.3), corners=(0, 1, 2, 3))
    cut.line([(-0.35, -1.7), (0.0, -1.66), (0.35, -1.7)], clear(tone.lit, 0.7), 0.02)


def _hi_vis(cut: Cut, who: Paints) -> None:
    paint_round(cut, who.under)
    tone, body = who.cloth, torso.measures_of(who.look)
    band = who.tone("#dfe4e2")
    for side in (-1, 1):
        s, c, w, h = body.shoulder, body.chest, body.waist, body.hip
        vest = [
            (0.17, -2.42),
            (s * 0.72, -2.24),
            (s * 0.66, -1.95),
            (c - 0.02, -1.5),
            (w + 0.08, -0.74),
            (h + 0.1, -0.02),
            (h + 0.11, 0.22),
            (0.01, 0.26),
            (0.01, -1.55),
        ]
        shape = [(x * side, y) for x, y in vest]
        cut.part(shape, tone, corners=(0, 1, 6, 7, 8), core=0.05)
        with cut.inside(shape, corners=(0, 1, 6, 7, 8)):
            for points in (
                traced("0.3,-2.5 0.44,-2.5 0.44,0.5 0.3,0.5"),
                traced("0,-0.86 1,-0.9 1,-0.74 0,-0.7"),
                traced("0,-0.36 1,-0.4 1,-0.24 0,-0.2"),
            ):
                cut.flat([(x * side, y) for x, y in points], band.base, corners=(0, 1, 2, 3))


def _blanket(cut: Cut, who: Paints) -> None:
    """Around the shoulders, one side over the other."""
    tone = who.cloth
    over = traced(
        "-0.3,-2.5 0.05,-2.36 0.36,-2.5 0.62,-2.2 0.7,-1.4 0.5,-0.4 0.1,0.1 -0.3,-0.9 -0.2,-1.8"
    )
    cut.part(over, tone, corners=(0, 2), core=0.07, rim=False)
    soft = clear(tone.deep, 0.55)
    cut.line(traced("-0.32,-2.48 -0.2,-1.8 -0.28,-0.9 0.1,0.08"), soft, 0.03)
    cut.line(traced("0.2,-2.3 0.12,-1.6 0.02,-0.8"), clear(tone.deep, 0.35), 0.03)
    cut.line(traced("0.46,-2.2 0.4,-1.5 0.24,-0.7"), clear(tone.deep, 0.35), 0.03)
    for y in (-0.34, -0.22):
        cut.line([(-0.8, y), (0.0, y + 0.04), (0.8, y)], clear(tone.lit, 0.5), 0.04)


def _waistcoat(cut: Cut, who: Paints) -> None:
    """Over a shirt with a collar; it ends in two points."""
    _shirt_front(cut, who.under)
    tone, body = who.cloth, torso.measures_of(who.look)
    s, c, w, h = body.shoulder, body.chest, body.waist, body.hip
    for side in (-1, 1):
        half = [
            (0.2, -2.4),
            (s * 0.6, -2.27),
            (s * 0.66, -1.95),
            (c - 0.02, -1.5),
            (w + 0.05, -0.74),
            (h + 0.04, -0.06),
            (0.16, 0.16),
            (0.0, 0.0),
            (0.0, -1.5),
        ]
        shape = [(x * side, y) for x, y in half]
        cut.part(shape, tone, corners=(0, 1, 5, 6, 7, 8), core=0.05, rim=False)
        cut.line([(0.2 * side, -0.42), (0.42 * side, -0.46)], clear(tone.deep, 0.6), 0.03)
    for y in (-1.3, -1.0, -0.7, -0.4, -0.12):
        cut.oval(0.05, y, 0.022, 0.022, clear(tone.lit, 0.9))


def _shirt_front(cut: Cut, tone: Tone) -> None:
    cut.line([(0.0, -2.2), (0.01, -1.4)], clear(tone.deep, 0.5), 0.016)
    paint_collar(cut, tone)


def _scrubs(cut: Cut, who: Paints) -> None:
    neck = [(-0.24, -2.42), (0.0, -1.86), (0.24, -2.42)]
    cut.flat([*neck, (0.0, -2.5)], who.skin.base, corners=(0, 1, 2))
    cut.flat(traced("-0.2,-2.44 0.2,-2.44 0.06,-2.22 -0.06,-2.2"), clear(who.skin.deep, 0.45))
    cut.line(
        [neck[0], (-0.12, -2.14), neck[1], (0.12, -2.14), neck[2]],
        mix(who.cloth.base, who.cloth.deep, 0.4),
        0.05,
    )
    cut.line(traced("0.2,-1.5 0.2,-1.2 0.46,-1.2 0.46,-1.52"), clear(who.cloth.deep, 0.45), 0.016)


def paint_scarf(cut: Cut, who: Paints) -> None:
    """Once around the neck, with one end down."""
    tone = who.tone(who.look.trim or mix(who.look.legs, "#b4552f", 0.6))
    cut.part(traced("-0.25,-2.52 0,-2.44 0.25,-2.52 0.34,-2.3 0,-2.06 -0.34,-2.3"), tone, core=0.05)
    cut.part(
        traced("0.02,-2.2 0.2,-2.24 0.26,-1.5 0.06,-1.46"),
        tone,
        corners=(2, 3),
        core=0.04,
        rim=False,
    )


DETAILS = {
    "jumper": paint_jumper,
    "rollneck": _rollneck,
    "shirt": _shirt,
    "tshirt": _tshirt,
    "dress": _dress,
    "hoodie": _hoodie,
    "apron": _apron,
    "hi_vis": _hi_vis,
    "scrubs": _scrubs,
    "waistcoat": _waistcoat,
    "blanket": _blanket,
}
