"""What is seen on the screens of props: a map with pins, a dashboard, a list, a chart. No words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_GROUND, _INK, _LINE = "#f6f7f5", "#28333d", "#cfd6da"


def glowing(kit: Kit, colour: str) -> str:
    """A colour of a screen: it hardly takes the colour of the room."""
    return mix(mix(colour, kit.base(colour), 0.18), "#0b0d12", 0.12 * kit.light.dark)


def pin(kit: Kit, x: float, y: float, size: float, colour: str) -> None:
    """A mark on a map, its tip at the point."""
    with kit.brush.moved(x, y, scale=size / 10):
        kit.brush.ellipse(0.6, 0.2, 2.6, 0.9, clear("#10202a", 0.25))
        kit.lay(
            "M0 0 C-1.2 -3 -4.2 -4.8 -4.2 -8 A4.2 4.2 0 1 1 4.2 -8 C4.2 -4.8 1.2 -3 0 0 Z", colour
        )
        kit.brush.circle(0, -8, 1.7, glowing(kit, "#ffffff"))


def paint_map(kit: Kit, w: float, h: float, *, paper: bool = False) -> None:
    """Land and water, streets, a route and pins, over (0, 0) to (w, h)."""
    see = kit.base if paper else (lambda colour: glowing(kit, colour))
    brush = kit.brush
    brush.rect(0, 0, w, h, see("#e9ecdf"))
    kit.lay(
        f"M0 {0.62 * h} C{0.2 * w} {0.5 * h} {0.34 * w} {0.72 * h} {0.55 * w} {0.6 * h} "
        f"S{0.86 * w} {0.34 * h} {w} {0.4 * h} V{h} H0 Z",
        see("#a9cfdc"),
    )
    kit.lay(
        f"M0 {0.68 * h} C{0.2 * w} {0.56 * h} {0.34 * w} {0.79 * h} {0.56 * w} {0.67 * h} "
        f"S{0.88 * w} {0.42 * h} {w} {0.48 * h} V{h} H0 Z",
        see("#98c2d3"),
    )
    for x, y, a, b in ((0.08, 0.08, 0.2, 0.16), (0.66, 0.06, 0.26, 0.13), (0.36, 0.36, 0.2, 0.12)):
        brush.rect(x * w, y * h, a * w, b * h, see("#c6d9ae"), radius=0.03 * w)
    wide = 0.035 * min(w, h)
    for path in (
        f"M0 {0.3 * h} L{0.5 * w} {0.26 * h} L{w} {0.12 * h}",
        f"M{0.33 * w} 0 L{0.3 * w} {0.6 * h}",
        f"M{0.6 * w} 0 L{0.72 * w} {0.46 * h}",
        f"M0 {0.5 * h} L{0.72 * w} {0.43 * h}",
    ):
        kit.trace(path, see("#ffffff"), wide * 1.3)
    route = (
        f"M{0.16 * w} {0.28 * h} L{0.32 * w} {0.275 * h} L{0.31 * w} {0.475 * h} "
        f"L{0.68 * w} {0.44 * h}"
    )
    kit.trace(route, see(kit.accent), wide * 1.1)
    brush.circle(0.16 * w, 0.28 * h, wide * 1.5, see("#ffffff"))
    brush.circle(0.16 * w, 0.28 * h, wide * 0.9, see(kit.accent))
    pin(kit, 0.68 * w, 0.44 * h, 0.24 * min(w, h), see(kit.accent))
    pin(kit, 0.84 * w, 0.24 * h, 0.15 * min(w, h), see("#4c6b7c"))


def paint_app(kit: Kit, w: float, h: float) -> None:
    """A map above, a card with a button below: an app on a phone."""
    brush = kit.brush
    paint_map(kit, w, h * 0.74)
    card = h * 0.6
    brush.rect(0, card, w, h - card, glowing(kit, _GROUND), radius=w * 0.09)
    brush.rect(
        w * 0.42, card + h * 0.018, w * 0.16, h * 0.008, glowing(kit, _LINE), radius=h * 0.004
    )
    brush.rect(
        w * 0.08,
        card + h * 0.055,
        w * 0.17,
        w * 0.17,
        glowing(kit, mix(kit.accent, "#ffffff", 0.55)),
        radius=w * 0.05,
    )
    brush.circle(w * 0.165, card + h * 0.055 + w * 0.085, w * 0.045, glowing(kit, kit.accent))
    kit.bars(
        w * 0.31,
        card + h * 0.065,
        (w * 0.44, w * 0.3),
        gap=h * 0.035,
        thick=h * 0.017,
        colour=glowing(kit, "#77838b"),
    )
    kit.bars(
        w * 0.08,
        card + h * 0.175,
        (w * 0.7, w * 0.52),
        gap=h * 0.034,
        thick=h * 0.013,
        colour=glowing(kit, _LINE),
    )
    brush.rect(
        w * 0.08, card + h * 0.265, w * 0.84, h * 0.082, glowing(kit, kit.accent), radius=h * 0.041
    )
    if kit.brand:
        kit.letter(
            kit.brand, w * 0.5, card + h * 0.306, (w * 0.6, h * 0.036), glowing(kit, "#ffffff")
        )
    else:
        kit.bars(
            w * 0.36,
            card + h * 0.299,
            (w * 0.28,),
            gap=1,
            thick=h * 0.015,
            colour=glowing(kit, "#ffffff"),
        )


def paint_dashboard(kit: Kit, w: float, h: float) -> None:
    """A rail, figures above, a curve and columns below."""
    brush = kit.brush
    brush.rect(0, 0, w, h, glowing(kit, "#eef1f2"))
    brush.rect(0, 0, w * 0.15, h, glowing(kit, "#22323d"))
    brush.circle(w * 0.075, h * 0.11, h * 0.045, glowing(kit, kit.accent))
    for index in range(5):
        colour = kit.accent if index == 1 else "#5d717e"
        brush.rect(
            w * 0.04,
            h * (0.25 + index * 0.1),
            w * 0.07,
            h * 0.026,
            glowing(kit, colour),
            radius=h * 0.013,
        )
    kit.bars(w * 0.2, h * 0.09, (w * 0.26,), gap=1, thick=h * 0.04, colour=glowing(kit, "#55636d"))
    for index, share in enumerate((0.62, 0.4, 0.8)):
        x = w * (0.2 + index * 0.26)
        brush.rect(x, h * 0.2, w * 0.235, h * 0.2, glowing(kit, "#ffffff"), radius=h * 0.025)
        brush.rect(
            x + w * 0.02, h * 0.24, w * 0.09, h * 0.022, glowing(kit, _LINE), radius=h * 0.011
        )
        brush.rect(
            x + w * 0.02,
            h * 0.295,
            w * 0.17 * share,
            h * 0.055,
            glowing(kit, _INK if index else kit.accent),
            radius=h * 0.015,
        )
    brush.rect(w * 0.2, h * 0.45, w * 0.495, h * 0.47, glowing(kit, "#ffffff"), radius=h * 0.025)
    with brush.moved(w * 0.22, h * 0.49):
        paint_curve(kit, w * 0.455, h * 0.4)
    brush.rect(w * 0.72, h * 0.45, w * 0.235, h * 0.47, glowing(kit, "#ffffff"), radius=h * 0.025)
    for index, share in enumerate((0.4, 0.62, 0.5, 0.85)):
        high = h * 0.38 * share
        brush.rect(
            w * (0.743 + index * 0.05),
            h * 0.89 - high,
            w * 0.032,
            high,
            glowing(kit, kit.accent if index == 3 else "#9fb3bf"),  # noqa: PLR2004
            radius=h * 0.01,
        )


def paint_curve(kit: Kit, w: float, h: float) -> None:
    """A line that rises, over a soft field."""
    line = (
        f"M0 {0.82 * h} C{0.14 * w} {0.8 * h} {0.2 * w} {0.56 * h} {0.32 * w} {0.6 * h} "
        f"S{0.52 * w} {0.74 * h} {0.62 * w} {0.46 * h} S{0.86 * w} {0.2 * h} {w} {0.1 * h}"
    )
    for index in range(4):
        kit.brush.rect(0, h * (0.1 + index * 0.27), w, h * 0.012, glowing(kit, "#e3e8ea"))
    stops = [
        (0.0, clear(glowing(kit, kit.accent), 0.4)),
        (1.0, clear(glowing(kit, kit.accent), 0.03)),
    ]
    kit.lay(f"{line} V{h * 0.92} H0 Z", kit.brush.linear((0, 0), (0, h), stops))
    kit.trace(line, glowing(kit, kit.accent), h * 0.05)
    kit.brush.circle(w, 0.1 * h, h * 0.06, glowing(kit, kit.accent))
    kit.brush.circle(w, 0.1 * h, h * 0.028, glowing(kit, "#ffffff"))


def paint_list(kit: Kit, w: float, h: float) -> None:
    """A picture above, rows with a round mark below: an app on a tablet."""
    brush = kit.brush
    brush.rect(0, 0, w, h, glowing(kit, _GROUND))
    with kit.within(slab(0, 0, w, h * 0.36)):
        stops = [
            (0.0, glowing(kit, mix(kit.accent, "#fff4e0", 0.45))),
            (1.0, glowing(kit, kit.accent)),
        ]
        brush.rect(0, 0, w, h * 0.36, brush.linear((0, 0), (0, h * 0.4), stops))
        brush.circle(w * 0.74, h * 0.15, h * 0.08, clear("#ffffff", 0.5))
        kit.lay(
            f"M0 {0.3 * h} C{0.25 * w} {0.16 * h} {0.45 * w} {0.34 * h} {0.7 * w} {0.22 * h} "
            f"S{w} {0.26 * h} {w} {0.26 * h} V{0.4 * h} H0 Z",
            glowing(kit, mix(kit.accent, "#1f2b36", 0.6)),
        )
    for index in range(5):
        y = h * (0.42 + index * 0.115)
        brush.circle(
            w * 0.12,
            y + h * 0.035,
            h * 0.032,
            glowing(kit, kit.accent if index == 1 else "#b9c6cd"),
        )
        kit.bars(
            w * 0.22,
            y + h * 0.014,
            (w * (0.5 - 0.06 * (index % 3)), w * 0.3),
            gap=h * 0.032,
            thick=h * 0.015,
            colour=glowing(kit, "#8d989f"),
        )
        brush.rect(
            w * 0.8,
            y + h * 0.022,
            w * 0.11,
            h * 0.03,
            glowing(kit, kit.accent if index == 1 else _LINE),
            radius=h * 0.015,
        )
