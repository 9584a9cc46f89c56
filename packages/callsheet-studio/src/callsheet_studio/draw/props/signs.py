"""Signs made solid: what stands for a thought when there is no thing to show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import IRON, STEEL, fitted, oval, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _heart(kit: Kit) -> None:
    kit.shadow(30, flat=0.14, strength=0.7)
    heart = (
        "M0 -4 C-14 -18 -44 -36 -44 -62 C-44 -80 -32 -90 -20 -90 C-10 -90 -3 -84 0 -77 "
        "C3 -84 10 -90 20 -90 C32 -90 44 -80 44 -62 C44 -36 14 -18 0 -4 Z"
    )
    colour = mix(kit.accent, "#d8434a", 0.55)
    with kit.brush.moved(-kit.side * 2.4, 1.6):
        kit.lay(heart, kit.deep(colour))
    kit.form(heart, colour, "soft", rim=1.4, core=6)
    with kit.within(heart):
        kit.spot(kit.side * 18, -70, 36, kit.lit("#ffd9cf"), 0.5)
    s = kit.side
    kit.glint(
        f"M{s * 24} -83 C{s * 35} -80 {s * 39} -70 {s * 37} -59 "
        f"C{s * 36.4} -56 {s * 32.6} -57 {s * 33} -60 C{s * 34} -68 {s * 31} -75 {s * 23} -78.6 "
        f"C{s * 20} -80 {s * 21} -84 {s * 24} -83 Z",
        0.65,
    )


def _gear(kit: Kit) -> None:
    kit.shadow(36, flat=0.12, strength=0.8)
    for x, y, r, teeth, colour, turn in (
        (20, -27, 25, 10, "#8a949c", 0.2),
        (-13, -58, 33, 12, kit.accent, 0.0),
    ):
        ring = _toothed(x, y, r, teeth, turn)
        for step in (2.6, 1.3):
            with kit.brush.moved(-kit.side * step, step * 0.6):
                kit.lay(ring, kit.deep(colour))
        kit.form(ring, colour, "metal" if colour != kit.accent else "slant", rim=0.9)
        kit.trace(oval(x, y, r * 0.62, r * 0.62), kit.ink(0.2), 1.2)
        for hole in range(6):
            a = hole * math.tau / 6 + turn
            kit.brush.circle(
                x + math.cos(a) * r * 0.47, y + math.sin(a) * r * 0.47, r * 0.09, kit.ink(0.5)
            )
        kit.lay(oval(x, y, r * 0.24, r * 0.24), kit.deep(IRON))
        kit.trace(oval(x, y, r * 0.26, r * 0.26), kit.shine(0.5), 0.9)


def _toothed(x: float, y: float, r: float, teeth: int, turn: float) -> str:
    points = []
    for tooth in range(teeth):
        for share, reach in ((-0.3, 0.82), (-0.2, 1.0), (0.2, 1.0), (0.3, 0.82)):
            a = turn + (tooth + share) * math.tau / teeth
            points.append(f"{x + math.cos(a) * r * reach:.2f} {y + math.sin(a) * r * reach:.2f}")
    return "M" + " L".join(points) + " Z"


def _shield(kit: Kit) -> None:
    kit.shadow(30, flat=0.14, strength=0.8)
    outer = (
        "M0 -97 C14 -88 28 -84 40 -83 C42 -46 34 -18 0 0 C-34 -18 -42 -46 -40 -83 "
        "C-28 -84 -14 -88 0 -97 Z"
    )
    with kit.brush.moved(-kit.side * 2, 1):
        kit.lay(outer, kit.deep("#59626b"))
    kit.form(outer, "#c3cad0", "metal", rim=1.2)
    with kit.brush.moved(0, -6.4, scale=0.87):
        kit.form(outer, kit.accent, "slant", rim=0.9)
        half = (
            "M0 -97 C14 -88 28 -84 40 -83 C42 -46 34 -18 0 0 Z"
            if kit.side < 0
            else "M0 -97 C-14 -88 -28 -84 -40 -83 C-42 -46 -34 -18 0 0 Z"
        )
        kit.lay(half, clear(kit.deep(kit.accent), 0.36))
    with kit.brush.moved(-kit.side * 0.8, 1.4):
        kit.trace("M-16 -50 L-4 -37 L18 -64", kit.ink(0.25), 8)
    kit.trace("M-16 -50 L-4 -37 L18 -64", kit.lit("#fbf6ea"), 7.4)


def _speech_bubble(kit: Kit) -> None:
    kit.shadow(34, flat=0.12, strength=0.5)
    other = (
        "M8 -66 H42 Q50 -66 50 -58 V-36 Q50 -28 42 -28 H38 L40 -16 L27 -28 H8 Q0 -28 0 -36 V-58 "
        "Q0 -66 8 -66 Z"
    )
    kit.form(other, "#e9e5da", "slant", rim=0.7)
    bubble = (
        "M-38 -96 H16 Q28 -96 28 -84 V-58 Q28 -46 16 -46 H-16 L-34 -28 L-32 -46 H-38 "
        "Q-50 -46 -50 -58 V-84 Q-50 -96 -38 -96 Z"
    )
    with kit.brush.moved(-kit.side * 1.2, 1.8):
        kit.lay(bubble, kit.ink(0.28))
    kit.form(bubble, kit.accent, "slant", rim=1.1)
    light = kit.on(kit.accent)
    if kit.brand:
        kit.letter(kit.brand, -11, -71, (60, 13), light)
    else:
        for x in (-27, -11, 5):
            kit.brush.circle(x, -71, 4.6, light)
    for index, x in enumerate((29, 36, 43)):
        kit.brush.circle(x + 2, -46, 2.2, kit.ink(0.5 - index * 0.1))


def _megaphone(kit: Kit) -> None:
    kit.shadow(34, flat=0.12, strength=0.8)
    with kit.brush.moved(-4, -44, turn=-0.22):
        kit.form("M6 10 L14 36 Q15 40 11 40 H5 Q2 40 1 37 L-6 12 Z", "#3a4149", "slant", rim=0.6)
        cone = "M-14 -13 L32 -36 V34 L-14 15 Z"
        t = kit.tone(kit.accent)
        kit.lay(
            cone,
            kit.brush.linear(
                (0, -36),
                (0, 34),
                [
                    (0.0, t.lit),
                    (0.3, mix(t.lit, t.base, 0.4)),
                    (0.52, t.base),
                    (0.58, t.shade),
                    (1.0, t.deep),
                ],
            ),
        )
        kit.edge(cone, mix(t.lit, kit.light.rim, 0.7), 0.9)
        kit.lay(
            "M-34 -8 Q-36 -13 -30 -13 H-13 V15 H-30 Q-36 15 -34 10 Z",
            kit.brush.linear(
                (0, -13),
                (0, 15),
                [
                    (0.0, kit.lit("#f3efe6")),
                    (0.5, kit.base("#f3efe6")),
                    (0.58, kit.shade("#f3efe6")),
                    (1.0, kit.deep("#f3efe6")),
                ],
            ),
        )
        kit.lay(oval(32, -1, 10, 35), kit.lit("#f3efe6"))
        kit.lay(oval(33, -1, 8, 31), kit.ramp([(0.0, t.deep), (1.0, t.shade)], (25, 41)))
        kit.lay(oval(31.6, -1, 3.4, 10), kit.base("#f3efe6"))
        kit.letter(kit.brand, 8, -1, (28, 8), kit.on(kit.accent))
    for r, alpha in ((11, 0.9), (18, 0.6), (25, 0.35)):
        kit.trace(
            f"M{30 + r * 0.66} {-58 - r * 0.85} A{r} {r} 0 0 1 {30 + r * 0.95} {-55 + r * 0.55}",
            clear(kit.base(mix(kit.accent, "#fff0d6", 0.4)), alpha),
            2,
        )


def _traffic_light(kit: Kit) -> None:
    kit.shadow(16, flat=0.22)
    kit.form(slab(-3, -24, 6, 24, 1), STEEL, "metal", rim=0)
    kit.form(slab(-9, -3, 18, 3, 1), IRON, "metal", rim=0)
    kit.form(slab(-17, -99, 34, 78, 7), "#2f373d", "round", rim=1)
    kit.trace(slab(-14, -96, 28, 72, 5), kit.ink(0.35), 0.8)
    for y, colour, on in ((-84, "#d8402f", False), (-60, "#e9b23a", False), (-36, "#46c07a", True)):
        kit.lay(oval(0, y, 10.4, 10.4), kit.deep("#14181b"))
        shown = colour if on else mix(kit.base(colour), "#1b1f22", 0.62)
        stops = [
            (0.0, mix(shown, "#ffffff", 0.55 if on else 0.12)),
            (0.5, shown),
            (1.0, mix(shown, "#0a0d0c", 0.35)),
        ]
        kit.lay(oval(0, y, 9, 9), kit.brush.radial((0, y - 1), 9.4, stops))
        for row in range(-2, 3):
            kit.trace(f"M-7 {y + row * 3} q7 2 14 0", kit.ink(0.12), 0.5)
        if on:
            kit.brush.glow(0, y, 30, colour, 0.5 + 0.3 * kit.light.dark)
        kit.form(
            f"M-12 {y - 3} C-12 {y - 16} 12 {y - 16} 12 {y - 3} L10 {y - 1} "
            f"C9 {y - 11.6} -9 {y - 11.6} -10 {y - 1} Z",
            "#232a2f",
            "round",
            rim=0.5,
        )


def _battery(kit: Kit) -> None:
    kit.shadow(22, flat=0.18)
    body = "M-20 -86 V-5 C-20 1.4 20 1.4 20 -5 V-86 Z"
    kit.form("M-8 -96 C-8 -98.6 8 -98.6 8 -96 V-86 H-8 Z", STEEL, "metal", rim=0)
    kit.form(body, "#2f373e", "round", rim=0.9)
    kit.lay(
        "M-20 -86 V-66 C-12 -62 12 -62 20 -66 V-86 Z",
        kit.ramp(kit.stops(mix(kit.accent, "#c9772f", 0.2), "metal"), (-20, 20)),
    )
    kit.lay(oval(0, -86, 20, 3.6), kit.ramp(kit.stops(STEEL, "metal"), (-20, 20)))
    kit.lay(oval(0, -96, 8, 1.6), kit.lit(STEEL))
    for index in range(4):
        y = -13 - index * 9.6
        colour = "#59c98a" if index < 3 else "#46525a"  # noqa: PLR2004
        kit.lay(
            f"M-12 {y - 5.4} C-6 {y - 4} 6 {y - 4} 12 {y - 5.4} V{y + 1.4} "
            f"C6 {y + 2.8} -6 {y + 2.8} -12 {y + 1.4} Z",
            mix(colour, kit.base(colour), 0.35),
        )
    kit.lamp(0, -24, 26, "#59c98a", 0.45)
    kit.lay("M3 -62 L-6 -51.6 H-1 L-3 -44 L6 -55 H1 Z", kit.lit("#fbe2a0"))
    s = kit.side
    kit.glint(f"M{s * 15} -82 H{s * 12.6} V-6 H{s * 15} Z", 0.3)


PAINTERS = {
    "battery": _battery,
    "gear": _gear,
    "heart": _heart,
    "megaphone": fitted(_megaphone, 0.9, x=-3),
    "shield": _shield,
    "speech_bubble": _speech_bubble,
    "traffic_light": _traffic_light,
}
