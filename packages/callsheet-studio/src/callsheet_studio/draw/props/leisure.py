"""What people play, heal, celebrate and make things with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import IRON, PAPER, STEEL, WHITE, fitted, oval, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _tooth(kit: Kit) -> None:
    kit.form(
        "M-30 -78 C-24 -98 -8 -90 0 -86 C8 -90 24 -98 30 -78 C34 -56 24 -44 20 -4 C16 4 8 2 "
        "6 -18 C4 -32 -4 -32 -6 -18 "
        "C-8 2 -16 4 -20 -4 C-24 -44 -34 -56 -30 -78 Z",
        WHITE,
        "slant",
        core=3,
    )
    kit.glint(
        "M-22 -80 C-20 -88 -12 -86 -10 -82 C-16 -78 -18 -66 -20 -62 C-24 -68 -24 -74 -22 -80 Z", 0.9
    )


def _toothbrush(kit: Kit) -> None:
    kit.tube("M-46 -21 L30 -40", kit.accent, 8)
    for x in range(7):
        kit.trace(f"M{18 + x * 4} {-40 - x} l-3 -18", kit.lit(WHITE), 3)


def _pills(kit: Kit) -> None:
    kit.shadow(30, flat=0.16)
    kit.form(slab(-22, -66, 44, 65, 7), "#e08a3c", "round", core=2)
    kit.form(slab(-25, -82, 50, 18, 4), WHITE, "slant")
    kit.lay(slab(-22, -48, 44, 28), kit.base(PAPER))
    kit.bars(-15, -42, (28, 20, 24), gap=7, thick=2.4, colour=kit.ink(0.4))


def _bandage(kit: Kit) -> None:
    with kit.brush.moved(0, -44, turn=-0.5):
        kit.form(slab(-48, -14, 96, 28, 14), "#e3b58f", "slant", core=2)
        kit.lay(slab(-18, -14, 36, 28), kit.base("#f0d6bd"))
        for x in (-9, 0, 9):
            for y in (-6, 6):
                kit.brush.circle(x, y, 1.6, kit.ink(0.3))


def _thermometer(kit: Kit) -> None:
    kit.form(slab(-9, -98, 18, 80, 9), WHITE, "slant", core=2)
    kit.form(oval(0, -14, 14, 14), "#d83a30", "soft")
    kit.lay(slab(-3, -66, 6, 52, 3), "#d83a30")
    for y in range(-88, -30, 9):
        kit.trace(f"M3 {y} H8", kit.ink(0.5), 1.2)


def _stethoscope(kit: Kit) -> None:
    kit.trace("M-26 -92 C-30 -40 26 -40 22 -92", kit.base(IRON), 5)
    kit.trace("M-2 -52 C-4 -10 40 -4 34 -34", kit.base(IRON), 5)
    kit.form(oval(33, -40, 11, 11), STEEL, "metal")
    for x in (-26, 22):
        kit.brush.circle(x, -94, 4, kit.base(STEEL))


def _ear(kit: Kit) -> None:
    skin = "#d9a27f"
    kit.form(
        "M-18 -8 C-34 -40 -32 -92 4 -94 C36 -96 40 -62 24 -44 C14 -32 16 -4 -2 0 C-10 2 -15 "
        "-2 -18 -8 Z",
        skin,
        "slant",
        core=3,
    )
    kit.trace(
        "M-16 -36 C-22 -66 -10 -82 6 -82 C24 -82 26 -62 14 -50 C4 -42 8 -30 0 -20",
        kit.shade(skin),
        5,
    )
    for radius in (16, 28):
        kit.trace(
            f"M{38 + radius * 0.4} {-62 - radius} A{radius * 1.4} {radius * 1.4} 0 0 1 "
            f"{38 + radius * 0.4} {-42 + radius}",
            clear(kit.lit(kit.accent), 0.9),
            4,
        )


def _ball(kit: Kit) -> None:
    kit.shadow(34, flat=0.2)
    kit.form(oval(0, -36, 36, 36), WHITE, "soft", core=2)
    kit.lay("M0 -52 L15 -41 L9 -23 H-9 L-15 -41 Z", kit.deep("#23262b"))
    for path in (
        "M0 -52 V-71",
        "M15 -41 L33 -47",
        "M9 -23 L20 -7",
        "M-9 -23 L-20 -7",
        "M-15 -41 L-33 -47",
    ):
        kit.trace(path, kit.deep("#23262b"), 2)


def _guitar(kit: Kit) -> None:
    with kit.brush.moved(0, 0, turn=0.12):
        kit.form(slab(-4, -100, 8, 58, 1), "#6b4a34", "flat")
        kit.form(
            "M0 -46 C16 -46 20 -36 16 -28 C28 -20 30 -2 0 -2 C-30 -2 -28 -20 -16 -28 C-20 "
            "-36 -16 -46 0 -46 Z",
            "#c9823c",
            "slant",
            core=3,
        )
        kit.lay(oval(0, -27, 7, 7), kit.deep("#3a2418"))
        for x in (-2, 0, 2):
            kit.trace(f"M{x} -96 V-10", kit.lit("#efe6d2"), 0.7)


def _piano(kit: Kit) -> None:
    kit.shadow(50, flat=0.1)
    kit.form(slab(-48, -86, 96, 85, 4), "#2c2a2e", "slant", core=3)
    kit.lay(slab(-44, -44, 88, 14), kit.lit("#f4f0e6"))
    for x in range(-40, 42, 8):
        kit.trace(f"M{x} -44 V-30", kit.ink(0.5), 0.9)
        if (x // 8) % 3:
            kit.lay(slab(x - 2, -44, 4, 8), kit.deep("#151515"))


def _carousel(kit: Kit) -> None:
    kit.shadow(52, flat=0.1)
    kit.form(slab(-48, -12, 96, 11, 3), "#b7583f", "slant")
    for x in (-36, -12, 12, 36):
        kit.tube(f"M{x} -66 V-12", "#d9b45a", 3)
    for x in (-24, 20):
        kit.form(
            f"M{x - 12} -30 C{x - 4} -40 {x + 6} -34 {x + 8} -46 C{x + 14} -46 {x + 16} -40 "
            f"{x + 12} -36 "
            f"C{x + 12} -26 {x + 4} -24 {x + 4} -16 H{x} V-24 H{x - 8} V-16 H{x - 12} Z",
            WHITE,
            "slant",
        )
    kit.form(poly((0, -104), (52, -66), (-52, -66)), kit.accent, "slant", core=2)
    for x in range(-52, 52, 13):
        kit.form(
            f"M{x} -66 H{x + 13} C{x + 13} -56 {x} -56 {x} -66 Z",
            "#f4ead6" if (x // 13) % 2 else kit.accent,
            "flat",
            rim=0,
        )
    for x in range(-46, 50, 13):
        kit.brush.glow(x, -62, 8, "#ffd98a", 0.8)


def _market_stall(kit: Kit) -> None:
    kit.shadow(50, flat=0.1)
    for x in (-44, 40):
        kit.form(slab(x, -78, 4, 78), "#7d5536", "flat")
    kit.form(slab(-48, -36, 96, 35, 2), "#a9744a", "slant", core=2)
    for number, colour in enumerate(
        (kit.accent, "#d8a24a", "#6f8f5a", "#b7583f", "#efe6d2", "#6f9fb0")
    ):
        kit.form(oval(-38 + number * 15, -41, 7, 7), colour, "soft")
    for number in range(8):
        x = -52 + number * 13
        kit.form(
            f"M{x} -78 L{x + 4} -98 H{x + 17} L{x + 13} -78 C{x + 13} -70 {x} -70 {x} -78 Z",
            kit.accent if number % 2 else "#f4ead6",
            "slant",
            rim=0.3,
        )


def _tent(kit: Kit) -> None:
    kit.shadow(52, flat=0.1)
    kit.form(poly((-6, -78), (52, 0), (-52, 0)), kit.accent, "slant", core=3)
    kit.lay(poly((-6, -78), (14, 0), (-22, 0)), kit.deep(mix(kit.accent, "#000000", 0.5)))


def _gift(kit: Kit) -> None:
    kit.shadow(38, flat=0.14)
    kit.form(slab(-34, -56, 68, 55, 3), kit.accent, "slant", core=3)
    kit.form(slab(-38, -70, 76, 17, 3), mix(kit.accent, "#ffffff", 0.15), "slant")
    kit.lay(slab(-6, -70, 12, 69), kit.lit("#f4ead6"))
    for side in (-1, 1):
        kit.form(f"M0 -70 C{side * 10} -96 {side * 34} -92 {side * 26} -74 Z", "#f4ead6", "slant")


def _candle(kit: Kit) -> None:
    kit.shadow(22, flat=0.18)
    kit.form(slab(-14, -56, 28, 55, 4), "#efe2c8", "round", core=2)
    kit.trace("M0 -56 V-64", kit.deep("#333333"), 2)
    if kit.state != "off":
        kit.brush.glow(0, -76, 40, "#ffc860", 0.9)
        kit.lay("M0 -96 C9 -82 9 -70 0 -64 C-9 -70 -9 -82 0 -96 Z", "#ffb93c")


def _trophy(kit: Kit) -> None:
    kit.shadow(28, flat=0.16)
    gold = "#e3b23c"
    for side in (-1, 1):
        kit.trace(
            f"M{side * 22} -84 C{side * 46} -84 {side * 44} -56 {side * 16} -52", kit.base(gold), 5
        )
    kit.form(
        "M-26 -94 H26 C26 -64 16 -46 5 -42 V-24 H-5 V-42 C-16 -46 -26 -64 -26 -94 Z", gold, "metal"
    )
    kit.form(slab(-20, -24, 40, 23, 2), IRON, "slant")


def _dumbbell(kit: Kit) -> None:
    kit.shadow(48, flat=0.12)
    kit.tube("M-30 -24 H30", STEEL, 8)
    for x in (-48, -36, 26, 38):
        kit.form(slab(x, -44, 10, 42, 3), IRON, "slant")


def _television(kit: Kit) -> None:
    kit.shadow(46, flat=0.1)
    kit.form(slab(-50, -76, 100, 62, 4), IRON, "slant", core=2)
    kit.lay(slab(-45, -71, 90, 52, 2), kit.deep("#1c2a36") if kit.state == "off" else "#5d93b8")
    if kit.state != "off":
        kit.lay("M-45 -19 L-16 -48 L4 -30 L22 -44 L45 -19 Z", "#3f7050")
        kit.brush.circle(24, -58, 7, "#ffe08a")
    kit.form(slab(-18, -8, 36, 7, 2), IRON, "flat")


def _teddy(kit: Kit) -> None:
    kit.shadow(30, flat=0.16)
    fur = "#b5814f"
    for x, y, radius in (
        (-18, -92, 9),
        (18, -92, 9),
        (-26, -40, 10),
        (26, -40, 10),
        (-17, -10, 12),
        (17, -10, 12),
    ):
        kit.form(oval(x, y, radius, radius), fur, "soft")
    kit.form(oval(0, -32, 24, 26), fur, "soft")
    kit.form(oval(0, -74, 23, 21), fur, "soft")
    kit.form(oval(0, -68, 10, 8), "#e3c39a", "soft")
    for x in (-8, 8):
        kit.brush.circle(x, -79, 2.2, kit.deep("#222222"))
    kit.brush.circle(0, -71, 3, kit.deep("#222222"))


def _paint_pot(kit: Kit) -> None:
    kit.shadow(34, flat=0.16)
    kit.form(slab(-30, -58, 60, 57, 4), STEEL, "round", core=2)
    kit.form(oval(0, -58, 30, 8), kit.accent, "soft")
    kit.lay("M-22 -56 C-20 -40 -14 -36 -12 -52 C-6 -30 0 -34 2 -51 Z", kit.base(kit.accent))
    kit.tube("M8 -60 L36 -98", "#a9744a", 6)


def _scissors(kit: Kit) -> None:
    for side in (-1, 1):
        kit.form(
            poly((side * 2, -44), (side * 16, -98), (side * 8, -98), (-side * 5, -44)),
            STEEL,
            "metal",
        )
        kit.trace(oval(-side * 15, -22, 14, 17), kit.base(kit.accent), 7)


def _ladder(kit: Kit) -> None:
    for x in (-18, 18):
        kit.tube(f"M{x * 1.3} 0 L{x * 0.8} -100", "#c9975c", 5)
    for step in range(6):
        y = -12 - step * 16
        kit.tube(f"M{-22 + step * 1.4} {y} H{22 - step * 1.4}", "#c9975c", 4)


def _shovel(kit: Kit) -> None:
    kit.tube("M0 -98 V-36", "#a9744a", 5)
    kit.tube("M-11 -98 H11", "#a9744a", 5)
    kit.form("M-17 -40 H17 V-18 C14 -6 6 0 0 2 C-6 0 -14 -6 -17 -18 Z", STEEL, "metal")


def _loom(kit: Kit) -> None:
    kit.shadow(48, flat=0.1)
    for x in (-46, 40):
        kit.form(slab(x, -96, 6, 96, 1), "#8a5f3f", "flat")
    for y in (-96, -40, -12):
        kit.form(slab(-48, y, 96, 6, 1), "#a9744a", "flat")
    for x in range(-36, 38, 5):
        kit.trace(f"M{x} -90 V-14", kit.lit("#efe6d2"), 1.1)
    kit.form(slab(-38, -36, 76, 24, 1), kit.accent, "slant")
    for y in (-31, -25, -19):
        kit.trace(f"M-38 {y} H38", kit.ink(0.2), 1.6)
    kit.form(slab(-14, -60, 34, 6, 3), "#6b4a34", "slant")


def _sewing_machine(kit: Kit) -> None:
    kit.shadow(46, flat=0.1)
    kit.form(slab(-46, -18, 92, 17, 3), "#a9744a", "slant")
    kit.form(
        "M22 -18 V-52 H-22 V-34 H-38 V-66 C-38 -74 -34 -76 -28 -76 H34 C42 -76 44 -72 44 "
        "-64 V-18 Z",
        kit.accent,
        "slant",
        core=3,
    )
    kit.trace("M-30 -34 V-18", kit.base(STEEL), 2.4)
    kit.form(oval(48, -58, 6, 12), STEEL, "metal")


def _milk(kit: Kit) -> None:
    kit.shadow(24, flat=0.16)
    kit.form(slab(-20, -70, 40, 69, 2), WHITE, "slant", core=2)
    kit.form(poly((-20, -70), (-6, -92), (6, -92), (20, -70)), "#e6e9ec", "slant")
    kit.lay("M-20 -40 C-8 -48 8 -32 20 -40 V-1 H-20 Z", kit.base(kit.accent))


def _egg(kit: Kit) -> None:
    kit.shadow(24, flat=0.2)
    kit.form(
        "M0 -64 C22 -64 28 -26 28 -20 C28 -8 16 0 0 0 C-16 0 -28 -8 -28 -20 C-28 -26 -22 "
        "-64 0 -64 Z",
        "#e6c9a3",
        "soft",
        core=2,
    )


def _vegetables(kit: Kit) -> None:
    kit.shadow(44, flat=0.12)
    for x, turn in ((-24, -0.5), (-6, 0.1), (14, 0.5)):
        with kit.brush.moved(x, -10, turn=turn):
            kit.form("M-8 -46 C0 -52 8 -46 8 -46 L2 8 H-2 Z", "#e8842c", "slant")
            kit.trace("M0 -48 L-8 -74 M0 -48 V-78 M0 -48 L8 -74", kit.base(LEAF_GREEN), 4)
    kit.form(oval(34, -22, 18, 20), "#6f8f3f", "soft")


LEAF_GREEN = "#4f8f46"

PAINTERS = {
    "tooth": _tooth,
    "toothbrush": _toothbrush,
    "pills": _pills,
    "bandage": _bandage,
    "thermometer": _thermometer,
    "stethoscope": _stethoscope,
    "ear": fitted(_ear, 0.78, x=-14),
    "ball": _ball,
    "guitar": _guitar,
    "piano": _piano,
    "carousel": fitted(_carousel, 0.94),
    "market_stall": fitted(_market_stall, 0.92),
    "tent": _tent,
    "gift": _gift,
    "candle": _candle,
    "trophy": _trophy,
    "dumbbell": _dumbbell,
    "television": _television,
    "teddy": _teddy,
    "paint_pot": _paint_pot,
    "scissors": _scissors,
    "ladder": _ladder,
    "shovel": _shovel,
    "loom": _loom,
    "sewing_machine": _sewing_machine,
    "milk": _milk,
    "egg": _egg,
    "vegetables": fitted(_vegetables, 0.82, x=4),
}
