"""What rides, grows, grazes or shines outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import (
    IRON,
    LEAF,
    RUBBER,
    STEEL,
    WHITE,
    fitted,
    oval,
    poly,
    slab,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _wheel(kit: Kit, x: float, radius: float) -> None:
    kit.form(oval(x, -radius, radius, radius), RUBBER, "slant")
    kit.form(oval(x, -radius, radius * 0.5, radius * 0.5), STEEL, "metal")


def _bike_light(kit: Kit) -> None:
    """A rear light on a seat post."""
    kit.tube("M-20 -6 L-8 -96", STEEL, 11)
    kit.form(slab(-24, -64, 22, 14, 3), IRON, "slant")
    kit.form(slab(-6, -82, 42, 48, 11), IRON, "slant", core=3)
    red = "#e03a2f"
    if kit.state == "off":
        red = "#6f2a26"
    else:
        kit.brush.glow(16, -58, 62, "#ff5a48", 0.9)
    kit.form(slab(0, -77, 31, 38, 9), red, "round")
    for x in (8, 23):
        for y in (-68, -58, -48):
            kit.brush.circle(x, y, 3.4, "#ffd2c8" if kit.state != "off" else kit.base("#8f4a44"))


def _taxi(kit: Kit) -> None:
    kit.shadow(52, flat=0.08)
    yellow = "#f0b429"
    kit.form(
        "M-50 -12 C-50 -24 -46 -27 -34 -28 L-22 -44 C-20 -46 18 -46 20 -44 L34 -29 C46 -28 "
        "50 -24 50 -12 Z",
        yellow,
        "slant",
        core=3,
    )
    for left, right in ((-20, -2), (2, 20)):
        kit.lay(
            poly(
                (left, -29),
                (left + 3, -42),
                (right - 2, -42),
                (right + (6 if right > 0 else 0), -29),
            ),
            "#26323a",
        )
    kit.form(slab(-10, -53, 20, 8, 2), "#fff2b8", "flat")
    kit.letter("TAXI", 0, -49, (17, 5), "#26323a")
    for x in range(-40, 42, 8):
        kit.lay(slab(x, -22, 4, 4), kit.base("#26323a"))
    for x in (-28, 28):
        _wheel(kit, x, 9.5)
    if kit.state == "lit" or kit.light.dark:
        kit.brush.glow(50, -20, 26, "#fff0b0", 0.9)
        kit.brush.glow(0, -50, 20, "#fff0b0", 0.7)


def _truck(kit: Kit) -> None:
    kit.shadow(54, flat=0.08)
    kit.form(slab(-52, -62, 68, 50, 2), kit.accent, "slant", core=3)
    kit.letter(kit.brand, -18, -38, (54, 12), kit.on(kit.accent))
    kit.form("M18 -46 H36 C40 -46 46 -34 48 -26 V-12 H18 Z", WHITE, "slant", core=2)
    kit.lay(poly((24, -42), (35, -42), (42, -28), (24, -28)), "#6f93a8")
    for x in (-36, -14, 34):
        _wheel(kit, x, 9.5)


def _bus(kit: Kit) -> None:
    kit.shadow(54, flat=0.08)
    kit.form(slab(-52, -62, 104, 52, 7), kit.accent, "slant", core=3)
    for x in range(-46, 40, 15):
        kit.lay(slab(x, -55, 12, 18, 2), "#9fc0d0")
    kit.lay(slab(-52, -26, 104, 4), kit.lit("#f4f0e6"))
    for x in (-32, 32):
        _wheel(kit, x, 10)


def _train(kit: Kit) -> None:
    kit.shadow(54, flat=0.06)
    kit.form("M-54 -58 H30 C46 -58 54 -36 54 -12 H-54 Z", kit.accent, "slant", core=3)
    kit.lay("M32 -52 C42 -50 48 -40 50 -32 H32 Z", "#26323a")
    for x in range(-48, 24, 17):
        kit.lay(slab(x, -50, 13, 16, 2), "#a9c8d6")
    for x in (-40, -22, 16, 36):
        _wheel(kit, x, 6.4)
    kit.trace("M-60 1 H60", kit.base(STEEL), 3)


def _kayak(kit: Kit) -> None:
    kit.brush.ellipse(0, -4, 58, 6, clear("#7fb8d0", 0.75))
    kit.form("M-58 -16 C-30 -4 30 -4 58 -16 C40 -26 -40 -26 -58 -16 Z", kit.accent, "slant", core=3)
    kit.lay(oval(0, -19, 15, 5), kit.deep("#2a2f33"))
    kit.tube("M-36 -52 L34 -6", "#c99a5a", 3.4)
    for x, y, turn in ((-40, -55, 0.58), (38, -6, 0.58)):
        kit.form(oval(x, y, 10, 5, turn), "#e9d9b8", "slant")


def _scooter(kit: Kit) -> None:
    kit.shadow(40, flat=0.1)
    kit.tube("M26 -10 L34 -88", IRON, 5)
    kit.tube("M22 -88 H46", IRON, 4.4)
    kit.form(slab(-34, -15, 60, 7, 3), kit.accent, "slant")
    for x in (-32, 27):
        _wheel(kit, x, 8)


def _wheelchair(kit: Kit) -> None:
    kit.shadow(40, flat=0.12)
    kit.tube("M-22 -88 V-44 H22 L30 -8", IRON, 4.4)
    kit.form(slab(-22, -84, 9, 40, 3), kit.accent, "slant")
    kit.form(slab(-22, -48, 44, 8, 3), kit.accent, "slant")
    kit.trace(oval(-8, -28, 28, 28), kit.base(RUBBER), 5)
    kit.trace(oval(-8, -28, 23, 23), kit.base(STEEL), 1.4)
    _wheel(kit, 30, 7)


def _stroller(kit: Kit) -> None:
    kit.shadow(40, flat=0.12)
    kit.form("M-30 -56 C-30 -90 10 -92 12 -56 Z", kit.accent, "slant", core=2)
    kit.form(
        "M-34 -56 H32 C30 -34 16 -28 0 -28 C-20 -28 -32 -36 -34 -56 Z",
        mix(kit.accent, "#000000", 0.2),
        "slant",
    )
    kit.tube("M30 -56 L46 -80", IRON, 4)
    kit.tube("M-14 -28 L20 -8 M14 -28 L-22 -8", IRON, 3.4)
    for x in (-22, 22):
        _wheel(kit, x, 9)


def _sheep(kit: Kit) -> None:
    kit.shadow(44, flat=0.12)
    for x in (-22, -10, 12, 24):
        kit.form(slab(x, -22, 6, 22, 2), IRON, "flat")
    fleece = "#efe9dc"
    for x, y, radius in (
        (-26, -44, 17),
        (-8, -52, 20),
        (12, -52, 19),
        (27, -42, 15),
        (0, -36, 24),
        (-18, -32, 16),
        (18, -32, 16),
    ):
        kit.form(oval(x, y, radius, radius), fleece, "soft", rim=0)
    kit.form("M28 -62 C40 -64 48 -54 46 -42 C44 -34 34 -36 30 -44 Z", IRON, "slant")
    kit.form(oval(27, -60, 8, 3.6, 0.4), IRON, "slant")
    kit.brush.circle(39, -54, 1.5, kit.lit(WHITE))


def _hedgehog(kit: Kit) -> None:
    kit.shadow(38, flat=0.14)
    spikes: list[tuple[float, float]] = [(-40, -10)]
    for step in range(13):
        x = -38 + step * 5
        top = -34 - 14 * (1 - ((step - 6) / 6) ** 2)
        spikes += [(x, top - 7), (x + 2.5, top + 3)]
    spikes += [(28, -8), (20, 0), (-34, 0)]
    kit.form(poly(*spikes), "#6f5540", "slant", core=2)
    kit.form("M22 -32 C34 -30 46 -18 47 -11 C40 -4 26 -4 18 -6 Z", "#c9a27a", "slant")
    kit.brush.circle(46, -12, 2.6, kit.deep("#222222"))
    kit.brush.circle(33, -20, 1.9, kit.deep("#222222"))


def _bird(kit: Kit) -> None:
    kit.form(
        "M-40 -40 C-20 -70 10 -70 24 -56 C34 -58 40 -52 48 -48 L34 -44 C30 -22 4 -14 -16 "
        "-24 L-44 -18 Z",
        kit.accent,
        "slant",
        core=2,
    )
    kit.form(
        "M-14 -42 C-2 -62 16 -58 12 -40 C6 -28 -8 -30 -14 -42 Z",
        mix(kit.accent, "#000000", 0.22),
        "slant",
    )
    kit.brush.circle(28, -51, 2, kit.deep("#222222"))
    kit.trace("M-2 -22 V0 M8 -22 V0", kit.base("#8a5f3f"), 2.4)


def _fish(kit: Kit) -> None:
    kit.form(
        "M-46 -50 L-30 -40 C-16 -64 28 -64 46 -40 C28 -16 -16 -16 -30 -40 L-46 -26 Z",
        kit.accent,
        "slant",
        core=3,
    )
    kit.trace("M18 -56 Q10 -40 18 -24", kit.ink(0.3), 1.8)
    kit.brush.circle(31, -45, 3, kit.deep("#222222"))


def _tree(kit: Kit) -> None:
    kit.shadow(34, flat=0.14)
    kit.form("M-7 0 C-4 -18 -5 -30 -6 -44 H6 C5 -30 4 -18 8 0 Z", "#7d5536", "slant")
    for x, y, radius in ((-20, -52, 20), (20, -54, 20), (0, -72, 25), (0, -50, 22)):
        kit.form(oval(x, y, radius, radius), LEAF, "soft", rim=0.4)


def _christmas_tree(kit: Kit) -> None:
    kit.shadow(36, flat=0.14)
    kit.form(slab(-6, -14, 12, 14, 2), "#7d5536", "slant")
    for top, foot, half in ((-98, -64, 20), (-78, -38, 30), (-56, -12, 40)):
        kit.form(poly((0, top), (half, foot), (-half, foot)), "#3f7050", "slant", core=2)
    for x, y in ((-8, -70), (10, -58), (-16, -44), (6, -38), (24, -20), (-26, -20), (-4, -18)):
        kit.brush.circle(x, y, 3.4, kit.lit(kit.accent))
        kit.brush.glow(x, y, 9, "#ffd98a", 0.5)
    kit.lay(
        "M0 -106 L3 -99 L10 -98 L4.6 -93 L6 -86 L0 -90 L-6 -86 L-4.6 -93 L-10 -98 L-3 -99 Z",
        "#ffd76a",
    )


def _flower(kit: Kit) -> None:
    kit.tube("M0 0 C-4 -20 2 -40 0 -58", LEAF, 4)
    kit.form("M0 -20 C14 -36 26 -32 30 -28 C24 -16 10 -14 0 -20 Z", LEAF, "slant")
    for x, y in ((0, -88), (18, -76), (12, -56), (-12, -56), (-18, -76)):
        kit.form(oval(x, y, 13, 13), kit.accent, "soft")
    kit.form(oval(0, -70, 10, 10), "#f0b429", "soft")


def _sun(kit: Kit) -> None:
    kit.brush.glow(0, -50, 56, "#ffe08a", 0.8)
    kit.form(oval(0, -50, 26, 26), "#ffc23c", "soft", rim=0)
    for x, y, dx, dy in (
        (0, -84, 0, -12),
        (0, -16, 0, 12),
        (-34, -50, -12, 0),
        (34, -50, 12, 0),
        (-24, -74, -9, -9),
        (24, -74, 9, -9),
        (-24, -26, -9, 9),
        (24, -26, 9, 9),
    ):
        kit.trace(f"M{x} {y} L{x + dx} {y + dy}", "#ffc23c", 5)


def _cloud(kit: Kit) -> None:
    for x, y, radius in ((-24, -58, 18), (0, -68, 24), (24, -58, 18), (0, -52, 20)):
        kit.form(oval(x, y, radius, radius), "#e6ebef", "soft", rim=0)
    for x in (-24, -8, 8, 24):
        kit.trace(f"M{x} -28 L{x - 6} -6", "#6fa9cf", 4)


def _campfire(kit: Kit) -> None:
    kit.brush.glow(0, -40, 60, "#ff9a3c", 0.9)
    kit.lay(
        "M0 -92 C26 -62 30 -34 18 -12 H-18 C-32 -36 -14 -52 -12 -70 C-6 -62 -2 -72 0 -92 Z",
        "#f08a2c",
    )
    kit.lay("M2 -60 C16 -42 14 -24 8 -12 H-8 C-16 -28 -2 -40 2 -60 Z", "#ffd76a")
    for path in ("M-36 -2 L30 -16", "M36 -2 L-30 -16"):
        kit.tube(path, "#6b4a34", 9)


def _snowflake(kit: Kit) -> None:
    for angle in range(3):
        with kit.brush.moved(0, -50, turn=angle * 1.0472):
            kit.trace(
                "M0 -42 V42 M-12 -34 L0 -22 L12 -34 M-12 34 L0 22 L12 34", kit.lit("#dcecf7"), 5
            )


PAINTERS = {
    "bike_light": fitted(_bike_light, 0.92, x=-3),
    "taxi": _taxi,
    "truck": _truck,
    "bus": _bus,
    "train": fitted(_train, 0.86),
    "kayak": fitted(_kayak, 0.9),
    "scooter": _scooter,
    "wheelchair": _wheelchair,
    "stroller": _stroller,
    "sheep": _sheep,
    "hedgehog": _hedgehog,
    "bird": _bird,
    "fish": _fish,
    "tree": _tree,
    "christmas_tree": fitted(_christmas_tree, 0.94),
    "flower": _flower,
    "sun": _sun,
    "cloud": _cloud,
    "campfire": _campfire,
    "snowflake": _snowflake,
}
