"""What lies on a desk: books, notes, plans, a pen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import PAPER, STEEL, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


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
    kit.brush.curve(tops, kit.base(kit.accent), 1.7)
    for x, y in tops:
        kit.brush.circle(x, y, 2.6, kit.base(kit.accent))
        kit.brush.circle(x, y, 1.4, kit.lit("#f2efe6"))


PAINTERS = {
    "book": _book,
    "calendar": _calendar,
    "chart": _chart,
    "notebook": _notebook,
    "papers": _papers,
    "pen": _pen,
}
