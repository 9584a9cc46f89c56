"""A room that could be any: walls, a floor and a light, for places that have no drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.rooms import paint_shell, paint_skirting, room_of, settle

if TYPE_CHECKING:
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


def paint(stage: Stage) -> None:
    """Walls that fall off into the dark, away from where the light is."""
    room = room_of(stage, depth=6.4, left=-3.6, right=3.6, tall=3.0)
    wall, floor = room.one_of(_SCHEMES)
    paint_shell(room, wall=wall, floor=floor, ceiling="#d9d5cd")
    paint_skirting(room, floor, high=0.1)
    settle(room, (0.34, 0.4) if stage.light.side < 0 else (0.66, 0.4), reach=0.9)
