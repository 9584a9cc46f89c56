"""Dogs and cats, from their side, turned to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import mix
from callsheet_studio.draw.props.kit import fitted, oval

if TYPE_CHECKING:
    from callsheet_studio.draw.props.kit import Kit

_FUR, _PALE, _DARK = "#b07a45", "#ecd9b8", "#3a2c24"
_GREY, _WHITE, _NOSE = "#7d7f86", "#f0ece4", "#2a2220"
_PINK = "#d99a92"


def _leg(kit: Kit, path: str, colour: str, *, far: bool = False) -> None:
    """A leg with its paw; those on the far side are darker."""
    tone = mix(colour, _DARK, 0.3) if far else colour
    kit.form(path, tone, "soft", rim=0)


def _dog(kit: Kit) -> None:
    """Standing, the tail up, an ear that hangs, a collar in the film's colour."""
    kit.shadow(34, flat=0.06)
    _leg(
        kit,
        "M-27 -34 C-30 -24 -25 -18 -27 -5 L-27.6 0 H-19.6 L-20 -4 C-18.6 -14 -16 -24 -16 -32 Z",
        _FUR,
        far=True,
    )
    _leg(
        kit,
        "M13 -32 C13 -20 14.4 -12 14 -4 L13.6 0 H21.6 L21.4 -4 C22.4 -14 22.6 -24 22.6 -34 Z",
        _FUR,
        far=True,
    )
    kit.form(
        "M-33 -48 C-40 -52 -46 -62 -46 -72 C-46 -76 -41.6 -76.4 -41 -72.6 "
        "C-40 -64 -36 -57 -29 -54 Z",
        _FUR,
        "soft",
        rim=0.8,
    )
    body = (
        "M-35 -46 C-34 -56 -24 -58.6 -12 -57.6 C0 -56.6 8 -57 16 -60 C24 -62 31 -56 30 -46 "
        "C29 -36 22 -29.6 13 -29 C2 -28 -4 -33 -14 -32 C-22 -31 -26 -26 -32 -28 "
        "C-37 -32 -36 -40 -35 -46 Z"
    )
    kit.form(body, _FUR, "soft", rim=1.2, core=5)
    with kit.within(body):
        kit.lay("M6 -30 C16 -34 24 -44 26 -54 L36 -50 L32 -24 Z", kit.base(mix(_FUR, _PALE, 0.75)))
        kit.lay("M-40 -60 H20 L10 -54 C-6 -50 -20 -52 -36 -48 Z", kit.ink(0.08))
    _leg(
        kit,
        "M-34 -40 C-40 -30 -37 -22 -35 -16 C-36 -10 -36 -6 -37 -2 L-37.2 0 H-26 "
        "C-24 -1 -25 -4 -28.4 -4.2 C-27 -10 -25 -15 -22 -22 C-19 -30 -22 -40 -34 -40 Z",
        _FUR,
    )
    _leg(
        kit,
        "M17 -42 C17 -28 20.4 -14 20 -4 L19.8 0 H31 C33 -1 32 -4 28.6 -4.4 "
        "C29 -14 30.6 -28 30 -42 C28 -50 19 -50 17 -42 Z",
        _FUR,
    )
    for x in (-31.6, 25.4):
        kit.trace(f"M{x} -0.4 v-2 M{x + 2.2} -0.4 v-2", kit.ink(0.4), 0.5)
    _dog_head(kit)


def _dog_head(kit: Kit) -> None:
    neck = "M6 -56 C14 -64 18 -74 25 -78 L38 -70 C35 -62 34 -54 29 -44 C22 -46 12 -50 6 -56 Z"
    kit.form(neck, _FUR, "soft", rim=0)
    head = (
        "M21 -80 C22 -88 30 -92 37 -90 C42 -88.6 44 -85 46.6 -82.6 C51 -81.6 55 -80 56 -77 "
        "C56.6 -73.4 54 -70.6 49 -70 C44 -69 40 -67 35 -68 C27 -69 20 -72 21 -80 Z"
    )
    kit.form(head, _FUR, "soft", rim=1.0, core=3)
    with kit.within(head):
        kit.lay("M40 -72 C46 -80 54 -80 60 -76 V-64 H40 Z", kit.base(mix(_FUR, _PALE, 0.8)))
    kit.form(oval(54.4, -78.6, 2.7, 2.0, 0.3), _NOSE, "soft", rim=0.5)
    kit.trace("M54 -73.4 C50 -71.6 46.6 -72 44 -74", kit.deep(_DARK), 0.8)
    kit.lay(oval(40.6, -82, 1.7, 1.9), kit.deep("#1c1512"))
    kit.brush.circle(40.2 + 0.5 * kit.side, -82.7, 0.6, kit.shine(0.9))
    kit.trace("M38 -85.6 q2.6 -1.6 5 -0.4", kit.deep(_FUR), 0.7)
    ear = "M27 -90 C21 -92 16 -86 15.4 -79 C15 -72 18 -67 22 -67.6 C27 -68.6 30 -78 31.6 -86 Z"
    kit.form(ear, mix(_FUR, _DARK, 0.42), "soft", rim=0.8)
    kit.tube("M16.6 -61 C22 -56 28 -55 33.6 -57", kit.accent, 3.2)
    kit.form(oval(28, -52.6, 2.2, 2.4), "#d9b24a", "metal", rim=0)


def _dog_sitting(kit: Kit) -> None:
    """Sitting upright, the tail on the ground."""
    kit.shadow(30, flat=0.08)
    kit.form(
        "M-20 -6 C-30 -4 -40 -6 -46 -12 C-48 -15 -44 -17.6 -41.6 -15 C-36 -9 -28 -10 -20 -13 Z",
        _FUR,
        "soft",
        rim=0.6,
    )
    _leg(
        kit,
        "M9 -36 C9 -22 10 -12 9.6 -4 L9.2 0 H18 L17.6 -4 C18.6 -14 19 -26 19 -36 Z",
        _FUR,
        far=True,
    )
    body = (
        "M-26 -14 C-27 -30 -16 -46 -2 -56 C4 -60 14 -64 22 -60 C29 -54 29 -44 25 -34 "
        "C20 -22 14 -10 4 -3 C-6 1 -24 0 -26 -14 Z"
    )
    kit.form(body, _FUR, "soft", rim=1.2, core=5)
    with kit.within(body):
        kit.lay("M8 -26 C14 -36 20 -48 22 -60 L34 -56 L24 -16 Z", kit.base(mix(_FUR, _PALE, 0.75)))
    thigh = (
        "M-24 -12 C-26 -24 -14 -32 -5 -26 C3 -20 3 -8 -3 -3 H6 C9 -3 9.6 0 8.6 0 H-14 "
        "C-21 0 -23.6 -5 -24 -12 Z"
    )
    kit.form(thigh, _FUR, "soft", rim=0.8)
    _leg(
        kit,
        "M12 -44 C12 -28 15 -12 14.6 -4 L14.4 0 H26 C28 -1 27 -4 23.6 -4.4 "
        "C24.4 -14 26.4 -30 26 -44 C24 -52 14 -52 12 -44 Z",
        _FUR,
    )
    with kit.brush.moved(0, -3):
        _dog_head(kit)


def _cat(kit: Kit) -> None:
    """Sitting, the tail laid around its paws."""
    kit.shadow(26, flat=0.1)
    tail = "M-18 -8 C-30 -6 -36 -14 -40 -24 C-42 -30 -36 -33 -34 -27 C-31 -18 -26 -14 -18 -16 Z"
    kit.form(tail, _GREY, "soft", rim=0.7)
    with kit.within(tail):
        kit.lay("M-46 -40 h12 v12 h-12 Z", kit.base(mix(_GREY, _DARK, 0.3)))
    body = (
        "M-24 -12 C-26 -30 -16 -50 0 -58 C10 -62 20 -56 21 -46 C22 -34 20 -22 20 -10 "
        "C20 -3 18 0 12 0 H-14 C-21 0 -23.6 -5 -24 -12 Z"
    )
    kit.form(body, _GREY, "soft", rim=1.2, core=5)
    with kit.within(body):
        kit.lay("M8 -30 C12 -42 16 -52 22 -56 L30 -40 L22 -10 L12 -12 Z", kit.base(_WHITE))
        for x, y in ((-20, -22), (-17, -30), (-13, -38), (-8, -45)):
            kit.trace(f"M{x - 6} {y - 2} q9 -3 14 3", kit.base(mix(_GREY, _DARK, 0.4)), 2)
    kit.form(
        "M-22 -12 C-22 -24 -8 -28 -1 -20 C4 -13 2 -4 -2 0 H-14 C-20 0 -22 -5 -22 -12 Z",
        _GREY,
        "soft",
        rim=0.8,
    )
    for x, fur in ((6, _GREY), (14, _WHITE)):
        kit.form(
            f"M{x} -30 C{x - 1} -18 {x} -8 {x} -3 C{x} 0 {x + 2} 0.4 {x + 5} 0.2 "
            f"C{x + 10} 0 {x + 9.6} -3.4 {x + 7} -5 C{x + 7} -14 {x + 8} -22 {x + 8} -30 "
            f"C{x + 7} -36 {x + 1} -36 {x} -30 Z",
            fur,
            "slant",
            rim=0,
        )
    _cat_head(kit)
    kit.tube("M2 -57 C8 -53 15 -53 20 -56", kit.accent, 2.6)
    kit.form(oval(14, -51.6, 1.8, 2.0), "#d9b24a", "metal", rim=0)


def _cat_head(kit: Kit) -> None:
    for ear in (
        "M1 -80 C-2 -88 -1 -96 2 -98 C7 -95 12 -89 13 -83 Z",
        "M17 -84 C19 -91 24 -96 28 -97 C30 -92 30 -84 28 -78 Z",
    ):
        kit.form(ear, _GREY, "soft", rim=0.6)
    kit.lay("M3 -83 C1.6 -88 2 -92 3.4 -94 C6.6 -91 9 -88 10 -84 Z", kit.base(_PINK))
    kit.lay("M20 -84 C22 -89 24.6 -92 26.6 -93 C27.6 -89 27.4 -84 26.4 -80 Z", kit.base(_PINK))
    head = (
        "M-3 -70 C-4 -80 4 -87 14 -87 C24 -87 31.6 -80 31 -70 C30.4 -61 23 -56 14 -56 "
        "C5 -56 -2.4 -61 -3 -70 Z"
    )
    kit.form(head, _GREY, "soft", rim=1.0, core=3)
    with kit.within(head):
        kit.lay(
            "M14 -88 L10 -74 C6 -64 12 -58 16 -54 L26 -58 C30 -64 24 -70 18 -74 Z", kit.base(_WHITE)
        )
        for stripe in (4, 10, 19, 25):
            kit.trace(f"M{stripe} -88 v5", kit.base(mix(_GREY, _DARK, 0.4)), 1.6)
    for x in (7.4, 22.4):
        kit.lay(oval(x, -72.4, 3.0, 3.2), kit.base("#9fb54a"))
        kit.lay(oval(x + 0.2, -72.4, 1.3, 2.8), kit.deep("#14110f"))
        kit.brush.circle(x - 0.6 + 0.4 * kit.side, -73.8, 0.7, kit.shine(0.9))
    kit.lay("M12.8 -67.2 h4.4 l-2.2 2.6 Z", kit.base(_PINK))
    kit.trace(
        "M15 -64.6 v1.4 M15 -63.2 q-2.4 2.6 -4.8 0.8 M15 -63.2 q2.4 2.6 4.8 0.8",
        kit.deep(_DARK),
        0.6,
    )
    for y, dy in ((-65, -2), (-63.4, 0.6)):
        kit.trace(f"M8 {y} L-8 {y + dy} M22 {y} L38 {y + dy}", kit.shine(0.55), 0.4)


PAINTERS = {
    "dog": fitted(_dog, 0.93, x=-5),
    "dog_sitting": fitted(_dog_sitting, 0.93, x=-4),
    "cat": _cat,
}
