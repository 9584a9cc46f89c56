"""What any thing can be: wet, broken or lit. Painted behind it and over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_DROPS = ((-26, -70), (-8, -52), (18, -78), (30, -46), (-32, -34), (6, -26), (24, -18), (-14, -86))
_CRACKS = (
    "M-6 -98 L2 -74 L-9 -58 L6 -40 L-3 -22 L8 -4",
    "M2 -74 L22 -66 L34 -72",
    "M-9 -58 L-27 -50 L-36 -56",
    "M6 -40 L26 -31 L32 -18",
    "M-3 -22 L-24 -14",
)


def paint_under(kit: Kit) -> None:
    """A glow behind what is lit, a puddle under what is wet."""
    if kit.state == "lit":
        kit.brush.glow(0, -50, 95, kit.light.glow, 0.85)
        kit.brush.glow(0, -50, 55, "#ffe7a8", 0.7)
    if kit.state == "wet" and kit.grounded:
        kit.brush.ellipse(0, 1, 62, 9, clear("#9fc3d8", 0.5))


def paint_over(kit: Kit) -> None:
    """Drops on what is wet, cracks in what is broken, rays around what is lit."""
    if kit.state == "wet":
        for x, y in _DROPS:
            drop = f"M{x} {y - 6} C{x + 4} {y} {x + 4} {y + 5} {x} {y + 5} "
            kit.brush.path(f"{drop}C{x - 4} {y + 5} {x - 4} {y} {x} {y - 6} Z", "#a9d2ea")
            kit.brush.circle(x - 1.2, y + 1.2, 1.1, "#ffffff")
    if kit.state == "broken":
        for crack in _CRACKS:
            kit.trace(crack, clear("#ffffff", 0.85), 2.4)
            kit.trace(crack, "#15181c", 1.3)
    if kit.state == "lit":
        for x, y, dx, dy in ((-58, -88, -16, -12), (58, -88, 16, -12), (-66, -50, -19, 0),
                             (66, -50, 19, 0), (0, -112, 0, -16)):  # fmt: skip
            kit.trace(f"M{x} {y} L{x + dx} {y + dy}", "#ffd76a", 3.2)
