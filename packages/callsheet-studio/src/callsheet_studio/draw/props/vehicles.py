"""What drives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import (
    IRON,
    RUBBER,
    STEEL,
    oval,
    poly,
    slab,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_CREAM, _DARK = "#f3ead6", "#2a3138"
_NIGHT = "#ffd68a"


def _spoked(kit: Kit, x: float, y: float, r: float) -> None:
    """The wheel of a bicycle."""
    for spoke in range(14):
        a = spoke * math.pi / 14 + 0.1
        dx, dy = math.cos(a) * r * 0.93, math.sin(a) * r * 0.93
        kit.trace(f"M{x - dx} {y - dy} L{x + dx} {y + dy}", clear(kit.lit(STEEL), 0.6), 0.3)
    kit.trace(oval(x, y, r * 0.95, r * 0.95), kit.base(RUBBER), r * 0.1)
    kit.trace(
        oval(x + kit.side * 0.3, y - 0.4, r * 0.97, r * 0.97),
        clear(kit.lit("#6a737b"), 0.7),
        r * 0.025,
    )
    kit.trace(oval(x, y, r * 0.87, r * 0.87), kit.base(STEEL), r * 0.045)
    kit.form(oval(x, y, r * 0.1, r * 0.1), STEEL, "metal", rim=0)


def _alloy(kit: Kit, x: float, y: float, r: float) -> None:
    """The wheel of a car."""
    kit.lay(oval(x, y, r, r), kit.fill(oval(x, y, r, r), RUBBER, "slant"))
    kit.lay(oval(x, y, r * 0.7, r * 0.7), kit.deep("#14181c"))
    for spoke in range(5):
        with kit.brush.moved(x, y, turn=spoke * math.tau / 5 + 0.3):
            kit.lay(
                f"M{-r * 0.13} 0 L{-r * 0.2} {-r * 0.64} H{r * 0.2} L{r * 0.13} 0 Z",
                kit.lit(STEEL) if spoke in (0, 4) else kit.base(STEEL),
            )
    kit.trace(oval(x, y, r * 0.68, r * 0.68), kit.base(STEEL), r * 0.08)
    kit.form(oval(x, y, r * 0.16, r * 0.16), IRON, "metal", rim=0)


def _bicycle(kit: Kit) -> None:
    kit.shadow(30, x=-27, flat=0.07)
    kit.shadow(30, x=27, flat=0.07)
    _spoked(kit, -27, -22, 22)
    _spoked(kit, 27, -22, 22)
    frame = mix(kit.accent, "#22303a", 0.05)
    kit.trace("M-43 -37 A24 24 0 0 1 -5 -33", kit.base(frame), 1.6)
    kit.trace("M12 -40 A24 24 0 0 1 45 -38", kit.base(frame), 1.6)
    kit.tube("M-4 -21 L-27 -22 L-9.6 -48", frame, 2)
    kit.tube("M20.6 -52 C22 -42 23 -32 27 -22", frame, 2.2)
    kit.tube("M-4 -21 L-11.4 -57", frame, 2.6)
    kit.tube("M-4 -21 C6 -28 16 -40 20.6 -49", frame, 3)
    kit.tube("M-9.6 -47 C0 -46 12 -50 20 -54", frame, 2.4)
    kit.tube("M20.8 -49 L18.6 -62", STEEL, 2)
    kit.tube("M18.6 -62 C22 -67 26 -66 27.6 -65 M18.6 -62 C14 -64 9 -64 5 -61", STEEL, 1.6)
    kit.trace("M9 -63 L3.4 -60", kit.base("#7b4a2e"), 3)
    kit.form(
        "M-20 -60 C-16 -62.4 -6 -61.4 -1.6 -60 C-2 -58 -8 -57.6 -12 -55.6 "
        "C-16 -55 -20 -57 -20 -60 Z",
        "#7b4a2e",
        "slant",
        rim=0.5,
    )
    kit.trace(
        "M-4 -21 m-5.4 0 a5.4 5.4 0 1 0 10.8 0 a5.4 5.4 0 1 0 -10.8 0", kit.base("#4a535b"), 1.3
    )
    kit.trace("M-4 -26.4 L-27 -24 M-4 -15.6 L-27 -20", kit.deep(IRON), 0.6)
    kit.trace("M-4 -21 L1.6 -11 M-4 -21 L-9.6 -31", kit.base(STEEL), 1.6)
    kit.trace("M-1.6 -10.6 h6.4 M-12.8 -31.4 h6.4", kit.deep(RUBBER), 2)
    kit.form(slab(26, -63, 7, 5, 2.2), STEEL, "slant", rim=0.4)
    kit.brush.circle(32.6, -60.5, 1.8, mix("#fff3c4", kit.light.glow, 0.4))
    kit.lamp(33, -60.5, 18, "#ffe9b0", 0.5)
    kit.trace("M-44 -47 H-12 M-40 -47 L-29 -24", kit.deep(IRON), 1.1)


def _cargo_bike(kit: Kit) -> None:
    kit.shadow(24, x=-30, flat=0.08)
    kit.shadow(40, x=18, flat=0.06)
    _spoked(kit, -31, -17, 17)
    _spoked(kit, 39, -12, 12)
    frame = "#2f3a42"
    kit.tube("M-31 -17 L-13 -15 L-20 -40 Z", frame, 2)
    kit.tube("M-13 -15 C0 -10 20 -9 31 -9 L35 -26", frame, 2.8)
    kit.tube("M35 -27 L39 -12", frame, 2.2)
    kit.tube("M-18 -34 C-10 -33 -6 -26 -3 -13", frame, 2.4)
    kit.tube("M-4 -16 L-8 -50", frame, 2)
    box = "M-4 -45 H33 L30 -14 Q30 -12.6 28 -12.6 H2 Q0 -12.6 0 -14 Z"
    t = kit.tone(kit.accent)
    kit.lay(
        box,
        kit.brush.linear(
            (0, -45), (0, -12), [(0.0, mix(t.base, t.lit, 0.6)), (0.6, t.base), (1.0, t.shade)]
        ),
    )
    kit.edge(box, mix(t.lit, kit.light.rim, 0.7), 0.8)
    kit.edge(box, t.deep, 1.4, away=True)
    for y in (-37.6, -21):
        kit.trace(f"M-2.6 {y} H31.4", kit.ink(0.14), 0.6)
    kit.letter(kit.brand, 14.6, -29.4, (28, 9), kit.on(kit.accent))
    kit.form(
        "M-5.6 -48 H34.6 Q35.4 -45.4 34 -44.6 H-5 Q-6.6 -46 -5.6 -48 Z", "#8a5f3a", "slant", rim=0.5
    )
    for x, w, h, colour in ((0, 13, 9, "#c89b66"), (14, 9, 13, "#d8b27c"), (24, 8, 7, "#b98a54")):
        kit.form(slab(x, -48 - h, w, h + 0.4, 0.6), colour, "slant", rim=0.4)
        kit.brush.rect(x + w * 0.4, -48 - h, w * 0.2, h, kit.ink(0.12))
    _saddle(kit)
    kit.trace("M-48 -20 A18.6 18.6 0 0 1 -17 -29", kit.base(kit.accent), 1.5)
    kit.trace("M27 -17 A13.6 13.6 0 0 1 51.6 -16.8", kit.base(kit.accent), 1.3)
    kit.brush.circle(36, -29, 1.8, mix("#fff3c4", kit.light.glow, 0.4))
    kit.lamp(37, -29, 16, "#ffe9b0", 0.5)


def _saddle(kit: Kit) -> None:
    """Where somebody sits, steers and treads."""
    kit.tube("M-8 -50 C-12 -56 -17 -55 -20 -53", STEEL, 1.8)
    kit.trace("M-16.6 -54.8 L-21 -52.6", kit.base("#7b4a2e"), 2.8)
    kit.tube("M-20 -38 L-22.4 -47", STEEL, 1.8)
    kit.form(
        "M-31 -49.6 C-27 -51.6 -19 -50.8 -15 -49.4 C-16 -47.4 -21 -47 -24 -45.4 "
        "C-28 -45 -31 -47 -31 -49.6 Z",
        "#7b4a2e",
        "slant",
        rim=0.5,
    )
    kit.trace("M-13 -15 m-4.4 0 a4.4 4.4 0 1 0 8.8 0 a4.4 4.4 0 1 0 -8.8 0", kit.base(STEEL), 1.1)
    kit.trace("M-13 -15 L-9 -7 M-13 -15 L-17 -23", kit.base(STEEL), 1.4)
    kit.trace("M-11 -6.6 h5 M-20 -23.4 h5", kit.deep(RUBBER), 1.8)


def _glazing(kit: Kit, path: str) -> None:
    """The windows of a car: dark, with the sky in them."""
    box = kit.fill(path, "#3f5562", "slant")
    kit.lay(path, box)
    with kit.within(path):
        for x in (-20, 6, 26):
            kit.lay(poly((x, -60), (x + 7, -60), (x - 7, -20), (x - 14, -20)), kit.shine(0.2))
    kit.edge(path, kit.deep("#14191d"), 0.6, away=True)


def _car(kit: Kit) -> None:
    kit.shadow(52, flat=0.07)
    body = (
        "M-49 -15 C-50 -24 -48.6 -30.4 -45.6 -33.4 L-37 -43 C-34 -46.2 -29 -47.6 -20 -47.8 "
        "C-2 -48.4 8 -47 14.4 -43.6 L29 -33.8 C39 -32.4 46 -30 48.4 -25 "
        "C49.8 -20 49.6 -13.4 48 -10.4 Q47 -8 44 -8 H-45 Q-48.4 -8 -49 -15 Z"
    )
    kit.lay("M-44 -12 H44 V-5 H-44 Z", kit.deep("#101418"))
    t = kit.tone(kit.accent)
    kit.lay(
        body,
        kit.brush.linear(
            (0, -49),
            (0, -8),
            [
                (0.0, mix(t.lit, kit.light.key, 0.3)),
                (0.36, t.lit),
                (0.44, mix(t.base, t.lit, 0.3)),
                (0.6, t.base),
                (0.66, t.shade),
                (1.0, t.deep),
            ],
        ),
    )
    kit.edge(body, mix(t.lit, kit.light.rim, 0.8), 0.8)
    _glazing(
        kit,
        "M-40.6 -34.6 L-34.4 -41.4 C-32 -43.6 -29 -44.4 -25 -44.6 V-33.6 H-40 "
        "Q-41.6 -33.4 -40.6 -34.6 Z",
    )
    _glazing(kit, "M-23 -44.8 C-14 -45.2 -7 -45 -3 -44.6 L-2 -33.4 H-23 Z")
    _glazing(kit, "M-0.6 -44.4 C5 -43.6 9 -42.2 12 -40.2 L21.4 -34.2 Q22 -33.2 20.6 -33.2 H0.4 Z")
    kit.trace("M-46 -26 C-20 -29.6 20 -30 46.6 -26.6", kit.shine(0.4), 0.7)
    kit.trace(
        "M-0.4 -33 C0.6 -24 0.6 -16 -0.4 -10 M-24 -33 C-24.6 -28 -23 -22 -18 -17 M22 -33 "
        "C20 -24 19 -18 17.6 -14",
        clear(t.deep, 0.7),
        0.6,
    )
    kit.brush.rect(-8, -28, 5.4, 1.1, clear(t.deep, 0.8), radius=0.5)
    kit.brush.rect(12.6, -28.2, 5.4, 1.1, clear(t.deep, 0.8), radius=0.5)
    kit.lay("M-46 -13 C-20 -11 20 -11 47 -13 L46 -8.4 H-45 Z", clear(kit.deep("#14181c"), 0.8))
    for x in (-29, 29):
        kit.lay(oval(x, -11, 12.6, 12.4), kit.deep("#101418"))
        _alloy(kit, x, -10.4, 10.4)
    kit.lay(
        "M48 -25.4 C44 -27.6 41 -28 38 -27.4 C40 -24.8 44 -23.6 48.6 -23.4 Z",
        mix("#fff6dc", kit.light.glow, 0.3),
    )
    kit.lay("M-48.6 -26 L-43 -27 L-44 -23 L-49 -22.6 Z", mix("#c4302a", kit.base("#c4302a"), 0.4))
    kit.lamp(47, -25, 26, "#fff0c4", 0.6)
    kit.lamp(-48, -24.6, 12, "#ff5a4a", 0.5)
    kit.form(
        "M17 -35.4 q4.6 -1.8 6.2 0.6 l-0.6 1.8 q-3 0.6 -5.6 -0.4 Z", kit.accent, "slant", rim=0.3
    )


def _van(kit: Kit) -> None:
    kit.shadow(52, flat=0.07)
    kit.lay("M-46 -12 H46 V-5 H-46 Z", kit.deep("#101418"))
    body = (
        "M-49 -12 V-56 Q-49 -62 -43 -62 H12 C19 -62 23 -59 27 -52 L35 -37 "
        "C44 -35.6 49 -31 49 -22 V-11 Q49 -8 46 -8 H-45 Q-49 -8 -49 -12 Z"
    )
    t = kit.tone("#f1eee6")
    kit.lay(
        body,
        kit.brush.linear(
            (0, -62),
            (0, -8),
            [
                (0.0, mix(t.lit, kit.light.key, 0.2)),
                (0.5, t.base),
                (0.7, t.base),
                (0.76, t.shade),
                (1.0, t.deep),
            ],
        ),
    )
    with kit.within(body):
        kit.brush.rect(-50, -26, 100, 7, kit.base(kit.accent))
        kit.lay("M-50 -62 H-18 L-36 -26 H-50 Z", clear(kit.base(kit.accent), 0.95))
    kit.edge(body, mix(t.lit, kit.light.rim, 0.8), 0.8)
    kit.edge(body, t.deep, 1.6, away=True)
    kit.letter(kit.brand, -9, -43, (34, 10), kit.base("#2b333b"))
    _glazing(
        kit,
        "M16.6 -56 C20 -55.6 22 -54 24.4 -49.6 L31 -37.6 Q31.4 -36.4 30 -36.4 H15.4 V-55 "
        "Q15.4 -56 16.6 -56 Z",
    )
    kit.trace("M12 -60 V-10 M33 -36 V-14", clear(t.deep, 0.6), 0.6)
    kit.brush.rect(15, -32, 4.6, 1.3, clear(kit.deep(_DARK), 0.8), radius=0.6)
    kit.lay(
        "M-48 -13 H49 V-11 Q49 -8 46 -8 H-45 Q-48.4 -8 -48 -13 Z", clear(kit.deep("#14181c"), 0.85)
    )
    for x in (-29, 31):
        kit.lay(oval(x, -10.4, 11.4, 11.4), kit.deep("#101418"))
        _alloy(kit, x, -9.4, 9.4)
    kit.lay(
        "M48.6 -26 C45.6 -29 43 -30.4 40 -30.6 L41 -26 Q45 -24 49 -24 Z",
        mix("#fff6dc", kit.light.glow, 0.3),
    )
    kit.brush.rect(-49, -33, 2.4, 6, mix("#c4302a", kit.base("#c4302a"), 0.4))
    kit.lamp(48, -27, 24, "#fff0c4", 0.6)
    kit.form(slab(32.6, -45, 3, 6.6, 1.2), _DARK, "slant", rim=0.3)


def _tram(kit: Kit) -> None:
    """An old one, its lamps lit."""
    kit.brush.rect(-50, -1.6, 100, 1.6, kit.deep(STEEL))
    kit.brush.rect(-50, -1.8, 100, 0.5, kit.lit(STEEL))
    kit.shadow(48, y=-1.6, flat=0.05)
    for x in (-24, -13, 13, 24):
        kit.form(oval(x, -6, 4.6, 4.6), IRON, "metal", rim=0.3)
    kit.form("M-34 -9 H34 V-5.6 H-34 Z", _DARK, "flat", rim=0)
    kit.trace("M-4 -66 L-10 -76 L4 -86 L-2 -76 L6 -66", kit.base(IRON), 1)
    kit.trace("M-8 -86 H14", kit.base(STEEL), 1.4)
    roof = "M-44 -58 C-42 -64 -34 -66 -26 -66 H26 C34 -66 42 -64 44 -58 Z"
    kit.form(
        "M-30 -66 C-28 -70 -24 -71 -20 -71 H20 C24 -71 28 -70 30 -66 Z", "#b9bdb6", "slant", rim=0.6
    )
    kit.form(roof, "#cfd1c8", "slant", rim=0.7)
    body = "M-46 -58 H46 C47 -46 46.6 -24 43 -9 H-43 C-46.6 -24 -47 -46 -46 -58 Z"
    t, u = kit.tone(_CREAM), kit.tone(kit.accent)
    kit.lay(
        body,
        kit.brush.linear(
            (0, -58),
            (0, -9),
            [
                (0.0, t.lit),
                (0.5, t.base),
                (0.52, mix(u.base, u.lit, 0.5)),
                (0.75, u.base),
                (1.0, u.deep),
            ],
        ),
    )
    with kit.within(body):
        kit.brush.rect(-50, -33.4, 100, 1.2, kit.lit("#e6c878"))
        kit.brush.rect(-50, -13.6, 100, 0.8, kit.lit("#e6c878"))
        kit.lay(slab(-50 if kit.side > 0 else 30, -58, 20, 50), kit.ink(0.16))
    kit.edge(body, mix(t.lit, kit.light.rim, 0.7), 0.9)
    _saloon(kit)
    kit.form(slab(-16, -64.6, 32, 6.4, 1), _DARK, "flat", rim=0.4)
    kit.letter(kit.brand or "7", 0, -61.4, (27, 4.4), mix(_NIGHT, kit.base(_NIGHT), 0.2))
    kit.brush.circle(44.4, -23, 2.4, mix("#fff6dc", kit.light.glow, 0.3))
    kit.lamp(45, -23, 24, "#ffe7a8", 0.8)
    kit.lamp(0, -44, 46, _NIGHT, 0.4)


def _saloon(kit: Kit) -> None:
    """The windows of a tram, and its doors at both ends."""
    pane = mix(kit.base("#5d7a86"), _NIGHT, 0.25 + 0.65 * max(kit.light.lamps, kit.light.dark))
    for index in range(6):
        x = -27.4 + index * 9.2
        kit.lay(slab(x, -53, 7.8, 17, 1.6), kit.deep("#6b4a2c"))
        kit.lay(
            slab(x + 0.8, -52.2, 6.2, 15.4, 1),
            kit.brush.linear((0, -52), (0, -37), [(0.0, mix(pane, "#ffffff", 0.25)), (1.0, pane)]),
        )
        kit.brush.rect(x + 0.8, -47.4, 6.2, 0.8, kit.deep("#6b4a2c"))
    for x in (-42.6, 30.0):
        kit.lay(slab(x, -54, 11.4, 43, 1.6), kit.shade(kit.accent))
        for dx in (0.8, 6.1):
            kit.lay(slab(x + dx, -52.4, 4.6, 20, 1), pane)
            kit.brush.rect(x + dx, -29, 4.6, 15, kit.ink(0.18), radius=0.8)


PAINTERS = {
    "bicycle": _bicycle,
    "car": _car,
    "cargo_bike": _cargo_bike,
    "tram": _tram,
    "van": _van,
}
