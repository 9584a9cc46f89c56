"""What grows, what lives on it, and what waters it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.bees import small_bee
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import (
    LEAF,
    OAK,
    STEEL,
    fitted,
    oval,
    slab,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_PETALS = ((-0.6, 0.3, 0.6), (0.6, 0.3, 0.6), (0.0, -0.3, 0.8), (-0.4, -0.9, 0.5), (0.4, -0.9, 0.5))
_HERBS = ("#7da05a", "#6a9250", "#8caf68")
_BLOSSOMS = ("#a77fc0", "#c49ad6", "#d98fb4")
_EARTH = "#4a3424"


def leaf(kit: Kit, x: float, y: float, size: float, turn: float, colour: str = LEAF) -> None:
    """A leaf that grows upwards from a point, turned; one half of it lies in shadow."""
    with kit.brush.moved(x, y, scale=size / 20, turn=turn):
        kit.form("M0 0 C-6 -4 -7.4 -13 0 -21 C7.4 -13 6 -4 0 0 Z", colour, rim=0.6)
        half = "M0 0 C6 -4 7.4 -13 0 -21 Z" if kit.side < 0 else "M0 0 C-6 -4 -7.4 -13 0 -21 Z"
        kit.lay(half, clear(kit.deep(colour), 0.4))
        kit.trace("M0 -0.4 V-17.6", clear(kit.lit(colour), 0.7), 0.5)


def _plant(kit: Kit) -> None:
    """Large leaves with cuts, in a pot."""
    kit.shadow(24, flat=0.16)
    for x, y, bend in (
        (-22, -66, -10),
        (24, -60, 12),
        (-4, -78, -4),
        (14, -80, 6),
        (-30, -46, -16),
        (32, -44, 18),
    ):
        kit.trace(f"M0 -32 Q{bend * 0.3} {y * 0.7} {x} {y}", kit.shade("#4d7a44"), 1.5)
    for x, y, size, turn, colour in (
        (-30, -42, 25, -1.5, "#4c7d48"),
        (32, -40, 26, 1.45, "#4c7d48"),
        (-20, -60, 30, -0.85, "#5a8d50"),
        (22, -56, 30, 0.8, "#558a4e"),
        (13, -72, 28, 0.34, "#6a9d58"),
        (-5, -70, 30, -0.2, "#629654"),
    ):
        _broad(kit, x, y, size, turn, colour)
    kit.mould((22, -33), (16, -0.4), "#e4ddd0", mid=0)
    kit.mouth(0, -33, 22, "#f2ece0", _EARTH, flat=0.17)
    kit.lay(
        "M-21.4 -24 C-12 -20 12 -20 21.4 -24 L20.6 -18 C12 -14.2 -12 -14.2 -20.6 -18 Z",
        kit.ramp(kit.stops(kit.accent, "round"), (-21, 21)),
    )
    for x, y, size, turn in ((-9, -34, 22, -1.05), (9, -34, 20, 1.0)):
        _broad(kit, x, y, size, turn, "#74a660")


def _broad(kit: Kit, x: float, y: float, size: float, turn: float, colour: str) -> None:
    with kit.brush.moved(x, y, scale=size / 24, turn=turn):
        kit.form(
            "M0 0 C-4 2 -11 -1 -12 -8 L-8 -9 L-12.4 -12 C-12 -16 -9 -20 -6 -22 L-4.6 -18 "
            "L-4.4 -24 C-2 -26 0 -27 1 -27.6 C6 -26 8 -23 9.6 -20 L6 -18 L11 -16.4 "
            "C13 -12 12 -8 11 -5 L7 -7 L9 -2.4 C6 1 3 1.6 0 0 Z",
            colour,
            rim=0.7,
        )
        kit.lay("M0 0 C4 2 9 0 11 -5 C14 -14 8 -24 1 -27.6 Z", clear(kit.deep(colour), 0.3))
        kit.trace(
            "M0 0 Q-0.6 -14 1 -25 M0 -7 L-6 -11 M0.2 -12 L7 -15 M0 -6 L6 -8 M0 -14 L-5 -18",
            clear(kit.lit(colour), 0.55),
            0.5,
        )


def _window_box(kit: Kit) -> None:
    """Thyme and clover; one bee."""
    kit.shadow(52, flat=0.1)
    box = Corner(kit, (88, 24, 20), turn=12, above=14)
    stems = [(-40 + index * 4.2, (index * 37) % 17 - 8, index) for index in range(20)]
    bent, sprigs, shaded = [], dict.fromkeys(_HERBS, ""), ""
    for x, lean, index in stems:
        high = 30 + (int(x) * 13 + 40) % 16
        bent.append(
            f"M{x:.1f} -24 Q{x + lean * 0.3:.1f} {-24 - high * 0.6:.1f} {x + lean:.1f} {-24 - high}"
        )
        for share in (0.4, 0.52, 0.64, 0.76, 0.88):
            px, py = x + lean * share * share, -24 - high * share
            for way in (-1, 1):
                tip = f"{px + way * 4.4:.1f} {py - 2.6:.1f}"
                sprigs[_HERBS[index % 3]] += (
                    f"M{px:.1f} {py:.1f} q{way * 1} -3.4 {way * 4.4} -2.6 q{-way * 1} 3 "
                    f"{-way * 4.4} 2.6 Z"
                )
                shaded += f"M{px:.1f} {py:.1f} L{tip} q{-way * 1} 3 {-way * 4.4} 2.6 Z"
    kit.trace(" ".join(bent), kit.shade("#5c7f4c"), 0.9)
    for colour, path in sprigs.items():
        kit.lay(path, mix(kit.base(colour), kit.lit(colour), 0.4))
    kit.lay(shaded, clear(kit.deep(_HERBS[1]), 0.5))
    for x, lean, index in stems[1::2]:
        high = 30 + (int(x) * 13 + 40) % 16
        _blossom(kit, x + lean, -25 - high, 3.4, _BLOSSOMS[index % 3])
    box.cuboid((0, 88), (0, 24), (0, 20), mix(kit.accent, "#8a5a40", 0.25), top=_EARTH, rim=0.7)
    kit.lay(box.quad(((1, 24, 2), (87, 24, 2), (87, 24, 18), (1, 24, 18))), kit.shade(_EARTH))
    with box.front(0, 24):
        kit.trace("M0 8 H88 M0 16 H88", kit.ink(0.16), 0.6)
        kit.letter(kit.brand, 44, 12.4, (60, 7), kit.on(kit.accent))
    for x, turn in ((-38, -0.7), (-24, 0.5), (-6, -0.4), (12, 0.6), (28, -0.6), (38, 0.7)):
        for spread in (-0.5, 0.5):
            leaf(kit, x, -23 + abs(x) * 0.05, 8, turn + spread, "#6f9d54")
    with kit.brush.moved(31, -68, scale=0.14, flip=True):
        small_bee(kit)


def _blossom(kit: Kit, x: float, y: float, r: float, colour: str) -> None:
    for shift, share, fill in ((0.0, 1.0, kit.base(colour)), (0.17, 0.5, kit.lit(colour))):
        dots = ""
        for dx, dy, wide in _PETALS:
            px, py, pr = x + (dx + kit.side * shift) * r, y + (dy - shift) * r, r * wide * share
            dots += (
                f"M{px - pr:.2f} {py:.2f} a{pr} {pr} 0 1 0 {pr * 2} 0 a{pr} {pr} 0 1 0 "
                f"{-pr * 2} 0 Z"
            )
        kit.lay(dots, fill)


def _sapling(kit: Kit) -> None:
    kit.shadow(34, y=-3, flat=0.14, strength=0.6)
    for x, y, rx, ry in ((0.0, -7.0, 36, 9), (-14, -5, 18, 6), (16, -5, 20, 6)):
        kit.form(
            f"M{x - rx} 0 "
            f"C{x - rx * 0.7} {y - ry * 0.7} {x + rx * 0.7} {y - ry * 0.7} {x + rx} 0 "
            f"Q{x} 2.4 {x - rx} 0 Z",
            _EARTH,
            "slant",
            rim=0.6,
        )
    for x, y in ((-24, -4), (-8, -7), (12, -6), (26, -3), (2, -3), (-16, -2)):
        kit.brush.ellipse(x, y, 1.6, 1, kit.lit("#6b4c35"))
    kit.tube("M0 -10 C-3 -34 4 -54 1 -78", "#6f8a4c", 2.6)
    for x, y, size, turn in (
        (-1.0, -34, 24, -1.15),
        (1, -44, 26, 1.1),
        (2, -58, 22, -0.95),
        (2, -64, 22, 0.9),
        (1, -77, 20, -0.24),
        (1.4, -76, 15, 0.6),
    ):
        leaf(kit, x, y, size, turn, "#7fb04f")


def _sensor(kit: Kit) -> None:
    """A probe in the ground, cut open: what it feels is under the grass."""
    kit.shadow(48, y=0, flat=0.06, strength=0.6)
    soil = "M-50 -40 C-34 -43 -14 -39 4 -41 S40 -43 50 -40 V-6 Q50 0 44 0 H-44 Q-50 0 -50 -6 Z"
    kit.lay(
        soil,
        kit.brush.linear(
            (0, -41),
            (0, 0),
            [(0.0, kit.lit("#7a573b")), (0.3, kit.base("#5a3f2b")), (1.0, kit.deep("#38271b"))],
        ),
    )
    kit.edge(soil, kit.lit("#8f6a49"), 0.8)
    with kit.within(soil):
        for x, y, rx, ry in (
            (-36.0, -20, 4, 2.6),
            (-24, -9, 3, 2),
            (30, -12, 5, 3),
            (40, -26, 3, 2),
            (18, -28, 2.4, 1.6),
            (-42, -31, 2.4, 1.6),
            (-16, -30, 2, 1.4),
        ):
            kit.form(oval(x, y, rx, ry), "#9a8a78", "slant", rim=0.4)
        kit.trace(
            "M-30 -42 C-30 -32 -24 -30 -26 -20 M-28 -34 C-34 -28 -34 -26 -36 -26 M34 -42 "
            "C33 -34 37 -32 35 -22",
            kit.lit("#b89a74"),
            0.8,
        )
    for index in range(26):
        x = -49 + index * 3.9
        high, lean = 7 + (index * 7) % 8, ((index * 5) % 7) - 3
        if abs(x) > 7:  # noqa: PLR2004
            kit.lay(
                f"M{x - 1.3} -40 Q{x} {-40 - high * 0.6} {x + lean} {-40 - high} "
                f"Q{x + 1.2} {-40 - high * 0.5} {x + 1.3} -40 Z",
                kit.base(("#6f9a4a", "#86ad58", "#5c8742")[index % 3]),
            )
    kit.form("M-3.4 -44 H3.4 V-13 L0 -5 L-3.4 -13 Z", STEEL, "metal", rim=0)
    for y in (-34, -26, -18):
        kit.brush.rect(-3.4, y, 6.8, 1.4, kit.ink(0.45))
    for r, alpha in ((12, 0.5), (19, 0.32), (26, 0.18)):
        kit.trace(
            f"M{-r} -24 A{r} {r * 0.8} 0 0 0 {r} -24",
            clear(kit.lit("#8fd0e6"), alpha),
            0.8,
            dash=(2, 1.6),
        )
    kit.form(slab(-11, -78, 22, 36, 6), "#eceeea", "round", rim=0.9)
    kit.form("M-11 -70 V-72 Q-11 -80 -4 -80 H4 Q11 -80 11 -72 V-70 Z", kit.accent, "round", rim=0.6)
    kit.tube("M6 -79 V-96", "#3a4149", 1.8)
    kit.brush.circle(0, -61, 3, kit.base("#2b3238"))
    kit.brush.circle(0, -61, 1.6, mix("#7fe0a0", kit.base("#7fe0a0"), 0.2))
    kit.lamp(0, -61, 9, "#7fe0a0", 0.8)
    kit.letter(kit.brand, 0, -51, (18, 3.6), kit.base("#39424a"))
    for r in (5, 9, 13):
        kit.trace(
            f"M{6 - r * 0.7} {-97 - r * 0.5} A{r} {r} 0 0 1 {6 + r * 0.7} {-97 - r * 0.5}",
            clear(kit.base(kit.accent), 0.9 - r * 0.05),
            1.1,
        )


def _water_drop(kit: Kit) -> None:
    """A drop that falls from a pipe, over the rings of the one before."""
    for rx, alpha in ((44, 0.25), (29, 0.4), (15, 0.6)):
        kit.trace(oval(0, -7, rx, rx * 0.15), clear(kit.lit("#bfe2ee"), alpha), 1)
    kit.lay(oval(0, -7, 44, 6.6), clear(kit.base("#6fb0c8"), 0.28))
    drop = (
        "M0 -92 C7 -70 25 -54 25 -36 C25 -22 14 -12 0 -12 C-14 -12 -25 -22 -25 -36 "
        "C-25 -54 -7 -70 0 -92 Z"
    )
    t = kit.tone("#4fa3c4")
    stops = [
        (0.0, clear(mix(t.lit, kit.white, 0.5), 0.9)),
        (0.35, clear(t.lit, 0.82)),
        (0.7, clear(t.base, 0.88)),
        (1.0, clear(t.shade, 0.95)),
    ]
    kit.lay(drop, kit.ramp(stops, (-25, 25), (-80, -12)))
    with kit.within(drop):
        kit.spot(-kit.side * 8, -22, 20, mix(t.lit, kit.white, 0.7), 0.8)
    kit.edge(drop, kit.white, 1.3)
    kit.edge(drop, t.deep, 1.6, away=True)
    s = kit.side
    kit.glint(
        f"M{s * 12} -52 C{s * 17} -46 {s * 19} -40 {s * 18} -33 "
        f"C{s * 17.6} -30 {s * 14} -31 {s * 14.4} -34 C{s * 14.4} -40 {s * 13} -44 {s * 9} -49 "
        f"C{s * 7.6} -51.6 {s * 10} -54 {s * 12} -52 Z",
        0.85,
    )
    kit.brush.circle(s * 16, -26, 1.7, kit.shine(0.85))


def _watering_can(kit: Kit) -> None:
    kit.shadow(36, x=6, flat=0.14)
    glaze = mix(kit.accent, "#5b7c74", 0.2)
    kit.tube("M-8 -18 L-42 -54", glaze, 5)
    kit.form("M-36 -62 L-50 -50 L-47 -46 L-38 -50 L-32 -58 Z", STEEL, "slant", rim=0.5)
    kit.tube("M30 -48 C52 -46 50 -14 31 -12", glaze, 4)
    kit.trace("M-8 -50 C-2 -80 24 -80 28 -50", kit.deep(glaze), 3.2)
    kit.trace("M-8.6 -51 C-2.6 -81 23.4 -81 27.4 -51", kit.lit(glaze), 0.9)
    with kit.brush.moved(10, 0):
        kit.mould((21, -52), (26, -0.6), glaze)
        kit.mouth(0, -52, 21, glaze, "#33464a", flat=0.18)
        kit.trace("M-24.4 -16 C-14 -12 14 -12 24.4 -16", kit.shine(0.3), 0.9)
        kit.letter(kit.brand, 0, -30, (32, 7), kit.on(glaze))
    for index, (x, y) in enumerate(((-53, -40), (-49, -34), (-55, -29), (-50, -22), (-54, -14))):
        kit.lay(
            f"M{x + 7} {y} q2 4 0 5.4 q-2.6 -1 0 -5.4 Z",
            clear(kit.lit("#8fc6da"), 0.85 - index * 0.05),
        )


def _wood_plank(kit: Kit) -> None:
    """Boards of spruce, planed, with shavings."""
    for index, (x, y, long, colour) in enumerate(
        ((-4, 0, 84, "#c8935a"), (3, 8.4, 80, "#dcb27a"), (-1, 16.8, 86, OAK))
    ):
        box = Corner(kit, (long, 8, 20), turn=16, above=20)
        with kit.brush.moved(x, -y):
            if not index:
                box.foot()
            box.cuboid((0, long), (0, 8), (0, 20), colour)
            with box.front(0, 8):
                kit.trace(
                    f"M1 2.4 Q{long * 0.3} 1.4 {long * 0.6} 2.6 T{long - 1} 2 M1 5 "
                    f"Q{long * 0.4} 6.4 {long - 1} 4.8",
                    kit.ink(0.18),
                    0.45,
                )
            with box.flank(long, 8):
                kit.trace(
                    "M3 8 A7 5 0 0 1 17 8 M6 8 A4 3 0 0 1 14 8 M1 5 Q10 -2.4 19 5",
                    kit.ink(0.3),
                    0.5,
                )
            if index == 2:  # noqa: PLR2004
                with box.lid(8):
                    kit.trace(
                        "M4 4 C24 2 40 7 80 4 M2 9 C16 7 24 12 34 10.4 S56 7 84 10 M4 15 "
                        "C30 17 50 13 82 16",
                        clear(kit.deep(colour), 0.4),
                        0.6,
                    )
                    kit.trace(
                        "M30 10.4 a5 2 0 1 0 10 0 a5 2 0 1 0 -10 0",
                        clear(kit.deep(colour), 0.55),
                        0.7,
                    )
    for x, y, size in ((-38, -2, 1.0), (-14, -0.6, 0.8), (40, -1, 0.7)):
        with kit.brush.moved(x, y, scale=size):
            kit.trace("M-8 0 C-2 -9 6 -6 4 -1.4 C2 2 -3 -0.4 -0.4 -3", kit.shade("#e0bd88"), 2.6)
            kit.trace("M-8 -0.6 C-2 -9.6 6 -6.6 4 -2", kit.lit("#f0d8aa"), 1.1)


PAINTERS = {
    "plant": fitted(_plant, 0.86),
    "sapling": _sapling,
    "sensor": fitted(_sensor, 0.93),
    "water_drop": _water_drop,
    "watering_can": _watering_can,
    "window_box": _window_box,
    "wood_plank": _wood_plank,
}
