"""A room that could be any: for places that have no drawing. In it stands what the script names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.rooms import paint_shell, paint_skirting, room_of, settle
from callsheet_studio.library.things import catalog

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.64, 0.88, 1.0), (0.5, 0.8, 0.8))
SURFACE = (0.5, 0.7)
LOOK = (0.5, 0.5)

_SCHEMES = (
    ("#8d8a84", "#6f675e"),
    ("#7f8790", "#62605f"),
    ("#94877a", "#5f5a58"),
)
"""The walls and the floor: nothing that says which room it is."""
_GAP, _OFF = 0.15, 1.4
"""Metres between what stands at the wall, and from the wall to its middle."""
_MOST = 6


def paint(stage: Stage) -> None:
    """Walls that fall off into the dark, away from where the light is."""
    room = room_of(stage, depth=6.4, left=-3.6, right=3.6, tall=3.0)
    wall, floor = room.one_of(_SCHEMES)
    paint_shell(room, wall=wall, floor=floor, ceiling="#d9d5cd")
    paint_skirting(room, floor, high=0.1)
    _furnish(room)
    settle(room, (0.34, 0.4) if stage.light.side < 0 else (0.66, 0.4), reach=0.9)


def _furnish(room: Room) -> None:
    """What stands in it, in a row along the wall, as often as there is room."""
    from callsheet_studio.draw.props import paint_prop

    stage, z = room.stage, room.depth - _OFF
    if not stage.furniture:
        return
    left, right = max(room.left, room.x(-0.1, z)), min(room.right, room.x(1.1, z))
    wide = [catalog()[name].metres * catalog()[name].grow + _GAP for name in stage.furniture]
    times = max(min(int((right - left) / sum(wide)), _MOST // len(wide)), 1)
    at = (left + right - sum(wide) * times) / 2
    for name, metres in zip(stage.furniture * times, wide * times, strict=True):
        x, y = room(at + metres / 2, 0.0, z)
        at += metres
        paint_prop(
            stage.back,
            name,
            stage.light,
            x=x,
            y=y,
            size=room.scale(z) * catalog()[name].metres,
            accent=stage.accent,
            brand="",
        )
