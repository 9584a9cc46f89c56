"""Paper and what is made of it: boxes, letters, lists, books, tickets, maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import (
    IRON,
    PAPER,
    STEEL,
    oval,
    poly,
    slab,
)
from callsheet_studio.draw.props.panels import paint_map

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_CARD = "#c89b66"


def _box(kit: Kit) -> None:
    """A product's own box: the film's colour, a name."""
    box = Corner(kit, (58, 66, 36), turn=31, above=15)
    box.foot()
    box.cuboid((0, 58), (0, 66), (0, 36), mix(kit.accent, "#f6efe2", 0.04), rim=0.8)
    pale = "#fbf3e2"
    with box.front(0, 66):
        with kit.within(slab(0, 0, 58, 66)):
            kit.lay("M0 44 C14 34 24 52 38 42 S52 36 58 38 V66 H0 Z", clear(kit.base(pale), 0.9))
            kit.lay(
                "M0 49 C14 39 24 57 38 47 S52 41 58 43 V46 C52 44 48 45 38 51 S14 43 0 53 Z",
                clear(kit.base(kit.accent), 0.5),
            )
        kit.letter(kit.brand, 29, 20, (46, 12), kit.on(kit.accent))
        if not kit.brand:
            kit.brush.circle(29, 20, 9, clear(kit.base(pale), 0.9))
        kit.bars(20, 30, (18,), gap=1, thick=1.2, colour=clear(kit.on(kit.accent), 0.7))
    with box.flank(58, 66):
        kit.brush.rect(0, 46, 36, 20, clear(kit.base(pale), 0.55))
        kit.bars(5, 12, (20, 26, 15, 22), gap=4.4, thick=1.1, colour=clear(kit.on(kit.accent), 0.4))
        for index in range(9):
            kit.brush.rect(6 + index * 1.5, 54, 0.5 + index % 3 * 0.3, 7, kit.ink(0.6))
    with box.lid(66):
        kit.trace("M0 18 H58", kit.ink(0.25), 0.5)
        kit.lay(slab(23, 0, 12, 6, 6), kit.ink(0.3))


def _parcel(kit: Kit) -> None:
    box = Corner(kit, (62, 46, 46), turn=33, above=19)
    box.foot()
    box.cuboid((0, 62), (0, 46), (0, 46), _CARD, rim=0.7)
    tape = clear(mix(kit.base("#e5c690"), kit.base(kit.accent), 0.55), 0.9)
    with box.lid(46):
        kit.trace("M0 23 H62", kit.ink(0.35), 0.5)
        kit.brush.rect(0, 18.6, 62, 9, tape)
        kit.trace("M8 5 H54 M6 40 H58", kit.ink(0.06), 0.5)
    with box.flank(62, 46):
        kit.brush.rect(18.6, 0, 9, 14, tape)
        kit.lay("M18.6 14 l1.5 1.4 l1.5 -1.4 l1.5 1.4 l1.5 -1.4 l1.5 1.4 l1.5 -1.4 Z", tape)
        for x in (31, 38):
            kit.trace(
                f"M{x} 39 v-7 m-2.2 2.4 l2.2 -2.6 l2.2 2.6 M{x - 2.6} 41 h5.2", kit.ink(0.5), 0.8
            )
    with box.front(0, 46):
        kit.brush.rect(8, 11, 33, 22, kit.base(PAPER), radius=0.8)
        kit.letter(kit.brand, 19, 15.4, (19, 4), kit.base("#2b2e33"))
        kit.bars(11, 20, (17, 21, 13), gap=3, thick=1.1, colour=kit.ink(0.45))
        for index in range(14):
            kit.brush.rect(11 + index * 1.5, 28.6, 0.45 + index % 3 * 0.35, 3, kit.ink(0.75))
        kit.brush.rect(33.4, 13.4, 5.4, 5.4, kit.base(kit.accent), radius=0.6)


def _envelope(kit: Kit) -> None:
    kit.shadow(48, flat=0.1)
    with kit.face((-46, -64), (0.985, -0.045), (0.03, 1.0)):
        kit.lay(slab(9, -9, 78, 40, 1), kit.fill(slab(9, -9, 78, 40, 1), PAPER, "slant"))
        kit.bars(17, -3, (40, 58, 52), gap=5, thick=1.5, colour=kit.ink(0.22))
        body = slab(0, 0, 93, 62, 1.6)
        colour = "#ede0c8"
        kit.form(body, colour, "slant", rim=0.8)
        kit.lay(poly((0, 62), (40, 25), (53, 25), (93, 62)), clear(kit.lit(colour), 0.55))
        kit.trace("M1 61 L40 25.6 M92 61 L53 25.6", kit.ink(0.14), 0.6)
        kit.lay(
            "M0 1.6 L43 39 Q46.5 42 50 39 L93 1.6 L92 4 L50 42 Q46.5 45 43 42 L1 4 Z", kit.ink(0.16)
        )
        flap = "M1 0.4 Q0 0 0.6 1 L43 36 Q46.5 39 50 36 L92.4 1 Q93 0 92 0.4 Z"
        kit.form(flap, "#f2e8d4", "slant", rim=0.6)
        kit.form(
            oval(46.5, 34, 7.6, 7.4), mix(kit.accent, "#8e2f25", 0.35), "soft", rim=0.8, core=1.6
        )
        kit.trace(oval(46.5, 34, 4.8, 4.6), kit.ink(0.25), 0.8)
        kit.letter(kit.brand[:1], 46.5, 34, (6, 4.6), clear(kit.lit("#fff2e0"), 0.8))


def _sheet(kit: Kit, *, wet: bool) -> None:
    kit.shadow(36, flat=0.12)
    with kit.brush.moved(0, -1, turn=-0.05):
        board = slab(-34, -90, 68, 90, 3)
        kit.form(board, "#8a5c38", "slant", rim=0.9, core=2)
        with kit.brush.moved(1, 0, turn=0.035):
            kit.lay(slab(-30, -84, 60, 81, 0.8), kit.fill(board, "#e2dccd", "slant"))
        page = "M-30 -84 H30 L30 -18 C30 -8 24 -4 18 -3 L-30 -3 Z"
        if wet:
            page = (
                "M-30 -84 C-10 -85 10 -83 30 -84.6 C31 -62 28 -44 30 -20 C29 -8 23 -5 17 -4 "
                "C2 -1 -12 -6 -30 -2.4 C-28 -26 -31.6 -52 -30 -84 Z"
            )
        kit.lay(page, kit.ink(0.18))
        with kit.brush.moved(-0.6, -0.8):
            kit.form(page, "#e9e6da" if wet else PAPER, "slant", rim=0.5)
            _rows(kit, wet=wet)
            curl = "M30 -18 C30 -8 24 -4 18 -3 C20 -8 20 -12 18.6 -16 C23 -14.6 27 -15 30 -18 Z"
            kit.form(curl, "#d8d2c2", "slant", rim=0.5)
    kit.form("M-13 -92 H13 L11 -84 H-13 Z", STEEL, "metal", rim=0)
    kit.form(slab(-15, -90, 30, 6, 2), STEEL, "metal", rim=0.4)
    kit.form("M-6 -92 Q-6 -99 0 -99 Q6 -99 6 -92 Z", STEEL, "metal", rim=0.4)
    kit.brush.circle(0, -95, 1.7, kit.deep(IRON))
    if wet:
        for x, y, r in (
            (-18, -58, 3),
            (12, -30, 3.6),
            (24, -66, 2.2),
            (-8, -20, 2.4),
            (4, -74, 1.8),
            (-26, -34, 1.6),
            (31, -40, 2.4),
        ):
            _bead(kit, x, y, r)


def _rows(kit: Kit, *, wet: bool) -> None:
    kit.letter(kit.brand, -9, -77, (34, 6), kit.base("#2b333b"))
    kit.brush.rect(-26, -71, 52, 0.8, kit.base(kit.accent))
    ink = kit.base("#41525f")
    for index in range(9):
        y = -65 + index * 6.7
        kit.trace(slab(-26, y - 1.2, 3.6, 3.6, 0.6), kit.ink(0.55), 0.6)
        if index in (0, 1, 2, 5):
            kit.trace(f"M-25.4 {y + 0.4} l1.3 1.6 l3 -4", kit.base(kit.accent), 1)
        length = (34, 28, 38, 22, 31, 36, 18, 29, 25)[index]
        kit.brush.rect(-19, y - 0.4, length, 1.7, clear(ink, 0.75), radius=0.85)
    if not wet:
        return
    for x, y, rx, ry in (
        (-14, -56, 14, 10),
        (10, -31, 16, 12),
        (19, -68, 9, 8),
        (-13, -12, 13, 7),
    ):
        wash = kit.brush.radial(
            (0, 0),
            1,
            [
                (0.0, clear(kit.base("#8fa9b8"), 0.5)),
                (0.9, clear(kit.base("#8fa9b8"), 0.36)),
                (0.97, clear(kit.base("#7c97a6"), 0.4)),
                (1.0, clear(kit.base("#8fa9b8"), 0)),
            ],
        )
        with kit.face((x, y), (rx, 0.0), (rx * 0.15, ry)):
            kit.brush.circle(0, 0, 1, wash)
    for x, y, long in (
        (-14, -56, 13),
        (-6, -55, 8),
        (8, -30, 15),
        (15, -30, 10),
        (20, -42, 9),
        (-2, -36, 7),
    ):
        kit.lay(
            f"M{x - 1.6} {y} L{x - 0.6} {y + long} Q{x} {y + long + 2} {x + 0.6} {y + long} "
            f"L{x + 1.6} {y} Z",
            clear(ink, 0.4),
        )


def _bead(kit: Kit, x: float, y: float, r: float) -> None:
    kit.brush.ellipse(x - kit.side * r * 0.2, y + r * 0.3, r, r * 0.86, kit.ink(0.2))
    drop = oval(x, y, r, r * 0.86)
    kit.lay(drop, clear(kit.lit("#cfe4ec"), 0.4))
    kit.trace(drop, kit.shine(0.5), r * 0.12)
    kit.brush.ellipse(x + kit.side * r * 0.4, y - r * 0.36, r * 0.2, r * 0.14, kit.shine(0.95))


def _list(kit: Kit) -> None:
    _sheet(kit, wet=False)


def _wet_list(kit: Kit) -> None:
    _sheet(kit, wet=True)


def _receipt(kit: Kit) -> None:
    kit.shadow(24, flat=0.14)
    paper = (
        "M-22 -97 C-12 -99 12 -99 22 -97 C24 -80 19 -58 22 -36 C24 -22 20 -10 21 -2 l-3 2 "
        "l-3 -2 l-3 2 l-3 -2 l-3 2 l-3 -2 l-3 2 l-3 -2 l-3 2 l-3 -2 l-3 2 l-3 -2 l-3 2 l-3 -2 "
        "l-3 2 C-24 -12 -20 -24 -22 -38 C-25 -58 -20 -80 -22 -97 Z"
    )
    kit.form(paper, "#f8f5ec", "slant", rim=0.7)
    kit.lay(
        paper,
        kit.brush.linear(
            (0, -99),
            (0, 0),
            [
                (0.0, kit.ink(0.22)),
                (0.12, kit.ink(0)),
                (0.42, kit.ink(0.05)),
                (0.6, kit.ink(0.14)),
                (0.75, kit.ink(0)),
                (1.0, kit.ink(0.1)),
            ],
        ),
    )
    kit.letter(kit.brand, 0, -87, (34, 7), kit.base("#2b2e33"))
    kit.bars(-9, -80, (18,), gap=1, thick=1.1, colour=kit.ink(0.4))
    for row in range(7):
        y = -71 + row * 5.6
        kit.bars(
            -17, y, ((17, 21, 13, 19, 15, 20, 11)[row],), gap=1, thick=1.4, colour=kit.ink(0.42)
        )
        kit.bars(10, y, (6.5,), gap=1, thick=1.4, colour=kit.ink(0.42))
    kit.trace("M-17 -31 H17", kit.ink(0.5), 0.6, dash=(1.6, 1.2))
    kit.brush.rect(-17, -27.6, 12, 3.4, kit.ink(0.7), radius=0.8)
    kit.brush.rect(5, -27.6, 12, 3.4, kit.base(kit.accent), radius=0.8)
    for index in range(22):
        kit.brush.rect(-16 + index * 1.48, -18, 0.4 + index % 3 * 0.35, 9, kit.ink(0.75))


def _ticket(kit: Kit) -> None:
    kit.shadow(46, y=-2, flat=0.1, strength=0.8)
    for turn, colour, y in ((-0.2, mix(kit.accent, "#20303c", 0.45), -42), (0.07, kit.accent, -30)):
        with kit.brush.moved(0, y, turn=turn):
            shape = (
                "M-47 -21 H17 A4 4 0 0 0 25 -21 H47 V-6 A6 6 0 0 0 47 6 V21 H25 "
                "A4 4 0 0 0 17 21 H-47 V6 A6 6 0 0 0 -47 -6 Z"
            )
            with kit.brush.moved(-kit.side * 0.8, 1.6):
                kit.lay(shape, kit.ink(0.3))
            kit.form(shape, colour, "slant", rim=0.7)
            light = kit.on(colour)
            kit.trace("M21 -16 V16", clear(light, 0.75), 0.8, dash=(2, 2))
            kit.trace(slab(-36, -16, 51, 32, 1.4), clear(light, 0.55), 0.6)
            kit.letter(kit.brand, -10.6, -4, (44, 10), light)
            kit.bars(-24, 7, (27,), gap=1, thick=1.5, colour=clear(light, 0.6))
            with kit.brush.moved(34.6, 0, turn=1.5708):
                for index in range(15):
                    kit.brush.rect(
                        -13 + index * 1.8, -4, 0.5 + index % 3 * 0.4, 8, clear(light, 0.9)
                    )


def _map(kit: Kit) -> None:
    """Unfolded paper, four folds."""
    kit.shadow(50, flat=0.1)
    panels = 4
    wide, high, step = 24.0, 74.0, 7.0
    for index in range(panels):
        up = index % 2 == 0
        top = -82 if up else -82 + step
        with kit.face((-48 + index * wide, top), (1.0, (step if up else -step) / wide), (0.0, 1.0)):
            with kit.within(slab(0, 0, wide + 0.3, high)), kit.brush.moved(-index * wide, 0):
                paint_map(kit, wide * panels, high, paper=True)
            bright = up == (kit.side < 0)
            kit.brush.rect(0, 0, wide, high, kit.shine(0.12) if bright else kit.ink(0.22))
            kit.brush.rect(0, 0, 0.6, high, kit.shine(0.4) if up else kit.ink(0.25))
            kit.brush.rect(0, 0, wide, 0.7, kit.shine(0.7))


PAINTERS = {
    "box": _box,
    "envelope": _envelope,
    "list": _list,
    "map": _map,
    "parcel": _parcel,
    "receipt": _receipt,
    "ticket": _ticket,
    "wet_list": _wet_list,
}
