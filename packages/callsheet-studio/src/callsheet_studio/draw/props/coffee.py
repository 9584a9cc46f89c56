"""What coffee and tea are made with and drunk from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import (
    OAK,
    STEEL,
    WHITE,
    oval,
    slab,
    steam,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_COFFEE = "#3a2318"


def _cup(kit: Kit) -> None:
    kit.shadow(30, x=-4, flat=0.18)
    glaze = mix(kit.accent, "#efe6da", 0.12)
    with kit.brush.moved(-4, 0):
        kit.tube("M24 -47 C42 -50 46 -42 44 -33 C42 -22 33 -17 23 -16", glaze, 6)
        kit.mould((27, -58), (23, -0.5), glaze, mid=0.5)
        kit.lay(
            "M-26.7 -50 C-18 -44.6 18 -44.6 26.7 -50 L27 -58 H-27 Z",
            kit.ramp(
                [
                    (0.0, clear(kit.white, 0.24)),
                    (0.5, clear(kit.white, 0.1)),
                    (1.0, clear(kit.white, 0.02)),
                ],
                (-27, 27),
            ),
        )
        kit.mouth(0, -58, 27, mix(glaze, WHITE, 0.5), "#5c4634", flat=0.19)
        kit.lay(
            oval(0, -56.6, 23.8, 3.6),
            kit.ramp(
                [(0.0, kit.shade(_COFFEE)), (0.6, kit.base(_COFFEE)), (1.0, kit.lit("#6b4630"))],
                (-24, 24),
            ),
        )
        kit.trace("M-17 -57.6 A20 3 0 0 0 12 -54.4", kit.shine(0.3), 0.7)
        kit.letter(kit.brand, 0, -28, (34, 9), kit.on(glaze))
        kit.glint(
            f"M{kit.side * 17} -46 "
            f"C{kit.side * 19} -34 {kit.side * 18.6} -22 {kit.side * 16.6} -12 "
            f"L{kit.side * 14.6} -12 "
            f"C{kit.side * 16} -24 {kit.side * 16} -36 {kit.side * 14.4} -45.4 Z",
            0.34,
        )
    steam(kit, -4, -60, 36)


def _coffee_grinder(kit: Kit) -> None:
    kit.shadow(19, flat=0.2)
    jar = "M-16.5 -32 L-17.5 -4 C-17.5 1 17.5 1 17.5 -4 L16.5 -32 Z"
    with kit.within(jar):
        kit.lay(
            "M-18 -17 Q-8 -21 2 -18 T18 -17 V-4 C18 1 -18 1 -18 -4 Z",
            kit.ramp(kit.stops(_COFFEE, "round"), (-17, 17)),
        )
        kit.lay(
            "M-18 -17 Q-8 -21 2 -18 T18 -17 V-15.4 Q8 -15 0 -16.6 T-18 -15.4 Z", kit.lit("#6b4630")
        )
    kit.pane(jar, body=0.24, line=1)
    kit.trace("M-17.4 -4 C-17.4 0.8 17.4 0.8 17.4 -4", kit.shine(0.6), 0.9)
    kit.glint(slab(kit.side * 13 - 1.2, -29, 2.4, 24, 1.2), 0.5)
    kit.form("M-18.4 -42 V-32 C-18.4 -29 18.4 -29 18.4 -32 V-42 Z", "#3a3f45", "metal", rim=0)
    for step in range(-9, 10):
        x = math.sin(step / 9 * 1.45) * 18.2
        kit.brush.rect(x - 0.2, -40.4, 0.45, 8 + (1.3 - 0.07 * abs(step)), kit.ink(0.4))
    kit.lay("M-1.4 -44.6 h2.8 l-1.4 3 Z", kit.base(kit.accent))
    kit.form("M-17.6 -78 V-44 C-17.6 -41 17.6 -41 17.6 -44 V-78 Z", "#c3cad0", "metal", rim=0.7)
    kit.brush.rect(-17.6, -49.6, 35.2, 2.2, kit.ramp(kit.stops(kit.accent, "round"), (-18, 18)))
    kit.letter(kit.brand, 0, -62, (25, 6.4), kit.base("#33383d"))
    kit.form(
        "M-17.6 -78 C-17.6 -81 17.6 -81 17.6 -78 L14 -84.5 C13 -87 -13 -87 -14 -84.5 Z",
        "#3a3f45",
        "metal",
        rim=0.6,
    )
    kit.form(slab(-3, -92, 6, 7, 1.4), STEEL, "metal", rim=0)
    kit.tube("M0 -91 C12 -93 24 -93 37 -90", STEEL, 2.6)
    kit.form(
        "M33.4 -92 C32 -97 34 -100 37.4 -100 C41 -100 43 -97 41.4 -92 Q37.4 -90 33.4 -92 Z",
        OAK,
        "round",
        rim=0.6,
    )


def _coffee_maker(kit: Kit) -> None:
    """A stove-top pot of eight faces."""
    kit.shadow(24, flat=0.18)
    steam(kit, -22, -82, 18)
    metal = "#bcc4ca"
    kit.tube("M20 -80 C40 -84 42 -70 40 -52 C39 -46 36 -44 34 -46", "#2a2623", 6.5)
    upper = ((-20, -86), (20, -86), (14, -46), (-14, -46))
    _facets(kit, upper, metal)
    kit.form("M-19.6 -86 L-29 -80.4 L-18 -71 Z", metal, "slant", rim=0.6)
    kit.form("M-15 -47 H15 V-41.6 H-15 Z", "#8d969d", "metal", rim=0)
    _facets(kit, ((-14.5, -42), (14.5, -42), (23, -1.4), (-23, -1.4)), metal)
    kit.brush.circle(-6.5, -30, 2, kit.deep("#b08a4a"))
    kit.brush.circle(-6.5 + kit.side * 0.4, -30.4, 1.1, kit.lit("#d8b060"))
    kit.form("M-20.4 -86 C-16 -92 -8 -95 0 -95 C8 -95 16 -92 20.4 -86 Z", metal, "metal", rim=0.6)
    kit.form("M-2.4 -94 L-3.8 -99 Q0 -101.4 3.8 -99 L2.4 -94 Z", kit.accent, "round", rim=0.4)
    kit.letter(kit.brand, 0, -64, (20, 5), kit.base("#4a5258"))


def _facets(kit: Kit, corners: tuple[tuple[float, float], ...], colour: str) -> None:
    """A body of flat faces: every second one catches the light."""
    (a, y), (b, _), (c, foot), (d, _) = corners
    t = kit.tone(colour)
    tones = (t.base, mix(t.lit, kit.white, 0.4), t.lit, t.base, t.shade, t.deep)
    if kit.side > 0:
        tones = tones[::-1]
    cuts = (0.0, 0.1, 0.28, 0.5, 0.72, 0.9, 1.0)
    for left, right, face in zip(cuts, cuts[1:], tones, strict=False):
        sag = 1.4 * (0.5 - abs((left + right) / 2 - 0.5)) * 2
        kit.brush.poly(
            [
                (a + (b - a) * left, y),
                (a + (b - a) * right, y),
                (d + (c - d) * right, foot + sag * (right < 0.95)),  # noqa: PLR2004
                (d + (c - d) * left, foot + sag * (left > 0.05)),  # noqa: PLR2004
            ],
            face,
        )


def _kettle(kit: Kit) -> None:
    kit.shadow(34, flat=0.16)
    if kit.state != "off":
        steam(kit, -45, -52, 34)
    glaze = mix(kit.accent, "#3f5a63", 0.1)
    kit.tube("M-24 -22 C-38 -22 -36 -46 -46 -52", glaze, 6)
    kit.trace("M-26 -44 C-30 -96 34 -98 28 -46", kit.deep("#33383c"), 3.4)
    kit.trace("M-26.6 -45 C-30.6 -97 33.4 -99 27.4 -47", kit.lit("#6a7278"), 0.9)
    kit.form(
        "M-13 -83.4 C-8 -88.6 10 -89 16 -83.6 L14.6 -78.8 C9 -83.4 -7 -83.2 -11.4 -78.6 Z",
        "#8a5a34",
        "slant",
        rim=0.5,
    )
    body = "M-22 -50 C-34 -44 -38 -26 -33 -6 C-32 1 32 1 33 -6 C38 -26 34 -44 22 -50 Z"
    kit.form(body, glaze, "round", rim=1.2)
    kit.lay(
        "M-33.4 -7.6 C-28 -3 28 -3 33.4 -7.6 L33 -5 C31 1 -31 1 -33 -5 Z",
        kit.ramp(kit.stops(STEEL, "metal"), (-33, 33)),
    )
    kit.form(
        "M-22.6 -50 C-18 -57 18 -57 22.6 -50 C18 -47 -18 -47 -22.6 -50 Z", glaze, "round", rim=0.7
    )
    kit.form("M-3.6 -54 L-4.4 -60 Q0 -63 4.4 -60 L3.6 -54 Z", "#8a5a34", "round", rim=0.4)
    s = kit.side
    kit.glint(
        f"M{s * 24} -40 C{s * 29} -32 {s * 30} -22 {s * 28} -12 L{s * 25} -12 "
        f"C{s * 26.6} -22 {s * 25} -32 {s * 20.6} -39 Z",
        0.42,
    )
    kit.letter(kit.brand, 0, -26, (34, 8), kit.on(glaze))


PAINTERS = {
    "coffee_grinder": _coffee_grinder,
    "coffee_maker": _coffee_maker,
    "cup": _cup,
    "kettle": _kettle,
}
