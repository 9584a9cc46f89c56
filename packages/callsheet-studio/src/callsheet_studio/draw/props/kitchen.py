"""Things of a kitchen and a table: cups, glasses, bottles, what coffee is made with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.garden import leaf
from callsheet_studio.draw.props.kit import (
    PAPER,
    STEEL,
    WHITE,
    fitted,
    oval,
    slab,
    steam,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_CLAY = "#ece4d6"


def _glass(kit: Kit) -> None:
    kit.shadow(24, flat=0.18, strength=0.7)
    body = "M-24 -84 L-19.5 -4 C-19 1 19 1 19.5 -4 L24 -84 C24 -78.9 -24 -78.9 -24 -84 Z"
    kit.lay(oval(0, -84, 24, 3.8), kit.shine(0.16))
    with kit.within(body):
        stops = [
            (0.0, clear(kit.base("#b9dbe2"), 0.5)),
            (0.4, clear(kit.base("#d9eef0"), 0.22)),
            (1.0, clear(kit.base("#5f96a8"), 0.55)),
        ]
        kit.lay("M-30 -58 H30 V-7 C18 -3 -18 -3 -30 -7 Z", kit.ramp(stops, (-23, 23)))
        kit.lay(
            "M-30 -58 H30 V-50 H-30 Z",
            kit.brush.linear((0, -58), (0, -50), [(0.0, kit.shine(0.3)), (1.0, kit.shine(0))]),
        )
    kit.lay(oval(0, -58, 22.4, 3.2), kit.shine(0.32))
    kit.trace(oval(0, -58, 22.4, 3.2), kit.shine(0.5), 0.5)
    kit.pane(body, body=0.16, line=1.1)
    kit.lay(
        "M-19.6 -7 C-12 -3.6 12 -3.6 19.6 -7 L19.4 -3.6 C18 0.6 -18 0.6 -19.4 -3.6 Z",
        kit.shine(0.4),
    )
    kit.trace(oval(0, -84, 24, 3.8), kit.shine(0.85), 0.8)
    s = kit.side
    kit.glint(f"M{s * 18.6} -76 L{s * 15} -14 L{s * 12.6} -14 L{s * 14.6} -76 Z", 0.5)
    kit.glint(f"M{-s * 19.4} -70 L{-s * 16.4} -24 L{-s * 15.4} -24 L{-s * 18} -70 Z", 0.3)
    for x, y, r in ((-6, -30, 1.1), (4, -44, 0.8), (8, -22, 0.9), (-11, -48, 0.7)):
        kit.trace(oval(x, y, r, r), kit.shine(0.6), 0.35)


def _bottle(kit: Kit) -> None:
    kit.shadow(18, flat=0.2)
    green = "#3d6b58"
    body = (
        "M-5.4 -88 V-72 C-5.4 -62 -17 -60 -17 -48 V-3.4 C-17 0.8 17 0.8 17 -3.4 V-48 "
        "C17 -60 5.4 -62 5.4 -72 V-88 Z"
    )
    t = kit.tone(green)
    stops = [
        (0.0, clear(t.lit, 0.95)),
        (0.12, clear(mix(t.lit, kit.white, 0.3), 0.9)),
        (0.3, clear(t.base, 0.9)),
        (0.65, clear(t.shade, 0.93)),
        (0.9, clear(t.deep, 0.97)),
        (1.0, clear(mix(t.base, kit.light.fill, 0.4), 0.95)),
    ]
    kit.lay(body, kit.ramp(stops, (-17, 17)))
    kit.lay(
        "M-5.4 -72 C-5.4 -62 -17 -60 -17 -48 V-44 H17 V-48 C17 -60 5.4 -62 5.4 -72 Z",
        kit.brush.linear((0, -72), (0, -44), [(0.0, clear(t.lit, 0.4)), (1.0, clear(t.lit, 0))]),
    )
    kit.edge(body, mix(t.lit, kit.light.rim, 0.8), 0.9)
    kit.edge(body, mix(t.base, kit.light.fill, 0.5), 0.7, away=True)
    paper = slab(-17, -41, 34, 27)
    kit.lay(paper, kit.ramp(kit.stops(PAPER, "round"), (-17, 17)))
    kit.brush.rect(-17, -41, 34, 4, kit.ramp(kit.stops(kit.accent, "round"), (-17, 17)))
    _mark(kit, 0, -31.4, 3)
    kit.letter(kit.brand, 0, -24.6, (25, 5), kit.base("#2b2a28"))
    kit.bars(-7, -19.6, (14, 9), gap=2.2, thick=0.8, colour=kit.ink(0.3))
    s = kit.side
    kit.glint(
        f"M{s * 12.4} -54 C{s * 13.4} -51 {s * 13.6} -46 {s * 13.6} -42 H{s * 11.4} "
        f"C{s * 11.4} -46 {s * 11} -50 {s * 10} -53 Z",
        0.6,
    )
    kit.glint(slab(s * 12.5 - 1, -13, 2, 9, 1), 0.5)
    kit.glint(slab(s * 3 - 0.8, -86, 1.6, 14, 0.8), 0.55)
    kit.form(slab(-6.4, -99, 12.8, 12, 1.6), kit.accent, "round", rim=0.5)
    for x in range(-5, 6, 2):
        kit.brush.rect(x, -97.6, 0.4, 9.4, kit.ink(0.2))


def _mark(kit: Kit, x: float, y: float, r: float) -> None:
    """A small sign on a label: a disc behind a wave."""
    kit.brush.circle(x, y, r, kit.base(kit.accent))
    with kit.within(oval(x, y, r, r)):
        kit.lay(
            f"M{x - r} {y + r * 0.2} q{r * 0.5} {-r * 0.5} {r} 0 t{r} 0 V{y + r} H{x - r} Z",
            kit.base(PAPER),
        )


def _sunscreen(kit: Kit) -> None:
    kit.shadow(20, flat=0.2)
    tube = "M-21 -96 H21 L16.6 -20 C16 -14 -16 -14 -16.6 -20 Z"
    kit.form(tube, "#fbf4e4", "round", rim=1)
    with kit.within(tube):
        stops = kit.stops(kit.accent, "round")
        kit.lay(
            "M-22 -44 C-12 -52 -6 -34 6 -42 S18 -48 22 -45 V-10 H-22 Z", kit.ramp(stops, (-19, 19))
        )
        kit.lay(
            "M-22 -38 C-12 -46 -6 -28 6 -36 S18 -42 22 -39 V-34 C18 -37 16 -37 6 -31 "
            "S-12 -41 -22 -33 Z",
            kit.shine(0.3),
        )
        kit.lay("M-3 -98 L2 -98 L-1 -70 Z", kit.ink(0.06))
    kit.form("M-21.6 -100 H21.6 V-92 H-21.6 Z", "#fbf4e4", "flat", rim=0.5)
    for x in range(-20, 22, 2):
        kit.brush.rect(x, -99.4, 0.5, 6.6, kit.ink(0.12))
    sun = kit.base("#f3b43f")
    kit.brush.circle(0, -76, 4.6, sun)
    for ray in range(12):
        a = ray * math.tau / 12
        kit.brush.line(
            [
                (math.cos(a) * 6.2, -76 + math.sin(a) * 6.2),
                (math.cos(a) * 8, -76 + math.sin(a) * 8),
            ],
            sun,
            0.9,
        )
    kit.letter(kit.brand, 0, -59, (29, 7), kit.base("#2e3a44"))
    kit.bars(-8, -53, (16,), gap=2, thick=1, colour=kit.ink(0.3))
    kit.form(
        "M-15.4 -20 C-15.4 -16.4 15.4 -16.4 15.4 -20 L14.6 -3 C14.4 0.8 -14.4 0.8 -14.6 -3 Z",
        mix(kit.accent, "#20303c", 0.35),
        "round",
        rim=0.8,
    )
    s = kit.side
    kit.glint(f"M{s * 15.8} -88 L{s * 12.6} -26 H{s * 10.4} L{s * 12.6} -88 Z", 0.5)


def _tin(kit: Kit) -> None:
    """A flat tin with its lid beside it: cream inside."""
    kit.shadow(48, flat=0.16)
    with kit.brush.moved(22, -11, turn=0.62):
        kit.form(oval(0, -22, 24, 24), STEEL, "metal", rim=0.8)
        kit.form(oval(-1.4, -22, 22, 22), kit.accent, "slant", rim=0.7)
        kit.trace(oval(-1.4, -22, 18.6, 18.6), clear(kit.base("#fff6e6"), 0.8), 0.6)
        kit.lay(
            "M-17 -22 q4 -4.6 8 0 t8 0 t8 0 t8 0 V-18 q-4 4.6 -8 0 t-8 0 t-8 0 t-8 0 Z",
            clear(kit.base("#fff6e6"), 0.28),
        )
        kit.letter(kit.brand, -1.4, -28.6, (28, 6.4), kit.on(kit.accent))
    kit.lay("M-44 -20 V-6 C-44 2 16 2 16 -6 V-20 Z", kit.ramp(kit.stops(STEEL, "metal"), (-44, 16)))
    kit.brush.rect(-44, -14, 60, 0.7, kit.ink(0.16))
    kit.mouth(-14, -20, 30, STEEL, "#8b949b", flat=0.22, wall=0.06)
    cream = oval(-14, -18.6, 27, 4.9)
    kit.lay(cream, kit.ramp(kit.stops("#f8efdc", "soft"), (-41, 13)))
    kit.trace(
        "M-30 -19.4 C-22 -23 -4 -22.6 -2 -19 C-1 -16.4 -18 -15.4 -19 -18 C-19 -20 -10 -20.6 -8 -19",
        kit.shade("#e9dcc0"),
        0.8,
    )
    kit.trace("M-43.4 -19 A30 6.6 0 0 0 15.4 -19", kit.shine(0.7), 0.6)


def _plate(kit: Kit) -> None:
    """Fish, lemon and herbs, seen from the side of somebody hungry."""
    kit.shadow(50, y=-12, flat=0.26)
    kit.form(oval(0, -15, 49, 16), _CLAY, "slant", rim=0.9)
    kit.form(oval(0, -16.2, 47.6, 15), WHITE, "soft", rim=0.8)
    kit.lay(
        oval(0, -15.4, 35, 10.4),
        kit.ramp(
            [(0.0, kit.shade(_CLAY)), (0.5, kit.base(WHITE)), (1.0, kit.lit(WHITE))], (-35, 35)
        ),
    )
    kit.trace(oval(0, -16.2, 44, 13.6), kit.base(kit.accent), 0.8)
    for x, y, turn in (
        (-14, -20.0, -0.4),
        (-9, -22, 0.2),
        (-20, -17, -0.9),
        (16, -23, 0.5),
        (11, -24, -0.2),
    ):
        with kit.brush.moved(x, y, turn=turn):
            kit.form("M0 2 C-6 -2 -6 -9 0 -14 C6 -9 6 -2 0 2 Z", "#6f9a4a", rim=0.4)
            kit.trace("M0 1 V-11", kit.deep("#4d7434"), 0.4)
    kit.lay(oval(0, -13, 24, 5), kit.ink(0.16))
    kit.form(
        "M-25 -15 C-20 -24 2 -27 16 -22 C20 -20.6 24 -24 29 -25 C27 -20 27 -17 29 -12 "
        "C24 -13 20 -15.6 16 -15 C2 -10 -20 -9 -25 -15 Z",
        "#d58f6a",
        "slant",
        rim=0.8,
        core=1.4,
    )
    for rib in (-12, -5, 2, 9):
        kit.trace(f"M{rib} -23.4 q4 5 1 10.6", clear(kit.deep("#8a4a30"), 0.6), 1)
    for x, y in ((-16, -9.4), (22, -9.0)):
        kit.form(f"M{x - 7} {y} A7 5.4 0 0 1 {x + 7} {y} Z", "#f0c64a", rim=0.4)
        kit.trace(
            f"M{x} {y} V{y - 4} M{x} {y} l-4.4 -2.6 M{x} {y} l4.4 -2.6", kit.lit("#fff0b8"), 0.5
        )
    steam(kit, 2, -26, 30)


def _bowl(kit: Kit) -> None:
    kit.shadow(28, flat=0.16)
    glaze = mix("#d9cdb8", kit.accent, 0.12)
    kit.form("M-14 -5 H14 L12 -0.6 C8 1 -8 1 -12 -0.6 Z", glaze, "round", rim=0)
    kit.lay(oval(0, -43, 43, 7), kit.deep("#6b5a48"))
    for index in range(15):
        x = -31 + index * 4.4
        leaf(
            kit,
            x,
            -38 - (900 - x * x) * 0.006,
            16 + index % 3 * 3,
            x / 56 + (index % 3 - 1) * 0.3,
            ("#7fa552", "#5f8f4e", "#9bbd62")[index % 3],
        )
    for x, y, r, colour in (
        (-17, -47, 6, "#cf4634"),
        (7, -51, 6.4, "#d8553c"),
        (23, -46, 5, "#e9bd45"),
    ):
        kit.form(oval(x, y, r, r * 0.92), colour, "soft", rim=0.7, core=1.4)
        kit.brush.ellipse(x + kit.side * r * 0.4, y - r * 0.4, r * 0.2, r * 0.13, kit.shine(0.7))
    bowl = "M-44 -44 C-44 -22 -26 -3 -14 -3 H14 C26 -3 44 -22 44 -44 C30 -38 -30 -38 -44 -44 Z"
    kit.form(bowl, glaze, "round", rim=1)
    kit.trace("M-41 -32 C-26 -25.6 26 -25.6 41 -32", kit.base(kit.accent), 1.4)
    kit.trace("M-44 -44 C-30 -38 30 -38 44 -44", kit.lit(glaze), 1.2)
    s = kit.side
    kit.glint(
        f"M{s * 36} -34 C{s * 33} -24 {s * 28} -16 {s * 22} -11 L{s * 20} -12.6 "
        f"C{s * 26} -18 {s * 30} -26 {s * 32.6} -33.4 Z",
        0.36,
    )


def _deposit_cup(kit: Kit) -> None:
    """A cup that comes back: clear plastic, a print around it, a drink."""
    kit.shadow(24, flat=0.18, strength=0.8)
    cup = "M-27 -92 L-20 -4 C-19.6 1 19.6 1 20 -4 L27 -92 C27 -86.1 -27 -86.1 -27 -92 Z"
    kit.lay(oval(0, -92, 27, 4.4), kit.shine(0.16))
    with kit.within(cup):
        drink = kit.stops("#e0a22e", "round")
        kit.lay(
            "M-30 -76 H30 V2 H-30 Z", kit.ramp([(p, clear(c, 0.9)) for p, c in drink], (-25, 25))
        )
        kit.lay(
            "M-30 -84 H30 V-74 Q20 -70 10 -74 T-10 -74 T-30 -74 Z",
            kit.ramp(kit.stops("#fbf3df", "soft"), (-27, 27)),
        )
        kit.lay(
            "M-30 -58 C-16 -53.6 16 -53.6 30 -58 V-24 C16 -19.6 -16 -19.6 -30 -24 Z",
            kit.ramp([(p, clear(c, 0.94)) for p, c in kit.stops(kit.accent, "round")], (-25, 25)),
        )
    kit.lay(oval(0, -84.6, 26, 3.6), kit.lit("#fffaf0"))
    white = kit.base("#fffaf0")
    _returning(kit, 0, -42, 7, white)
    kit.letter(kit.brand, 0, -29.4, (30, 5.6), kit.on(kit.accent))
    kit.pane(cup, body=0.2, line=1.2)
    for y in (-88.6, -86.6):
        kit.trace(f"M-26.6 {y} C-16 {y + 4.4} 16 {y + 4.4} 26.6 {y}", kit.shine(0.35), 0.6)
    kit.trace(oval(0, -92, 27, 4.4), kit.shine(0.9), 1.3)
    s = kit.side
    kit.glint(f"M{s * 21.4} -80 L{s * 16.6} -10 H{s * 14.2} L{s * 18} -80 Z", 0.5)
    kit.lay(
        "M-20 -7 C-12 -3.6 12 -3.6 20 -7 L19.8 -3.6 C18 0.6 -18 0.6 -19.8 -3.6 Z", kit.shine(0.3)
    )


def _returning(kit: Kit, x: float, y: float, r: float, colour: str) -> None:
    """Two arrows in a circle."""
    for turn in (0.0, math.pi):
        with kit.brush.moved(x, y, turn=turn):
            kit.trace(
                f"M{-r} {r * 0.2} A{r} {r} 0 0 1 {r * 0.7} {-r * 0.7}", colour, r * 0.26, cap="butt"
            )
            kit.lay(
                f"M{r * 1.08} {-r * 0.24} L{r * 1.0} {-r * 1.1} L{r * 0.26} {-r * 0.62} Z", colour
            )


PAINTERS = {
    "bottle": _bottle,
    "bowl": _bowl,
    "deposit_cup": _deposit_cup,
    "glass": _glass,
    "plate": _plate,
    "sunscreen": _sunscreen,
    "tin": fitted(_tin, 0.95, x=-5),
}
