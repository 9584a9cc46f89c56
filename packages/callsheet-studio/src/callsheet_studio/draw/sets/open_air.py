"""Out of doors, and nothing more: a sky and a ground, for places that have no drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import mix
from callsheet_studio.draw.nature import flood, near_by
from callsheet_studio.draw.sky import paint_sky

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.64, 0.88, 1.0), (0.5, 0.76, 0.7))
LOOK = (0.5, 0.55)

_GROUND = "#8b877e"


def paint(stage: Stage) -> None:
    """The sky of the hour down to an even horizon, and a ground without a mark."""
    light, brush = stage.light, stage.back
    flood(stage, light.near)
    paint_sky(stage, down_to=stage.horizon)
    near = mix(near_by(light, _GROUND), light.ink, 0.08 + 0.3 * light.dark)
    far = mix(near, light.low, 0.6)
    stops = [(0.0, far), (0.25, mix(near, far, 0.35)), (1.0, light.shaded(near, 0.3))]
    fill = brush.linear((0, stage.horizon), (0, stage.bottom), stops)
    wide = stage.right - stage.left
    brush.rect(stage.left, stage.horizon, wide, 4 * stage.height, fill)
