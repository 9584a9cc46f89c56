"""What hands work with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.garden import leaf
from callsheet_studio.draw.props.kit import (
    IRON,
    OAK,
    RUBBER,
    STEEL,
    oval,
    poly,
    slab,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _drill(kit: Kit) -> None:
    kit.shadow(36, x=12, flat=0.12)
    kit.form(
        "M10 -50 C18 -50 30 -50 34 -48 C32 -36 30 -24 33 -14 H9 C12 -26 8 -40 4 -50 Z",
        "#2f353b",
        "round",
        rim=0.7,
    )
    for y in (-40, -35, -30, -25):
        kit.trace(f"M12 {y} q8 2 17 0", kit.ink(0.4), 1)
    kit.form(
        "M3 -15 H38 Q42 -15 42 -11 V-3 Q42 0 38 0 H3 Q-1 0 -1 -3 V-11 Q-1 -15 3 -15 Z",
        "#353c43",
        "slant",
        rim=0.8,
    )
    kit.brush.rect(4, -10, 22, 5.6, kit.base(kit.accent), radius=1.4)
    for index in range(3):
        kit.brush.circle(
            31 + index * 3.2,
            -7.2,
            1,
            mix("#7fe0a0", kit.base("#7fe0a0"), 0.3) if index < 2 else kit.ink(0.6),  # noqa: PLR2004
        )
    kit.form("M2 -48 Q-2 -42 2 -37 L7 -38 Q4 -43 8 -48 Z", kit.accent, "slant", rim=0.4)
    body = "M-18 -80 H26 C38 -80 42 -72 42 -63 C42 -53 38 -47 28 -47 H-14 Q-18 -47 -18 -52 Z"
    kit.lay(
        body,
        kit.brush.linear(
            (0, -80),
            (0, -47),
            [
                (p, c)
                for p, c in (
                    (0.0, kit.lit(kit.accent)),
                    (0.35, kit.base(kit.accent)),
                    (0.62, kit.base(kit.accent)),
                    (0.68, kit.shade(kit.accent)),
                    (1.0, kit.deep(kit.accent)),
                )
            ],
        ),
    )
    kit.edge(body, mix(kit.lit(kit.accent), kit.light.rim, 0.75), 0.9)
    kit.form(
        "M26 -80 C38 -80 42 -72 42 -63 C42 -53 38 -47 28 -47 C33 -56 33 -71 26 -80 Z",
        "#2f353b",
        "slant",
        rim=0.8,
    )
    for y in (-72, -67, -62, -57):
        kit.trace(f"M-12 {y} h9", kit.ink(0.5), 1.5)
    kit.letter(kit.brand, 13, -64, (26, 7), kit.on(kit.accent))
    chuck = kit.tone(IRON)
    kit.lay(
        "M-18 -77 L-27 -74 V-53 L-18 -50 Z",
        kit.brush.linear(
            (0, -77),
            (0, -50),
            [(0.0, chuck.base), (0.25, chuck.lit), (0.55, chuck.base), (1.0, chuck.deep)],
        ),
    )
    kit.lay(
        "M-27 -72 L-36 -68.6 V-58.4 L-27 -55 Z",
        kit.brush.linear(
            (0, -72),
            (0, -55),
            [
                (0.0, kit.base(STEEL)),
                (0.3, kit.white),
                (0.5, kit.base(STEEL)),
                (1.0, kit.deep(STEEL)),
            ],
        ),
    )
    for x in (-25, -22.6, -20.2):
        kit.brush.rect(x, -73, 0.7, 19, kit.ink(0.4))
    bit = poly((-36, -65.6), (-58, -64.6), (-61, -63.5), (-58, -62.4), (-36, -61.4))
    with kit.brush.moved(9, 0):
        kit.lay(
            bit,
            kit.brush.linear(
                (0, -66),
                (0, -61),
                [(0.0, kit.lit(STEEL)), (0.4, kit.white), (1.0, kit.deep(STEEL))],
            ),
        )
        for x in range(-57, -38, 4):
            kit.trace(f"M{x} -62.4 q2 -1 3.4 -3", kit.ink(0.5), 0.7)


def _hammer(kit: Kit) -> None:
    kit.shadow(36, y=-2, flat=0.1, strength=0.75)
    with kit.brush.moved(-2, -46, turn=0.5):
        kit.form(
            "M-4 -30 H4 L5.4 20 C6.4 34 6 44 4.6 52 Q0 54 -4.6 52 C-6 44 -6.4 34 -5.4 20 Z",
            OAK,
            "round",
            rim=0.7,
        )
        kit.trace("M-1.6 -26 Q-0.6 0 -2.4 46 M1.8 -20 Q2.6 10 1.6 40", kit.ink(0.16), 0.5)
        kit.form(
            "M-5.9 22 C-6.4 34 -6 44 -4.6 52 Q0 54 4.6 52 C6 44 6.4 34 5.9 22 Z",
            mix(kit.accent, "#33302e", 0.1),
            "round",
            rim=0.5,
        )
        for y in (28, 33, 38, 43):
            kit.trace(f"M-5.6 {y} q5.6 2 11.2 0", kit.ink(0.3), 0.8)
        t = kit.tone("#7f8a92")
        down = kit.brush.linear(
            (0, -47),
            (0, -28),
            [
                (0.0, t.base),
                (0.2, mix(t.lit, kit.white, 0.6)),
                (0.42, t.base),
                (0.6, t.shade),
                (1.0, t.deep),
            ],
        )
        kit.lay("M-7 -45 H10 L24 -46.6 H30 V-27.6 H24 L10 -29 H-7 Z", down)
        kit.lay("M-7 -45 C-20 -47 -30 -42 -37 -31 C-28 -35 -22 -35.6 -16 -33.6 L-7 -29 Z", down)
        kit.trace("M-7 -45 C-20 -47 -30 -42 -37 -31", mix(t.lit, kit.light.rim, 0.7), 0.8)
        kit.brush.rect(23.4, -46.8, 1, 19.4, kit.ink(0.3))
        kit.form(slab(-4.4, -49, 8.8, 5, 1), OAK, "flat", rim=0.4)


def _screwdriver(kit: Kit) -> None:
    kit.shadow(40, y=-4, flat=0.1, strength=0.7)
    with kit.brush.moved(2, -42, turn=0.86):
        kit.form(
            "M-2.4 -6 H2.4 V50 L3.4 56 L1.6 60 H-1.6 L-3.4 56 L-2.4 50 Z", STEEL, "metal", rim=0
        )
        kit.form("M-4.4 -10 H4.4 V-3 H-4.4 Z", "#4a525a", "metal", rim=0)
        handle = (
            "M-7 -52 Q0 -56.4 7 -52 C9.6 -46 10 -34 8.6 -24 C7.6 -18 9 -14 6 -9 Q0 -7 -6 -9 "
            "C-9 -14 -7.6 -18 -8.6 -24 C-10 -34 -9.6 -46 -7 -52 Z"
        )
        kit.form(handle, kit.accent, "round", rim=0.9)
        for x in (-4.6, 0, 4.6):
            kit.lay(slab(x - 0.9, -48, 1.8, 28, 0.9), kit.ink(0.25))
            kit.lay(slab(x - 0.9 + kit.side * 0.9, -48, 0.6, 28, 0.3), kit.shine(0.4))
        kit.lay("M-7.4 -51 Q0 -56.4 7.4 -51 L7.8 -46.6 Q0 -49.6 -7.8 -46.6 Z", kit.base("#2f353b"))


def _wrench(kit: Kit) -> None:
    """A spanner at a nut."""
    kit.shadow(40, y=-3, flat=0.1, strength=0.75)
    with kit.brush.moved(0, -44, turn=0.72):
        shape = (
            "M-5 -22 C-14 -24 -19 -34 -16 -44 L-6 -36 L0 -37 L6 -36 L16 -44 "
            "C19 -34 14 -24 5 -22 L4.4 26 C12 28 14 36 12 42 C9 50 -9 50 -12 42 "
            "C-14 36 -12 28 -4.4 26 Z"
        )
        with kit.brush.moved(-kit.side * 1.2, 1.2):
            kit.lay(shape, kit.ink(0.3))
        kit.form(shape, "#aab3ba", "metal", rim=0.9)
        kit.lay(slab(-2.6, -16, 5.2, 36, 2.6), kit.shade("#7d878f"))
        kit.lay(slab(-2.6 + (0 if kit.side > 0 else 3.8), -15, 1.2, 34, 0.6), kit.shine(0.4))
        hexagon = [
            (math.cos(a * math.pi / 3) * 6, 38 + math.sin(a * math.pi / 3) * 6) for a in range(6)
        ]
        kit.lay(poly(*hexagon), kit.deep(IRON))
        nut = [
            (math.cos(a * math.pi / 3) * 7.4, -42 + math.sin(a * math.pi / 3) * 8.4)
            for a in range(6)
        ]
        kit.form(poly(*nut), mix(kit.accent, "#b98d4a", 0.3), "metal", rim=0.6)
        kit.brush.circle(0, -42, 3.6, kit.deep(IRON))
        kit.trace(oval(0, -42, 3.8, 3.8), kit.shine(0.4), 0.5)


def _violin(kit: Kit) -> None:
    kit.shadow(26, flat=0.12, strength=0.8)
    varnish = "#a8501f"
    with kit.brush.moved(2, -1, turn=0.1):
        outline = (
            "M0 -63 C8 -64.4 16.4 -62 17 -54.4 C17.2 -50 14.6 -47.4 17 -44 "
            "C10.6 -43 9.4 -38.6 9.6 -35 C9.8 -31 12 -28.4 18.4 -28.2 "
            "C17.4 -25 21.6 -21 21.4 -13.4 C21 -3 11 0 0 0 C-11 0 -21 -3 -21.4 -13.4 "
            "C-21.6 -21 -17.4 -25 -18.4 -28.2 C-12 -28.4 -9.8 -31 -9.6 -35 "
            "C-9.4 -38.6 -10.6 -43 -17 -44 C-14.6 -47.4 -17.2 -50 -17 -54.4 "
            "C-16.4 -62 -8 -64.4 0 -63 Z"
        )
        with kit.brush.moved(-kit.side * 1.6, 0.6):
            kit.lay(outline, kit.deep("#5a2a10"))
        kit.form(outline, varnish, "soft", rim=1.1, core=3)
        with kit.within(outline):
            kit.spot(kit.side * 6, -18, 24, kit.lit("#e39a4a"), 0.7)
            kit.spot(kit.side * 4, -52, 15, kit.lit("#e39a4a"), 0.55)
            for x in range(-20, 22, 3):
                kit.trace(f"M{x} -62 q1.4 30 0 62", clear(kit.deep("#6b2f10"), 0.14), 0.5)
        with kit.brush.moved(0, -2.4, scale=0.925):
            kit.trace(outline, clear(kit.deep("#3a1a0a"), 0.6), 0.45)
        _neck(kit, varnish)
    kit.tube("M33 -96 C36 -60 35 -30 30 -2", "#6b3416", 1.5)
    kit.trace("M31.4 -93 L28.4 -4", clear(kit.lit("#f2ead8"), 0.85), 0.8)
    kit.form("M28 -9 L32.4 -9.4 L31.6 -2 L28.6 -2 Z", RUBBER, "flat", rim=0.4)


def _neck(kit: Kit, varnish: str) -> None:
    """Fingerboard, pegs, bridge and strings, and the holes beside them."""
    dark = kit.deep("#1d1512")
    for sign in (-0.8, 0.8):
        kit.trace(f"M{sign * 8.6} -37 C{sign * 6} -34 {sign * 10} -30 {sign * 7.8} -26.4", dark, 1)
        kit.brush.circle(sign * 8.2, -37.2, 0.9, dark)
        kit.brush.circle(sign * 8.2, -26.2, 1, dark)
    kit.lay("M-3 -14 H3 L4 -2.4 Q0 -0.8 -4 -2.4 Z", dark)
    kit.form("M-2.3 -92 H2.3 L3.4 -44 H-3.4 Z", "#241b18", "round", rim=0.4)
    kit.form("M-2.6 -84 L-2 -95 C-3.6 -99.4 3.6 -99.4 2 -95 L2.6 -84 Z", varnish, "round", rim=0.5)
    kit.trace("M0 -97.4 a1.6 1.6 0 1 1 -1.2 2.4", kit.deep("#5a2a10"), 0.7)
    for index, y in enumerate((-93, -91, -89, -87)):
        way = 1 if index % 2 else -1
        kit.trace(f"M{way * 2} {y} h{way * 4.6}", dark, 1)
        kit.brush.ellipse(way * 7, y, 1, 1.3, dark)
    kit.form(
        "M-5.4 -32.4 Q0 -35.6 5.4 -32.4 L5 -30.6 Q0 -32.6 -5 -30.6 Z",
        "#e2c48c",
        "flat",
        rim=0.3,
    )
    for x in (-1.5, -0.5, 0.5, 1.5):
        kit.trace(f"M{x * 0.9} -88 L{x * 1.7} -33.6 L{x} -13", clear(kit.white, 0.75), 0.24)


def _gauge(kit: Kit) -> None:
    """A dial whose needle climbs."""
    kit.shadow(34, flat=0.14)
    kit.form("M-9 -14 H9 L13 0 H-13 Z", "#8f7a4a", "metal", rim=0.4)
    kit.form(oval(0, -52, 45, 45), "#6f7880", "metal", rim=1.2)
    kit.lay(oval(0, -52, 40, 40), kit.deep(IRON))
    face = oval(0, -52, 38.6, 38.6)
    kit.form(face, "#f4f1e7", "slant", rim=0)
    for start, end, colour in ((-225, -90, "#7fae7a"), (-90, -10, "#e3b04a"), (-10, 45, "#cf4a36")):
        a, b = math.radians(start), math.radians(end)
        kit.trace(
            f"M{math.cos(a) * 32} {-52 + math.sin(a) * 32} "
            f"A32 32 0 0 1 {math.cos(b) * 32} {-52 + math.sin(b) * 32}",
            kit.base(colour),
            4,
            cap="butt",
        )
    for step in range(21):
        a = math.radians(-225 + step * 13.5)
        inner = 22 if step % 5 == 0 else 25
        kit.trace(
            f"M{math.cos(a) * inner} {-52 + math.sin(a) * inner} "
            f"L{math.cos(a) * 28} {-52 + math.sin(a) * 28}",
            kit.ink(0.75),
            1.2 if step % 5 == 0 else 0.6,
        )
    kit.letter(kit.brand, 0, -36, (26, 6), kit.base("#39424a"))
    with kit.brush.moved(0, -52, turn=math.radians(-22)):
        kit.lay("M-9 2.6 L29 0.6 V-0.6 L-9 -2.6 Z", kit.base(kit.accent))
    kit.form(oval(0, -52, 5, 5), IRON, "metal", rim=0.5)
    with kit.within(face):
        s = kit.side
        kit.lay(f"M{s * 42} -92 L{s * 6} -92 L{s * 34} -20 L{s * 42} -20 Z", kit.shine(0.16))


def _rope(kit: Kit) -> None:
    """A line drawn tight around a cleat."""
    kit.shadow(48, flat=0.1)
    hemp = "#d9bd8a"
    kit.form(
        "M-46 -10 L-38 -17 H40 L48 -10 V-3 Q48 0 45 0 H-43 Q-46 0 -46 -3 Z", "#8a6a4a", rim=0.6
    )
    kit.lay("M-46 -10 H48 V-3 Q48 0 45 0 H-43 Q-46 0 -46 -3 Z", kit.shade("#8a6a4a"))
    kit.trace("M-40 -6 Q0 -7.6 42 -5 M-36 -14 Q0 -15 36 -13", kit.ink(0.2), 0.6)
    for x in (-13, 13):
        kit.form(f"M{x - 5} -31 H{x + 5} L{x + 8} -14 H{x - 8} Z", STEEL, "metal", rim=0.4)
    horns = (
        "M-42 -39 C-30 -41 -18 -37 0 -37 C18 -37 30 -41 42 -39 C44 -34 36 -29 22 -29 H-22 "
        "C-36 -29 -44 -34 -42 -39 Z"
    )
    kit.form(horns, STEEL, "slant", rim=0.9, core=2)
    for path in (
        "M-50 -8 C-34 -12 -30 -22 -20 -26 L22 -38",
        "M-20 -38 C-28 -40 -30 -28 -22 -25 L21 -30 C30 -32 30 -42 20 -40",
        "M-24 -31 L18 -42 C30 -46 34 -30 20 -26 C6 -22 -10 -44 -22 -42",
        "M4 -36 C14 -38 22 -44 28 -51 L47 -74",
    ):
        _twine(kit, path, hemp)


def _twine(kit: Kit, path: str, hemp: str) -> None:
    kit.trace(path, kit.deep(hemp), 6.6)
    kit.trace(path, kit.base(hemp), 5.4)
    with kit.brush.moved(kit.side * 0.9, -0.9):
        kit.trace(path, kit.lit(hemp), 1.9)
    kit.trace(path, kit.ink(0.18), 5.2, cap="butt", dash=(0.6, 2.6))
    kit.trace(path, clear(kit.base(kit.accent), 0.9), 1.3, cap="butt", dash=(1.6, 6.4))


def _knife(kit: Kit) -> None:
    """Through green herbs, on a board."""
    kit.shadow(52, flat=0.09)
    kit.form("M-50 -6 L-42 -13 H44 L50 -6 V-3 Q50 0 47 0 H-47 Q-50 0 -50 -3 Z", OAK, rim=0.5)
    kit.lay("M-50 -6 H50 V-3 Q50 0 47 0 H-47 Q-50 0 -50 -3 Z", kit.shade(OAK))
    for index in range(13):
        leaf(
            kit,
            -36 + index * 3.6,
            -9 - index % 2 * 2,
            12 + index % 3 * 3,
            (index % 5 - 2) * 0.5,
            "#5f8f4e",
        )
    blade = "M-40 -12 C-34 -22 -14 -34 12 -36 L16 -24 C0 -20 -20 -12 -40 -12 Z"
    with kit.brush.moved(2, 0):
        kit.form(blade, "#c9d1d6", "metal", rim=0.7)
        kit.lay("M-40 -12 C-20 -14 0 -22 15.4 -26 L16 -24 C0 -20 -20 -12 -40 -12 Z", kit.shine(0.7))
        kit.form("M12 -37 L17 -38 L20 -24 L15.6 -23 Z", STEEL, "metal", rim=0)
        kit.form(
            "M17 -38 C28 -42 40 -45 45 -44 C49 -42 48 -34 44 -33 C36 -32 28 -28 19.6 -25 Z",
            kit.accent,
            rim=0.8,
        )
        for x, y in ((25, -34.6), (33, -37), (41, -39)):
            kit.brush.circle(x, y, 1.3, kit.lit(STEEL))
    for index in range(9):
        leaf(kit, -44 + index * 6, -5 + index % 3, 6, (index % 4 - 1.5) * 0.9, "#79a557")


PAINTERS = {
    "drill": _drill,
    "gauge": _gauge,
    "hammer": _hammer,
    "knife": _knife,
    "rope": _rope,
    "screwdriver": _screwdriver,
    "violin": _violin,
    "wrench": _wrench,
}
