"""Things with a screen, a lens or a membrane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import (
    IRON,
    RUBBER,
    STEEL,
    WHITE,
    fitted,
    oval,
    poly,
    slab,
)
from callsheet_studio.draw.props.panels import glowing, paint_app, paint_dashboard, paint_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.props.kit import Kit

_EDGE = 3
"""How many layers the edge of a flat device is painted in."""


def _slate(  # noqa: PLR0913 -- where and what of a picture
    kit: Kit,
    w: float,
    h: float,
    *,
    radius: float,
    frame: float,
    paint: Callable[[Kit, float, float], None],
    thick: float,
) -> None:
    """A flat device, turned a little: its edge, its glass, what it shows."""
    across, down = (0.97, 0.055), (-0.035, 0.985)
    left, top = -w * 0.485 + 0.035 * h * 0.5, -h * 0.985 - w * 0.055
    for step in (_EDGE, 2, 1):
        away = thick * step / _EDGE
        with kit.face((left + away, top + away * 0.12), across, down):
            rim = kit.tone("#6c757d")
            kit.lay(slab(0, 0, w, h, radius), rim.shade if step == _EDGE else rim.deep)
    kit.lamp(0, -h * 0.5, h * 0.85, mix(kit.accent, "#dfeaf2", 0.6), 0.34)
    with kit.face((left, top), across, down):
        body = slab(0, 0, w, h, radius)
        kit.form(body, "#4b535b", "metal", rim=0.9)
        kit.lay(slab(0.9, 0.9, w - 1.8, h - 1.8, radius - 0.9), glowing(kit, "#0d1014"))
        glass = slab(frame, frame, w - 2 * frame, h - 2 * frame, max(radius - frame, 1))
        with kit.within(glass):
            with kit.brush.moved(frame, frame):
                paint(kit, w - 2 * frame, h - 2 * frame)
            x = 0.0 if kit.side < 0 else w
            lean = -kit.side
            beam = poly((x, 0), (x + lean * w * 0.62, 0), (x + lean * w * 0.16, h), (x, h))
            kit.lay(
                beam,
                kit.brush.linear((0, 0), (0, h), [(0.0, kit.shine(0.2)), (1.0, kit.shine(0.02))]),
            )


def _phone(kit: Kit) -> None:
    kit.shadow(26, flat=0.14)
    _slate(kit, 46, 96, radius=7.5, frame=1.9, paint=paint_app, thick=3.2)
    kit.brush.rect(-5.6, -94.2, 11, 2.8, glowing(kit, "#0d1014"), radius=1.4)


def _tablet(kit: Kit) -> None:
    kit.shadow(38, flat=0.12)
    _slate(kit, 70, 94, radius=5, frame=3.2, paint=paint_list, thick=2.4)


def _laptop(kit: Kit) -> None:
    kit.shadow(56, y=-1, flat=0.1)
    metal = "#b9c0c6"
    lid = slab(-42, -70, 84, 58, 2.6)
    kit.form(lid, "#2a2f35", rim=0.8)
    kit.lamp(0, -40, 70, "#dce8f0", 0.35)
    with kit.within(slab(-40, -68, 80, 53, 1)), kit.brush.moved(-40, -68):
        paint_dashboard(kit, 80, 53)
        x, lean = (0, 1) if kit.side < 0 else (80, -1)
        kit.lay(poly((x, 0), (x + lean * 40, 0), (x + lean * 14, 53), (x, 53)), kit.shine(0.1))
    kit.brush.circle(0, -69, 0.5, glowing(kit, "#4d5963"))
    deck = poly((-42.5, -12), (42.5, -12), (50, -2.4), (-50, -2.4))
    t = kit.tone(metal)
    kit.lay(
        deck, kit.brush.linear((0, -12), (0, -2), [(0.0, t.shade), (0.25, t.base), (1.0, t.lit)])
    )
    _keys(kit)
    kit.lay(poly((-10, -4.9), (10, -4.9), (11, -2.9), (-11, -2.9)), kit.ink(0.12))
    lip = "M-50 -2.4 H50 C50 -0.6 48 0 46 0 H-46 C-48 0 -50 -0.6 -50 -2.4 Z"
    kit.form(lip, metal, "metal", rim=0)
    kit.lay("M-8 -2.4 H8 C8 -1.3 7 -1.1 6 -1.1 H-6 C-7 -1.1 -8 -1.3 -8 -2.4 Z", kit.deep(metal))
    kit.brush.line([(-50, -2.4), (50, -2.4)], clear(mix(t.lit, kit.light.rim, 0.6), 0.9), 0.4)
    kit.brush.rect(-42.5, -12.6, 85, 1.1, kit.deep("#3a4048"), radius=0.4)


def _keys(kit: Kit) -> None:
    dark = kit.base("#343b43")
    for row in range(4):
        y, tall = -11.1 + row * 1.5, 1.15
        half = 39.5 + 1.1 * row
        step = half * 2 / 14
        for key in range(14):
            x = -half + key * step
            kit.brush.rect(x, y, step - 0.7, tall, dark, radius=0.3)


def _smart_watch(kit: Kit) -> None:
    band = "#39414a" if kit.accent.lower() == IRON else mix(kit.accent, "#5a4a48", 0.25)
    kit.shadow(26, flat=0.16)
    kit.form(
        "M-17 -70 C-16 -84 -13 -92 -11 -98 Q0 -101 11 -98 C13 -92 16 -84 17 -70 Z",
        band,
        "round",
        core=2,
    )
    kit.form(
        "M-17 -30 C-16 -16 -14 -8 -11 -1 Q0 1.5 11 -1 C14 -8 16 -16 17 -30 Z", band, "round", core=2
    )
    for y in (-14, -9.5, -5):
        kit.lay(oval(0, y, 1.5, 0.9), kit.deep(band))
    kit.form("M23 -56 h3.4 q2 0 2 2 v8 q0 2 -2 2 h-3.4 Z", STEEL, "metal", rim=0)
    kit.form(slab(-25, -76, 50, 52, 14), "#59626b", "metal", rim=1.2)
    kit.lay(slab(-22.6, -73.6, 45.2, 47.2, 12), glowing(kit, "#07090c"))
    for radius, share, colour in (
        (16, 0.78, kit.accent),
        (11.6, 0.56, "#6fc3b2"),
        (7.2, 0.88, "#f2c14e"),
    ):
        kit.trace(oval(0, -50, radius, radius), clear(colour, 0.2), 3.2)
        end = -math.pi / 2 + share * math.tau
        x, y = math.cos(end) * radius, -50 + math.sin(end) * radius
        kit.trace(f"M0 {-50 - radius} A{radius} {radius} 0 1 1 {x} {y}", glowing(kit, colour), 3.2)
    x = -22.6 if kit.side < 0 else 22.6
    with kit.within(slab(-22.6, -73.6, 45.2, 47.2, 12)):
        kit.lay(
            poly((x, -74), (x - kit.side * 28, -74), (x - kit.side * 4, -26), (x, -26)),
            kit.shine(0.14),
        )


def _headphones(kit: Kit) -> None:
    kit.shadow(30, x=-24, flat=0.14, strength=0.8)
    kit.shadow(30, x=24, flat=0.14, strength=0.8)
    shell = "#343a42"
    kit.trace("M-33 -34 C-40 -76 -22 -94 0 -94 C22 -94 40 -76 33 -34", kit.deep(shell), 8.5)
    band = (
        "M-38 -44 C-42 -80 -22 -99 0 -99 C22 -99 42 -80 38 -44 L30 -46 C33 -76 18 -89.5 0 -89.5 "
        "C-18 -89.5 -33 -76 -30 -46 Z"
    )
    kit.form(band, shell, "round", rim=1)
    kit.form(
        "M-22 -90.6 C-10 -99.8 10 -99.8 22 -90.6 L17.6 -86.4 C8 -92 -8 -92 -17.6 -86.4 Z",
        mix(kit.accent, "#6b5a52", 0.2),
        rim=0.5,
    )
    for sign in (-1, 1):
        kit.form(slab(sign * 35 - 2.2, -56, 4.4, 18, 2), STEEL, "metal", rim=0)
        with kit.brush.moved(sign * 33, -25, turn=sign * 0.1):
            kit.form(slab(-7.5 - sign * 7.6, -22, 15, 44, 7.4), "#1f2328", "round", rim=0.5, core=2)
            for y in (-14, -5, 4, 13):
                kit.trace(f"M{-sign * 7.6 - 5} {y} q5 1.6 10 0", kit.ink(0.4), 0.5)
            kit.form(slab(-6.6 + sign * 3.8, -20, 13.2, 40, 6.6), shell, "round", rim=0.9)
            kit.lay(slab(sign * 8 - 1, -12, 2, 24, 1), kit.base(kit.accent))


def _camera(kit: Kit) -> None:
    kit.shadow(50, flat=0.11)
    body = "#33393f"
    kit.form(
        "M-19 -62 L-14 -73 Q-13 -75 -10.6 -75 H10.6 Q13 -75 14 -73 L19 -62 Z",
        "#40474e",
        "slant",
        rim=0.8,
    )
    kit.brush.rect(-8, -77.4, 16, 3, kit.deep(STEEL), radius=0.8)
    for x, wide, high in ((-38, 13, 5), (30, 9, 6.4), (42, 7, 4)):
        kit.form(slab(x - wide / 2, -62 - high, wide, high + 2, 1.4), STEEL, "metal", rim=0)
        for notch in range(1, 6):
            kit.brush.rect(
                x - wide / 2 + wide * notch / 6, -61.4 - high, 0.4, high - 0.6, kit.ink(0.35)
            )
    kit.form(slab(-49, -64, 98, 64, 7), body, "slant", rim=1.1, core=3)
    kit.lay(
        "M-49 -50 H49 V-10 H-49 Z",
        kit.ramp([(0.0, kit.base("#23272c")), (1.0, kit.deep("#1d2125"))], (-49, 49)),
    )
    kit.form(
        "M-49 -58 q0 -6 6 -6 h9 q5 0 5 6 v50 q0 8 -6 8 h-8 q-6 0 -6 -7 Z",
        "#2a2f34",
        "round",
        rim=0.8,
    )
    for y in range(-46, -8, 4):
        kit.brush.rect(-46, y, 13, 0.6, kit.ink(0.3))
    kit.brush.rect(25, -59.6, 16, 5.2, kit.deep("#111418"), radius=1.2)
    kit.letter(kit.brand, 0, -67.6, (22, 4.4), kit.base("#e9e6de"))
    _lens(kit, 2, -31, 27)


def _lens(kit: Kit, x: float, y: float, r: float) -> None:
    brush = kit.brush
    brush.circle(x - kit.side * 1.6, y + 1.8, r + 1.4, kit.ink(0.45))
    kit.form(oval(x, y, r, r), "#3a4047", "metal", rim=0.9)
    kit.lay(oval(x, y, r * 0.93, r * 0.93), kit.base("#1b1e22"))
    kit.trace(oval(x, y, r * 0.86, r * 0.86), kit.base(kit.accent), 1.1)
    kit.form(oval(x, y, r * 0.78, r * 0.78), "#2a2f35", "metal", rim=0.5)
    kit.lay(oval(x, y, r * 0.66, r * 0.66), glowing(kit, "#0a0d14"))
    hot = (x + kit.side * r * 0.2, y - r * 0.26)
    stops = [
        (0.0, clear("#7aa6d8", 0.85)),
        (0.45, clear("#39508c", 0.6)),
        (1.0, clear("#0a0d14", 0)),
    ]
    with kit.within(oval(x, y, r * 0.62, r * 0.62)):
        brush.circle(*hot, r * 0.66, brush.radial(hot, r * 0.66, stops))
        low = (x - kit.side * r * 0.3, y + r * 0.38)
        brush.circle(
            *low,
            r * 0.4,
            brush.radial(low, r * 0.4, [(0.0, clear("#b07ad0", 0.55)), (1.0, clear("#b07ad0", 0))]),
        )
    brush.circle(x, y, r * 0.2, glowing(kit, "#05070b"))
    brush.ellipse(
        x + kit.side * r * 0.27,
        y - r * 0.3,
        r * 0.15,
        r * 0.08,
        kit.shine(0.85),
        turn=kit.side * 0.7,
    )
    brush.circle(x - kit.side * r * 0.25, y + r * 0.26, r * 0.045, kit.shine(0.6))


def _screen(kit: Kit) -> None:
    kit.shadow(30, flat=0.14)
    kit.form("M-6 -30 H6 L7 -4 H-7 Z", STEEL, "metal", rim=0)
    kit.form(
        "M-24 -3 C-24 -6.4 -10 -6.6 0 -6.6 C10 -6.6 24 -6.4 24 -3 C24 0.4 -24 0.4 -24 -3 Z",
        STEEL,
        "metal",
        rim=0.6,
    )
    kit.form(slab(-50, -86, 100, 62, 2.4), "#2b3036", rim=0.8)
    kit.lamp(0, -55, 76, "#dce8f0", 0.35)
    with kit.within(slab(-48, -84, 96, 56, 1)), kit.brush.moved(-48, -84):
        paint_dashboard(kit, 96, 56)
        x, lean = (0, 1) if kit.side < 0 else (96, -1)
        kit.lay(poly((x, 0), (x + lean * 46, 0), (x + lean * 18, 56), (x, 56)), kit.shine(0.1))
    kit.letter(kit.brand, 0, -26, (20, 2.2), kit.base("#9aa3aa"))


def _drone(kit: Kit) -> None:
    kit.shadow(34, y=-1, flat=0.12, strength=0.55)
    dark = "#3c434b"
    for sign in (-1, 1):
        kit.tube(f"M{sign * 9} -58 Q{sign * 22} -66 {sign * 33} -66", dark, 3)
        _rotor(kit, sign * 33, -66, 16, 2.8)
    kit.tube("M-7 -47 Q-11 -38 -17 -33", dark, 2)
    kit.tube("M7 -47 Q11 -38 17 -33", dark, 2)
    kit.trace("M-22 -33 h10", kit.deep(dark), 2)
    kit.trace("M12 -33 h10", kit.deep(dark), 2)
    for sign in (-1, 1):
        kit.form(
            f"M{sign * 8} -58 C{sign * 20} -60 {sign * 30} -58 {sign * 38} -54 L{sign * 37} -50 "
            f"C{sign * 28} -53 {sign * 18} -51 {sign * 8} -48 Z",
            "#dfe3e5",
            rim=0.6,
        )
    kit.form(
        "M-17 -53 C-17 -64 -8 -67 0 -67 C8 -67 17 -64 17 -53 C17 -46 10 -43 0 -43 "
        "C-10 -43 -17 -46 -17 -53 Z",
        "#eef0f0",
        "soft",
        rim=1,
        core=2,
    )
    kit.lay(
        "M-16.8 -52 C-8 -49.4 8 -49.4 16.8 -52 C17 -46 10 -43 0 -43 C-10 -43 -17 -46 -16.8 -52 Z",
        kit.shade("#59626b"),
    )
    kit.lay(
        "M-11 -62.5 C-5 -65 5 -65 11 -62.5 L10 -60.4 C4 -62.6 -4 -62.6 -10 -60.4 Z",
        kit.base(kit.accent),
    )
    kit.form(slab(-5.5, -44, 11, 10, 4), "#2b3036", "round", rim=0.6)
    kit.lay(oval(0, -38.6, 3.2, 3.2), glowing(kit, "#0a0d14"))
    kit.brush.circle(kit.side * 0.9, -39.7, 1, kit.shine(0.8))
    for sign in (-1, 1):
        kit.form(slab(sign * 38 - 3.4, -58, 6.8, 9, 2), dark, "round", rim=0.5)
        _rotor(kit, sign * 38, -59.5, 22, 4)
        kit.brush.circle(sign * 38, -48.4, 1.1, glowing(kit, kit.accent))
        kit.lamp(sign * 38, -48.4, 9, kit.accent, 0.7)


def _rotor(kit: Kit, x: float, y: float, wide: float, high: float) -> None:
    """A propeller that turns: a veil, and two blades in it."""
    stops = [
        (0.0, clear(kit.white, 0.05)),
        (0.7, clear(kit.white, 0.22)),
        (0.97, clear(kit.white, 0.4)),
        (1.0, clear(kit.white, 0.1)),
    ]
    with kit.face((x, y), (1, 0), (0, high / wide)):
        kit.brush.circle(0, 0, wide, kit.brush.radial((0, 0), wide, stops))
        kit.lay(
            f"M0 -2 L{wide * 0.92} {-wide * 0.3} L{wide * 0.86} {-wide * 0.06} L0 2 "
            f"L{-wide * 0.92} {wide * 0.3} L{-wide * 0.86} {wide * 0.06} Z",
            kit.ink(0.42),
        )
    kit.brush.ellipse(x, y, 2, 1, kit.base(RUBBER))


def _microphone(kit: Kit) -> None:
    kit.shadow(26, flat=0.16)
    kit.form(oval(0, -3.4, 24, 3.6), "#2f353b", "metal", rim=0.6)
    kit.form(slab(-1.5, -40, 3, 37, 1), STEEL, "metal", rim=0)
    kit.trace("M-17 -66 V-54 C-17 -34 17 -34 17 -54 V-66", kit.deep("#2b3036"), 3.4)
    kit.trace("M-17.4 -66 V-54 C-17.4 -34.6 16.6 -34.6 16.6 -54 V-66", kit.base("#5a636b"), 1.2)
    grille = slab(-13, -99, 26, 40, 13)
    kit.form(grille, STEEL, "metal", rim=0.9)
    with kit.within(grille):
        for step in range(-9, 10):
            kit.trace(
                f"M{step * 3 - 20} -58 l40 -42 M{step * 3 + 20} -58 l-40 -42", kit.ink(0.24), 0.5
            )
        kit.brush.rect(-14, -80, 28, 3, kit.base("#2b3036"))
    kit.form("M-13 -62 H13 V-52 Q13 -42 0 -42 Q-13 -42 -13 -52 Z", "#2f353b", "round", rim=0.7)
    kit.brush.rect(-13, -63, 26, 2.6, kit.base(kit.accent))
    kit.letter(kit.brand, 0, -53, (18, 3.6), kit.base(WHITE))


PAINTERS = {
    "camera": _camera,
    "drone": fitted(_drone, 0.84),
    "headphones": _headphones,
    "laptop": _laptop,
    "microphone": _microphone,
    "phone": _phone,
    "screen": _screen,
    "smart_watch": _smart_watch,
    "tablet": _tablet,
}
