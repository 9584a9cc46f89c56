"""Things to eat, and what they are carried in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import OAK, PAPER, oval, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_APPLE = "M0 -7 C-4 -11 -11 -9 -11 0 C-11 8 -4 11 0 9.4 C4 11 11 8 11 0 C11 -9 4 -11 0 -7 Z"
_LARGE = 10
"""An apple that is seen well enough for its edges."""
_CRUST, _CRUMB, _FLOUR = "#b8702f", "#f0d9ad", "#fbf1dd"


def _bread(kit: Kit) -> None:
    """A sourdough loaf with its cuts, on a board; one slice before it."""
    kit.shadow(52, flat=0.11)
    kit.form(
        "M-50 -5 L-44 -10 H46 L50 -5 V-2 Q50 0 47 0 H-47 Q-50 0 -50 -2 Z", OAK, "slant", rim=0.5
    )
    kit.lay("M-50 -5 H50 V-2 Q50 0 47 0 H-47 Q-50 0 -50 -2 Z", kit.shade(OAK))
    kit.lay(oval(4, -7.4, 42, 2.6), kit.ink(0.35))
    loaf = (
        "M-38 -20 C-41 -48 -18 -63 6 -63 C32 -63 50 -46 47 -22 C46 -9 30 -7 5 -7 "
        "C-22 -7 -37 -9 -38 -20 Z"
    )
    kit.form(loaf, _CRUST, "soft", rim=1.4, core=5)
    with kit.within(loaf):
        kit.spot(4 + kit.side * 14, -50, 34, kit.lit("#e9b469"), 0.75)
        for x, lean in ((-20, -3), (0, 0), (20, 3), (37, 6)):
            cut = (
                f"M{x - 4 + lean} -12 C{x - 12 + lean} -30 {x - 6} -48 {x + 4} -61 "
                f"C{x + 6} -46 {x + 4 + lean} -28 {x - 4 + lean} -12 Z"
            )
            kit.lay(cut, kit.ramp(kit.stops(_CRUMB, "soft"), (x - 12, x + 8)))
            kit.trace(
                f"M{x - 4 + lean} -12 C{x - 12 + lean} -30 {x - 6} -48 {x + 4} -61",
                kit.deep("#7b4419"),
                1.1,
            )
        for x, y, r in (
            (-28, -34, 6.0),
            (-10, -20, 5),
            (12, -42, 7),
            (28, -26, 6),
            (10, -15, 4),
            (42, -30, 4),
            (-26, -18, 4),
        ):
            kit.spot(x, y, r, kit.lit(_FLOUR), 0.4)
        chance = (3, 17, 29, 41, 53, 61, 73, 87, 97, 11, 23, 37)
        for index, seed in enumerate(chance):
            kit.brush.circle(
                -34 + seed * 0.82,
                -14 - (seed * 7 + index * 13) % 42,
                0.4,
                clear(kit.lit(_FLOUR), 0.7),
            )
    with kit.brush.moved(-27, -6.4, turn=-0.16):
        slice_ = "M-17 0 C-20 -12 -21 -22 -17 -26 C-12 -31 8 -32 14 -26 C18 -22 18 -10 15 0 Z"
        kit.form(slice_, _CRUST, "slant", rim=0.6)
        kit.lay(
            "M-14.6 -1.4 C-17.6 -12 -18 -21 -15 -24 C-10 -28.4 7 -29 12 -24 "
            "C15.6 -20.4 15.4 -10 13 -1.4 Z",
            kit.ramp(kit.stops(_CRUMB, "slant"), (-18, 16)),
        )
        for x, y, r in (
            (-9, -18, 1.5),
            (-3, -10, 1.1),
            (3, -20, 1.9),
            (8, -13, 1.3),
            (-10, -7, 1),
            (4, -5, 1.2),
            (-4, -24, 1),
        ):
            kit.brush.ellipse(x, y, r * 1.3, r, clear(kit.deep("#c99a58"), 0.5))


def _croissant(kit: Kit) -> None:
    kit.shadow(50, y=-3, flat=0.13)
    parts = (
        (-41, -9, 9, 9, 0.9),
        (41, -9, 9, 9, -0.9),
        (-31, -15, 13, 15, 0.5),
        (31, -15, 13, 15, -0.5),
        (-17, -20, 16, 20, 0.22),
        (17, -20, 16, 20, -0.22),
        (0, -22, 17, 23, 0.0),
    )
    for x, y, rx, ry, turn in parts:
        with kit.brush.moved(x, y, turn=turn):
            lobe = (
                f"M{-rx} {ry * 0.7} C{-rx * 1.1} {-ry * 0.4} {-rx * 0.66} {-ry} 0 {-ry} "
                f"C{rx * 0.66} {-ry} {rx * 1.1} {-ry * 0.4} {rx} {ry * 0.7} "
                f"C{rx * 0.5} {ry} {-rx * 0.5} {ry} {-rx} {ry * 0.7} Z"
            )
            kit.form(lobe, "#cf8637", "soft", rim=0.9, core=3.4)
            kit.spot(kit.side * rx * 0.2, -ry * 0.4, rx * 0.72, kit.lit("#f8d896"), 0.9)
            layers = " ".join(
                f"M{rx * step * 0.8} {-ry * (0.96 - 0.5 * step * step)} "
                f"Q{rx * step * 1.4} {-ry * 0.1} {rx * step} {ry * 0.76}"
                for step in (-0.7, -0.4, -0.1, 0.2, 0.5, 0.8)
            )
            kit.trace(layers, clear(kit.deep("#8a4c1a"), 0.3), 0.6)


def _basket(kit: Kit) -> None:
    """Woven, with bread and fruit under a cloth."""
    kit.shadow(42, flat=0.13)
    straw = "#c08b4c"
    kit.trace("M-36 -42 C-34 -112 34 -112 36 -42", kit.deep(straw), 4.4)
    kit.trace("M-36.6 -43 C-34.6 -113 33.4 -113 35.4 -43", kit.lit(straw), 1.2)
    for x, y, r, colour in (
        (24, -50.0, 10, "#c4402f"),
        (33, -45, 8, "#d9a53a"),
        (10, -48, 9, "#8aa84a"),
    ):
        kit.form(oval(x, y, r, r), colour, "soft", rim=0.7, core=2)
        kit.brush.ellipse(x + kit.side * r * 0.4, y - r * 0.45, r * 0.22, r * 0.14, kit.shine(0.6))
    with kit.brush.moved(-12, -46, turn=-0.5):
        kit.form("M-7 8 C-9 -20 -6 -42 0 -44 C6 -42 9 -20 7 8 Z", _CRUST, "round", rim=0.8)
        for y in (-34, -24, -14, -4):
            kit.form(
                f"M-5 {y + 3} Q0 {y - 4} 5 {y - 3} Q1 {y + 3} -5 {y + 3} Z", _CRUMB, "flat", rim=0
            )
    kit.form(
        "M-40 -40 C-30 -46 -20 -42 -8 -45 C2 -47 8 -40 16 -42 L22 -27 L12 -31 L6 -20 L-6 -30 "
        "L-20 -22 L-28 -32 L-36 -26 Z",
        "#f2ece0",
        "slant",
        rim=0.5,
    )
    for path in ("M-34 -41 L-30 -30", "M-22 -43 L-18 -25", "M-8 -45 L-7 -30", "M6 -43 L8 -24"):
        kit.trace(path, clear(kit.base(kit.accent), 0.6), 1.4)
    body = "M-42 -40 L-33 -3 C-32 1 32 1 33 -3 L42 -40 C30 -33 -30 -33 -42 -40 Z"
    with kit.within(
        "M-42 -32 L-33 -3 C-32 1 32 1 33 -3 L42 -40 L22 -36 L12 -30 L6 -19 L-6 -28 L-20 -21 "
        "L-28 -30 L-36 -25 Z"
    ):
        kit.form(body, straw, "round", rim=0)
        cells = [(-42 + c * 6 + r % 2 * 3, -38 + r * 4.4) for r in range(9) for c in range(15)]
        under = " ".join(f"M{x} {y + 3.4:.1f} q3 -3.2 6 0" for x, y in cells)
        over = " ".join(f"M{x + 0.8:.1f} {y + 2.4:.1f} q2.2 -2.2 4.4 0" for x, y in cells)
        kit.trace(under, kit.deep(straw), 0.8)
        kit.trace(over, clear(kit.lit(straw), 0.6), 0.7)
    kit.edge(body, kit.deep(straw), 4, away=True)


def _apple_crate(kit: Kit) -> None:
    wood = "#c99c66"
    box = Corner(kit, (66, 34, 44), turn=30, above=20)
    box.foot()
    box.cuboid((0, 66), (0, 30), (0, 44), "#5a4129", rim=0)
    for z in (34, 20, 6):
        for x in range(5, 66, 13):
            sx, sy = box.at(x + (z % 3) * 1.5, 29, z)
            _apple(kit, sx, sy - 3, 7.2, "#c23a2c" if (x + z) % 4 else "#d7a13a")
    t = kit.tone(wood)
    bright, dim = (t.lit, t.shade) if box.bright_front else (t.shade, t.lit)
    for y in (0, 11.6, 23.2):
        kit.lay(box.quad(((66, y + 9.4, 0), (66, y + 9.4, 44), (66, y, 44), (66, y, 0))), dim)
        kit.lay(box.quad(((0, y + 9.4, 0), (66, y + 9.4, 0), (66, y, 0), (0, y, 0))), bright)
        kit.brush.line(
            [box.at(0, y + 9.4, 0), box.at(66, y + 9.4, 0), box.at(66, y + 9.4, 44)],
            clear(mix(t.lit, kit.light.rim, 0.6), 0.8),
            0.5,
        )
        with box.front(0, y + 9.4):
            kit.trace("M4 4 Q22 2.4 40 4.4 T64 3.6 M2 6.6 Q30 5.8 62 7", kit.ink(0.16), 0.5)
    for x in (0, 60):
        kit.lay(
            box.quad(((x, 34, -0.4), (x + 6, 34, -0.4), (x + 6, 0, -0.4), (x, 0, -0.4))),
            mix(bright, kit.light.ink, 0.12),
        )
        for y in (4, 16, 28):
            kit.brush.circle(*box.at(x + 3, y, -0.4), 0.7, kit.ink(0.5))
    with box.front(33, 16.3):
        kit.letter(kit.brand, 0, 0, (46, 7), clear(kit.base("#5a2d1c"), 0.85))


def _apple(kit: Kit, x: float, y: float, r: float, colour: str) -> None:
    with kit.brush.moved(x, y, scale=r / 10):
        if r > _LARGE:
            kit.form(_APPLE, colour, "soft", rim=6 / r, core=16 / r)
        else:
            kit.lay(_APPLE, kit.fill(_APPLE, colour, "soft"))
            kit.spot(kit.side * 4, -3, 8, kit.lit(colour), 0.6)
        kit.trace("M0 -7 q0.6 -4 2.4 -5.4", kit.deep("#4a3220"), 0.6 + 4 / r)
        kit.brush.ellipse(kit.side * 5, -4.4, 2, 1.2, kit.shine(0.6), turn=kit.side * 0.6)


def _apple_alone(kit: Kit) -> None:
    kit.shadow(30, flat=0.2)
    _apple(kit, 0, -40, 38, "#c8392b")
    kit.form("M5 -72 C14 -90 32 -88 36 -82 C28 -70 14 -68 5 -72 Z", "#6f9a4a", "slant", rim=0.6)
    kit.trace("M6 -72.6 Q20 -79 33 -81.4", kit.deep("#4d7434"), 0.6)
    for x, y in ((-14, -50), (-6, -30), (10, -44), (18, -26), (-20, -28), (2, -56)):
        kit.brush.circle(x, y, 0.6, clear(kit.lit("#f6d08a"), 0.6))


def _honey_jar(kit: Kit) -> None:
    kit.shadow(26, flat=0.18)
    jar = "M-22 -68 C-29 -64 -29 -60 -29 -54 V-8 C-29 1.4 29 1.4 29 -8 V-54 C29 -60 29 -64 22 -68 Z"
    honey = "#e0941f"
    with kit.within(jar):
        t = kit.tone(honey)
        hot = mix(t.lit, "#ffd46a", 0.5)
        kit.lay(
            "M-32 -60 H32 V4 H-32 Z",
            kit.ramp(
                [
                    (0.0, t.base),
                    (0.12, hot),
                    (0.34, t.lit),
                    (0.6, t.base),
                    (0.86, t.shade),
                    (1.0, hot),
                ],
                (-29, 29),
            ),
        )
        kit.spot(-kit.side * 10, -14, 30, hot, 0.75)
        kit.lay(oval(0, -60, 27, 3.6), hot)
        for x, y, r in ((-18.0, -20, 1.2), (20, -48, 1), (16, -10, 0.9), (-21, -44, 0.8)):
            kit.trace(oval(x, y, r, r), kit.shine(0.6), 0.4)
    kit.pane(jar, body=0.14, line=1.2)
    label = "M-29 -46 C-16 -42.6 16 -42.6 29 -46 V-17 C16 -13.6 -16 -13.6 -29 -17 Z"
    kit.lay(label, kit.ramp(kit.stops(PAPER, "round"), (-29, 29)))
    _comb(kit, 0, -34, 3.4)
    kit.letter(kit.brand, 0, -22.8, (38, 5.6), kit.base("#4a2f14"))
    kit.form(
        "M-24 -80 C-24 -83.6 24 -83.6 24 -80 V-69 C24 -65.6 -24 -65.6 -24 -69 Z",
        kit.accent,
        "round",
        rim=0.7,
    )
    kit.lay(oval(0, -80, 24, 2.9), kit.lit(kit.accent))
    for step in range(-10, 11):
        x = math.sin(step / 10 * 1.4) * 24
        kit.brush.rect(x, -77.4, 0.4, 8, kit.ink(0.16))
    s = kit.side
    kit.glint(
        f"M{s * 23} -60 C{s * 25.4} -58 {s * 25.4} -54 {s * 25.4} -50 V-12 "
        f"C{s * 25.4} -9 {s * 22} -9 {s * 22} -12 V-52 C{s * 22} -56 {s * 21} -58 {s * 19} -60 Z",
        0.45,
    )


def _comb(kit: Kit, x: float, y: float, r: float) -> None:
    """Three cells of a comb."""
    for dx, dy in ((0, -0.9), (-0.87, 0.6), (0.87, 0.6)):
        cell = [
            (
                x + (dx + math.sin(a * math.pi / 3) * 0.86) * r,
                y + (dy + math.cos(a * math.pi / 3) * 0.86) * r,
            )
            for a in range(6)
        ]
        kit.lay(poly(*cell), kit.base(kit.accent if dx == 0 else "#d99a2b"))


def _paper_bag(kit: Kit) -> None:
    """Kraft paper, folded shut; a name on it."""
    kraft = "#c79a68"
    box = Corner(kit, (46, 70, 26), turn=30, above=12)
    box.foot()
    box.cuboid((0, 46), (0, 70), (0, 26), kraft, rim=0.5)
    t = kit.tone(kraft)
    crease = box.quad(((46, 70, 13), (46, 70, 0), (46, 0, 0), (46, 12, 13)))
    kit.lay(crease, kit.ink(0.1))
    with box.front(0, 70):
        kit.trace("M0 0 L5 14 L2 40 L6 70 M46 3 L42 26 L45 52", clear(t.deep, 0.25), 0.5)
        kit.lay(slab(9, 20, 28, 28, 14), kit.base(kit.accent))
        kit.letter(kit.brand, 23, 34, (22, 6), kit.on(kit.accent))
        if not kit.brand:
            kit.trace(
                "M23 43 V27 M23 34 q-6 -2 -6 -8 q6 1 6 8 M23 38 q6 -2 6 -8 q-6 1 -6 8",
                kit.on(kit.accent),
                1.1,
            )
    roll = poly(*(box.at(*each) for each in ((-1, 80, 13), (47, 80, 13), (47, 70, 0), (-1, 70, 0))))
    kit.lay(roll, mix(t.lit, kit.light.key, 0.2))
    kit.lay(poly(*(box.at(*each) for each in ((47, 80, 13), (46, 70, 26), (47, 70, 0)))), t.shade)
    fold = [
        box.at(*each) for each in ((-1.4, 84, 13), (47.4, 84, 13), (47.4, 76, 8), (-1.4, 76, 8))
    ]
    kit.form(poly(*fold), kraft, "slant", rim=0.5)
    kit.brush.line([fold[3], fold[2]], clear(t.deep, 0.6), 0.7)


PAINTERS = {
    "apple": _apple_alone,
    "apple_crate": _apple_crate,
    "basket": _basket,
    "bread": _bread,
    "croissant": _croissant,
    "honey_jar": _honey_jar,
    "paper_bag": _paper_bag,
}
