"""Tops: their cut, collars, openings, pockets, bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.figures import torso
from callsheet_studio.draw.figures.cloth import (
    OPEN,
    ROUND,
    loose_of,
    paint_collar,
    paint_pattern,
    paint_round,
    paint_volume,
)
from callsheet_studio.draw.figures.outlines import traced
from callsheet_studio.draw.figures.tops import DETAILS, paint_hood, paint_jumper, paint_scarf
from callsheet_studio.draw.figures.turned import paint_behind, paint_side

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone


def paint_top(
    cut: Cut, who: Paints, view: str, turn: float = 0.0, hem: float | None = None
) -> None:
    """Neck and top, from the hem to the jaw, in the frame of the chest."""
    if view == "profile":
        torso.paint_neck(cut, who, view)
        paint_side(cut, who, torso.hem_of(who.look) if hem is None else hem)
        return
    with cut.bent(lambda x, y: torso.bend(turn, x, y)):
        if view == "back":
            torso.paint_neck(cut, who, view)
            paint_behind(cut, who)
        else:
            if who.look.top in {"hoodie", "parka"}:
                paint_hood(cut, torso.sleeve_of(who))
            torso.paint_neck(cut, who, view)
            _from_front(cut, who)


def _from_front(cut: Cut, who: Paints) -> None:
    body, look = torso.measures_of(who.look), who.look
    outline = torso.front(body, torso.hem_of(look), loose=loose_of(who))
    main = torso.sleeve_of(who)
    neckline = 0.13 if look.top in {"tshirt", "dress", "apron", "scrubs"} else 0.02
    top = [
        (0.0, -2.2 + neckline),
        (body.neck + 0.06, -2.37),
        *outline[1:-1],
        (-body.neck - 0.06, -2.37),
    ]
    cut.part(top, main, corners=(1, 9, 10, 18), core=0.1)
    with cut.inside(top, corners=(1, 9, 10, 18)):
        paint_pattern(cut, who)
        paint_volume(cut, main, body)
    if look.top in OPEN:
        collar = [(0.0, -2.5), (body.neck + 0.04, -2.47), (body.neck + 0.1, -2.36)]
        inside = [*collar, *outline[1:-1], *((-x, y) for x, y in reversed(collar[1:]))]
        with cut.inside(inside, corners=(1, 2, 10, 11, 19, 20)):
            _opening(cut, who, OPEN[look.top], torso.hem_of(look))
    else:
        DETAILS.get(look.top, paint_jumper)(cut, who)
    if look.has("scarf"):
        paint_scarf(cut, who)


def _opening(cut: Cut, who: Paints, low: float, hem: float) -> None:
    """What is worn open at the neck: the shirt below, lapels or edges, the closing."""
    look, cloth = who.look, who.cloth
    tied = look.top == "suit" or (look.top in {"lab_coat", "coat"} and look.traits[7] > 0.5)  # noqa: PLR2004
    neck = [(-0.2, -2.38), (0.0, -2.22), (0.2, -2.38)] if tied else ROUND
    cut.flat([*neck, (0.0, low)], who.under.base, corners=(0, len(neck) - 1, len(neck)))
    half = neck[: len(neck) // 2 + 1]
    cut.flat([*half, (0.0, low)], clear(who.under.deep, 0.3), corners=(0, len(half) - 1, len(half)))
    if tied:
        paint_collar(cut, who.under, 0.9)
        if look.form == "man":
            tie = who.tone(mix(look.legs, "#7d2a3a", 0.55))
            cut.part(
                [
                    (-0.05, -2.19),
                    (0.05, -2.19),
                    (0.04, -2.1),
                    (0.075, low - 0.15),
                    (0.0, low),
                    (-0.07, low - 0.15),
                    (-0.04, -2.1),
                ],
                tie,
                corners=(0, 1, 3, 4, 5),
                core=0.03,
                rim=False,
            )
    else:
        paint_round(cut, who.under)
    edge = clear(cloth.deep, 0.7)
    cut.line([(0.0, low), (0.02, (low + hem) / 2), (0.03, hem)], edge, 0.02)
    {"cardigan": _band, "parka": _zip}.get(look.top, _lapels)(cut, cloth, low)
    buttons = () if look.top == "parka" else (0.16, 0.5, 0.84)
    for share in buttons:
        y = low + (min(hem, 0.2) - low) * share
        cut.oval(0.055, y, 0.026, 0.026, clear(lighter(cloth.deep, 0.12), 0.95))
    _pockets(cut, who)


def _pockets(cut: Cut, who: Paints) -> None:
    line = clear(who.cloth.deep, 0.55)
    top = who.look.top
    if top in {"denim", "jacket", "parka"}:
        for side in (-1, 1):
            x = 0.36 * side
            cut.line(
                [
                    (x - 0.13, -1.56),
                    (x + 0.13, -1.56),
                    (x + 0.13, -1.42),
                    (x, -1.36),
                    (x - 0.13, -1.42),
                    (x - 0.13, -1.56),
                ],
                line,
                0.014,
            )
    if top in {"lab_coat", "suit"}:
        cut.line([(0.24, -1.56), (0.48, -1.6)], line, 0.022)
    if top in {"lab_coat", "coat", "suit", "jacket"}:
        for side in (-1, 1):
            cut.line([(0.2 * side, -0.32), (0.46 * side, -0.38)], line, 0.024)


def _lapels(cut: Cut, cloth: Tone, low: float) -> None:
    lapel = [
        *traced("0.13,-2.44 0.26,-2.38 0.37,-2.08 0.27,-2.03 0.35,-1.93"),
        (0.02, low),
        (0.0, low - 0.02),
        (0.14, -2.2),
    ]
    for side in (-1, 1):
        shape = [(x * side, y) for x, y in lapel]
        cut.flat(
            [(x + 0.012, y + 0.028) for x, y in shape],
            clear(cloth.deep, 0.5),
            corners=(0, 1, 2, 3, 4, 5, 6),
        )
        cut.part(shape, cloth, corners=(0, 1, 2, 3, 4, 5, 6), core=0.025, rim=False)
    collar = traced("0.12,-2.44 0.22,-2.42 0.37,-2.1 0.26,-2.05 0.15,-2.22")
    for side in (-1, 1):
        cut.flat([(x * side, y) for x, y in collar], clear(cloth.lit, 0.4), corners=(0, 1, 2, 3, 4))


def _band(cut: Cut, cloth: Tone, low: float) -> None:
    for side in (-1, 1):
        points = [
            (0.18 * side, -2.44),
            (0.27 * side, -2.38),
            (0.16 * side, -1.7),
            (0.06 * side, low),
            (0.0, low),
            (0.09 * side, -1.7),
        ]
        cut.part(points, cloth, corners=(0, 1, 3, 4), core=0.02, rim=False)


def _zip(cut: Cut, cloth: Tone, low: float) -> None:
    for side in (-1, 1):
        flap = [
            (0.12 * side, -2.52),
            (0.3 * side, -2.42),
            (0.25 * side, -2.1),
            (0.02 * side, low),
            (0.1 * side, -2.1),
        ]
        cut.part(flap, cloth, corners=(0, 1, 3), core=0.03, rim=False)
