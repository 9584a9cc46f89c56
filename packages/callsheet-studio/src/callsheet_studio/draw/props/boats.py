"""What swims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import STEEL, WHITE, oval, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_NAVY, _CREAM, _DARK, _PAINT = "#27405a", "#f3ead6", "#2a3138", "#f6f3ea"
_NIGHT = "#ffd68a"
_LIT = 0.5
_DECKS = ((-6.0, 20.0, -57.0, -49.0), (-34.0, 26.0, -49.4, -40.0), (-42.0, 33.0, -40.4, -30.0))
"""From, to, top and foot of each; the bridge first."""


def _sea(kit: Kit, wide: float) -> None:
    """A little water to swim on."""
    water = kit.tone("#3f7f96")
    lens = (
        f"M{-wide} -5 C{-wide * 0.6} -10.6 {wide * 0.6} -10.6 {wide} -5 "
        f"C{wide * 0.7} 1.8 {-wide * 0.7} 1.8 {-wide} -5 Z"
    )
    kit.lay(
        lens,
        kit.ramp(
            [
                (0.0, clear(water.lit, 0.0)),
                (0.14, clear(water.lit, 0.75)),
                (0.55, clear(water.base, 0.85)),
                (0.86, clear(water.shade, 0.8)),
                (1.0, clear(water.shade, 0.0)),
            ],
            (-wide, wide),
        ),
    )


def _ripples(kit: Kit, wide: float, mirror: str) -> None:
    """What the hull leaves on the water before it."""
    for index in range(11):
        y = -5.8 + index * 0.52
        half = wide * (0.86 - index * 0.055) * (1.0 if index % 2 else 0.8)
        x = ((index * 37) % 13 - 6) * 0.8
        kit.lay(
            oval(x, y, half, 0.55),
            clear(kit.deep(mirror) if index % 3 else kit.white, 0.34 if index % 3 else 0.3),
        )
    foam = kit.shine(0.75)
    kit.lay(
        f"M{-wide} -6.6 C{-wide * 0.5} -4.6 {wide * 0.5} -4.6 {wide} -6.8 "
        f"C{wide * 0.5} -5.6 {-wide * 0.5} -5.6 {-wide} -6.6 Z",
        foam,
    )


def _boat(kit: Kit) -> None:
    """A small one with a cabin, its bow to the right."""
    _sea(kit, 50)
    kit.tube("M-2 -44 V-80", "#8a6a48", 1.5)
    kit.trace("M-2 -78 L40 -27 M-2 -78 L-38 -24", clear(kit.deep(_DARK), 0.8), 0.45)
    kit.lay("M-2 -79 L-14 -75.6 L-2 -72 Z", kit.base(kit.accent))
    kit.form(
        "M-16 -26 V-46 Q-16 -48 -14 -48 H10 Q12 -48 13 -46 L18 -26 Z", _CREAM, "slant", rim=0.7
    )
    kit.form("M-19 -46 Q-19 -50 -15 -50 H14 Q17 -50 17 -46 Z", kit.accent, "slant", rim=0.6)
    pane = mix(kit.base("#57717d"), _NIGHT, 0.15 + 0.6 * max(kit.light.lamps, kit.light.dark))
    for x, w in ((-12.6, 7), (-3.4, 7), (5.8, 6.6)):
        kit.lay(slab(x, -42.6, w, 9, 1.2), pane)
        kit.trace(slab(x, -42.6, w, 9, 1.2), kit.deep("#7a5a3c"), 0.7)
    hull = (
        "M-46 -26 C-30 -22 10 -22 24 -26 C34 -28.6 44 -32 49 -36 C47 -22 40 -9 30 -5.6 H-34 "
        "C-42 -8 -46 -16 -46 -26 Z"
    )
    t = kit.tone(_NAVY)
    kit.lay(
        hull,
        kit.brush.linear(
            (0, -34), (0, -5), [(0.0, t.lit), (0.4, t.base), (0.66, t.shade), (1.0, t.deep)]
        ),
    )
    with kit.within(hull):
        kit.lay("M-50 -11 C-20 -8.6 20 -8.6 50 -13 V0 H-50 Z", kit.base("#a23c30"))
        kit.trace("M-46 -11 C-20 -8.6 20 -8.6 46 -13", kit.lit(WHITE), 0.8)
        for y in (-20, -16):
            kit.trace(f"M-46 {y} C-20 {y + 4} 20 {y + 3} 48 {y - 7}", kit.ink(0.25), 0.6)
    kit.edge(hull, mix(t.lit, kit.light.rim, 0.7), 0.8)
    kit.trace("M-46 -26 C-30 -22 10 -22 24 -26 C34 -28.6 44 -32 49 -36", kit.lit(WHITE), 1.8)
    kit.letter(kit.brand, 26, -20.4, (20, 4.4), kit.lit(WHITE))
    for x in (-26, -6):
        kit.trace(f"M{x} -23 v4", kit.lit("#d8c8a4"), 0.6)
        kit.form(slab(x - 2, -19.4, 4, 8.6, 2), "#e6e2d6", "round", rim=0.4)
    kit.trace(oval(-30, -33, 4.4, 4.4), kit.base("#d8553c"), 2.4)
    kit.trace(oval(-30, -33, 4.4, 4.4), kit.lit(WHITE), 2.4, cap="butt", dash=(3.4, 3.5))
    _ripples(kit, 40, _NAVY)
    kit.lamp(-2, -38, 24, _NIGHT, 0.5)


def _sail(kit: Kit, path: str, *, stripe: bool) -> None:
    kit.form(path, "#faf5e8", "slant", rim=0.8, core=2)
    with kit.within(path):
        for y in (-74, -58, -42, -28):
            kit.trace(f"M-40 {y + 2} Q0 {y + 5} 44 {y - 3}", kit.ink(0.09), 0.6)
        if stripe:
            kit.lay("M-44 -27 Q0 -22 44 -30 V-38 Q0 -30 -44 -35 Z", kit.base(kit.accent))


def _sailboat(kit: Kit) -> None:
    _sea(kit, 50)
    kit.tube("M2 -14 V-99", "#8a6a48", 1.5)
    _sail(kit, "M3.4 -97 C20 -74 33 -50 38 -26 C26 -22 14 -22 3.4 -24 Z", stripe=False)
    _sail(kit, "M0.4 -92 C-6 -70 -20 -44 -34 -25 C-22 -20 -10 -20 0.4 -22 Z", stripe=True)
    kit.tube("M2 -21 L-35 -22.6", "#8a6a48", 1.3)
    kit.letter(kit.brand, 15, -46, (17, 5), clear(kit.base(kit.accent), 0.95))
    hull = "M-42 -18 C-20 -15 16 -15 46 -21 C42 -12 34 -6.4 26 -5.6 H-28 C-36 -7 -41 -11 -42 -18 Z"
    t = kit.tone("#f4f1ea")
    kit.lay(
        hull,
        kit.brush.linear(
            (0, -20), (0, -5), [(0.0, t.lit), (0.5, t.base), (0.6, t.shade), (1.0, t.deep)]
        ),
    )
    with kit.within(hull):
        kit.trace("M-44 -12.6 C-16 -9.6 18 -10 46 -15", kit.base(kit.accent), 1.6)
    kit.edge(hull, mix(t.lit, kit.light.rim, 0.7), 0.7)
    kit.form(
        "M-16 -16.6 C-12 -20.6 4 -21 12 -17.6 L13 -16 C4 -15 -8 -15 -16 -16.6 Z",
        "#8a5f3a",
        "slant",
        rim=0.4,
    )
    kit.lay("M2 -99 L12 -97 L2 -94.6 Z", kit.base(kit.accent))
    _ripples(kit, 38, "#c8c4b8")


def _ferry(kit: Kit) -> None:
    """Two decks of people, one of cars; its bow to the right."""
    _ship(kit, hull="#f1eee6", lower=kit.accent, night=0.1)


def _night_boat(kit: Kit) -> None:
    """All cabins lit, a string of lamps from bow to stern."""
    _ship(kit, hull=_NAVY, lower="#1d2f44", night=0.85)
    for start, end in (((-44, -40), (-1, -71)), ((-1, -71), (45, -37))):
        bulbs = []
        for index in range(11):
            share = index / 10
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            bulbs.append((x, y + 14 * share * (1 - share)))
        kit.brush.curve(bulbs, clear(kit.deep(_DARK), 0.8), 0.35)
        for x, y in bulbs[1:-1]:
            kit.brush.circle(x, y + 0.5, 0.75, mix(_NIGHT, "#ffffff", 0.4))
    kit.lamp(0, -34, 60, _NIGHT, 0.5)


def _ship(kit: Kit, *, hull: str, lower: str, night: float) -> None:
    _sea(kit, 50)
    glow = mix(
        kit.base("#4f6875"), _NIGHT, min(night + 0.7 * max(kit.light.lamps, kit.light.dark), 1.0)
    )
    kit.tube("M-1 -56 V-72", STEEL, 1.1)
    kit.trace("M-6 -68 H4", kit.base(STEEL), 0.8)
    with kit.brush.moved(-20, -52):
        kit.form("M-6 2 L-5 -13 H6 L8 2 Z", kit.accent, "slant", rim=0.6)
        kit.lay("M-5.2 -10.4 L-5 -13 H6 L6.4 -10.4 Z", kit.deep(_DARK))
    for deck in _DECKS:
        _deck(kit, deck, glow)
    _hull(kit, hull, lower, glow if night > _LIT else kit.deep("#3f5562"))
    for x in (-30, -18, 12):
        kit.form(slab(x, -37.4, 8, 3.2, 1.6), "#d8693c", "slant", rim=0.3)
    kit.trace("M35 -34.6 L45 -37.4 M35 -31.6 V-35 M40 -32.4 V-36.2", kit.lit(_PAINT), 0.5)
    _ripples(kit, 43, hull)
    if night > _LIT:
        for x in (-34, -16, 2, 20):
            kit.lay(oval(x, -3.4, 3, 1), clear(_NIGHT, 0.4))


def _deck(kit: Kit, deck: tuple[float, float, float, float], glow: str) -> None:
    """A row of windows; the bridge, on top, looks ahead through one long one."""
    x0, x1, top, low = deck
    kit.form(poly((x0, low), (x0, top), (x1 - 2.5, top), (x1 + 2, low)), _PAINT, "slant", rim=0.6)
    kit.brush.rect(x0 - 1.6, top - 0.8, x1 - x0 + 2.6, 1.4, kit.lit(_PAINT))
    count = int((x1 - x0) / 5.2)
    for index in range(count):
        x = x0 + 2.6 + index * (x1 - x0 - 3.4) / count
        if deck == _DECKS[0]:
            kit.lay(slab(x - 0.8, top + 2, 4.6, 3.4, 0.4), glow)
        else:
            kit.lay(slab(x, top + 3, 3, 4, 0.8), glow)
    kit.brush.rect(x0, low - 1, x1 - x0, 1, kit.ink(0.2))


def _hull(kit: Kit, hull: str, lower: str, holes: str) -> None:
    path = (
        "M-48 -30 H34 C40 -31 45 -33 49.6 -36 C47 -22 42 -10 36 -5.6 H-40 C-45 -9 -48 -18 -48 -30 Z"
    )
    t = kit.tone(hull)
    kit.lay(
        path,
        kit.brush.linear(
            (0, -34), (0, -5), [(0.0, t.lit), (0.45, t.base), (0.7, t.shade), (1.0, t.deep)]
        ),
    )
    with kit.within(path):
        kit.lay(
            "M-50 -13 H50 V0 H-50 Z",
            kit.brush.linear((0, -13), (0, -5), [(0.0, kit.base(lower)), (1.0, kit.deep(lower))]),
        )
        kit.brush.rect(-50, -14, 100, 1, kit.lit(_PAINT))
        for index in range(13):
            kit.lay(oval(-41 + index * 5.4, -24, 1.2, 1.2), holes)
    kit.edge(path, mix(t.lit, kit.light.rim, 0.7), 0.8)
    kit.trace("M-48 -30 H34 C40 -31 45 -33 49.6 -36", kit.lit(_PAINT), 1.2)
    kit.letter(kit.brand, -4, -18.4, (44, 5), kit.on(hull) if hull != _NAVY else kit.lit(_PAINT))


PAINTERS = {
    "boat": _boat,
    "ferry": _ferry,
    "night_boat": _night_boat,
    "sailboat": _sailboat,
}
