"""Tops from behind and from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, darker
from callsheet_studio.draw.figures import torso
from callsheet_studio.draw.figures.cloth import OPEN, loose_of, paint_pattern, paint_volume
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


def paint_behind(cut: Cut, who: Paints) -> None:
    """A top from behind."""
    body, look, main = torso.measures_of(who.look), who.look, torso.sleeve_of(who)
    outline = torso.front(body, torso.hem_of(look), loose=loose_of(who))
    cut.part([(0.0, -2.44), *outline[:9], *outline[9:]], main, corners=(9, 10), core=0.1)
    with cut.inside([(0.0, -2.44), *outline], corners=(9, 10)):
        paint_pattern(cut, who)
        paint_volume(cut, main, body)
        if look.top == "waistcoat":
            panel = traced("-0.62,-2.4 0.62,-2.4 0.52,-1.7 0.7,0.5 -0.7,0.5 -0.52,-1.7")
            cut.flat(panel, who.cloth.base)
        if look.top == "hi_vis":
            for top in (-1.5, -0.84, -0.36):
                band = [(-1.0, top), (1.0, top), (1.0, top + 0.15), (-1.0, top + 0.15)]
                cut.flat(
                    traced("-0.7,-2.4 0.7,-2.4 0.7,0.5 -0.7,0.5") if top < -1 else band,
                    who.cloth.base if top < -1 else who.tone("#dfe4e2").base,
                    corners=(0, 1, 2, 3),
                )
        if look.top == "apron":
            cut.line([(-0.3, -2.4), (0.3, -0.8)], who.cloth.base, 0.09)
            cut.line([(0.3, -2.4), (-0.3, -0.8)], who.cloth.base, 0.09)
            cut.line([(-0.8, -0.74), (0.8, -0.74)], who.cloth.base, 0.1)
    if look.top in {"hoodie", "parka"}:
        cut.part(traced("-0.36,-2.5 0,-2.42 0.36,-2.5 0.4,-2.2 0,-1.75 -0.4,-2.2"), main, core=0.07)
    else:
        cut.part(
            traced("-0.22,-2.52 0,-2.47 0.22,-2.52 0.27,-2.36 0,-2.28 -0.27,-2.36"),
            main,
            core=0.03,
            rim=False,
        )
        cut.line(
            [(0.0, -2.2), (0.015, -0.8), (0.0, torso.hem_of(look))], clear(main.deep, 0.3), 0.016
        )


def paint_side(cut: Cut, who: Paints, hem: float) -> None:
    """A top from the side, turned to the right."""
    look, main = who.look, torso.sleeve_of(who)
    shape = torso.profile(look, hem, loose=loose_of(who) / 2)
    if look.top in {"hoodie", "parka"}:
        cut.part(
            traced("-0.08,-2.36 -0.2,-2.72 -0.4,-2.66 -0.5,-2.4 -0.42,-2.08 -0.1,-2.1"),
            main,
            core=0.06,
        )
    cut.part(shape, main, corners=(6, 7), core=0.1)
    with cut.inside(shape, corners=(6, 7)):
        paint_pattern(cut, who)
        fold = clear(main.deep, 0.4)
        cut.line([(0.34, -0.72), (0.12, -0.62), (-0.06, -0.66)], fold, 0.022)
        cut.line([(-0.3, -0.8), (-0.12, -0.7)], fold, 0.02)
        _side_details(cut, who, hem)
    collar = {"hoodie": None, "tshirt": None, "dress": None}.get(look.top, main)
    if look.top == "rollneck":
        cut.part(traced("-0.2,-2.64 0.15,-2.56 0.17,-2.3 -0.24,-2.4"), who.cloth, core=0.04)
    elif collar:
        cut.part(
            traced("-0.2,-2.54 -0.02,-2.44 0.15,-2.4 0.2,-2.2 0.06,-2.22 -0.22,-2.4"),
            collar,
            corners=(0, 3),
            core=0.03,
        )


def _side_details(cut: Cut, who: Paints, hem: float) -> None:
    look, cloth = who.look, who.cloth
    if look.top in OPEN:
        edge = [(0.14, -2.3), (0.24, -1.9), (0.32, OPEN[look.top]), (0.6, -1.2), (0.5, -2.2)]
        cut.flat(edge, who.under.base, corners=(0, 2, 3, 4))
        cut.line(
            [(0.1, -2.3), (0.22, -1.9), (0.31, OPEN[look.top]), (0.3, -0.4), (0.33, hem)],
            clear(cloth.deep, 0.6),
            0.026,
        )
    elif look.top == "apron":
        cut.flat(
            traced("0.2,-1.72 0.6,-1.72 0.6,0.4 -0.06,0.4 -0.02,-0.7 0.16,-1.2"),
            cloth.base,
            corners=(0, 1, 2, 3),
        )
        cut.line([(-0.6, -0.74), (0.5, -0.68)], cloth.shade, 0.08)
        cut.line([(0.24, -1.7), (0.05, -2.3)], cloth.shade, 0.07)
    elif look.top == "hi_vis":
        cut.flat(traced("-0.6,-2.5 0.6,-2.5 0.6,0.6 -0.6,0.6"), cloth.base, corners=(0, 1, 2, 3))
        for y in (-0.8, -0.3):
            cut.line([(-0.6, y), (0.6, y + 0.04)], who.tone("#dfe4e2").base, 0.14)
    elif look.top == "waistcoat":
        cut.flat(traced("-0.6,-2.5 0.2,-2.5 0.6,-1.6 0.6,0.6 -0.6,0.6"), cloth.base, corners=(0, 1))
    elif look.top == "dress":
        cut.line([(-0.5, -0.72), (0.5, -0.68)], clear(darker(cloth.deep, 0.1), 0.75), 0.12)
    elif look.top == "shirt":
        cut.line(
            [(0.14, -2.2), (0.36, -1.5), (0.3, -0.6), (0.32, hem)], clear(cloth.deep, 0.5), 0.018
        )
