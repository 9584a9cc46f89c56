"""Hands, close: with a phone, on a keyboard, around a tool, a cup or earth, or with nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.figures import grips
from callsheet_studio.draw.figures.cut import Cut
from callsheet_studio.draw.figures.fingers import paint_thumb
from callsheet_studio.draw.figures.paints import paints_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.figures.look import Look
    from callsheet_studio.draw.light import Light


HOLDINGS = ("phone", "laptop", "tool", "cup", "earth", "nothing")


def paint_hands(  # noqa: PLR0913 -- a call reads as a direction to an actor
    brush: Brush,
    look: Look,
    light: Light,
    *,
    holding: str,
    x: float,
    y: float,
    size: float,
    facing: int = 1,
    accent: str = "#f2a65a",
    screen: Callable[[Brush, float, float], None] | None = None,
) -> None:
    """Hands and what they hold, as an insert.

    Args:
        brush: painted with.
        look: whose.
        light: the light they are in.
        holding: `phone`, `laptop`, `tool`, `cup`, `earth` or `nothing`.
        x: the middle of what is held.
        y: the middle of what is held.
        size: how high what is held is; the arms reach one size further down.
        facing: -1 mirrors everything but the screen.
        accent: the film's own colour, for what is held.
        screen: paints the screen of a phone or laptop; is given its width and height.
    """
    who = paints_of(look, light)
    cut = Cut(brush, light, at=(x, y), head=size, flip=facing < 0)
    painter = {
        "phone": grips.paint_phone,
        "laptop": grips.paint_laptop,
        "tool": grips.paint_tool,
        "cup": grips.paint_cup,
        "earth": grips.paint_earth,
    }.get(holding, grips.paint_open)
    painter(cut, who, accent)
    cut.paint(rim=0.5)
    if screen and holding in _SCREENS:
        left, top, wide, high = (each * size for each in _SCREENS[holding])
        with brush.moved(x + left, y + top):
            screen(brush, wide, high)
    if screen and holding == "phone":
        over = Cut(brush, light, at=(x, y), head=size, flip=facing < 0)
        paint_thumb(over, who)
        over.paint(rim=0.0)


_SCREENS = {"phone": (-0.225, -0.44, 0.45, 0.88), "laptop": (-0.72, -0.9, 1.44, 0.8)}
"""Where the screen is: left, top, width and height."""
