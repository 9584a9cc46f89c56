"""Things of a laboratory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import STEEL, WHITE, oval, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _liquid(kit: Kit) -> str:
    return mix(kit.accent, "#3aa6a0", 0.15)


def _flask(kit: Kit) -> None:
    kit.shadow(32, flat=0.16, strength=0.8)
    body = "M-9 -94 V-62 L-35 -12 C-38 -5 -34 0 -26 0 H26 C34 0 38 -5 35 -12 L9 -62 V-94 Z"
    liquid = kit.tone(_liquid(kit))
    low = -kit.side * 12
    kit.brush.ellipse(low, 0.6, 26, 3.4, clear(liquid.lit, 0.35))
    with kit.within(body):
        stops = [
            (0.0, clear(liquid.base, 0.9)),
            (0.5, clear(liquid.base, 0.94)),
            (1.0, clear(liquid.deep, 0.96)),
        ]
        kit.lay("M-40 -32 H40 V2 H-40 Z", kit.ramp(stops, (-36, 36), (-32, 0)))
        kit.brush.circle(
            low,
            -8,
            24,
            kit.brush.radial(
                (low, -8),
                24,
                [(0.0, clear(mix(liquid.lit, kit.white, 0.5), 0.7)), (1.0, clear(liquid.lit, 0))],
            ),
        )
        for x, y, r in (
            (-10, -12, 2.2),
            (4, -20, 1.5),
            (14, -9, 1.8),
            (-2, -26, 1.1),
            (-18, -22, 1.3),
            (8, -29, 0.8),
        ):
            kit.trace(oval(x, y, r, r), kit.shine(0.65), 0.5)
    kit.lay(oval(0, -32, 24.4, 3.2), mix(liquid.lit, kit.white, 0.25))
    kit.pane(body, body=0.17, line=1.2)
    for index in range(5):
        y = -14 - index * 8
        kit.brush.rect(-6 - index * -0.6, y, 9 if index % 2 == 0 else 5, 0.8, kit.shine(0.8))
    kit.form(
        "M-11.4 -97.4 H11.4 Q12.6 -97.4 12.6 -95.8 Q12.6 -94 11 -94 H-11 Q-12.6 -94 -12.6 -95.8 "
        "Q-12.6 -97.4 -11.4 -97.4 Z",
        "#e4eef0",
        "slant",
        rim=0.5,
    )
    s = kit.side
    kit.glint(f"M{s * 6.4} -88 H{s * 4.4} V-62 L{s * 22} -22 L{s * 25} -24 L{s * 6.4} -64 Z", 0.42)
    kit.lamp(0, -16, 36, _liquid(kit), 0.35)


def _petri_dish(kit: Kit) -> None:
    """Cultures on agar, seen from above at a slant; its lid leans on it."""
    kit.shadow(44, x=-4, y=-6, flat=0.26, strength=0.8)
    with kit.brush.moved(20, -25, turn=0.86):
        lid = oval(0, -12, 33, 11)
        kit.pane(lid, body=0.22, line=1.1)
        kit.trace(oval(0, -9, 33, 11), kit.shine(0.4), 0.8)
    agar = "#e8c48a"
    kit.lay("M-48 -20 V-11 C-48 7 36 7 36 -11 V-20 Z", clear(kit.base("#dfeaec"), 0.5))
    t = kit.tone(agar)
    kit.lay(
        "M-46 -16 V-11 C-46 5 34 5 34 -11 V-16 Z",
        kit.ramp([(0.0, t.lit), (0.6, t.base), (1.0, t.shade)], (-46, 34)),
    )
    kit.lay(
        oval(-6, -17, 40, 13.6), kit.ramp([(0.0, t.lit), (0.5, t.base), (1.0, t.shade)], (-46, 34))
    )
    colours = (
        mix(kit.accent, "#fff2df", 0.1),
        "#f6efdc",
        "#7fa38a",
        "#f6efdc",
        "#c96f5a",
        "#f6efdc",
        "#7fa38a",
        "#f6efdc",
    )
    for index, (x, y, r) in enumerate(
        (
            (-20, -19, 5),
            (-2, -22, 3.4),
            (12, -14, 6),
            (-10, -11, 3.2),
            (20, -21, 2.8),
            (-32, -15, 2.6),
            (3, -9, 2.4),
            (-18, -26, 2),
        )
    ):
        spot = oval(x, y, r, r * 0.42)
        kit.brush.ellipse(x - kit.side * 0.6, y + 0.6, r, r * 0.42, kit.ink(0.2))
        kit.form(spot, colours[index], "soft", rim=0.4)
        kit.brush.ellipse(x + kit.side * r * 0.3, y - r * 0.14, r * 0.3, r * 0.1, kit.shine(0.6))
    dish = "M-48 -20 V-11 C-48 7 36 7 36 -11 V-20 C36 -2 -48 -2 -48 -20 Z"
    kit.pane(dish, body=0.22, line=0.9)
    kit.trace(oval(-6, -20, 42, 14.4), kit.shine(0.85), 1.1)
    kit.lay(slab(-24, -4.6, 22, 5.4, 0.8), clear(kit.base("#fbf8f0"), 0.95))
    kit.bars(-22, -3, (12, 16), gap=1.8, thick=0.8, colour=kit.ink(0.6))


def _microscope(kit: Kit) -> None:
    kit.shadow(36, flat=0.14)
    white, dark = "#eceeee", "#2f373e"
    kit.form(
        "M-32 -8 Q-32 -11 -28 -11 H32 Q38 -11 38 -5 V-3 Q38 0 34 0 H-30 Q-34 0 -34 -4 Z",
        white,
        "slant",
        rim=0.8,
    )
    kit.lay("M-34 -4 H38 V-3 Q38 0 34 0 H-30 Q-34 0 -34 -4 Z", kit.shade(dark))
    kit.form(
        "M12 -11 C30 -18 38 -36 36 -52 C34 -66 26 -76 12 -80 L8 -66 C18 -62 22 -54 22 -46 "
        "C22 -34 16 -24 4 -11 Z",
        white,
        "slant",
        rim=1,
        core=2,
    )
    kit.form("M-4 -14 a9 3 0 0 1 -18 0 v-5 a9 3 0 0 1 18 0 Z", dark, "round", rim=0.4)
    kit.lay(oval(-13, -19, 7, 2), mix(kit.light.glow, "#fff6d8", 0.5))
    kit.lamp(-13, -26, 18, "#fff1c4", 0.6)
    kit.form(slab(-32, -34, 46, 4.6, 1.4), dark, "metal", rim=0.4)
    kit.lay(slab(-24, -35.6, 26, 1.8, 0.6), clear(kit.lit("#d6ecf2"), 0.85))
    kit.lay(oval(-12, -35, 4, 0.8), kit.base(kit.accent))
    kit.form(oval(28, -30, 7, 7), dark, "metal", rim=0.6)
    kit.lay(oval(28, -30, 3.6, 3.6), kit.deep(STEEL))
    with kit.brush.moved(-10, -60, turn=0.0):
        for x, turn in ((-6, 0.36), (6, -0.36), (0, 0.0)):
            with kit.brush.moved(x, 4, turn=turn):
                kit.form("M-3.4 0 H3.4 V11 L1.8 16 H-1.8 L-3.4 11 Z", STEEL, "metal", rim=0)
                kit.brush.rect(-3.4, 6, 6.8, 1.8, kit.base(kit.accent))
        kit.form("M-11 -3 Q0 -8 11 -3 L9 6 Q0 9 -9 6 Z", dark, "round", rim=0.6)
    kit.form("M-22 -76 H14 Q20 -72 16 -65 H-18 Q-24 -70 -22 -76 Z", white, "slant", rim=0.8)
    with kit.brush.moved(-10, -76, turn=-0.5):
        kit.form(slab(-7, -15, 14, 19, 2), white, "round", rim=0.6)
        kit.form("M-6 -26 H6 L7.4 -14 H-7.4 Z", dark, "round", rim=0.6)
        kit.lay(oval(0, -26, 6, 1.6), kit.base("#58707c"))
    kit.letter(kit.brand, 2, -5.6, (36, 3.6), kit.base("#4a545c"))


def _pipette(kit: Kit) -> None:
    """A drop at its tip, over a row of wells."""
    kit.shadow(30, flat=0.16, strength=0.8)
    rack = kit.tone("#dfe6e8")
    kit.form("M-36 -14 H36 L40 -1 Q40 0 38 0 H-38 Q-40 0 -40 -1 Z", "#dfe6e8", "slant", rim=0.6)
    kit.lay("M-36 -14 L-33 -19 H33 L36 -14 Z", rack.lit)
    for index in range(6):
        x = -26.5 + index * 10.6
        kit.lay(oval(x, -16.4, 4, 1.6), kit.base(_liquid(kit)) if index < 3 else kit.ink(0.4))  # noqa: PLR2004
        kit.trace(oval(x, -16.4, 4, 1.6), kit.shine(0.8), 0.5)
    with kit.brush.moved(8, -29, turn=0.22, scale=0.82):
        tip = "M-3.6 -26 H3.6 L0.9 0 H-0.9 Z"
        with kit.within(tip):
            kit.brush.rect(-4, -13, 8, 14, clear(kit.base(_liquid(kit)), 0.85))
        kit.pane(tip, body=0.32, line=0.6)
        kit.form("M-3.2 -44 H3.2 L3.8 -25 H-3.8 Z", "#e6eaea", "round", rim=0.4)
        body = "M-6.6 -74 C-7 -62 -5 -54 -3.8 -42 H3.8 C5 -54 7 -62 6.6 -74 Z"
        kit.form(body, WHITE, "round", rim=0.7)
        kit.form(
            "M4.6 -74 C8 -74 12 -71 13 -66 C10 -66 7.6 -66 6.4 -63 Z", kit.accent, "slant", rim=0.4
        )
        kit.brush.rect(-2.4, -67, 4.8, 11, kit.base("#2b3238"), radius=1)
        for y in (-64.4, -61.4, -58.4):
            kit.brush.rect(-1.2, y, 2.4, 0.9, kit.lit("#e6eaea"))
        kit.form(slab(-2.2, -82, 4.4, 9, 1), STEEL, "metal", rim=0)
        kit.form(slab(-4.8, -86, 9.6, 5, 2.2), kit.accent, "round", rim=0.5)
    x, y = 8.4, -27
    drop = (
        f"M{x} {y - 3} C{x + 1} {y} {x + 3} {y + 1.4} {x + 3} {y + 4} A3 3 0 0 1 {x - 3} {y + 4} "
        f"C{x - 3} {y + 1.4} {x - 1} {y} {x} {y - 3} Z"
    )
    kit.form(drop, _liquid(kit), "soft", rim=0.5)
    kit.brush.circle(x + kit.side, y + 3, 0.8, kit.shine(0.9))


PAINTERS = {
    "flask": _flask,
    "microscope": _microscope,
    "petri_dish": _petri_dish,
    "pipette": _pipette,
}
