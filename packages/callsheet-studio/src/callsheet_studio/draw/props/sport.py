"""What is worn, carried or unrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.corner import Corner
from callsheet_studio.draw.props.kit import RUBBER, STEEL, oval, slab

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit


def _yoga_mat(kit: Kit) -> None:
    """Half unrolled, a strap beside it."""
    kit.shadow(52, y=-8, flat=0.2, strength=0.7)
    mat = kit.accent
    t = kit.tone(mat)
    kit.lay(
        "M-22 -26 L34 -32 L50 -4 L-8 2 Z",
        kit.brush.linear((-20, -20), (50, -8), [(0.0, t.shade), (0.3, t.base), (1.0, t.lit)]),
    )
    for share in (0.12, 0.26, 0.4, 0.54, 0.68, 0.82, 0.94):
        kit.trace(
            f"M{-20 + share * 56 + 2} {-26 - share * 6} L{-8 + share * 58 + 0} {2 - share * 6}",
            kit.shine(0.12),
            0.6,
        )
    kit.trace("M34 -32 L50 -4 L-8 2", clear(t.deep, 0.9), 1.4)
    with kit.brush.moved(-9, -3):
        kit.lay(
            "M-27 -44 C-34 -44 -40 -34 -37 -20 C-34 -4 -24 4 -17 3 L14 0 C20 -3 18 -16 14 -28 "
            "C11 -40 6 -48 0 -47.6 Z",
            kit.brush.linear(
                (-8, -48),
                (0, 4),
                [
                    (0.0, t.base),
                    (0.16, mix(t.lit, kit.light.key, 0.3)),
                    (0.45, t.base),
                    (0.6, t.shade),
                    (1.0, t.deep),
                ],
            ),
        )
        end = oval(-27, -20.4, 9.6, 24, -0.2)
        kit.lay(end, t.shade)
        kit.trace(end, mix(t.lit, kit.light.rim, 0.4), 1)
        for scale in (0.8, 0.6, 0.4, 0.2):
            kit.trace(
                oval(-27, -20.4, 9.6 * scale, 24 * scale, -0.2),
                clear(t.deep if scale != 0.6 else t.lit, 0.8),  # noqa: PLR2004
                1.3,
            )
        kit.trace("M-2 -47.2 C7 -42 17 -10 8 0.6", kit.base("#f2e8d6"), 3)
    kit.letter(kit.brand, 26, -11, (26, 6), clear(kit.on(mat), 0.8))


def _running_shoe(kit: Kit) -> None:
    kit.shadow(50, flat=0.1)
    upper = (
        "M-47 -15 C-48 -22 -42 -27 -34 -29 C-22 -32 -12 -40 -5 -52 C-3 -55.6 0 -56.6 3 -55 "
        "L18 -47 C26 -45 34 -50 40 -58 C43 -61.6 47 -60 47.6 -56 C49 -44 49.6 -30 48 -14 Z"
    )
    kit.form(upper, kit.accent, "slant", rim=1.1, core=3)
    with kit.within(upper):
        kit.lay(
            "M-48 -14 C-40 -26 -26 -26 -14 -24 C0 -22 8 -14 10 -12 L-48 -8 Z",
            clear(kit.deep(kit.accent), 0.38),
        )
        for row in range(6):
            for column in range(7):
                kit.brush.circle(
                    -38 + column * 4.4 + row * 1.2,
                    -26.4 + row * 2.2 - column * 0.7,
                    0.5,
                    kit.ink(0.24),
                )
        kit.lay(
            "M28 -62 H50 V-12 H34 C28 -26 36 -44 28 -62 Z",
            clear(kit.deep(mix(kit.accent, "#22303a", 0.5)), 0.85),
        )
        kit.lay("M4 -13 C14 -18 24 -30 27 -46 L35 -48 C33 -32 26 -18 18 -12 Z", kit.lit("#fbf6ea"))
        kit.lay(
            "M18 -12 C27 -18 34 -32 36 -48 L39.6 -52 C39.6 -34 33 -18 27 -12 Z",
            clear(kit.lit("#fbf6ea"), 0.85),
        )
    kit.form(
        "M-5 -52 C-3 -56 0 -56.6 3 -55 L16 -48.2 C12 -42 -4 -30 -18 -30 C-12 -36 -8 -44 -5 -52 Z",
        mix(kit.accent, "#22303a", 0.55),
        "slant",
        rim=0.5,
    )
    for x, y in ((-13, -34), (-7.6, -38.4), (-3, -43.4), (1.4, -48.6)):
        kit.trace(f"M{x - 4} {y + 5.6} Q{x + 3} {y + 0.6} {x + 10} {y + 2.6}", kit.ink(0.3), 2)
        kit.trace(
            f"M{x - 4.2} {y + 4.8} Q{x + 2.8} {y - 0.2} {x + 9.8} {y + 1.8}",
            kit.lit("#fbf6ea"),
            1.7,
        )
    kit.trace("M3 -55 L18 -47 C26 -45 34 -50 40 -58", clear(kit.lit("#f2e8d8"), 0.9), 1.6)
    sole = (
        "M-49.6 -13 C-44 -15 -40 -13 -30 -13 C-10 -13 4 -12 20 -14 C30 -15.4 40 -17 49 -15 "
        "C51 -8 50 0 44 0 H-34 C-44 0 -50 -5 -49.6 -13 Z"
    )
    kit.form(sole, "#f3efe6", "slant", rim=0.8, core=1.6)
    kit.trace("M-47 -8.4 C-20 -7 10 -7.6 49 -9.6", kit.base(kit.accent), 1.4)
    kit.lay(
        "M-45.6 -4.6 C-30 -2.6 30 -2.6 48 -4 C47 -1 46 0 44 0 H-34 C-39 0 -43 -1.8 -45.6 -4.6 Z",
        kit.base(RUBBER),
    )
    for x in range(-36, 44, 6):
        kit.brush.rect(x, -1.2, 3, 1.2, kit.ink(0.4))


def _backpack(kit: Kit) -> None:
    kit.shadow(34, flat=0.14)
    cloth = kit.accent
    for sign in (-1, 1):
        kit.trace(
            f"M{sign * 14} -88 C{sign * 42} -80 {sign * 42} -40 {sign * 36} -10",
            kit.deep("#3a2f2a"),
            5,
        )
    kit.trace("M-8 -92 C-8 -101 8 -101 8 -92", kit.deep("#3a2f2a"), 3)
    body = (
        "M-33 -8 V-58 C-33 -82 -18 -94 0 -94 C18 -94 33 -82 33 -58 V-8 Q33 0 25 0 H-25 "
        "Q-33 0 -33 -8 Z"
    )
    kit.form(body, cloth, "round", rim=1.1, core=3)
    flap = (
        "M-33 -56 V-60 C-33 -82 -18 -94 0 -94 C18 -94 33 -82 33 -60 V-56 C22 -50 -22 -50 -33 -56 Z"
    )
    kit.lay("M-33 -54 C-22 -48 22 -48 33 -54 V-50 C22 -44 -22 -44 -33 -50 Z", kit.ink(0.25))
    kit.form(flap, mix(cloth, "#2a3a44", 0.18), "round", rim=0.9)
    for sign in (-1, 1):
        kit.form(slab(sign * 15 - 2.6, -64, 5.2, 34, 1), "#7b4a2e", "flat", rim=0.4)
        kit.form(slab(sign * 15 - 4, -47, 8, 6, 1.4), "#d0a24c", "metal", rim=0.3)
        kit.brush.rect(sign * 15 - 2, -45.6, 4, 3, kit.deep("#7b4a2e"))
    pocket = "M-24 -30 H24 V-8 Q24 -3 19 -3 H-19 Q-24 -3 -24 -8 Z"
    kit.lay("M-25 -31 H25 V-7 Q25 -1.6 19 -1.6 H-19 Q-25 -1.6 -25 -7 Z", kit.ink(0.2))
    kit.form(pocket, cloth, "round", rim=0.7)
    kit.lay("M-24 -30 H24 V-23 C12 -20 -12 -20 -24 -23 Z", clear(kit.deep(cloth), 0.3))
    kit.trace("M-21 -27 H21", clear(kit.lit("#f6e6cf"), 0.6), 0.6, dash=(1.8, 1.4))
    kit.letter(kit.brand, 0, -76, (34, 7), kit.on(mix(cloth, "#2a3a44", 0.18)))


def _suitcase(kit: Kit) -> None:
    box = Corner(kit, (48, 72, 26), turn=30, above=12)
    box.foot()
    a, b = box.at(12, 72, 13), box.at(36, 72, 13)
    kit.brush.line([a, (a[0], a[1] - 19)], kit.base(STEEL), 1.8)
    kit.brush.line([b, (b[0], b[1] - 19)], kit.base(STEEL), 1.8)
    kit.brush.line([(a[0], a[1] - 19), (b[0], b[1] - 19)], kit.deep("#2b3036"), 4)
    kit.brush.line([(a[0], a[1] - 19.8), (b[0], b[1] - 19.8)], kit.lit("#5a636b"), 1)
    for x, z in ((6, 0), (42, 0), (47, 22)):
        sx, sy = box.at(x, 2, z)
        kit.brush.ellipse(sx, sy, 2.6, 3.4, kit.base(RUBBER))
        kit.brush.ellipse(sx + kit.side * 0.6, sy - 0.6, 1, 1.4, kit.base(STEEL))
    box.cuboid((0, 48), (4, 72), (0, 26), kit.accent, rim=0.8)
    with box.front(0, 72):
        for x in (6, 13, 20, 27, 34, 41):
            kit.brush.rect(x, 4, 2.2, 60, kit.ink(0.17), radius=1.1)
            kit.brush.rect(x - 0.8, 4, 0.7, 60, kit.shine(0.28), radius=0.3)
        kit.brush.rect(13, 27, 22, 10, kit.base("#f2ece0"), radius=1.6)
        kit.letter(kit.brand, 24, 32, (19, 5), kit.base("#2b333b"))
    with box.flank(48, 72):
        kit.brush.rect(12.2, 0, 1.4, 68, kit.ink(0.45))
        for y in (18, 46):
            kit.brush.rect(9.6, y, 6.6, 5, kit.base(STEEL), radius=1)
        kit.brush.rect(5, 30, 16, 3.4, kit.deep("#2b3036"), radius=1.6)


def _helmet(kit: Kit) -> None:
    """For cycling, seen from the side."""
    kit.shadow(40, flat=0.12)
    kit.trace("M-20 -26 C-16 -10 -6 -4 4 -3 M22 -26 C16 -14 10 -6 4 -3", kit.deep("#2b2f35"), 2)
    kit.form(slab(0.4, -5.6, 7, 5, 1.4), "#2b2f35", "slant", rim=0.4)
    kit.lay("M-42 -30 C-30 -18 28 -18 45 -28 L42 -38 H-40 Z", kit.deep("#23272c"))
    shell = (
        "M-47 -31 C-48 -60 -24 -79 4 -78 C32 -77 48 -56 47 -32 C46 -25 38 -24 30 -28 "
        "C10 -36 -14 -34 -36 -25 C-42 -23 -47 -25 -47 -31 Z"
    )
    kit.form(shell, kit.accent, "soft", rim=1.3, core=4)
    with kit.within(shell):
        for path in (
            "M-38 -40 C-34 -58 -20 -69 -8 -71 C-18 -63 -25 -50 -26 -38 Z",
            "M-20 -40 C-18 -57 -6 -70 8 -72 C0 -62 -6 -50 -6 -40 Z",
            "M1 -40 C2 -55 10 -66 20 -69 C16 -60 16 -50 17 -39 Z",
            "M23 -38 C23 -51 26 -59 32 -61 C35 -54 37 -46 37 -36 Z",
        ):
            kit.lay(path, kit.deep("#1f2429"))
            kit.edge(path, kit.deep(kit.accent), 1.2, away=True)
            kit.trace(path, clear(kit.lit(kit.accent), 0.5), 0.5)
        kit.lay(
            "M-47 -32 C-30 -42 -14 -42 6 -40 C24 -38 38 -34 47 -36 V-31 C38 -28 24 -33 6 -35 "
            "C-14 -37 -30 -35 -47 -26 Z",
            kit.ink(0.2),
        )
    kit.letter(kit.brand, -2, -37, (30, 5), kit.on(kit.accent))
    s = kit.side
    kit.glint(
        f"M{s * 16} -74.6 C{s * 30} -70 {s * 38} -60 {s * 41} -48 "
        f"C{s * 35} -58 {s * 28} -66 {s * 16} -74.6 Z",
        0.4,
    )


def _boot(kit: Kit) -> None:
    kit.shadow(44, flat=0.12)
    hide = mix("#8a5a34", kit.accent, 0.12)
    upper = (
        "M-12 -84 C-2 -88 18 -88 28 -84 C30 -66 34 -48 38 -14 H-46 C-49 -24 -46 -31 -36 -34 "
        "C-24 -38 -14 -44 -11 -56 C-9 -66 -11 -76 -12 -84 Z"
    )
    kit.form(upper, hide, "slant", rim=1.1, core=3)
    with kit.within(upper):
        kit.lay(
            "M-50 -14 C-48 -30 -34 -32 -22 -30 C-12 -28 -10 -20 -10 -12 H-50 Z",
            clear(kit.deep(hide), 0.45),
        )
        kit.lay("M40 -50 C28 -46 22 -34 22 -12 H44 Z", clear(kit.deep(hide), 0.4))
        kit.trace(
            "M-22 -30 C-12 -28 -10 -20 -10 -13 M27 -52 C23 -40 22 -28 22 -13",
            clear(kit.lit("#e8c490"), 0.6),
            0.7,
            dash=(1.6, 1.2),
        )
    kit.form(
        "M-13 -84 C-4 -90 20 -90 29 -84 L29.6 -75 C18 -79 -2 -79 -12.4 -75 Z",
        mix(kit.accent, "#3a2a20", 0.2),
        "round",
        rim=0.7,
    )
    for index in range(6):
        x, y = -12 - max(index - 3, 0) * 5, -72 + index * 7.4
        kit.trace(f"M{x} {y + 2} Q{x + 7} {y - 1} {x + 14} {y + 3}", kit.ink(0.3), 2.2)
        kit.trace(f"M{x} {y + 1.2} Q{x + 7} {y - 1.8} {x + 14} {y + 2.2}", kit.lit(kit.accent), 1.7)
        kit.brush.circle(x + 14, y + 2.4, 1.5, kit.lit(STEEL))
    kit.form(
        "M-48 -15 C-20 -12 10 -13 39 -15 L40 -6 Q40 0 35 0 H18 L15 -4 H-6 L-9 0 H-40 "
        "C-47 0 -50 -8 -48 -15 Z",
        RUBBER,
        "slant",
        rim=0.8,
    )
    for x in (-40, -34, -28, -22, -16, 21, 27, 33):
        kit.brush.rect(x, -4.4, 3, 4.4, kit.ink(0.35), radius=0.6)


PAINTERS = {
    "backpack": _backpack,
    "boot": _boot,
    "helmet": _helmet,
    "running_shoe": _running_shoe,
    "suitcase": _suitcase,
    "yoga_mat": _yoga_mat,
}
