"""How far hair and hats reach around a head, from above it down to its chin.

What hangs further down lies upon the shoulders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.look import Look


class Mane(msgspec.Struct, frozen=True):
    """Heads from the middle of a face, which is turned to the right."""

    behind: float = 0.46
    before: float = 0.46
    over: float = 0.09
    """From the crown up."""

    def around(self, other: Mane) -> Mane:
        """As far as either of two reaches."""
        return Mane(
            max(self.behind, other.behind),
            max(self.before, other.before),
            max(self.over, other.over),
        )


_HANGS = Mane(0.49, 0.49)
_FRONT = {
    "short": Mane(over=0.16),
    "side": Mane(over=0.15),
    "bob": _HANGS,
    "shoulder": _HANGS,
    "long": _HANGS,
    "bun": Mane(over=0.28),
    "ponytail": Mane(behind=0.62),
    "pigtails": Mane(0.64, 0.63),
    "curly": Mane(0.58, 0.53, 0.18),
}
_FALLS = Mane(0.58, over=0.11)
_PROFILE = {
    "short": Mane(0.53, over=0.13),
    "side": Mane(0.53, over=0.16),
    "bob": _FALLS,
    "shoulder": _FALLS,
    "long": _FALLS,
    "bun": Mane(0.71, over=0.11),
    "ponytail": Mane(0.71, over=0.11),
    "curly": Mane(0.62, over=0.22),
}
_BARE, _BARE_ASIDE = Mane(), Mane(0.53, over=0.11)
"""By style, from the front or turned half away, and from the side."""
_WORN = {
    "cap": (Mane(0.48, over=0.16), Mane(0.55, 0.57, 0.17)),
    "helmet": (Mane(0.48, over=0.22), Mane(0.55, over=0.17)),
    "headscarf": (Mane(0.49, 0.49, 0.11), Mane(0.58, over=0.12)),
}
_ROUND = 1.08
"""How much wider a child's is."""


def mane_of(look: Look, view: str) -> Mane:
    """How far the hair of a look reaches, and what is worn on it, on a head of this view."""
    aside = view == "profile"
    styles, bare = (_PROFILE, _BARE_ASIDE) if aside else (_FRONT, _BARE)
    found = styles.get(look.style, bare)
    for worn, views in _WORN.items():
        if look.has(worn):
            found = found.around(views[aside])
    if look.age != "child":
        return found
    return Mane(found.behind * _ROUND, found.before * _ROUND, found.over)
