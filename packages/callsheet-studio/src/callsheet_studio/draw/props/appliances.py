"""What stands or hangs in a house and works: from the fridge to the solar panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import IRON, RUBBER, STEEL, WHITE, fitted, oval, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_LAWN = "#6f9f4c"


def _fridge(kit: Kit) -> None:
    kit.shadow(30, flat=0.12)
    kit.form(slab(-25, -98, 50, 97, 5), WHITE, "slant", core=3)
    kit.trace("M-25 -64 H25", kit.ink(0.4), 1.4)
    for top, foot in ((-86, -70), (-58, -30)):
        kit.tube(f"M-18 {top} V{foot}", STEEL, 2.6)
    kit.lay(slab(4, -88, 14, 10, 1.5), kit.base(kit.accent))
    for x in (-18, 15):
        kit.form(slab(x, -2, 5, 3, 1), IRON, "flat")


def _washing_machine(kit: Kit) -> None:
    kit.shadow(36, flat=0.12)
    kit.form(slab(-33, -78, 66, 77, 4), WHITE, "slant", core=3)
    kit.lay(slab(-33, -78, 66, 14, 4), clear(kit.shade(WHITE), 0.7))
    kit.form(oval(20, -71, 4.4, 4.4), STEEL, "metal")
    kit.lay(slab(-27, -74, 18, 6, 1.5), kit.base(kit.accent))
    kit.form(oval(0, -34, 24, 24), STEEL, "metal", core=2)
    kit.form(oval(0, -34, 18, 18), "#5d7f93", "slant")
    kit.lay(
        "M-16 -30 C-8 -38 4 -24 16 -32 C16 -20 8 -16 0 -16 C-8 -16 -15 -20 -16 -30 Z", "#bfe0ee"
    )
    kit.trace("M-9 -45 A14 14 0 0 1 4 -47", kit.shine(0.8), 2)


def _tap(kit: Kit) -> None:
    kit.shadow(26, flat=0.14)
    kit.form(slab(-24, -8, 30, 7, 3), STEEL, "metal")
    kit.tube("M-9 -6 V-62 C-9 -84 26 -84 26 -60 V-52", STEEL, 9)
    kit.form(slab(20, -54, 12, 7, 2), STEEL, "metal")
    kit.form(slab(-22, -46, 12, 6, 3), kit.accent, "slant")
    if kit.state not in ("closed", "off"):
        kit.lay("M24 -46 H28 L29 0 H23 Z", clear("#8fcbe6", 0.85))
        kit.brush.ellipse(26, 0, 15, 3.4, clear("#8fcbe6", 0.7))


def _toilet(kit: Kit) -> None:
    kit.shadow(32, flat=0.14)
    kit.form(slab(8, -86, 26, 40, 4), WHITE, "slant", core=2)
    kit.form(slab(17, -90, 8, 4, 1.5), STEEL, "metal")
    kit.form(
        "M-36 -46 H24 C24 -30 14 -20 10 -16 L14 0 H-16 L-14 -16 C-26 -20 -36 -30 -36 -46 Z",
        WHITE,
        "slant",
        core=3,
    )
    kit.form(slab(-38, -51, 62, 7, 3.5), "#e6e4de", "slant")


def _router(kit: Kit) -> None:
    kit.shadow(42, flat=0.12)
    for x in (-28, 28):
        kit.tube(f"M{x} -24 L{x * 1.25} -84", IRON, 4)
    kit.form(slab(-42, -26, 84, 25, 6), IRON, "slant", core=2)
    for number, x in enumerate((-30, -18, -6, 6)):
        kit.brush.circle(x, -12, 2.4, "#7fe09a" if number else kit.base(kit.accent))
    for radius in (14, 24, 34):
        kit.trace(
            f"M{-radius * 0.7} {-58 - radius * 0.5} A{radius} {radius} 0 0 1 {radius * 0.7} "
            f"{-58 - radius * 0.5}",
            clear(kit.lit(kit.accent), 0.9),
            3.4,
        )


def _socket(kit: Kit) -> None:
    kit.form(slab(-36, -88, 72, 72, 8), WHITE, "slant", core=2)
    kit.form(oval(0, -52, 25, 25), "#e4e1d8", "slant")
    for x in (-9, 9):
        kit.brush.circle(x, -52, 4, kit.deep("#2c2c2c"))
    for y in (-76, -28):
        kit.lay(slab(-4, y - 2, 8, 4, 1), kit.base(STEEL))


def _solar_panel(kit: Kit) -> None:
    kit.shadow(46, flat=0.12)
    for x in (-26, 26):
        kit.tube(f"M{x} -18 L{x + 8} 0", STEEL, 3.4)
    board = poly((-38, -84), (46, -84), (36, -12), (-48, -12))
    kit.form(board, "#27416b", "slant", rim=1.4, core=2)
    for share in (0.25, 0.5, 0.75):
        y = -84 + 72 * share
        kit.trace(f"M{-38 - 10 * share} {y} H{46 - 10 * share}", clear("#b9cfe8", 0.75), 1)
    for share in (0.2, 0.4, 0.6, 0.8):
        at = -38 + 84 * share
        kit.trace(f"M{at} -84 L{at - 10} -12", clear("#b9cfe8", 0.75), 1)
    kit.lay(poly((-26, -80), (-4, -80), (-22, -16), (-42, -16)), kit.shine(0.22))
    kit.trace(board, kit.lit(STEEL), 2.2)


def _inverter(kit: Kit) -> None:
    kit.form(slab(-30, -84, 60, 70, 6), "#dfe2e4", "slant", core=3)
    kit.lay(slab(-20, -74, 40, 20, 2), kit.deep("#26323a"))
    kit.trace("M-14 -64 C-8 -74 -3 -74 0 -64 C3 -54 8 -54 14 -64", "#7fe09a", 2.2)
    kit.lay("M4 -48 L-8 -32 H-1 L-5 -20 L9 -37 H1 Z", kit.base(kit.accent))
    for x in (-16, 16):
        kit.tube(f"M{x} -14 V0", IRON, 4)


def _robot_mower(kit: Kit) -> None:
    kit.brush.ellipse(0, -8, 60, 9, kit.base(_LAWN))
    for x in range(-54, 56, 7):
        kit.trace(f"M{x} 2 L{x + 2} -7", kit.shade(_LAWN), 1.6)
    for x in (-30, 32):
        kit.form(oval(x, -11, 11, 11), RUBBER, "slant")
        kit.form(oval(x, -11, 4.6, 4.6), STEEL, "metal")
    kit.form(
        "M-48 -12 C-50 -28 -36 -42 -8 -43 C24 -44 46 -34 50 -20 L48 -10 H-46 Z",
        IRON,
        "slant",
        core=3,
    )
    kit.form("M-36 -26 C-30 -38 -8 -41 10 -40 C28 -39 40 -32 42 -26 Z", kit.accent, "slant")
    kit.brush.circle(40, -19, 3, "#ffe08a")
    kit.letter(kit.brand, 2, -20, (40, 7), kit.lit("#f4f0e6"))


def _charging_station(kit: Kit) -> None:
    kit.shadow(40, flat=0.14)
    kit.form(slab(-40, -9, 80, 8, 3), IRON, "slant")
    kit.form("M10 -9 V-62 C10 -72 36 -72 36 -62 V-9 Z", IRON, "slant", core=2)
    kit.lay("M26 -58 L14 -38 H22 L17 -22 L33 -43 H24 Z", kit.base(kit.accent))


def _water_tank(kit: Kit) -> None:
    kit.shadow(40, flat=0.14)
    kit.form(slab(-40, -70, 80, 69, 20), "#3f6f8f", "round", core=3)
    kit.form(slab(-12, -84, 24, 15, 3), "#2f566f", "slant")
    for x in (-22, 0, 22):
        kit.trace(f"M{x} -68 V-3", kit.ink(0.22), 2)
    level = -12 if kit.state == "empty" else -46
    kit.lay(slab(-33, level, 16, -8 - level, 3), "#a9dbf0")
    kit.trace(slab(-33, -58, 16, 50, 3), kit.lit(STEEL), 1.6)


def _pump(kit: Kit) -> None:
    kit.shadow(38, flat=0.14)
    kit.tube("M-46 -28 H-16", STEEL, 10)
    kit.tube("M14 -44 V-84", STEEL, 10)
    kit.form(oval(-2, -30, 26, 26), kit.accent, "slant", core=3)
    kit.form(oval(-2, -30, 9, 9), STEEL, "metal")
    kit.form(slab(20, -40, 28, 22, 4), IRON, "slant")
    kit.form(slab(-24, -6, 50, 6, 2), IRON, "flat")


def _filter(kit: Kit) -> None:
    kit.shadow(24, flat=0.16)
    kit.tube("M-44 -72 H44", STEEL, 9)
    kit.form(slab(-22, -82, 44, 20, 4), IRON, "slant")
    kit.form("M-19 -62 H19 L15 -6 C14 0 -14 0 -15 -6 Z", "#bcdcec", "round", core=2)
    for y in (-52, -42, -32, -22, -12):
        kit.trace(f"M-16 {y} H16", kit.shade("#7fa9bf"), 2)


def _cable(kit: Kit) -> None:
    kit.shadow(40, flat=0.12)
    kit.tube("M-46 -6 C-20 -6 -30 -50 0 -50 C30 -50 16 -8 -8 -14 C-28 -20 -10 -70 24 -66", IRON, 6)
    kit.form(slab(22, -80, 22, 28, 4), IRON, "slant")
    for y in (-74, -60):
        kit.form(slab(44, y - 2, 9, 4, 1), STEEL, "metal")


def _shelf(kit: Kit) -> None:
    """Full, unless it is said to be empty."""
    kit.shadow(46, flat=0.1)
    wood = "#a9744a"
    kit.lay(slab(-44, -98, 88, 97, 2), kit.deep("#5d4330"))
    for y in (-98, -68, -37, -6):
        kit.form(slab(-46, y, 92, 5, 1), wood, "flat")
    for x in (-46, 42):
        kit.form(slab(x, -98, 5, 98, 1), wood, "flat")
    if kit.state == "empty":
        return
    colours = (kit.accent, "#d8a24a", "#6f9fb0", "#b7583f", "#e6ddc8", "#6f8f5a")
    for row, foot in enumerate((-68, -37, -6)):
        for column in range(6):
            high = 17 + (row * 5 + column * 7) % 8
            colour = colours[(row + column * 2) % len(colours)]
            kit.form(slab(-38 + column * 13, foot - high, 10.5, high, 2), colour, "round")


def _sofa(kit: Kit) -> None:
    kit.shadow(50, flat=0.12)
    cloth = kit.accent
    kit.form(slab(-42, -56, 84, 40, 9), mix(cloth, "#000000", 0.12), "slant", core=2)
    for x in (-40, 1):
        kit.form(slab(x, -32, 39, 18, 6), cloth, "slant")
    for x in (-50, 38):
        kit.form(slab(x, -44, 13, 38, 6), cloth, "slant", core=2)
    for x in (-42, 38):
        kit.form(slab(x, -6, 5, 6, 1), IRON, "flat")


def _bed(kit: Kit) -> None:
    kit.shadow(52, flat=0.1)
    kit.form(slab(-50, -62, 8, 61, 3), "#8a5f3f", "slant")
    kit.form(slab(42, -38, 8, 37, 3), "#8a5f3f", "slant")
    kit.form(slab(-44, -30, 88, 20, 5), WHITE, "slant")
    kit.form(slab(-40, -42, 24, 14, 6), "#f6f2ea", "soft")
    kit.form("M-12 -36 C8 -40 30 -38 44 -32 V-8 H-12 Z", kit.accent, "slant", core=2)


def _chair(kit: Kit) -> None:
    kit.shadow(30, flat=0.14)
    for path in ("M-22 -44 L-26 0", "M20 -44 L24 0", "M-16 -92 L-20 -44", "M16 -92 L18 -44"):
        kit.tube(path, "#8a5f3f", 4.4)
    kit.form(slab(-20, -92, 40, 20, 5), kit.accent, "slant")
    kit.form(slab(-26, -49, 52, 8, 4), kit.accent, "slant", core=2)


def _table(kit: Kit) -> None:
    kit.shadow(50, flat=0.1)
    for x in (-40, 36):
        kit.form(slab(x, -50, 5, 50, 1), "#7d5536", "flat")
    kit.form(slab(-50, -56, 100, 8, 2), "#a9744a", "slant", core=2)


def _door(kit: Kit) -> None:
    kit.lay(slab(-32, -100, 64, 100, 2), kit.deep("#6b4a34"))
    if kit.state == "open":
        kit.lay(slab(-27, -95, 54, 95, 1), kit.lit("#ffe9b8"))
        kit.form(poly((-27, -95), (-6, -88), (-6, 8), (-27, 0)), kit.accent, "slant")
        return
    kit.form(slab(-27, -95, 54, 95, 1), kit.accent, "slant", core=2)
    for y in (-86, -44):
        kit.trace(slab(-19, y, 38, 34, 2), kit.ink(0.35), 1.6)
    kit.form(oval(19, -48, 3, 3), "#d9b45a", "metal")


def _window(kit: Kit) -> None:
    kit.lay(slab(-40, -92, 80, 84, 2), kit.lit("#f2ece0"))
    for x in (-35, 3):
        glass = "#ffd98a" if kit.state == "lit" else "#9fc3d8"
        kit.lay(slab(x, -87, 32, 74, 1), glass if kit.state == "lit" else kit.base(glass))
        kit.trace(f"M{x} -50 H{x + 32}", kit.lit("#f2ece0"), 3)
    kit.form(slab(-46, -9, 92, 7, 2), "#d8cfbd", "flat")


PAINTERS = {
    "fridge": _fridge,
    "washing_machine": _washing_machine,
    "tap": _tap,
    "toilet": _toilet,
    "router": _router,
    "socket": _socket,
    "solar_panel": _solar_panel,
    "inverter": _inverter,
    "robot_mower": fitted(_robot_mower, 0.85, x=0),
    "charging_station": _charging_station,
    "water_tank": _water_tank,
    "pump": _pump,
    "filter": _filter,
    "cable": _cable,
    "shelf": _shelf,
    "sofa": _sofa,
    "bed": _bed,
    "chair": _chair,
    "table": _table,
    "door": _door,
    "window": _window,
}
