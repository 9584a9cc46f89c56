"""Bees, and where they live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import STEEL, fitted, oval

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _bee_body(kit: Kit) -> None:
    """In profile, its head to the left; about a hundred wide, around its middle."""
    dark = "#2a2220"
    wing = mix(kit.white, kit.base("#cfe2ea"), 0.5)
    for path in (
        "M2 -22 C-2 -50 14 -76 34 -74 C46 -70 34 -40 10 -20 Z",
        "M8 -20 C22 -42 46 -56 58 -48 C64 -38 40 -22 14 -16 Z",
    ):
        kit.lay(path, clear(wing, 0.5))
        kit.trace(path, clear(wing, 0.85), 0.9)
        kit.edge(path, kit.white, 1.2)
    kit.trace(
        "M4 -24 C8 -46 20 -62 32 -70 M10 -34 L30 -50 M12 -20 C26 -34 42 -44 54 -46",
        clear(kit.base("#6d8590"), 0.6),
        0.6,
    )
    for x, bend in ((-14, -5), (-4, 0), (6, 6)):
        kit.trace(f"M{x} 10 q{bend - 3} 8 {bend} 14 q-1 4 -4 6", kit.deep(dark), 2.2)
    belly = "M4 -12 C20 -26 46 -18 52 6 C54 14 50 18 44 17 C28 22 8 20 0 10 Z"
    kit.form(belly, "#e2a32c", "soft", rim=1.2, core=4)
    with kit.within(belly):
        for x, wide in ((14, 7), (27, 6.6), (39, 6)):
            kit.lay(
                f"M{x} -30 Q{x + 8} 0 {x - 2} 26 h{wide} Q{x + wide + 9} 0 {x + wide} -30 Z",
                kit.base(dark),
            )
        kit.lay("M8 -16 C22 -24 40 -18 47 -2 C38 -12 22 -16 8 -10 Z", kit.shine(0.24))
    chest = "M-22 -14 C-14 -26 8 -24 11 -8 C13 6 4 15 -8 14 C-20 13 -26 -2 -22 -14 Z"
    kit.form(chest, "#c98a2a", "soft", rim=1.2, core=4)
    for index in range(16):
        x, y = -18 + (index * 7) % 27, -16 + (index * 11) % 26
        kit.trace(f"M{x} {y} q1 -3 3 -4", clear(kit.lit("#f4cf74"), 0.6), 0.9)
    kit.form(
        "M-40 -8 C-41 -18 -28 -22 -22 -14 C-18 -8 -20 4 -27 7 C-34 8 -39 2 -40 -8 Z",
        dark,
        "soft",
        rim=1,
    )
    kit.form(
        "M-39 -9 C-38 -15 -31 -16 -29 -10 C-28 -4 -32 1 -35 0 C-38 -2 -39 -5 -39 -9 Z",
        "#14110f",
        "soft",
        rim=0.6,
    )
    kit.brush.ellipse(-35 + kit.side * 1.4, -9.6, 1.5, 1, kit.shine(0.8))
    kit.trace("M-33 -17 Q-38 -28 -48 -29 M-29 -18 Q-30 -30 -39 -34", kit.deep(dark), 1.4)


def small_bee(kit: Kit) -> None:
    """The same from afar."""
    kit.lay("M2 -18 C0 -50 20 -78 36 -70 C48 -60 28 -30 8 -16 Z", clear(kit.white, 0.6))
    kit.lay("M8 -16 C24 -42 56 -52 60 -42 C60 -30 30 -18 12 -14 Z", clear(kit.white, 0.5))
    kit.lay(oval(24, 0, 29, 18, 0.16), kit.base("#e2a32c"))
    kit.lay(oval(-8, -4, 18, 18), kit.base("#b97c24"))
    kit.lay(
        "M12 -18 q8 18 0 35 h9 q8 -18 0 -35 Z M32 -15 q7 16 0 32 h8 q7 -16 0 -31 Z",
        kit.base("#2a2220"),
    )
    kit.lay(oval(-30, -6, 11, 13), kit.base("#2a2220"))


def _bee(kit: Kit) -> None:
    kit.shadow(26, flat=0.12, strength=0.45)
    with kit.brush.moved(-2, -38, scale=0.9, turn=0.1):
        _bee_body(kit)


def _bee_hive(kit: Kit) -> None:
    """Wooden boxes on legs, a landing board, bees before it."""
    box = Corner(kit, (52, 92, 44), turn=34, above=13)
    box.foot()
    for x, z in ((4, 40), (4, 4), (44, 4), (46, 40)):
        box.cuboid((x, x + 5), (0, 12), (z, z + 3), "#7a5a3c", rim=0.3)
    box.cuboid((-2, 54), (10, 15), (-5, 46), "#a37b4e")
    for low, colour in ((15, "#e6d3ae"), (39, mix(kit.accent, "#f0dcb4", 0.22)), (60, "#e6d3ae")):
        high = low + (24 if low == 15 else 21)  # noqa: PLR2004
        box.cuboid((0, 52), (low, high), (0, 44), colour)
        with box.front(0, high):
            kit.trace(
                f"M2 5 Q20 3.6 50 5.4 M2 11 Q28 12.6 50 10.6 M2 {high - low - 4} H50",
                kit.ink(0.1),
                0.5,
            )
            kit.brush.rect(18, 5.4, 16, 3.4, kit.ink(0.5), radius=1.7)
        with box.flank(52, high):
            kit.brush.rect(14, 5.4, 16, 3.4, kit.ink(0.5), radius=1.7)
    with box.front(6, 19):
        kit.brush.rect(0, 0, 40, 3, kit.deep("#201610"), radius=1.2)
    box.cuboid((-3, 55), (81, 86), (-3, 47), STEEL, rim=0.7)
    with box.front(26, 50):
        kit.letter(kit.brand, 0, 5, (40, 7), clear(kit.base("#4a2f14"), 0.9))
    for x, y, size, flip in (
        (-36, -38, 0.1, False),
        (-27, -58, 0.075, True),
        (-14, -17, 0.085, False),
        (36, -70, 0.07, True),
        (-42, -72, 0.06, False),
    ):
        with kit.brush.moved(x, y, scale=size, flip=flip, turn=0.2):
            small_bee(kit)


PAINTERS = {
    "bee": fitted(_bee, 0.92, x=-3),
    "bee_hive": _bee_hive,
}
