"""The picture on the glass of a device: what surrounds an interface on a phone or in a browser."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.interfaces import INTERFACES
from callsheet_studio.draw.pane import Pane
from callsheet_studio.draw.text import fitted, write

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.pane import Box, Skin


class Screen(msgspec.Struct, frozen=True):
    """What a device shows."""

    kind: str
    skin: Skin
    brand: str = ""

    @property
    def shine(self) -> str:
        """The colour that it throws on what is around it."""
        return mix(self.skin.ground, self.skin.accent, 0.25)


def paint_display(brush: Brush, screen: Screen, box: Box, *, seed: str = "") -> None:
    """The picture on the glass of a device, tall as on a phone or broad as on a laptop."""
    x, y, wide, high = box
    chance = random.Random(f"{seed}/{screen.kind}")  # noqa: S311 -- a picture, not a secret
    tall = high > wide
    pane = Pane(brush, screen.skin, wide / 100 if tall else high / 112, chance)
    brush.rect(x, y, wide, high, screen.skin.ground)
    if tall:
        _phone(pane, screen, box)
    else:
        _window(pane, screen, box)


def _phone(pane: Pane, screen: Screen, box: Box) -> None:
    """A line of states, the name, the interface, four ways to go."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    pane.bar(x + 9 * e, y + 5 * e, 9 * e, high=2.6, colour=skin.ink)
    for index in range(3):
        tall = (1.4 + index * 0.7) * e
        brush.rect(x + wide - (24 - index * 2) * e, y + 7.4 * e - tall, 1.4 * e, tall, skin.ink)
    brush.rect(x + wide - 15 * e, y + 4.6 * e, 6.4 * e, 3.2 * e, skin.ink, radius=e)
    head, foot = y + 13 * e, y + high - 19 * e
    _name(pane, screen.brand, (x + 6 * e, head - e, wide * 0.7, 9 * e))
    brush.circle(x + wide - 10 * e, head + 3.5 * e, 4.4 * e, clear(skin.second, 0.85))
    INTERFACES[screen.kind](pane, (x, head + 10 * e, wide, foot - head - 10 * e))
    brush.rect(x, foot, wide, y + high - foot, skin.card)
    for index in range(4):
        cx = x + wide * (index + 0.5) / 4
        colour = skin.accent if index == 0 else mix(skin.faint, skin.ink, 0.18)
        if index % 2:
            brush.circle(cx, foot + 7 * e, 3 * e, colour)
        else:
            brush.rect(cx - 3 * e, foot + 4 * e, 6 * e, 6 * e, colour, radius=1.8 * e)
    brush.rect(
        x + wide * 0.34, y + high - 4 * e, wide * 0.32, 1.3 * e, clear(skin.ink, 0.7), radius=e
    )


def _window(pane: Pane, screen: Screen, box: Box) -> None:
    """A window of a browser: dots, an address, a list of places, the interface."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    bar, side = 7 * e, min(30 * e, wide * 0.22)
    brush.rect(x, y, wide, bar, skin.card)
    for index, colour in enumerate(("#ec6a5e", "#f4bf4f", "#61c554")):
        brush.circle(x + (5 + index * 4) * e, y + bar / 2, 1.25 * e, mix(colour, skin.card, 0.15))
    brush.rect(x + wide * 0.3, y + 1.5 * e, wide * 0.4, 4 * e, skin.ground, radius=2 * e)
    pane.bar(x + wide * 0.4, y + 2.8 * e, wide * 0.16, high=1.4)
    brush.rect(x, y + bar, side, high - bar, skin.card)
    _name(pane, screen.brand, (x + 4 * e, y + bar + 4.5 * e, side - 8 * e, 5 * e))
    for index in range(6):
        top = y + bar + (16 + index * 8) * e
        if index == 1:
            brush.rect(x + 2 * e, top - 2.4 * e, side - 4 * e, 6.6 * e, skin.soft, radius=2 * e)
        mark = skin.accent if index == 1 else mix(skin.faint, skin.ink, 0.15)
        brush.rect(x + 4 * e, top - 0.6 * e, 3 * e, 3 * e, mark, radius=0.9 * e)
        pane.bar(x + 9 * e, top, (side - 16 * e) * (0.6 + 0.1 * (index % 4)), high=1.8, colour=mark)
    brush.circle(x + 6.4 * e, y + high - 7 * e, 3 * e, clear(skin.second, 0.85))
    pane.bar(x + 12 * e, y + high - 8 * e, side * 0.4, high=2)
    inner = (x + side + 1.5 * e, y + bar + 2 * e, wide - side - 3 * e, high - bar - 4 * e)
    INTERFACES[screen.kind](pane, inner)


def _name(pane: Pane, brand: str, box: Box) -> None:
    """The only thing on a screen that can be read: the name of the brand; without one, a mark."""
    skin, e = pane.skin, pane.e
    x, y, wide, high = box
    pane.brush.rect(x, y, high, high, skin.accent, radius=high * 0.3)
    pane.brush.circle(x + high / 2, y + high / 2, high * 0.2, skin.card)
    if not brand.strip():
        pane.bar(x + high + 2 * e, y + high * 0.3, wide * 0.4, high=high * 0.4 / e, colour=skin.ink)
        return
    room = (wide - high - 2 * e, high)
    block = fitted(brand, room, largest=high * 0.95, smallest=high * 0.4, weight=700)
    write(pane.brush, block, x=x + high + 2 * e, y=y + (high - block.height) / 2, colour=skin.ink)
