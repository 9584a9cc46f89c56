"""What is carried in a pocket: keys, money, cards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import STEEL, oval, poly, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_BRASS = "#d0a24c"


def _key(kit: Kit) -> None:
    """On a ring with a tag of leather."""
    kit.shadow(34, y=-3, flat=0.12, strength=0.7)
    with kit.brush.moved(4, 11):
        kit.trace(oval(-14, -82, 12, 12), kit.deep(STEEL), 2.4)
        kit.trace(oval(-14.3, -82.4, 12, 12), kit.lit(STEEL), 0.9)
        with kit.brush.moved(-20, -73, turn=0.42):
            kit.form(
                "M-9 8 Q-9 2 -3 0 L0 -1.4 L3 0 Q9 2 9 8 V44 Q9 50 3 50 H-3 Q-9 50 -9 44 Z",
                mix(kit.accent, "#7a4a33", 0.15),
                "slant",
                rim=0.8,
                core=1.6,
            )
            kit.trace(
                slab(-6.6, 8, 13.2, 39, 3), clear(kit.lit("#f6dcb8"), 0.6), 0.6, dash=(1.6, 1.2)
            )
            kit.brush.circle(0, 4, 1.9, kit.deep("#2b2320"))
            with kit.brush.moved(0, 28, turn=-math.pi / 2):
                kit.letter(kit.brand, 0, 0, (32, 7), kit.on(kit.accent))
        with kit.brush.moved(-6, -74, turn=-0.5):
            blade = (
                "M-3.4 16 H3.4 V62 L0 67 L-3.4 62 V58 L-6.8 56 V51.6 L-3.4 50 V46.6 L-8 44.4 "
                "V39.6 L-3.4 37.8 Z"
            )
            with kit.brush.moved(-kit.side * 0.8, 1.4):
                kit.lay(blade, kit.ink(0.28))
            kit.form(blade, _BRASS, "metal", rim=0.5)
            kit.brush.rect(-0.2, 20, 1.6, 40, kit.ink(0.28), radius=0.8)
            kit.form(
                "M0 -10 C11 -10 16 -3 14 5 C12.6 12 7 13 5 18 H-5 C-7 13 -12.6 12 -14 5 "
                "C-16 -3 -11 -10 0 -10 Z",
                _BRASS,
                "metal",
                rim=0.9,
            )
            kit.brush.circle(0, -2.6, 3.8, kit.deep("#5a4420"))
            kit.trace(oval(0, 3, 9.4, 7.4), kit.ink(0.18), 0.6)


def _lock(kit: Kit) -> None:
    kit.shadow(32, flat=0.15)
    kit.trace("M-17 -46 V-66 A17 17 0 0 1 17 -66 V-46", kit.deep(STEEL), 9.4)
    kit.trace("M-17 -46 V-66 A17 17 0 0 1 17 -66 V-46", kit.base(STEEL), 7.4)
    with kit.brush.moved(kit.side * 1.2, -1):
        kit.trace("M-17 -46 V-66 A17 17 0 0 1 17 -66 V-46", mix(kit.lit(STEEL), kit.white, 0.5), 2)
    for x in (-17, 17):
        kit.lay(oval(x, -50, 5.6, 1.4), kit.ink(0.5))
    body = slab(-31, -50, 62, 50, 9)
    kit.form(body, _BRASS, "metal", rim=1.2)
    kit.form(slab(-25, -44, 50, 38, 6), mix(kit.accent, "#e9c070", 0.1), "slant", rim=0.6)
    kit.brush.circle(0, -29, 6.6, kit.deep("#33241a"))
    kit.lay("M-3 -28 H3 L5 -13 Q0 -11 -5 -13 Z", kit.deep("#33241a"))
    kit.trace("M-6 -32 A6.6 6.6 0 0 1 6 -32", kit.ink(0.4), 1)
    s = kit.side
    kit.glint(f"M{s * 20} -41 L{s * 22.4} -41 V-12 L{s * 20} -12 Z", 0.3)
    kit.letter(kit.brand, 0, -39.6, (34, 4.4), kit.on(kit.accent))


def _card(kit: Kit) -> None:
    kit.shadow(46, y=-2, flat=0.1, strength=0.8)
    for colour, turn, y, front in (("#38444f", 0.2, -40, False), (kit.accent, -0.09, -31, True)):
        with kit.brush.moved(0, y, turn=turn):
            shape = slab(-45, -28.5, 90, 57, 5)
            with kit.brush.moved(-kit.side * 1.2, 2):
                kit.lay(shape, kit.ink(0.34))
            kit.form(shape, colour, "slant", rim=0.8)
            if not front:
                continue
            with kit.within(shape):
                kit.brush.circle(30, 22, 34, clear(kit.lit(colour), 0.35))
                kit.brush.circle(44, -8, 26, clear(kit.deep(colour), 0.22))
                kit.lay(poly((-45, -28.5), (-8, -28.5), (-40, 28.5), (-45, 28.5)), kit.shine(0.12))
            _chip(kit, -36, -8)
            light = kit.on(colour)
            for radius in (3, 5.6, 8.2):
                x, up = -19 + radius * math.cos(0.7), radius * math.sin(0.7)
                kit.trace(
                    f"M{x} {-2 - up} A{radius} {radius} 0 0 1 {x} {-2 + up}",
                    light,
                    1,
                )
            kit.letter(kit.brand, 20, -19, (44, 8), light)
            for group in range(4):
                for dot in range(4):
                    kit.brush.circle(-34 + group * 14 + dot * 2.7, 12, 0.95, clear(light, 0.9))
            kit.bars(-36, 18.6, (26,), gap=1, thick=2, colour=clear(light, 0.6))
            kit.trace("M24 17 q3 -4 6 0 t6 0", clear(light, 0.9), 1.6)
            kit.trace("M24 21 q3 -4 6 0 t6 0", clear(light, 0.5), 1.6)


def _chip(kit: Kit, x: float, y: float) -> None:
    kit.form(slab(x, y, 13, 10.6, 2.2), "#dcb65e", "metal", rim=0.5)
    kit.trace(
        f"M{x} {y + 3.6} h4 v3.4 h-4 M{x + 13} {y + 3.6} h-4 v3.4 h4 M{x + 6.5} {y} v3.2 "
        f"M{x + 6.5} {y + 10.6} v-3.2",
        kit.ink(0.5),
        0.5,
    )


def _wallet(kit: Kit) -> None:
    kit.shadow(46, flat=0.12)
    for x, y, turn, colour in ((-8, -46, -0.07, "#8fb89a"), (0, -43, 0.03, "#a9c9ae")):
        with kit.brush.moved(x, y, turn=turn):
            note = slab(-34, -24, 70, 40, 1)
            kit.form(note, colour, "slant", rim=0.5)
            kit.trace(slab(-31, -21, 64, 34, 1), clear(kit.deep("#4f7a5c"), 0.6), 0.6)
            kit.brush.circle(1, -6, 9, clear(kit.deep("#4f7a5c"), 0.35))
    with kit.brush.moved(14, -42, turn=0.1):
        kit.form(slab(-24, -14, 48, 28, 3), kit.accent, "slant", rim=0.6)
        _chip(kit, -18, -9)
    leather = "#7b4a2e"
    kit.form(
        "M-44 -50 Q-45 -54 -41 -54 L-16 -52 L16 -52 L41 -54 Q45 -54 44 -50 V-6 Q44 0 38 0 H-38 "
        "Q-44 0 -44 -6 Z M-16 -52",
        mix(leather, "#241510", 0.35),
        "slant",
        rim=0,
    )
    body = "M-46 -42 Q-46 -46 -42 -46 H42 Q46 -46 46 -42 V-7 Q46 0 39 0 H-39 Q-46 0 -46 -7 Z"
    kit.form(body, leather, "slant", rim=1, core=3)
    kit.trace(slab(-43, -43, 86, 40, 5), clear(kit.lit("#d9a878"), 0.6), 0.7, dash=(2, 1.5))
    kit.form("M46 -31 H25 Q18 -31 18 -23 Q18 -15 25 -15 H46 Z", leather, "slant", rim=0.8)
    kit.brush.circle(26, -23, 3.4, kit.deep(_BRASS))
    kit.brush.circle(26 + kit.side * 0.5, -23.6, 2.4, kit.lit(_BRASS))
    kit.letter(kit.brand, -16, -12, (44, 6), clear(kit.deep("#3a2014"), 0.85))


def _coins(kit: Kit) -> None:
    kit.shadow(46, flat=0.12)
    for x, count, colour in ((22, 9, _BRASS), (-24, 6, "#c9ced1"), (0, 12, _BRASS)):
        lift, dx = 0 if x else 3, 0.0
        for index in range(count):
            y = -lift - index * 5.2
            dx = ((index * 7 + int(x)) % 5 - 2) * 0.5
            kit.lay(
                f"M{x + dx - 17} {y - 8} V{y - 3.4} "
                f"C{x + dx - 17} {y + 1.4} {x + dx + 17} {y + 1.4} {x + dx + 17} {y - 3.4} "
                f"V{y - 8} Z",
                kit.ramp(kit.stops(colour, "metal"), (x + dx - 17, x + dx + 17)),
            )
            kit.trace(
                f"M{x + dx - 17} {y - 7.6} "
                f"C{x + dx - 17} {y - 3} {x + dx + 17} {y - 3} {x + dx + 17} {y - 7.6}",
                kit.ink(0.4),
                0.5,
            )
        top = -lift - (count - 1) * 5.2 - 8
        kit.lay(oval(x + dx, top, 17, 4.2), kit.ramp(kit.stops(colour, "flat"), (x - 17, x + 17)))
        kit.trace(oval(x + dx, top, 13.6, 3.1), kit.ink(0.28), 0.6)
        kit.trace(oval(x + dx, top - 0.2, 16.4, 4), kit.shine(0.55), 0.5)
    with kit.brush.moved(-36, -14, turn=-0.2):
        kit.form(oval(1.6, 0, 14, 14), "#8d6a2c", "metal", rim=0)
        kit.form(oval(0, 0, 14, 14), _BRASS, "slant", rim=0.8)
        kit.lay(oval(0, 0, 9.6, 9.6), kit.fill(oval(0, 0, 9.6, 9.6), "#d4d8da", "slant"))
        kit.letter("1", 0, 0, (10, 12), clear(kit.deep("#5a5040"), 0.8))


PAINTERS = {"card": _card, "coins": _coins, "key": _key, "lock": _lock, "wallet": _wallet}
