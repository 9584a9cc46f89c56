"""What is worn, wrapped around or carried over somebody: cloth and what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import mix
from callsheet_studio.draw.props.kit import IRON, STEEL, fitted, oval, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _coat(kit: Kit, cloth: str) -> None:
    """Front, with its sleeves hanging."""
    for side in (-1, 1):
        kit.form(
            f"M{side * 16} -86 C{side * 32} -84 {side * 40} -66 {side * 46} -26 L{side * 33} -20 "
            f"C{side * 28} -44 {side * 24} -56 {side * 18} -62 Z",
            mix(cloth, "#000000", 0.1),
            "slant",
        )
    kit.form(
        "M-20 -88 C-8 -92 8 -92 20 -88 C27 -70 27 -20 29 -2 C10 2 -10 2 -29 -2 C-27 -20 -27 "
        "-70 -20 -88 Z",
        cloth,
        "slant",
        core=3,
    )
    kit.trace("M0 -84 V-1", kit.ink(0.45), 1.4)


def _rain_jacket(kit: Kit) -> None:
    cloth = kit.accent
    _coat(kit, cloth)
    kit.form("M-19 -86 C-19 -104 19 -104 19 -86 C12 -80 -12 -80 -19 -86 Z", cloth, "slant", core=2)
    kit.lay(oval(0, -88, 11, 8), kit.deep(cloth))
    for y in (-44, -14):
        kit.lay(
            f"M-27 {y} C-10 {y + 3} 10 {y + 3} 27 {y} V{y + 5} C10 {y + 8} -10 {y + 8} -27 "
            f"{y + 5} Z",
            kit.lit("#eef1f2"),
        )
    for y in (-72, -58, -30):
        kit.brush.circle(3.4, y, 1.5, kit.base(STEEL))


def _shirt(kit: Kit) -> None:
    _coat(kit, kit.accent)
    kit.form("M-12 -89 L0 -76 L12 -89 L7 -92 L0 -85 L-7 -92 Z", "#f4f0e6", "flat")


def _sleeve(kit: Kit) -> None:
    kit.form(
        "M-46 -70 C-20 -80 20 -60 44 -40 L34 -14 C8 -30 -20 -42 -44 -36 Z",
        kit.accent,
        "slant",
        core=3,
    )
    kit.form("M44 -40 L50 -34 L40 -8 L34 -14 Z", mix(kit.accent, "#000000", 0.25), "slant")
    for x, y in ((-20, -68), (0, -60), (18, -50)):
        kit.trace(f"M{x} {y} L{x - 6} {y + 22}", kit.ink(0.22), 1.6)


def _life_jacket(kit: Kit) -> None:
    orange = "#e8722c"
    kit.form(
        "M-32 -92 C-40 -60 -38 -20 -34 -2 H-4 V-70 C-10 -76 -14 -84 -15 -94 Z",
        orange,
        "slant",
        core=3,
    )
    kit.form(
        "M32 -92 C40 -60 38 -20 34 -2 H4 V-70 C10 -76 14 -84 15 -94 Z", orange, "slant", core=3
    )
    for y in (-56, -24):
        kit.lay(slab(-36, y, 72, 7, 1), kit.base(IRON))
        kit.form(slab(-6, y - 2, 12, 11, 2), STEEL, "metal")


def _umbrella(kit: Kit) -> None:
    if kit.state == "closed":
        kit.form(
            "M-8 -92 C-14 -60 -10 -40 0 -26 C10 -40 14 -60 8 -92 C4 -96 -4 -96 -8 -92 Z",
            kit.accent,
            "slant",
        )
        kit.tube("M0 -26 V-8 C0 2 14 2 14 -8", "#7d5536", 4)
        return
    kit.tube("M0 -84 V-10 C0 2 16 2 16 -8", "#7d5536", 4)
    kit.form(
        "M-50 -48 C-46 -90 46 -90 50 -48 C40 -56 30 -56 25 -48 C18 -56 8 -56 0 -48 C-8 -56 "
        "-18 -56 -25 -48 "
        "C-30 -56 -40 -56 -50 -48 Z",
        kit.accent,
        "slant",
        core=3,
    )
    for x in (-25, 0, 25):
        kit.trace(f"M{x} -48 Q{x * 0.6} -74 0 -80", kit.ink(0.25), 1.2)


def _blanket(kit: Kit) -> None:
    kit.shadow(48, flat=0.12)
    cloth = kit.accent
    for number in range(4):
        y = -14 - number * 13
        kit.form(
            slab(-44 + number, y, 88 - 2 * number, 13, 6),
            mix(cloth, "#ffffff", 0.12 * number),
            "slant",
            core=1,
        )
    for x in range(-40, 42, 8):
        kit.trace(f"M{x} -2 V3.5", kit.base("#f0e6d4"), 1.6)
    for x in (-22, 2, 24):
        kit.lay(slab(x, -53, 6, 52, 1), kit.ink(0.14))


def _wool(kit: Kit) -> None:
    kit.shadow(40, flat=0.16)
    for x, y, radius, colour in (
        (-20, -24, 24, kit.accent),
        (22, -20, 20, "#d8c8a8"),
        (2, -56, 20, "#8f9fb0"),
    ):
        kit.form(oval(x, y, radius, radius), colour, "soft", core=2)
        for turn in (-0.5, 0.0, 0.5):
            kit.trace(
                f"M{x - radius * 0.8} {y + radius * turn} Q{x} {y - radius * 0.9 + radius * turn} "
                f"{x + radius * 0.8} {y + radius * turn}",
                kit.ink(0.22),
                1.4,
            )
    kit.trace("M30 -2 C44 4 50 -6 46 -14", kit.base("#d8c8a8"), 2)


def _net(kit: Kit) -> None:
    kit.form("M-46 -80 H46 C40 -40 24 -6 0 0 C-24 -6 -40 -40 -46 -80 Z", "#4f7f86", "soft")
    for x in range(-40, 48, 12):
        kit.trace(f"M{x} -80 L{x * 0.2 - 14} -4", kit.lit("#d6e4de"), 1.2)
        kit.trace(f"M{x} -80 L{x * 0.2 + 14} -4", kit.lit("#d6e4de"), 1.2)
    for x in (-40, -14, 14, 40):
        kit.form(oval(x, -82, 5, 5), "#e8722c", "slant")


def _handbag(kit: Kit) -> None:
    kit.shadow(38, flat=0.14)
    kit.tube("M-20 -54 C-20 -92 20 -92 20 -54", mix(kit.accent, "#000000", 0.3), 4.4)
    kit.form("M-34 -56 H34 L42 -2 C20 2 -20 2 -42 -2 Z", kit.accent, "slant", core=3)
    kit.form(slab(-6, -50, 12, 8, 2), "#d9b45a", "metal")


def _hat(kit: Kit) -> None:
    kit.shadow(46, flat=0.1)
    kit.form("M-24 -14 C-26 -52 26 -52 24 -14 Z", kit.accent, "slant", core=2)
    kit.form(oval(0, -10, 48, 9), kit.accent, "slant")
    kit.lay("M-24 -18 C-8 -13 8 -13 24 -18 V-26 C8 -21 -8 -21 -24 -26 Z", kit.base(IRON))


def _drinking_bottle(kit: Kit) -> None:
    kit.shadow(20, flat=0.18)
    kit.form(slab(-18, -78, 36, 77, 9), kit.accent, "round", core=2)
    kit.form(slab(-14, -92, 28, 16, 4), STEEL, "metal")
    kit.form(slab(-10, -99, 20, 8, 3), IRON, "slant")
    kit.trace("M-9 -70 V-12", kit.shine(0.5), 3)
    kit.letter(kit.brand, 0, -42, (30, 9), kit.on(kit.accent))


PAINTERS = {
    "drinking_bottle": _drinking_bottle,
    "rain_jacket": _rain_jacket,
    "shirt": _shirt,
    "sleeve": _sleeve,
    "life_jacket": _life_jacket,
    "umbrella": _umbrella,
    "blanket": fitted(_blanket, 0.8),
    "wool": _wool,
    "fishing_net": _net,
    "handbag": _handbag,
    "hat": _hat,
}
