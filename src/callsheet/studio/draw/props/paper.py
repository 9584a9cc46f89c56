"""Paper and what is made of it: boxes, letters, lists, books, tickets, maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.studio.draw.colour import clear, mix
from callsheet.studio.draw.props.corner import Corner
from callsheet.studio.draw.props.kit import IRON, PAPER, STEEL, oval, poly, slab
from callsheet.studio.draw.props.panels import paint_map

if TYPE_CHECKING:
    from callsheet.studio.draw.props.kit import Kit

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
            with kit.within(page):
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
        (-16, -56, 15, 10),
        (12, -30, 18, 13),
        (22, -68, 10, 8),
        (-14, -12, 14, 8),
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


def _papers(kit: Kit) -> None:
    """A stack with coloured tabs."""
    colours = (kit.accent, "#e3b23c", "#4f8a8b", "#8c6bb1", kit.accent, "#4f8a8b")
    first = Corner(kit, (64, 3, 48), turn=24, above=24)
    first.foot()
    for index in range(15):
        shift = ((index * 7) % 5 - 2) * 0.9
        with kit.brush.moved(shift, -index * 2.5):
            if index % 5 == 3:  # noqa: PLR2004
                first.cuboid((-1, 65), (0, 2.6), (-1, 49), "#d8b981", rim=0.4)
            else:
                first.cuboid((0, 64), (0, 2.4), (0, 48), PAPER, rim=0.35)
            if index % 3 == 1:
                with first.flank(64, 2.4, 6 + (index * 11) % 32):
                    kit.brush.rect(0, 0.2, 7, 1.8, kit.base(colours[index % 6]), radius=0.4)
                start = first.at(64, 1.4, 8 + (index * 11) % 32)
                kit.lay(
                    poly(
                        start,
                        (start[0] + 5, start[1] - 1.5),
                        (start[0] + 9, start[1] - 4),
                        (start[0] + 4, start[1] - 2.8),
                    ),
                    kit.lit(colours[index % 6]),
                )
    with kit.brush.moved(0, -36), first.lid(2.4):
        kit.bars(8, 30, (26, 0, 44, 40, 46), gap=-5.4, thick=2, colour=kit.ink(0.3))
        kit.brush.rect(8, 35, 15, 5, kit.base(kit.accent))
    with kit.brush.moved(6, -40, turn=-0.5):
        _pen_body(kit, 40)


def _book(kit: Kit) -> None:
    cover = mix(kit.accent, "#2f4858", 0.25)
    box = Corner(kit, (58, 80, 13), turn=27, above=10)
    box.foot()
    box.cuboid((0, 58), (0, 80), (0, 13), cover, rim=0.7)
    pages = box.quad(((58.2, 78.4, 1.6), (58.2, 78.4, 11.4), (58.2, 1.6, 11.4), (58.2, 1.6, 1.6)))
    t = kit.tone(PAPER)
    kit.lay(pages, t.shade if box.bright_front else t.lit)
    kit.lay(box.quad(((4, 80.2, 1.6), (58, 80.2, 1.6), (58, 80.2, 11.4), (4, 80.2, 11.4))), t.lit)
    with box.flank(58.2, 78.4, 1.6):
        for x in (1.6, 3.2, 4.8, 6.4, 8):
            kit.brush.rect(x, 0, 0.3, 76, kit.ink(0.16))
    with box.front(0, 80):
        kit.brush.rect(0, 0, 6, 80, kit.ink(0.16))
        kit.brush.rect(6, 0, 0.7, 80, kit.shine(0.25))
        foil = kit.lit("#f0d9a0")
        kit.trace(slab(13, 8, 38, 64, 1), clear(foil, 0.8), 0.7)
        kit.letter(kit.brand, 32, 26, (32, 9), foil)
        kit.brush.circle(32, 52, 8, clear(foil, 0.9))
        kit.lay("M24 52 q4 -4.4 8 0 t8 0 A8 8 0 0 1 24 52 Z", kit.base(cover))
        kit.bars(25, 35, (14,), gap=1, thick=1, colour=clear(foil, 0.8))
    kit.lay(
        poly(
            box.at(46, 0, -0.3),
            box.at(50, 0, -0.3),
            (box.at(50, 0, 0)[0], 4),
            (box.at(48, 0, 0)[0], 1.6),
            (box.at(46, 0, 0)[0], 4),
        ),
        kit.base("#c8463a"),
    )


def _notebook(kit: Kit) -> None:
    """Open on a table, half written; a pen on it."""
    kit.shadow(52, y=-14, flat=0.3, strength=0.8)
    cover = mix(kit.accent, "#33424c", 0.4)
    kit.form(
        "M-50 -6 L-38 -46 Q-18 -50 0 -44 Q18 -50 38 -46 L50 -6 Q50 -3 47 -3 L-47 -3 "
        "Q-50 -3 -50 -6 Z",
        cover,
        "slant",
        rim=0.6,
    )
    for sign in (-1, 1):
        page = (
            f"M0 -43.6 C{sign * 10} -50 {sign * 24} -49.6 {sign * 36.6} -46.6 L{sign * 47} -6.6 "
            f"C{sign * 30} -9.6 {sign * 12} -10 0 -4.6 Z"
        )
        kit.form(page, PAPER, "slant", rim=0.5)
        dark = sign == -kit.side
        stops = [
            (0.0, kit.ink(0.34 if dark else 0.22)),
            (0.25, kit.ink(0.05)),
            (1.0, kit.ink(0.08 if dark else 0)),
        ]
        kit.lay(page, kit.brush.linear((0, 0), (sign * 46, 0), stops))
        with kit.face(
            (sign * 3 if sign > 0 else -38.4, -44), (0.94, -0.02 * sign), (0.17 * sign, 0.92)
        ):
            for row in range(7):
                y = 5 + row * 4.8
                kit.brush.rect(2, y + 2, 34, 0.3, kit.ink(0.12))
                if sign < 0 or row < 3:  # noqa: PLR2004
                    kit.trace(
                        f"M2.6 {y} q1.6 -2 3 0 t3 0 t3 0 t3 -0.4 t{8 + row * 5 % 9} 0.6",
                        clear(kit.base("#2f4a66"), 0.8),
                        0.7,
                    )
    for y in range(-40, -6, 5):
        kit.trace(f"M-2.6 {y} q2.6 -3.4 5.2 0", kit.deep(STEEL), 1.1)
        kit.trace(f"M-2.4 {y - 0.5} q2.4 -3 4.8 0", kit.lit(STEEL), 0.5)
    with kit.brush.moved(25, -17, turn=-0.62):
        _pen_body(kit, 46)


def _pen_body(kit: Kit, long: float) -> None:
    """A pen along the x axis, its tip to the left, around its middle."""
    with kit.brush.moved(scale=long / 100):
        kit.lay("M-46 4 L50 7 L49 9.4 L-42 6 Z", kit.ink(0.3))
        stops = kit.stops(mix(kit.accent, "#26323c", 0.15), "flat")
        t = kit.tone(mix(kit.accent, "#26323c", 0.15))
        metal = kit.tone(STEEL)
        down = kit.brush.linear(
            (0, -5.5),
            (0, 5.5),
            [(0.0, t.base), (0.2, mix(t.lit, kit.white, 0.5)), (0.4, t.base), (1.0, t.deep)],
        )
        shiny = kit.brush.linear(
            (0, -5.5),
            (0, 5.5),
            [
                (0.0, metal.base),
                (0.24, kit.white),
                (0.46, metal.base),
                (0.7, metal.deep),
                (1.0, metal.base),
            ],
        )
        kit.lay("M-50 0 L-36 -3.4 L-30 -4.6 V4.6 L-36 3.4 Z", shiny)
        kit.lay("M-30 -4.8 L-4 -5.6 V5.6 L-30 4.8 Z", down)
        kit.brush.rect(-5, -5.8, 4, 11.6, shiny)
        kit.lay("M-1 -5.7 H44 Q50 -5.7 50 0 Q50 5.7 44 5.7 H-1 Z", down)
        kit.lay("M14 -7.6 H44 Q46 -7.6 46 -5.6 V-3.4 H43 V-5 H14 Q12 -6.4 14 -7.6 Z", shiny)
        kit.brush.rect(44, -5.5, 1.6, 11, stops[0][1])


def _pen(kit: Kit) -> None:
    kit.shadow(44, y=-6, flat=0.1, strength=0.7)
    kit.trace("M-48 -4 q4 -9 8 -1 t8 0 t8 -1 t6 0", clear(kit.base("#2f4a66"), 0.85), 1.3)
    with kit.brush.moved(3, -36, turn=-0.62):
        _pen_body(kit, 100)


def _calendar(kit: Kit) -> None:
    kit.shadow(42, flat=0.12)
    kit.lay(poly((-36, -82), (40, -80), (48, -2), (-28, -1)), kit.shade("#6c5a4a"))
    page = slab(-42, -82, 78, 80, 2.4)
    kit.form(page, PAPER, "slant", rim=0.8)
    with kit.within(page):
        kit.brush.rect(-42, -82, 78, 21, kit.fill(slab(-42, -82, 78, 21), kit.accent, "slant"))
        kit.letter(kit.brand, -3, -69.6, (50, 8), kit.on(kit.accent))
        if not kit.brand:
            kit.bars(-22, -71, (38,), gap=1, thick=4, colour=clear(kit.on(kit.accent), 0.8))
    for row in range(5):
        for column in range(7):
            x, y = -36.6 + column * 10.2, -56 + row * 10.8
            if (row, column) == (2, 4):
                kit.brush.circle(x + 2.6, y + 2.6, 5, kit.base(kit.accent))
                kit.trace(f"M{x + 0.2} {y + 2.6} l1.9 2.2 l3.4 -4.6", kit.on(kit.accent), 1.2)
            elif (row or column > 1) and (row < 4 or column < 5):  # noqa: PLR2004
                kit.brush.rect(x, y, 5.2, 5.2, kit.ink(0.26 if column > 4 else 0.14), radius=1)  # noqa: PLR2004
    kit.lay(
        "M36 -22 V-4 Q36 -2 33.6 -2 L18 -2 C24 -6 25 -10 24 -16 C29 -15 33 -17 36 -22 Z",
        kit.fill(slab(18, -22, 18, 20), "#d9d3c4", "slant"),
    )
    for x in range(-34, 32, 9):
        kit.brush.circle(x, -78, 1.4, kit.ink(0.55))
        kit.trace(f"M{x} -78 C{x - 2.4} -86 {x + 3.4} -88 {x + 2.6} -81", kit.deep(STEEL), 1.7)
        kit.trace(
            f"M{x - 0.3} -79 C{x - 2.4} -86 {x + 2.4} -87.6 {x + 2.2} -83", kit.lit(STEEL), 0.6
        )


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


def _chart(kit: Kit) -> None:
    """Columns that rise, and a line over them."""
    base = Corner(kit, (88, 4, 26), turn=16, above=18)
    base.foot()
    base.cuboid((0, 88), (0, 4), (0, 26), "#e9e4d8")
    tops = []
    for index, high in enumerate((20, 32, 27, 46, 66)):
        x = 6 + index * 16.4
        colour = kit.accent if index == 4 else mix(kit.accent, "#8fa3ad", 0.78 - index * 0.1)  # noqa: PLR2004
        base.cuboid((x, x + 11), (4, 4 + high), (7, 18), colour)
        tops.append(base.at(x + 5.5, 4 + high + 13, 12))
    kit.brush.curve([(x, y + 0.8) for x, y in tops], kit.ink(0.25), 2)
    kit.brush.curve(tops, kit.base("#f2efe6"), 1.7)
    for x, y in tops:
        kit.brush.circle(x, y, 2.4, kit.base("#f2efe6"))
        kit.brush.circle(x, y, 1.3, kit.base(kit.accent))


PAINTERS = {
    "book": _book,
    "box": _box,
    "calendar": _calendar,
    "chart": _chart,
    "envelope": _envelope,
    "list": _list,
    "map": _map,
    "notebook": _notebook,
    "papers": _papers,
    "parcel": _parcel,
    "pen": _pen,
    "receipt": _receipt,
    "ticket": _ticket,
    "wet_list": _wet_list,
}
