"""Houses and what warms, lights and times them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.garden import leaf
from callsheet_studio.draw.props.kit import (
    IRON,
    STEEL,
    WHITE,
    fitted,
    oval,
    slab,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _heat_pump(kit: Kit) -> None:
    box = Corner(kit, (78, 60, 28), turn=22, above=13)
    box.foot()
    box.cuboid((2, 12), (0, 6), (2, 26), IRON, rim=0.3)
    box.cuboid((64, 76), (0, 6), (2, 26), IRON, rim=0.3)
    box.cuboid((0, 78), (6, 66), (0, 28), "#e9ebe8", rim=0.8)
    with box.front(0, 66):
        kit.brush.rect(0, 0, 78, 3, kit.ink(0.06))
        kit.lay(oval(29, 30, 24.6, 24.6), kit.deep("#20262b"))
        fan = oval(29, 30, 23.6, 23.6)
        with kit.within(fan):
            kit.lay(
                fan,
                kit.brush.radial(
                    (29, 30), 24, [(0.0, kit.base("#4a545c")), (1.0, kit.deep("#1b2025"))]
                ),
            )
            for blade in range(5):
                with kit.brush.moved(29, 30, turn=blade * math.tau / 5):
                    kit.form(
                        "M3 -2 C10 -12 18 -16 23 -9 C20 -3 12 1 4 3 Z", "#6d7880", "slant", rim=0.5
                    )
        for radius in (6.5, 10.5, 14.5, 18.5, 22.5):
            kit.trace(oval(29, 30, radius, radius), clear(kit.base("#cfd5d6"), 0.75), 0.7)
        for spoke in range(8):
            a = spoke * math.tau / 8
            kit.trace(
                f"M{29 + math.cos(a) * 5} {30 + math.sin(a) * 5} "
                f"L{29 + math.cos(a) * 24} {30 + math.sin(a) * 24}",
                clear(kit.base("#cfd5d6"), 0.75),
                0.7,
            )
        kit.brush.circle(29, 30, 5, kit.base(kit.accent))
        for row in range(7):
            kit.brush.rect(59, 9 + row * 3.6, 14, 1.4, kit.ink(0.3), radius=0.7)
        kit.letter(kit.brand, 66, 47, (15, 5), kit.base("#3a434a"))
        kit.brush.rect(59, 53, 14, 1.6, kit.base(kit.accent), radius=0.8)
    with box.flank(78, 66):
        for row in range(11):
            kit.brush.rect(4, 8 + row * 4, 20, 1.6, kit.ink(0.3), radius=0.8)
        kit.brush.circle(21, 55, 1.6, kit.deep("#b07a3c"))
    copper, drain = box.at(78, 14, 22), box.at(78, 9, 12)
    kit.tube(f"M{copper[0]} {copper[1]} q7 0 8 5 v10", "#b8763f", 2.2)
    kit.tube(f"M{drain[0]} {drain[1]} q5 0 6 4 v4", "#d9dcda", 2.6)


def _radiator(kit: Kit) -> None:
    kit.shadow(46, flat=0.09)
    for sign in (-1, 1):
        kit.form(slab(sign * 36 - 3, -7, 6, 7, 1.4), "#d4d2c9", "round", rim=0)
    kit.tube("M38 -14 H48 V0", "#b8763f", 2.4)
    kit.brush.rect(-40, -68, 80, 4, kit.deep("#b9b6ab"))
    kit.brush.rect(-40, -15, 80, 4, kit.deep("#b9b6ab"))
    for index in range(9):
        x = -44 + index * 9.9
        kit.form(slab(x, -78, 8.6, 72, 4), "#efece3", "round", rim=0.5)
        kit.lay(slab(x + 3.3, -68, 2, 52, 1), kit.ink(0.2))
        kit.lay(oval(x + 4.3, -76, 3, 1), kit.shine(0.5))
    with kit.brush.moved(46, -70):
        kit.form(slab(-1.6, -4, 6, 8, 1), STEEL, "metal", rim=0)
        kit.form("M-3 -14 Q0 -19 7 -18 Q10 -14 9 -6 Q4 -2.6 -3 -5 Z", WHITE, "round", rim=0.4)
        kit.brush.rect(-2.4, -9, 11, 2, kit.base(kit.accent))
    warm = mix(kit.accent, "#ffb469", 0.5)
    for x in (-27, -3, 21):
        path = f"M{x} -82 c-6 -5 6 -9 0 -15"
        kit.trace(path, clear(warm, 0.75), 1.6)


def _house(kit: Kit) -> None:
    box = Corner(kit, (50, 40, 40), turn=34, above=18)
    base = Corner(kit, (66, 4, 56), turn=34, above=18)
    base.foot()
    base.cuboid((0, 66), (0, 3), (0, 56), "#8aa860", top="#8aa860")
    with kit.brush.moved(0, -9):
        box.cuboid((0, 50), (0, 40), (0, 40), "#f1e8d8", rim=0)
        gable = [box.at(*each) for each in ((50, 40, 0), (50, 40, 40), (50, 64, 20))]
        t = kit.tone("#f1e8d8")
        kit.brush.poly(gable, t.shade if box.bright_front else t.base)
        tiles = mix(kit.accent, "#7a4436", 0.3)
        roof = box.quad(((-3, 38, -4), (53, 38, -4), (53, 65.4, 20), (-3, 65.4, 20)))
        kit.form(roof, tiles, "slant", rim=0.7)
        with kit.within(roof):
            for row in range(1, 8):
                share = row / 8
                y, z = 38 + 27.4 * share, -4 + 24 * share
                kit.brush.line([box.at(-3, y, z), box.at(53, y, z)], kit.ink(0.18), 0.6)
        for z in (-4, 44):
            kit.brush.line([box.at(53, 38, z), box.at(53, 65.4, 20)], kit.deep(tiles), 2)
        _chimney(kit, box)
        _openings(kit, box)
    for x, y, size in ((-42, -14, 12), (-36, -10, 9), (41, -12, 11)):
        for turn in (-0.8, -0.3, 0.2, 0.7):
            leaf(kit, x, y + 4, size, turn, "#5f8f4e")


def _chimney(kit: Kit, box: Corner) -> None:
    chimney = [(12, 54, 14), (19, 54, 14), (19, 72, 14), (12, 72, 14)]
    kit.lay(box.quad(chimney), kit.base("#a8604a") if box.bright_front else kit.shade("#a8604a"))
    kit.lay(
        box.quad(((19, 54, 14), (19, 57, 20), (19, 72, 20), (19, 72, 14))),
        kit.shade("#a8604a") if box.bright_front else kit.base("#a8604a"),
    )


def _openings(kit: Kit, box: Corner) -> None:
    """Windows, lit where it is dark, and the door."""
    glow = mix(kit.base("#6c8797"), "#ffd27a", 0.25 + 0.6 * max(kit.light.lamps, kit.light.dark))
    with box.front(0, 40):
        for x in (7, 33):
            kit.brush.rect(x - 1, 9, 12, 14, kit.lit(WHITE))
            kit.brush.rect(x, 10, 10, 12, glow)
            kit.trace(f"M{x + 5} 10 v12 M{x} 16 h10", kit.lit(WHITE), 0.8)
        kit.brush.rect(21, 17, 9, 23, kit.base(mix(kit.accent, "#33424c", 0.5)), radius=0.6)
        kit.brush.circle(28, 29, 0.7, kit.lit("#e0c070"))
    with box.flank(50, 40):
        kit.brush.rect(12, 9, 16, 14, kit.lit(WHITE))
        kit.brush.rect(13, 10, 14, 12, glow)
        kit.trace("M20 10 v12 M13 16 h14", kit.lit(WHITE), 0.8)
        kit.trace(oval(20, -6, 4, 4), kit.lit(WHITE), 0.9)
        kit.lay(oval(20, -6, 3.6, 3.6), glow)


def _lamp(kit: Kit) -> None:
    """A desk lamp that is lit."""
    kit.shadow(24, x=10, flat=0.16)
    metal = mix(kit.accent, "#33424c", 0.12)
    kit.form(oval(10, -3.4, 21, 3.8), metal, "metal", rim=0.6)
    kit.lay(oval(10, -5, 19.6, 3.2), kit.fill(oval(10, -5, 20, 3.2), metal, "slant"))
    kit.tube("M10 -6 L26 -48", STEEL, 2.4)
    kit.tube("M26 -48 L-6 -80", STEEL, 2.4)
    kit.form(oval(26, -48, 3.4, 3.4), metal, "metal", rim=0.4)
    beam = mix(kit.light.glow, "#ffe2a0", 0.6)
    strength = 0.16 + 0.34 * max(kit.light.dark, kit.light.lamps)
    with kit.brush.blended("screen"):
        fade = kit.brush.linear(
            (-18, -66), (-34, 0), [(0.0, clear(beam, strength)), (1.0, clear(beam, 0))]
        )
        for share in (1.0, 0.8, 0.6):
            kit.brush.poly(
                [(-30, -62), (-6, -74), (-18 + 34 * share, 0), (-30 - 24 * share, 0)], fade
            )
    with kit.brush.moved(-8, -80, turn=0.44):
        kit.lay(oval(0, 20, 17, 5), mix(beam, "#ffffff", 0.4))
        shade = "M-4 -6 Q0 -9 4 -6 C8 2 15 10 17.6 20 C10 25 -10 25 -17.6 20 C-15 10 -8 2 -4 -6 Z"
        kit.form(shade, metal, "round", rim=0.9)
        kit.lay(
            "M-17.6 20 C-10 25 10 25 17.6 20 C10 22.6 -10 22.6 -17.6 20 Z",
            mix(beam, "#ffffff", 0.5),
        )
        kit.form(slab(-3.4, -11, 6.8, 6, 2), STEEL, "metal", rim=0)
    kit.lamp(-19, -58, 46, "#ffdf9a", 0.75)


def _clock(kit: Kit) -> None:
    kit.shadow(34, flat=0.14)
    for sign in (-1, 1):
        kit.tube(f"M{sign * 24} -14 L{sign * 31} -1", STEEL, 4)
        with kit.brush.moved(sign * 26, -84, turn=sign * 0.62):
            kit.form(
                "M-13 4 C-13 -10 13 -10 13 4 Z", mix(kit.accent, "#b98d4a", 0.2), "metal", rim=0.6
            )
    kit.tube("M-13 -92 Q0 -100 13 -92", STEEL, 2)
    kit.form(oval(0, -47, 42, 42), mix(kit.accent, "#3a4149", 0.06), "metal", rim=1.2)
    kit.lay(oval(0, -47, 36.4, 36.4), kit.deep(IRON))
    face = oval(0, -47, 35, 35)
    kit.form(face, "#f6f2e7", "slant", rim=0)
    for hour in range(12):
        a = hour * math.tau / 12
        inner = 26 if hour % 3 == 0 else 29
        kit.trace(
            f"M{math.sin(a) * inner} {-47 - math.cos(a) * inner} "
            f"L{math.sin(a) * 32} {-47 - math.cos(a) * 32}",
            kit.base("#33383d"),
            2 if hour % 3 == 0 else 1,
        )
    with kit.brush.moved(0.6, 0.9):
        kit.trace("M0 -47 L-13 -57 M0 -47 L14 -69", kit.ink(0.2), 2)
    kit.trace("M0 -47 L-13 -57", kit.base("#2b2f35"), 2.8)
    kit.trace("M0 -47 L14 -69", kit.base("#2b2f35"), 2)
    kit.trace("M-4 -38 L9 -71", kit.base(kit.accent), 0.9)
    kit.brush.circle(0, -47, 2.4, kit.base(kit.accent))
    with kit.within(face):
        s = kit.side
        kit.lay(f"M{s * 38} -84 L{s * 4} -84 L{s * 30} -12 L{s * 38} -12 Z", kit.shine(0.2))


def _light_bulb(kit: Kit) -> None:
    kit.shadow(18, flat=0.18, strength=0.6)
    glow = mix(kit.light.glow, "#ffd878", 0.6)
    kit.brush.glow(0, -64, 50, glow, 0.3 + 0.4 * max(kit.light.dark, kit.light.lamps))
    bulb = (
        "M-12 -28 C-13 -40 -29 -48 -29 -69 C-29 -86 -16 -98 0 -98 C16 -98 29 -86 29 -69 "
        "C29 -48 13 -40 12 -28 Z"
    )
    kit.lay(
        bulb,
        kit.brush.radial(
            (0, -66),
            34,
            [
                (0.0, clear(mix(glow, "#ffffff", 0.5), 0.95)),
                (0.5, clear(glow, 0.6)),
                (1.0, clear(mix(glow, kit.base("#d9a84a"), 0.5), 0.45)),
            ],
        ),
    )
    kit.pane(bulb, body=0.14, line=1.2)
    kit.trace("M-4 -28 V-50 L-10 -64 M4 -28 V-50 L10 -64", kit.deep("#8a7a5a"), 1)
    kit.trace(
        "M-10 -64 q2.4 -7 5 0 q2.4 7 5 0 q2.4 -7 5 0 q2.4 7 5 0",
        mix("#fff8e0", kit.accent, 0.25),
        1.6,
    )
    s = kit.side
    kit.glint(
        f"M{s * 17} -88 C{s * 25} -80 {s * 26} -66 {s * 22} -56 "
        f"C{s * 21} -54 {s * 18.6} -55 {s * 19.4} -57.6 "
        f"C{s * 22.6} -66 {s * 21} -78 {s * 14.6} -84.6 "
        f"C{s * 13} -87 {s * 15} -89.6 {s * 17} -88 Z",
        0.75,
    )
    kit.form(
        "M-13 -30 H13 V-8 Q13 -4 8 -3 L5 0 H-5 L-8 -3 Q-13 -4 -13 -8 Z", STEEL, "metal", rim=0.4
    )
    for y in (-25, -19.4, -13.8, -8.2):
        kit.trace(f"M-13.4 {y} q13.4 4 26.8 -1.4", kit.ink(0.45), 1.1)
        kit.trace(f"M-13.4 {y - 1.2} q13.4 4 26.8 -1.4", kit.shine(0.5), 0.6)


def _cushion(kit: Kit) -> None:
    kit.shadow(42, flat=0.12)
    body = (
        "M-40 -68 C-20 -62 20 -62 40 -68 C43 -70 45 -68 44 -64 C38 -44 38 -24 45 -6 "
        "C46 -1 43 0 40 -1 C20 -7 -20 -7 -40 -1 C-43 0 -46 -1 -45 -6 C-38 -24 -38 -44 -44 -64 "
        "C-45 -68 -43 -70 -40 -68 Z"
    )
    kit.form(body, kit.accent, "soft", rim=1, core=4)
    with kit.within(body):
        for y in (-52, -34, -16):
            kit.trace(
                f"M-48 {y} C-20 {y + 5} 20 {y + 5} 48 {y}", clear(kit.lit("#fbefd9"), 0.6), 2.2
            )
        kit.spot(0, -56, 24, kit.deep(kit.accent), 0.6)
        kit.spot(-kit.side * 4, -30, 20, kit.lit(kit.accent), 0.4)
        kit.trace("M-9 -63 Q-6 -50 -10 -40 M9 -63 Q6 -48 11 -42", kit.ink(0.2), 0.9)
        kit.trace(
            "M-42 -62 C-30 -56 -26 -50 -24 -44 M42 -62 C30 -56 26 -50 24 -44 M-42 -8 "
            "C-32 -12 -28 -18 -26 -24 M42 -8 C32 -12 28 -18 26 -24",
            clear(kit.deep(kit.accent), 0.5),
            1,
        )
    kit.trace(body, clear(kit.deep(kit.accent), 0.5), 0.8)


PAINTERS = {
    "clock": _clock,
    "cushion": _cushion,
    "heat_pump": _heat_pump,
    "house": _house,
    "lamp": _lamp,
    "light_bulb": _light_bulb,
    "radiator": fitted(_radiator, 0.92, x=-2),
}
